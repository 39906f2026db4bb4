package spares

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

func captures(r *rig) {
	other := r.stream()
	at := r.keep(r.s, mib)[0]
	more := []driver.Memory{r.alloc(r.s, 2*mib), r.alloc(r.s, 3*mib), r.alloc(r.s, 4*mib), r.alloc(r.s, 5*mib)}
	r.Capture(r.T, r.s, func() {
		if _, err := r.AllocOn(r.s, mib); !errors.Is(err, driver.ErrUnsupported) {
			r.Errorf("an allocation in a capture: %v", err)
		}
		r.ok(r.Trim(r.dev)) // would be captured
		for _, m := range more[:3] {
			r.ok(m.Close())
		}
		// There is no room, and a stream to be asked, which captures forbid.
		r.Native(other)
		r.ok(more[3].Close())
	})
	m := r.alloc(r.s, mib)
	if m.Addr() != at {
		r.Errorf("after a capture the stream gives %#x; it kept %#x", m.Addr(), at)
	}
	r.wantKept(r.s, 5*mib, false)
	r.wantKept(r.s, 4*mib, true)
	r.ok(m.Close())
}

// What a stream has kept that is being captured when it ends is freed when more is closed.
func endsCaptured(r *rig) {
	s, err := r.dev.NewStream(driver.StreamOptions{})
	r.ok(err)
	r.keep(s, mib, 2*mib)
	m := r.alloc(r.s, mib)
	const relaxed = 2 // the mode of a capture
	if code := r.ctl.Call(r.Begin, r.Native(s), relaxed); code != 0 {
		r.Fatalf("%s: %d", r.Begin, code)
	}
	n := r.ctl.Calls(r.Free)
	r.ok(s.Close())
	r.ok(r.dev.Wait(r.Context()))
	if !drivertest.Eventually(func() bool { return r.ctl.Live("stream") == 3 }) { // the opening has two
		r.Fatalf("there are %d streams", r.ctl.Live("stream"))
	}
	if n := r.ctl.Calls(r.Free) - n; n != 0 {
		r.Errorf("a stream that is being captured frees %d", n)
	}
	if n := r.frees(func() { r.ok(m.Close()) }); n != 2 {
		r.Errorf("%d are freed of two that were put off", n)
	}
	r.wantUsed("without the stream", 0)
}

// Memory whose free had to be put off is freed when more is closed, also where that is
// kept.
func putOff(r *rig) {
	other := r.stream()
	m, more := r.alloc(r.s, mib), r.alloc(r.s, 2*mib)
	r.Capture(r.T, other, func() {
		r.busy(other)
		if n := r.frees(func() { r.ok(m.Close()) }); n != 0 {
			r.Errorf("while another stream is captured %d are freed", n)
		}
	})
	r.ok(other.Wait(r.Context()))
	if n := r.frees(func() { r.ok(more.Close()) }); n != 1 {
		r.Errorf("%d are freed of one that was put off", n)
	}
	r.wantKept(r.s, mib, false)
	r.wantKept(r.s, 2*mib, true)
}

// Memory whose free had to be put off is freed when there is no room, and when what is in
// use is asked for.
func putOffMakesRoom(r *rig) {
	other := r.stream()
	later := func(size uint64) {
		r.Helper()
		m := r.alloc(r.s, size)
		r.Capture(r.T, other, func() {
			r.busy(other)
			r.ok(m.Close())
		})
		r.ok(other.Wait(r.Context()))
	}
	later(mib)
	r.wantUsed("with all closed", 0)
	later(mib)
	if n := r.frees(func() { r.ok(r.Trim(r.dev)) }); n != 1 {
		r.Errorf("Trim frees %d of one that was put off", n)
	}
	later(150 * mib)
	m, err := r.AllocOn(r.s, 200*mib)
	if err != nil {
		r.Fatal(err)
	}
	r.ok(m.Close())
}

// capturesMeanwhile has captures begin while another goroutine gives back what streams keep:
// they are left alone.
func capturesMeanwhile(r *rig) {
	e, err := r.dev.NewEvent(driver.EventOptions{})
	r.ok(err)
	r.Cleanup(func() { _ = e.Close() })
	var group sync.WaitGroup
	var over atomic.Bool
	group.Add(1)
	go func() {
		defer group.Done()
		for !over.Load() {
			if err := r.Trim(r.dev); err != nil {
				r.Error(err)
			}
		}
	}()
	defer func() {
		over.Store(true)
		group.Wait()
	}()
	rounds := 20_000
	if testing.Short() {
		rounds /= 5
	}
	for i := 0; i < rounds && !r.Failed(); i++ {
		m, err := r.AllocOn(r.s, mib)
		r.ok(err)
		r.ok(r.s.Wait(r.Context()))
		r.ok(m.Close())
		r.Capture(r.T, r.s, func() { r.ok(r.s.Record(e)) })
	}
}
