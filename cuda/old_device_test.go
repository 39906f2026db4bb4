package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

// A device that lacks what newer ones have, and a driver of the first version that
// is supported.
func TestOldDevice(t *testing.T) {
	drivertest.RunChild(t, "TestOldDeviceInChild", withFake(t, "model=old;version=11040", "cuMemAdvise_v2", "cuMemPrefetchAsync_v2")...)
}

func TestOldDeviceInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	const pools, virtual = "CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED", "CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED"
	for what, call := range map[string]func() (any, error){
		"Stream.Alloc": func() (any, error) { return s.Alloc(16) },
		"Pool":         func() (any, error) { return d.Pool() },
		"DefaultPool":  func() (any, error) { return d.DefaultPool() },
		"CurrentPool":  func() (any, error) { return d.CurrentPool() },
		"NewPool":      func() (any, error) { return d.NewPool(PoolOptions{}) },
	} {
		_, err := call()
		wantIs(t, what, err, driver.ErrUnsupported, pools+" is 0")
	}
	_, err := d.Reserve(1<<30, 0)
	wantIs(t, "Reserve", err, driver.ErrUnsupported, virtual+" is 0")
	_, err = d.NewPhysical(1<<21, PhysicalOptions{})
	wantIs(t, "NewPhysical", err, driver.ErrUnsupported, virtual+" is 0")
	_, _, err = d.Granularity(PhysicalOptions{})
	wantIs(t, "Granularity", err, driver.ErrUnsupported, virtual+" is 0")

	m, err := d.Alloc(1 << 16)
	check(t, err)
	memorytest.RoundTrip(t, s, m)
	check(t, m.Close())
}

// The forms of calls that came with CUDA 12.2 are missing, and all else is there.
func TestOldDriver(t *testing.T) {
	drivertest.RunChild(t, "TestManaged", withFake(t, "version=11040", "cuMemAdvise_v2", "cuMemPrefetchAsync_v2")...)
	drivertest.RunChild(t, "TestPoolLimits", withFake(t, "version=12010")...)
	drivertest.RunChild(t, "TestNUMANeedsNewerCalls", withFake(t, "version=12010", "cuMemAdvise_v2", "cuMemPrefetchAsync_v2")...)
}

func TestNUMANeedsNewerCalls(t *testing.T) {
	drivertest.OnlyAsChild(t)
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	m, err := d.AllocManaged(4096)
	check(t, err)
	defer m.Close()
	wantIs(t, "Advise", m.Advise(0, 4096, PreferredLocation, NUMALocation(0)), driver.ErrUnsupported, "cuMemAdvise_v2", "CUDA 12.2", "CUDA 12.1")
	wantIs(t, "Prefetch", s.Prefetch(m, 0, 4096, NUMALocation(0)), driver.ErrUnsupported, "cuMemPrefetchAsync_v2", "CUDA 12.2")
}
