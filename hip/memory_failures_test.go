//go:build cgo && linux

package hip

import (
	"testing"

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
	settled := func() bool { return fake.Live("*") == natives && fake.Bytes("*") == bytes }
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
