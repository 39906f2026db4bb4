//go:build cgo && linux

package hip

import (
	"runtime"
	"testing"
	"weak"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// calls are those that make something; each fails in turn.
var calls = []string{
	"hipMallocFromPoolAsync", "hipMemPoolCreate", "hipMemPoolSetAttribute", "hipMalloc", "hipMemAllocPitch", "hipMallocManaged",
	"hipHostRegister", "hipHostGetDevicePointer", "hipMemCreate", "hipMemAddressReserve", "hipMemMap", "hipMemSetAccess",
	"hipMemGetAllocationGranularity", "hipArray3DCreate", "hipMipmappedArrayCreate", "hipMipmappedArrayGetLevel", "hipArray3DGetDescriptor",
	"hipTexObjectCreate", "hipCreateSurfaceObject", "hipPointerGetAttributes", "hipStreamIsCapturing", "hipDeviceGetAttribute",
}

// Whatever fails, what was made before is given back.
func TestFailuresLeaveNothing(t *testing.T) {
	drivertest.RunChild(t, "TestFailuresLeaveNothingInChild", withFake(t, "devices=1")...)
}

func TestFailuresLeaveNothingInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	fake, err := control.Open(load().Path)
	check(t, err)
	natives, bytes := fake.Live("*"), fake.Bytes("*")
	settled := func() bool {
		check(t, own(d, func(p *Pool) error { return p.Trim(0) })) // what the stream keeps
		return fake.Live("*") == natives && fake.Bytes("*") == bytes
	}
	whole := everything(d, s)
	made := len(whole)
	closeAll(t, whole)
	check(t, d.Wait(t.Context()))
	if !drivertest.Eventually(settled) {
		t.Fatalf("%d native objects and %d bytes before, %d and %d afterwards", natives, bytes, fake.Live("*"), fake.Bytes("*"))
	}
	for _, kind := range []int{codeInvalidValue, codeOutOfMemory} {
		for _, symbol := range calls {
			fake.Fail(symbol, kind, control.Always)
			all := everything(d, s)
			if len(all) >= made {
				t.Errorf("%s fails, and nothing is missing", symbol)
			}
			fake.Fail(symbol, 0, control.Never)
			closeAll(t, all)
			check(t, d.Wait(t.Context()))
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

// Memory that the runtime does not let go of stays where it is, and is used for nothing
// else, which would count as page-locked.
func TestFailuresToUnregister(t *testing.T) {
	drivertest.RunChild(t, "TestFailuresToUnregisterInChild", withFake(t, "devices=1")...)
}

func TestFailuresToUnregisterInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	fake, err := control.Open(load().Path)
	check(t, err)
	d := open(t)
	registered := func() weak.Pointer[byte] {
		b := make([]byte, 1<<16)
		h, err := d.Register(b, 0)
		check(t, err)
		check(t, h.Close())
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
	fake.Fail("hipHostUnregister", 999, control.Always)
	kept := registered()
	for range 5 {
		if gone(kept)() {
			t.Fatal("memory that is still registered was collected")
		}
	}
	// Staging memory and the words of streams, which are C's, are freed with the device.
	check(t, newStream(t, d).Close())
	check(t, d.Close())
	fake.Fail("hipHostUnregister", 0, control.Never)
	again := open(t)
	s, m := newStream(t, again), scratch(t, again, 1<<16)
	roundTrip(t, s, m)
}
