//go:build cgo && linux

package memorytest

import (
	"io"
	"runtime"
	"testing"
	"weak"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// FailuresLeaveNothing makes everything while calls fail in turn, with each of some codes:
// whatever fails, what was made before is given back. library is the fake driver's path.
func FailuresLeaveNothing[
	D interface {
		streams[S]
		Pool() (P, error)
	},
	S driver.Stream, P interface {
		io.Closer
		Trim(keep uint64) error
	},
](
	t *testing.T, rig Rig[D], library string, everything func(testing.TB, D, S) []io.Closer, calls []string, codes ...int,
) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	fake, err := control.Open(library)
	Check(t, err)
	natives, bytes := fake.Live("*"), fake.Bytes("*")
	settled := func() bool {
		own, err := d.Pool()
		Check(t, err)
		defer own.Close()
		Check(t, own.Trim(0)) // what the stream keeps
		return fake.Live("*") == natives && fake.Bytes("*") == bytes
	}
	whole := everything(t, d, s)
	made := len(whole)
	CloseAll(t, whole)
	Check(t, d.Wait(t.Context()))
	if !drivertest.Eventually(settled) {
		t.Fatalf("%d native objects and %d bytes before, %d and %d afterwards", natives, bytes, fake.Live("*"), fake.Bytes("*"))
	}
	for _, kind := range codes {
		for _, symbol := range calls {
			fake.Fail(symbol, kind, control.Always)
			all := everything(t, d, s)
			if len(all) >= made {
				t.Errorf("%s fails, and nothing is missing", symbol)
			}
			fake.Fail(symbol, 0, control.Never)
			CloseAll(t, all)
			Check(t, d.Wait(t.Context()))
			if !drivertest.Eventually(settled) {
				t.Errorf("%s failed with %d: %d native objects and %d bytes before, %d and %d afterwards",
					symbol, kind, natives, bytes, fake.Live("*"), fake.Bytes("*"))
			}
		}
	}
	if n := fake.WrongContext(); n != 0 {
		t.Errorf("%d calls were made in another context than that of their object", n)
	}
}

// FailuresToUnregister closes registered memory that the driver does not let go of: it
// stays where it is, and is used for nothing else, which would count as page-locked.
// unregister is the call that fails, library the fake driver's path.
func FailuresToUnregister[
	D registering[S, H, F], S driver.Stream, H driver.HostMemory, F ~uint32,
](t *testing.T, rig Rig[D], library, unregister string) {
	fake, err := control.Open(library)
	Check(t, err)
	d := rig.Open(t)
	registered := func() weak.Pointer[byte] {
		b := make([]byte, 1<<16)
		h, err := d.Register(b, 0)
		Check(t, err)
		Check(t, h.Close())
		return weak.Make(&b[0])
	}
	gone := func(p weak.Pointer[byte]) func() bool {
		return func() bool {
			runtime.GC()
			return p.Value() == nil
		}
	}
	if !drivertest.Eventually(gone(registered())) {
		t.Error("memory that was unregistered is not collected")
	}
	fake.Fail(unregister, 999, control.Always)
	kept := registered()
	for range 5 {
		if gone(kept)() {
			t.Fatal("memory that is still registered was collected")
		}
	}
	// Staging memory and the words of streams, which are C's, are freed with the device.
	Check(t, newStream(t, d).Close())
	Check(t, d.Close())
	fake.Fail(unregister, 0, control.Never)
	again := rig.Open(t)
	s, m := newStream(t, again), Scratch(t, again, 1<<16)
	RoundTrip(t, s, m)
}
