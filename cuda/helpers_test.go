package cuda

import (
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
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
		drivertest.Unavailable(t, "cuda", err)
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

// isFake tells whether the driver is the fake one.
func isFake() bool { return strings.Contains(load().Path, "fakedriver") }

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
