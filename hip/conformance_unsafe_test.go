package hip

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// hold has a stream wait for a word in page-locked memory, until release is called or
// the test ends.
func hold(t testing.TB, s driver.Stream) (release func()) {
	t.Helper()
	ours := s.(*Stream)
	mem, err := ours.dev.HostAlloc(4, 0)
	if err != nil {
		t.Fatalf("holding a stream: %v", err)
	}
	word := (*uint32)(unsafe.Pointer(&mem.Bytes()[0]))
	atomic.StoreUint32(word, 0)
	if err := ours.WaitValue32(mem, 0, 1, AtLeast); err != nil {
		_ = mem.Close()
		t.Fatalf("holding a stream: %v", err)
	}
	release = sync.OnceFunc(func() {
		atomic.StoreUint32(word, 1)
		_ = mem.Close()
	})
	t.Cleanup(release)
	return release
}

// conformance runs the suite against every device.
func conformance(t *testing.T, change func(*drivertest.Harness)) {
	infos, err := Backend().Devices()
	if err != nil {
		drivertest.Unavailable(t, "hip", err)
	}
	for _, info := range infos {
		t.Run(fmt.Sprintf("Device%d", info.Index), func(t *testing.T) {
			h := drivertest.Harness{
				Backend: "hip",
				Open: func() (driver.Device, error) {
					d, err := Open(info.Index, DeviceOptions{})
					if err != nil {
						return nil, err
					}
					opened()
					return d, nil
				},
				Sources:    drivertest.Sources(".hip"),
				Hold:       hold,
				Done:       func(d driver.Device) { done(d) },
				Parameters: drivertest.ParameterSizes,
			}
			if overCUDA() { // its images have no metadata
				h.Parameters = drivertest.NoParameters
			}
			if change != nil {
				change(&h)
			}
			drivertest.Run(t, h)
		})
	}
}

func TestConformance(t *testing.T) { conformance(t, nil) }
