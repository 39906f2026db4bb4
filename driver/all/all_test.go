package all_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// TestMain leaves everything out on a machine without a device, since an example
// can't skip, unless TRIAD_REQUIRE asks for one. Tests use no folder of the
// user's.
func TestMain(m *testing.M) {
	os.Setenv("TRIAD_CACHE", "off")
	dev, err := driver.Open("auto")
	switch {
	case err == nil:
		_ = dev.Close()
	case (errors.Is(err, driver.ErrUnavailable) || errors.Is(err, driver.ErrNoDevice)) && os.Getenv("TRIAD_REQUIRE") == "":
		fmt.Println("skipped, no device:", err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestEveryBackendIsRegistered(t *testing.T) {
	var names []string
	for _, b := range driver.Backends() {
		names = append(names, b.Name())
	}
	if got, want := strings.Join(names, " "), "cuda hip opencl"; got != want {
		t.Errorf("registered: %s; want %s", got, want)
	}
}

func TestSelectorThatFitsNothingListsTheDevices(t *testing.T) {
	_, err := driver.Open("opencl:no-such-device")
	if !errors.Is(err, driver.ErrNoDevice) || !strings.Contains(err.Error(), "opencl:0") {
		t.Errorf("got %v; want ErrNoDevice and the list of devices", err)
	}
}
