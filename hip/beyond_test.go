package hip

import (
	"slices"
	"testing"
)

// What goes beyond the contract, on a device.
func TestBeyondTheContract(t *testing.T) {
	runOnDevice(t, slices.Concat(streamTests, captureTests, moduleTests, kernelTests, launchTests, verifyTests, imageTests, damageTests))
}
