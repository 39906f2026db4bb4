package cuda

import (
	"slices"
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
)

// What the contract doesn't cover, on the device of this machine.
func TestBeyondTheContract(t *testing.T) {
	runOnDevice(t, slices.Concat(contextTests, streamTests, captureTests, moduleTests, kernelTests, launchTests))
}

// Two devices that reach each other's memory, and, where there are none, two fakes.
func TestPeers(t *testing.T) {
	runOnDevice(t, []onDevice{{"AreEnabledAndDisabledAnyNumberOfTimes", peers}})
}

func TestPeersOnFake(t *testing.T) { drivertest.RunChild(t, "TestPeers", withFake(t, "devices=2")...) }

// Each newer call that is missing takes its own feature along, and says what it needs.
func TestMissingCallsAreNamed(t *testing.T) {
	drivertest.RunChild(t, "TestMissingCallsAreNamedInChild", withFake(t, "version=11040", newerCalls...)...)
}
