package cuda

import (
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

// conformance runs the suite against every device, with the primary context and
// with one of its own.
func conformance(t *testing.T, change func(*drivertest.Harness)) {
	infos, err := Backend().Devices()
	if err != nil {
		drivertest.Unavailable(t, "cuda", err)
	}
	for _, info := range infos {
		for _, mode := range []string{"PrimaryContext", "OwnContext"} {
			t.Run(mode, func(t *testing.T) {
				h := drivertest.Harness{
					Backend: "cuda",
					Open: func() (driver.Device, error) {
						d, err := Open(info.Index, DeviceOptions{OwnContext: mode == "OwnContext"})
						if err != nil {
							return nil, err
						}
						opened()
						return d, nil
					},
					Done:       func(d driver.Device) { done(d) },
					Sources:    drivertest.Sources(".cu"),
					Hold:       hold,
					Parameters: drivertest.ParameterSizes,
					SlowOpen:   mode == "OwnContext",
				}
				if change != nil {
					change(&h)
				}
				drivertest.Run(t, h)
			})
		}
	}
}

func TestConformance(t *testing.T) { conformance(t, nil) }
