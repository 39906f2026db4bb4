package hip

import (
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

// open opens the first device, or skips where there is none.
func open(t testing.TB, opts ...DeviceOptions) *Device {
	t.Helper()
	var o DeviceOptions
	if len(opts) > 0 {
		o = opts[0]
	}
	d, err := Open(0, o)
	if err != nil {
		drivertest.Unavailable(t, "hip", err)
	}
	t.Cleanup(func() {
		done(d)
		_ = d.Close()
	})
	opened()
	return d
}

// What is called when a test's device is open, and before it is closed, where the
// test runs beside its usual purpose; see injection_test.go.
var (
	opened = func() {}
	done   = func(driver.Device) {}
)

// withFake is the environment for a child that has the fake runtime in place of a real
// one; settings are those of fake_control.h.
func withFake(t testing.TB, settings string, missing ...string) []string {
	t.Helper()
	return withRuntime(t, 0, settings, missing...)
}

// withRuntime is withFake of a version: 60200 is 6.2, 0 the newest.
func withRuntime(t testing.TB, version int, settings string, missing ...string) []string {
	t.Helper()
	fake, err := fakedriver.Build(fakedriver.Options{HIP: version, Missing: missing})
	if err != nil {
		drivertest.Unavailable(t, "cgo", err)
	}
	return []string{libraryEnv + "=" + fake.Hip, "TRIAD_HIPRTC_LIBRARY=" + fake.Hiprtc, "TRIAD_FAKE=" + settings}
}

// isFake tells whether the runtime is the fake one.
func isFake() bool { return strings.Contains(load().Path, "fakedriver") }

// overCUDA tells whether it is the one over CUDA's driver, on which images are no code
// objects.
func overCUDA() bool { return strings.Contains(load().Path, "hip-on-cuda") }

func newStream(t testing.TB, d *Device) *Stream {
	t.Helper()
	s, err := d.Stream(driver.StreamOptions{})
	check(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

var check, wantIs = memorytest.Check, memorytest.WantIs

// storeArgs are the arguments of drivertest's kernel store.
type storeArgs struct {
	Out   driver.Ptr[uint32]
	Value uint32
}
