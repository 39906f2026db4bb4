package spares

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// Memory is what the device has, as TRIAD_FAKE says it.
const Memory = "256M"

// Backend is what the tests must know of a backend.
type Backend struct {
	Library string
	Keep    func() // has a debug build keep what others keep
	// The symbols that allocate and free in a stream's order, that begin a stream's
	// capture and ask whether it is being captured, and that look at the thread's context.
	Alloc, Free, Begin, Capturing, Look string
	Open                                func() (driver.Device, error)
	// AllocOn allocates on a stream, PoolAllocOn from a pool of its own, and Plain from
	// no pool.
	AllocOn, PoolAllocOn func(s driver.Stream, size uint64) (driver.Memory, error)
	Plain                func(d driver.Device, size uint64) (driver.Memory, error)
	// Used is how many bytes of the opening's pool are in use, High how many were at most
	// since Restart; Trim has the pool give back what it keeps.
	Used, High    func(d driver.Device) (uint64, error)
	Restart, Trim func(d driver.Device) error
	Native        func(s driver.Stream) uintptr // gives out its handle
	Capture       func(t *testing.T, s driver.Stream, f func())
	Reset         func(d driver.Device) error
}

// rig is a device of a backend's, with a stream.
type rig struct {
	*testing.T
	Backend
	ctl *control.Driver
	dev driver.Device
	s   driver.Stream
}

// Run runs all of the tests. A debug build keeps nothing, which is a test of its own, and
// then does as others do.
func Run(t *testing.T, b Backend) {
	ctl, err := control.Open(b.Library)
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string, test func(*rig)) {
		t.Run(name, func(t *testing.T) {
			drivertest.LeavesNothing(t)
			t.Cleanup(ctl.Reset)
			dev, err := b.Open()
			r := &rig{T: t, Backend: b, ctl: ctl, dev: dev}
			r.ok(err)
			t.Cleanup(func() {
				r.ok(r.dev.Close())
				if !t.Failed() && !drivertest.Eventually(func() bool { return ctl.Bytes("device") == 0 }) {
					t.Errorf("%d bytes are left when the device is closed", ctl.Bytes("device"))
				}
			})
			r.s = r.stream()
			test(r)
		})
	}
	if lifetime.Debug {
		run("DebugBuildsKeepNothing", keptNothing)
		b.Keep()
	}
	for _, x := range tests {
		run(x.name, x.f)
	}
}

func (r *rig) ok(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) stream() driver.Stream {
	r.Helper()
	s, err := r.dev.NewStream(driver.StreamOptions{})
	r.ok(err)
	r.Cleanup(func() { r.ok(s.Close()) })
	return s
}

// alloc allocates on a stream, which is known to be idle afterwards.
func (r *rig) alloc(s driver.Stream, size uint64) driver.Memory {
	r.Helper()
	m, err := r.AllocOn(s, size)
	r.ok(err)
	r.ok(s.Wait(r.Context()))
	r.Cleanup(func() { _ = m.Close() })
	return m
}

// keep has a stream keep memory of each size, the last last.
func (r *rig) keep(s driver.Stream, sizes ...uint64) (at []uint64) {
	r.Helper()
	var list []driver.Memory
	for _, size := range sizes {
		list = append(list, r.alloc(s, size))
	}
	for _, m := range list {
		at = append(at, m.Addr())
		r.ok(m.Close())
	}
	return at
}

// frees is how often f has the driver free.
func (r *rig) frees(f func()) int {
	n := r.ctl.Calls(r.Free)
	f()
	return r.ctl.Calls(r.Free) - n
}

// kept tells whether a stream keeps memory of that size, which it then does no more.
func (r *rig) kept(s driver.Stream, size uint64) bool {
	r.Helper()
	n := r.ctl.Calls(r.Alloc)
	m, err := r.AllocOn(s, size)
	r.ok(err)
	r.ok(s.Wait(r.Context()))
	r.Cleanup(func() { _ = m.Close() })
	return r.ctl.Calls(r.Alloc) == n
}

func (r *rig) wantKept(s driver.Stream, size uint64, want bool) {
	r.Helper()
	if got := r.kept(s, size); got != want {
		r.Errorf("memory of %d bytes is kept: %v, want %v", size, got, want)
	}
}

// wantCalls reports other calls of the driver in f than those.
func (r *rig) wantCalls(what string, want map[string]int, f func()) {
	r.Helper()
	r.ctl.ResetCounts()
	f()
	got := map[string]int{}
	if r.ctl.Calls("*") != 0 {
		for _, s := range r.ctl.Symbols() {
			if n := r.ctl.Calls(s); n > 0 {
				got[s] = n
			}
		}
	}
	if !maps.Equal(got, want) {
		r.Errorf("%s makes the calls %s; want %s", what, list(got), list(want))
	}
}

func list(calls map[string]int) string {
	var words []string
	for _, s := range slices.Sorted(maps.Keys(calls)) {
		words = append(words, fmt.Sprintf("%d %s", calls[s], s))
	}
	return strings.Join(words, ", ")
}

// wantUsed reports another number of bytes in use than that, once streams have come to
// what was freed on them.
func (r *rig) wantUsed(what string, want uint64) {
	r.Helper()
	var got uint64
	var err error
	if !drivertest.Eventually(func() bool {
		got, err = r.Used(r.dev)
		return got == want || err != nil
	}) || err != nil {
		r.Errorf("%s: %d bytes of the pool are in use, error %v; want %d", what, got, err, want)
	}
}

// hold has streams begin no command until the test is over, or lets them.
func (r *rig) hold(on bool) {
	r.ctl.Hold(on)
	if on {
		r.Cleanup(func() { r.ctl.Hold(false) })
	}
}

// busy gives a stream something to do.
func (r *rig) busy(s driver.Stream) {
	r.Helper()
	e, err := r.dev.NewEvent(driver.EventOptions{})
	r.ok(err)
	r.Cleanup(func() { _ = e.Close() })
	r.ok(s.Record(e))
}
