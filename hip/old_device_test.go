package hip

import (
	"slices"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

// A device with wavefronts of 32, and without what newer ones have.
func TestAnotherModel(t *testing.T) {
	drivertest.RunChild(t, "TestAnotherModelInChild", withFake(t, "model=RX7900")...)
}

func TestAnotherModelInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	if d.Arch() != "gfx1100" || d.info.WarpSize != 32 {
		t.Errorf("the device is %s, with wavefronts of %d", d.Arch(), d.info.WarpSize)
	}
	pools, virtual := AttrMemoryPoolsSupported.String(), AttrVirtualMemoryManagementSupported.String()
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
	stores(t, d, functions(t, d))
	for _, x := range slices.Concat(launchTests, verifyTests, imageTests) {
		t.Run(x.name, func(t *testing.T) { x.run(t, open(t)) })
	}
}
