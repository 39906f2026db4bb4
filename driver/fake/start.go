package fake

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/triad-gpu/triad/cuda"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/hip"
)

// Main is for a package's TestMain: it loads the fake driver before a test can load
// another one, runs the tests, and ends the process. Where the fake driver can't be
// had the tests run all the same, and Start skips them.
//
//	func TestMain(m *testing.M) { fake.Main(m, fake.Driver{}) }
//
// Where tests call StartHIP:
//
//	func TestMain(m *testing.M) { fake.Main(m, fake.Driver{HIP: &fake.Runtime{}}) }
func Main(m *testing.M, d Driver) {
	err := cudas.load(d.options)
	if d.HIP != nil && err == nil {
		err = hips.load(d.HIP.options)
	}
	if err != nil && !errors.Is(err, driver.ErrUnavailable) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// Start gives a test fake devices of a model, and opens the first of them by way of
// package cuda. Everything ends with the test: the faults that it asked for, and the
// device. Where the fake driver can't be had the test is skipped, or fails if
// TRIAD_REQUIRE lists "fake"; it fails where another driver was loaded before.
func Start(t testing.TB, m Model) *Device {
	t.Helper()
	d := &Device{}
	d.controls = cudas.begin(t, m, Driver{}.options, func() (driver.Device, error) {
		var err error
		d.Device, err = cuda.Open(0, cuda.DeviceOptions{OwnContext: true})
		return d.Device, err
	})
	return d
}

// StartHIP is Start by way of package hip, with a model of AMD's. HIP has no contexts:
// what the test's device is broken by breaks other openings of it as well, until the
// test ends.
func StartHIP(t testing.TB, m Model) *HIPDevice {
	t.Helper()
	d := &HIPDevice{}
	d.controls = hips.begin(t, m, Runtime{}.options, func() (driver.Device, error) {
		var err error
		d.Device, err = hip.Open(0, hip.DeviceOptions{})
		return d.Device, err
	})
	return d
}
