//go:build cgo && linux

package hip

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// TestWithoutADeviceInChild loads the runtime that is installed, in place of the fake
// one, in a process without a device.
func TestWithoutADeviceInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	r := Backend().Probe()
	if r.Loaded == "" {
		drivertest.Unavailable(t, "libamdhip64", r.Err)
	}
	if !strings.Contains(filepath.Base(r.Loaded), "libamdhip64") || !strings.HasPrefix(r.Version, "HIP ") {
		t.Errorf("the library is %q, its version %q", r.Loaded, r.Version)
	}
	if len(r.Devices) != 0 {
		t.Errorf("it has devices though none is visible: %v", r.Devices)
	}
	wantIs(t, "Probe", r.Err, driver.ErrNoDevice, r.Loaded, "/dev/kfd", "HIP_VISIBLE_DEVICES")
	if errors.Is(r.Err, driver.ErrLibraryNotFound) {
		t.Errorf("the library counts as not found: %v", r.Err)
	}
	if _, err := Open(0, DeviceOptions{}); !errors.Is(err, driver.ErrNoDevice) {
		t.Errorf("Open: %v", err)
	}
}

func TestTheRealRuntimeWithoutADevice(t *testing.T) {
	drivertest.RunChild(t, "TestWithoutADeviceInChild", libraryEnv+"=", "HIP_VISIBLE_DEVICES=-1", "ROCR_VISIBLE_DEVICES=-1", realEnv+"=1")
}

// ROCm's folders come in the order of their versions, which is not that of their names.
func TestCandidatesAreTriedFromTheNewest(t *testing.T) {
	root := t.TempDir()
	for _, v := range []string{"rocm-6.9.1", "rocm-6.10.0", "rocm-7.1.0"} {
		if err := os.Mkdir(filepath.Join(root, v), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	got := strings.Join(candidates(root), " ")
	want := []string{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"}
	for _, v := range []string{"rocm", "rocm-7.1.0", "rocm-6.10.0", "rocm-6.9.1"} {
		want = append(want, filepath.Join(root, v, "lib", "libamdhip64.so"))
	}
	if got != strings.Join(want, " ") {
		t.Errorf("candidates are %s", got)
	}
}
