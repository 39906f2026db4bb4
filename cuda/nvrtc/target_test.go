package nvrtc

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
)

var (
	nvrtc12 = about{version: version{12, 4}, archs: []int{50, 52, 60, 70, 75, 80, 86, 89, 90}}
	nvrtc13 = about{version: version{13, 0}, archs: []int{75, 80, 86, 87, 89, 90, 100, 103, 120}}
)

func TestTargetsAreMachineCodeWhereNVRTCKnowsTheDevice(t *testing.T) {
	for _, x := range []struct {
		nvrtc                about
		major, minor, driver int
		arch                 string
		machine              bool
	}{
		{nvrtc12, 9, 0, 12040, "sm_90", true},
		{nvrtc12, 9, 0, 12020, "sm_90", true}, // machine code doesn't depend on the driver's PTX
		{nvrtc12, 5, 0, 0, "sm_50", true},
		{nvrtc12, 12, 0, 12080, "compute_90", false},
		{nvrtc12, 12, 0, 0, "compute_90", false},
		{nvrtc12, 8, 7, 12040, "compute_86", false},
		{nvrtc12, 6, 2, 12040, "compute_60", false},
		{nvrtc13, 12, 1, 13000, "compute_120", false},
		{nvrtc13, 12, 1, 13010, "compute_120", false},
		{nvrtc13, 10, 3, 13000, "sm_103", true},
	} {
		arch, machine, err := x.nvrtc.target(x.major, x.minor, x.driver)
		if arch != x.arch || machine != x.machine || err != nil {
			t.Errorf("%s, device %d.%d, driver %d: %q, machine code %v, error %v; want %q, %v", x.nvrtc, x.major, x.minor, x.driver, arch, machine, err, x.arch, x.machine)
		}
	}
}

func TestTargetsThatCannotWorkNameBothVersions(t *testing.T) {
	_, _, err := nvrtc13.target(12, 1, 12080)
	wantIs(t, "PTX of a newer NVRTC", err, driver.ErrUnsupported, "NVRTC 13.0", "CUDA 12.8", "12.1", "sm_75 to sm_120", "13.0 or later")
	_, _, err = nvrtc12.target(12, 0, 12030)
	wantIs(t, "PTX of a newer minor version", err, driver.ErrUnsupported, "NVRTC 12.4", "CUDA 12.3")
	_, _, err = nvrtc13.target(7, 0, 12080)
	wantIs(t, "a device of the past", err, driver.ErrUnsupported, "NVRTC 13.0", "7.0", "sm_75", "TRIAD_NVRTC_LIBRARY")
	_, _, err = about{version: version{12, 0}}.target(7, 0, 0)
	wantIs(t, "no architecture", err, driver.ErrUnsupported, "no architecture")
}

func TestArchitecturesAreCheckedBeforeTheCompile(t *testing.T) {
	for _, arch := range []string{"sm_90", "sm_90a", "compute_50", "compute_90a"} {
		check(t, nvrtc12.check(arch))
	}
	check(t, nvrtc13.check("sm_100f"))
	wantIs(t, "a newer one", nvrtc12.check("sm_100"), driver.ErrUnsupported, "NVRTC 12.4", "sm_100", "sm_89, sm_90")
	for _, arch := range []string{"90", "sm90", "sm_", "gfx90a", "sm_90 ", "sm_90\x00", "sm_90ab", "sm_99999999999999999999"} {
		err := nvrtc12.check(arch)
		want := driver.ErrInvalidValue
		if arch == "sm_99999999999999999999" {
			want = driver.ErrUnsupported
		}
		wantIs(t, arch, err, want, "sm_90")
	}
}
