//go:build linux

package opencl

import (
	"syscall"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

func TestInitializationLeavesSignalHandlersAlone(t *testing.T) {
	testDevice(t, DeviceOptions{})
	drivertest.RunChild(t, "TestSignalTable")
}

func TestSignalTable(t *testing.T) {
	drivertest.OnlyAsChild(t)
	use := func() {
		if _, err := Platforms(); err != nil {
			t.Fatal(err)
		}
		d := testDevice(t, DeviceOptions{})
		s := testStream(t, d, driver.StreamOptions{})
		k := kernel[storeArgs](t, d, storeSource, "store")
		x := buffer(t, s, []uint32{0})
		a := storeArgs{x.Ptr(), 1}
		check(t, k.Launch(s, one, driver.ArgsOf(&a)))
		check(t, s.Wait(t.Context()))
	}
	drivertest.SignalsStay(t, use, func(s syscall.Signal, flags uint64) bool {
		return s == syscall.SIGFPE && flags&drivertest.OnStack != 0 // PoCL's kernels need a handler; see triad_signals.h
	})
}
