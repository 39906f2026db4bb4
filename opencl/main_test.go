package opencl

import (
	"fmt"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// hold has a stream wait for a user event.
func hold(t testing.TB, s driver.Stream) (release func()) {
	t.Helper()
	u, err := s.(*Stream).dev.UserEvent()
	if err == nil {
		err = s.WaitEvent(u)
	}
	if err != nil {
		t.Fatalf("holding a stream: %v", err)
	}
	return func() {
		if err := u.Complete(); err != nil {
			t.Errorf("letting a stream go on: %v", err)
		}
		_ = u.Close()
	}
}

func TestConformance(t *testing.T) {
	infos, err := Backend().Devices()
	if err != nil {
		drivertest.Unavailable(t, "opencl", err)
	}
	for _, info := range infos {
		modes := []bool{true}
		if info.RealAddresses {
			modes = []bool{false, true}
		}
		for _, buffersOnly := range modes {
			mode := "SharedVirtualMemory"
			if buffersOnly {
				mode = "Buffers"
			}
			t.Run(fmt.Sprintf("%d/%s", info.Index, mode), func(t *testing.T) {
				drivertest.Run(t, drivertest.Harness{
					Backend: "opencl",
					Open:    func() (driver.Device, error) { return Open(info.Index, DeviceOptions{BuffersOnly: buffersOnly}) },
					Sources: drivertest.Sources(".cl"),
					Hold:    hold,
				})
			})
		}
	}
}
