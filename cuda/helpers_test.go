package cuda

import (
	"errors"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
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

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// wantIs reports an error that is not the sentinel, or whose text lacks a word.
func wantIs(t testing.TB, what string, err, want error, words ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v; it should match %q", what, err, want)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: the error lacks %q: %v", what, w, err)
		}
	}
}

// storeArgs are the arguments of drivertest's kernel store.
type storeArgs struct {
	Out   driver.Ptr[uint32]
	Value uint32
}
