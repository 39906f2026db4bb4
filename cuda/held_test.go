//go:build cgo && linux

package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

func held(t *testing.T) drivertest.Held {
	drivertest.OnlyAsChild(t)
	fake, err := control.Open(load().Path)
	check(t, err)
	return drivertest.Held{
		Open:   func() (driver.Device, error) { return Open(0, DeviceOptions{}) },
		Hold:   fake.Hold,
		Calls:  fake.Calls,
		Begins: "cuStreamIsCapturing", Writes: "cuStreamWriteValue32_v2", Queries: "cuStreamQuery",
		AllocOn: func(s driver.Stream) (driver.Memory, error) { return poolAllocOn(s.(*Stream), 4096) },
		Share:   func(s driver.Stream) { s.(*Stream).Native() },
	}
}

// Beyond the channels, streams are asked for rather than given words to write.
func TestCrowdedWaits(t *testing.T) {
	drivertest.RunChild(t, "TestCrowdedWaitsInChild", append(withFake(t, "devices=1"), "CUDA_DEVICE_MAX_CONNECTIONS=4")...)
}

func TestCrowdedWaitsInChild(t *testing.T) { held(t).CrowdedWaits(t, 4) }

func TestPoolMemoryGoesHome(t *testing.T) {
	drivertest.RunChild(t, "TestPoolMemoryGoesHomeInChild", withFake(t, "devices=1")...)
}

func TestPoolMemoryGoesHomeInChild(t *testing.T) { held(t).MemoryGoesHome(t) }

// Where streams write no words, nobody but the driver knows how far they are.
func TestAbandonedCopiesAreDelivered(t *testing.T) {
	drivertest.RunChild(t, "TestAbandonedCopiesAreDeliveredInChild", withFake(t, "devices=1", "cuStreamWriteValue32_v2")...)
}

func TestAbandonedCopiesAreDeliveredInChild(t *testing.T) { held(t).AbandonedAreDelivered(t) }

func TestMemoryIsFreedOnce(t *testing.T) {
	drivertest.RunChild(t, "TestMemoryIsFreedOnceInChild", withFake(t, "devices=1")...)
}

func TestMemoryIsFreedOnceInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	fake, err := control.Open(load().Path)
	check(t, err)
	held(t).FreesOnce(t, "cuMemFreeAsync", func() { fake.Fail("cuStreamWaitEvent", 999, control.Once) })
}

// A reset takes away memory of the driver's while threads copy.
func TestResetAmidCopies(t *testing.T) {
	drivertest.RunChild(t, "TestResetAmidCopiesInChild", withFake(t, "devices=1")...)
}

func TestResetAmidCopiesInChild(t *testing.T) {
	held(t).ResetAmidCopies(t, func(d driver.Device) error { return d.(*Device).Reset() })
}
