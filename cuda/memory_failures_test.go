//go:build cgo && linux

package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

// calls are those that make something; each fails in turn.
var calls = []string{
	"cuMemAllocFromPoolAsync", "cuMemPoolCreate", "cuMemPoolSetAttribute", "cuMemAlloc_v2", "cuMemAllocPitch_v2", "cuMemAllocManaged",
	"cuMemHostRegister_v2", "cuMemHostGetDevicePointer_v2", "cuMemCreate", "cuMemAddressReserve", "cuMemMap", "cuMemSetAccess",
	"cuMemGetAllocationGranularity", "cuArray3DCreate_v2", "cuMipmappedArrayCreate", "cuMipmappedArrayGetLevel", "cuArray3DGetDescriptor_v2",
	"cuTexObjectCreate", "cuSurfObjectCreate", "cuPointerGetAttributes", "cuStreamIsCapturing", "cuDeviceGetAttribute",
}

// Whatever fails, what was made before is given back.
func TestFailuresLeaveNothing(t *testing.T) {
	drivertest.RunChild(t, "TestFailuresLeaveNothingInChild", withFake(t, "devices=1")...)
}

func TestFailuresLeaveNothingInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	memorytest.FailuresLeaveNothing(t, rig, load().Path, everything, calls, codeInvalidValue, codeOutOfMemory)
}

// Memory that the driver does not let go of stays where it is, and is used for nothing
// else, which would count as page-locked.
func TestFailuresToUnregister(t *testing.T) {
	drivertest.RunChild(t, "TestFailuresToUnregisterInChild", withFake(t, "devices=1")...)
}

func TestFailuresToUnregisterInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	memorytest.FailuresToUnregister(t, rig, load().Path, "cuMemHostUnregister")
}
