package spares

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/triad-gpu/triad/driver"
)

const mib = 1 << 20

var tests = []struct {
	name string
	f    func(*rig)
}{
	{"TheSameSizeIsTakenAgain", takenAgain},
	{"OtherMemoryIsNotKept", otherMemory},
	{"FourAreKept", fourAreKept},
	{"SomeBytesAreKept", someBytes},
	{"WithAnotherStreamBusyItIsFreed", anotherBusy},
	{"WithItsOwnStreamBusyItIsKept", ownBusy},
	{"SharedStreamsAreAsked", sharedStreams},
	{"UsesAreInOrder", inOrder},
	{"TrimGivesBack", trimGivesBack},
	{"WhatIsKeptIsNotInUse", notInUse},
	{"WithoutRoomItIsGivenBack", withoutRoom},
	{"StreamsThatEndGiveBack", streamsEnd},
	{"CapturesLeaveIt", captures},
	{"StreamsThatEndCapturedGiveBack", endsCaptured},
	{"WhatWasPutOffComesFirst", putOff},
	{"WhatWasPutOffMakesRoom", putOffMakesRoom},
	{"AResetTakesItAway", reset},
	{"StrictDriversLoseNothing", strict},
	{"CapturesBeginMeanwhile", capturesMeanwhile},
	{"ManyTakeEachOnce", manyAtOnce},
}

func takenAgain(r *rig) {
	at := r.keep(r.s, mib)[0]
	for range 3 {
		var m driver.Memory
		r.wantCalls("an allocation", map[string]int{r.Look: 1, r.Capturing: 1}, func() {
			var err error
			m, err = r.AllocOn(r.s, mib)
			r.ok(err)
		})
		if m.Addr() != at {
			r.Errorf("the stream gives %#x; it keeps %#x", m.Addr(), at)
		}
		r.wantCalls("Close", map[string]int{r.Look: 1}, func() { r.ok(m.Close()) })
	}
	r.wantKept(r.s, mib-1, false)
	r.wantKept(r.s, mib+1, false)
	r.wantKept(r.stream(), mib, false)
	r.wantKept(r.s, mib, true)
	r.wantKept(r.s, mib, false)
}

func otherMemory(r *rig) {
	own, err := r.PoolAllocOn(r.s, mib)
	r.ok(err)
	devices, err := r.dev.Alloc(mib)
	r.ok(err)
	r.ok(r.s.Wait(r.Context()))
	for what, m := range map[string]driver.Memory{"memory of a pool": own, "memory of the device": devices} {
		if n := r.frees(func() { r.ok(m.Close()) }); n != 1 {
			r.Errorf("%s that is closed is freed %d times", what, n)
		}
	}
	r.wantKept(r.s, mib, false)
	at := r.keep(r.s, mib)[0]
	own, err = r.PoolAllocOn(r.s, mib)
	r.ok(err)
	if own.Addr() == at {
		r.Error("a pool gives what the stream keeps of another")
	}
	r.ok(own.Close())
	if none := r.alloc(r.s, 0); none.Addr() != 0 {
		r.Errorf("no bytes are at %#x", none.Addr())
	}
}

// More than four are kept no longer than until others come.
func fourAreKept(r *rig) {
	at := make([]driver.Memory, 6)
	for i := range at {
		at[i] = r.alloc(r.s, uint64(i+1)*mib)
	}
	for i, m := range at {
		if n := r.frees(func() { r.ok(m.Close()) }); n != max(i-3, 0)-max(i-4, 0) {
			r.Errorf("when memory %d is closed, %d are freed", i, n)
		}
	}
	for i := range at {
		r.wantKept(r.s, uint64(i+1)*mib, i >= 2)
	}
}

func someBytes(r *rig) {
	if n := r.frees(func() { r.keep(r.s, 64*mib+1) }); n != 1 {
		r.Errorf("more than 64 MiB are freed %d times", n)
	}
	r.wantKept(r.s, 64*mib+1, false)
	r.ok(r.Trim(r.dev))
	r.keep(r.s, 64*mib)
	r.wantKept(r.s, 64*mib, true)
	r.keep(r.s, 30*mib, 31*mib, 2*mib, mib)
	r.wantKept(r.s, mib, true)
	r.keep(r.s, 32*mib) // along with 31 and 2 too much
	r.wantKept(r.s, 30*mib, false)
	r.wantKept(r.s, 31*mib, false)
	r.wantKept(r.s, 2*mib, true)
	r.wantKept(r.s, 32*mib, true)
}

func anotherBusy(r *rig) {
	other := r.stream()
	m := r.alloc(r.s, mib)
	r.hold(true)
	r.busy(other)
	if n := r.frees(func() { r.ok(m.Close()) }); n != 1 {
		r.Errorf("with another stream busy the memory is freed %d times", n)
	}
	r.hold(false)
	r.ok(other.Wait(r.Context()))
	r.wantKept(r.s, mib, false)
}

func ownBusy(r *rig) {
	other := r.stream()
	m := r.alloc(r.s, mib)
	r.hold(true)
	r.busy(r.s)
	at := m.Addr()
	if n := r.frees(func() { r.ok(m.Close()) }); n != 0 {
		r.Errorf("with no other stream busy the memory is freed %d times", n)
	}
	again, err := r.AllocOn(r.s, mib)
	r.ok(err)
	if again.Addr() != at {
		r.Errorf("a busy stream gives %#x; it keeps %#x", again.Addr(), at)
	}
	// Two are busy; it is freed behind both.
	r.busy(other)
	if n := r.frees(func() { r.ok(again.Close()) }); n != 1 {
		r.Errorf("with two streams busy the memory is freed %d times", n)
	}
	r.hold(false)
}

// Streams whose handle was given out are never known to be idle.
func sharedStreams(r *rig) {
	other := r.stream()
	r.Native(r.s)
	r.Native(other)
	r.keep(r.s, mib)
	r.wantKept(r.s, mib, true)
	m := r.alloc(r.s, mib)
	r.hold(true)
	r.busy(other)
	if n := r.frees(func() { r.ok(m.Close()) }); n != 1 {
		r.Errorf("with another stream busy that others know the memory is freed %d times", n)
	}
	r.hold(false)
}

// What was enqueued before the memory was closed comes before its next uses.
func inOrder(r *rig) {
	m, out := r.alloc(r.s, 4096), r.alloc(r.s, 4096)
	fill := func(m driver.Memory, b byte) {
		r.ok(r.s.Fill(m, 0, 4096, driver.Pattern{Bytes: [16]byte{b}, Len: 1}))
	}
	r.hold(true)
	fill(m, 1)
	r.ok(r.s.Copy(out, 0, m, 0, 4096))
	r.ok(m.Close())
	again, err := r.AllocOn(r.s, 4096)
	r.ok(err)
	fill(again, 2)
	r.hold(false)
	for m, want := range map[driver.Memory]byte{out: 1, again: 2} {
		got := make([]byte, 4096)
		r.ok(r.s.CopyToHost(context.Background(), got, m, 0))
		if got[0] != want || got[4095] != want {
			r.Errorf("the memory has %d … %d; want %d", got[0], got[4095], want)
		}
	}
	r.ok(again.Close())
}

func trimGivesBack(r *rig) {
	other := r.stream()
	r.keep(r.s, mib, 2*mib)
	r.keep(other, mib)
	if n := r.frees(func() { r.ok(r.Trim(r.dev)) }); n != 3 {
		r.Errorf("%d are freed of three", n)
	}
	if n := r.ctl.Bytes("device"); n != 0 {
		r.Errorf("%d bytes are left", n)
	}
	// Behind what a stream has to do it comes back with that.
	r.keep(r.s, mib)
	r.hold(true)
	r.busy(r.s)
	r.ok(r.Trim(r.dev))
	r.wantUsed("what a busy stream has kept", mib)
	r.hold(false)
	r.ok(r.s.Wait(r.Context()))
	r.wantUsed("once the stream has come to it", 0)
}

func notInUse(r *rig) {
	m := r.alloc(r.s, 3*mib)
	r.keep(r.s, mib, 2*mib)
	r.wantUsed("with 3 MiB allocated", 3*mib)
	r.ok(m.Close())
	r.wantUsed("with nothing allocated", 0)
	r.keep(r.s, mib)
	r.ok(r.Restart(r.dev))
	if n, err := r.High(r.dev); n != 0 || err != nil {
		r.Errorf("the most that was in use since is %d, error %v", n, err)
	}
}

// withoutRoom has streams keep most of the device's memory, in which something else
// finds room all the same.
func withoutRoom(r *rig) {
	streams := []driver.Stream{r.s, r.stream(), r.stream()}
	for what, alloc := range map[string]func() (driver.Memory, error){
		"a device's memory": func() (driver.Memory, error) { return r.dev.Alloc(200 * mib) },
		"memory of no pool": func() (driver.Memory, error) { return r.Plain(r.dev, 200*mib) },
		"a stream's memory": func() (driver.Memory, error) { return r.AllocOn(r.s, 200*mib) },
		"a pool's memory":   func() (driver.Memory, error) { return r.PoolAllocOn(r.s, 200*mib) },
	} {
		for _, s := range streams {
			r.keep(s, 20*mib, 40*mib)
		}
		m, err := alloc()
		if err != nil {
			r.Errorf("%s: %v", what, err)
			continue
		}
		r.ok(r.s.Wait(r.Context()))
		r.ok(m.Close())
		r.ok(r.Trim(r.dev))
	}
	// What does not fit in any case says so.
	if _, err := r.AllocOn(r.s, 1<<40); !errors.Is(err, driver.ErrOutOfMemory) {
		r.Errorf("1 TiB: %v", err)
	}
}

func streamsEnd(r *rig) {
	s, err := r.dev.NewStream(driver.StreamOptions{})
	r.ok(err)
	m := r.alloc(s, 3*mib)
	r.keep(s, mib, 2*mib)
	if n := r.frees(func() { r.ok(s.Close()) }); n != 2 {
		r.Errorf("a stream that ends frees %d of two", n)
	}
	if n := r.frees(func() { r.ok(m.Close()) }); n != 1 {
		r.Errorf("memory of a stream that is gone is freed %d times", n)
	}
	r.wantUsed("without the stream", 0)
}

// A reset takes the memory along, and no call is made about it.
func reset(r *rig) {
	at := r.alloc(r.s, mib)
	r.keep(r.s, 2*mib)
	r.ok(r.Reset(r.dev))
	if _, err := r.AllocOn(r.s, 2*mib); !errors.Is(err, driver.ErrDeviceLost) {
		r.Errorf("an allocation on a stream of before the reset: %v", err)
	}
	n := r.frees(func() {
		r.ok(at.Close())
		r.ok(r.s.Close())
		r.ok(r.dev.Close())
	})
	if n != 0 {
		r.Errorf("%d calls free memory that is gone", n)
	}
}

// On a thread without a context a strict driver frees nothing, and says so.
func strict(r *rig) {
	list := make([]driver.Memory, 5)
	for i := range list {
		list[i] = r.alloc(r.s, uint64(i+1)*mib)
	}
	r.ctl.Strict(true)
	for _, m := range list {
		r.ok(m.Close())
	}
	r.wantUsed("with all closed", 0)
}

// manyAtOnce has many allocate on one stream, and one trim its pool: nobody has what
// another has.
func manyAtOnce(r *rig) {
	const rounds = 20_000
	sizes := []uint64{4096, 8192}
	var (
		taken sync.Map // by address: *atomic.Uint64, the size, 0 where nobody has it
		group sync.WaitGroup
	)
	for g := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range rounds {
				size := sizes[i/1000%len(sizes)] // mostly the same for all
				m, err := r.AllocOn(r.s, size)
				if err != nil {
					r.Error(err)
					return
				}
				x, _ := taken.LoadOrStore(m.Addr(), new(atomic.Uint64))
				if has := x.(*atomic.Uint64); !has.CompareAndSwap(0, size) {
					r.Errorf("%d bytes at %#x were given out, where another has %d", size, m.Addr(), has.Load())
				}
				if g == 0 && i%1000 == 0 {
					if err := r.Trim(r.dev); err != nil {
						r.Error(err)
					}
				}
				x.(*atomic.Uint64).Store(0)
				if err := m.Close(); err != nil {
					r.Error(err)
				}
			}
		}()
	}
	group.Wait()
	r.Logf("%d calls allocated for %d allocations", r.ctl.Calls(r.Alloc), 4*rounds)
	r.ok(r.s.Wait(r.Context()))
	r.wantUsed("with all closed", 0)
}

// keptNothing is for debug builds.
func keptNothing(r *rig) {
	if n := r.frees(func() { r.keep(r.s, mib) }); n != 1 {
		r.Errorf("memory that is closed is freed %d times", n)
	}
	r.wantKept(r.s, mib, false)
}
