//go:build cgo && linux

package hip

import (
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/memorytest"
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
	memorytest.FailuresLeaveNothing(t, rig, load().Path, everything, calls, codeInvalidValue, codeOutOfMemory)
}

// Memory that the runtime does not let go of stays where it is, and is used for nothing
// else, which would count as page-locked.
func TestFailuresToUnregister(t *testing.T) {
	drivertest.RunChild(t, "TestFailuresToUnregisterInChild", withFake(t, "devices=1")...)
}

func TestFailuresToUnregisterInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	memorytest.FailuresToUnregister(t, rig, load().Path, "hipHostUnregister")
}
