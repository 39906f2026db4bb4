package nvrtc

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// Target chooses what to compile for a device of compute capability major.minor:
// machine code for it where NVRTC can make that; for a device that is newer than
// NVRTC, PTX of the newest architecture before it, from which the driver makes
// machine code. arch is for Options.Arch, and machineCode says whether Result will
// have a CUBIN.
//
// driverVersion is the CUDA version of the driver as cuDriverGetVersion has it,
// 12040 for 12.4, or 0 where it isn't known. A driver does not read the PTX of a
// newer NVRTC: where that would be needed, the error is driver.ErrUnsupported and
// names both versions. So it is, with what would do, for a device that NVRTC no
// longer compiles for.
func Target(major, minor, driverVersion int) (arch string, machineCode bool, err error) {
	a := facts()
	if a.err != nil {
		return "", false, a.err
	}
	return a.target(major, minor, driverVersion)
}

func (a about) target(major, minor, driverVersion int) (arch string, machineCode bool, err error) {
	const op = "nvrtcGetSupportedArchs"
	want := 10*major + minor
	if slices.Contains(a.archs, want) {
		return fmt.Sprintf("sm_%d", want), true, nil
	}
	newest := 0
	for _, have := range a.archs {
		if have < want {
			newest = max(newest, have)
		}
	}
	if newest == 0 {
		return "", false, refused(op, driver.ErrUnsupported,
			"%s compiles for %s; a device of compute capability %d.%d needs an older one, named in %s", a, list(a.archs), major, minor, libraryEnv)
	}
	if has := driverVersion / 10; driverVersion > 0 && has < a.major*100+a.minor {
		return "", false, refused(op, driver.ErrUnsupported,
			"%s compiles for %s, and for a device of compute capability %d.%d could make PTX only, which the driver, of CUDA %d.%d, would be too old to read; "+
				"update the driver to CUDA %d.%d or later, or NVRTC to one that knows the device",
			a, list(a.archs), major, minor, has/100, has%100, a.major, a.minor)
	}
	return fmt.Sprintf("compute_%d", newest), false, nil
}

// list shortens architectures for an error: the first and the last.
func list(archs []int) string {
	switch len(archs) {
	case 0:
		return "no architecture"
	case 1:
		return names(archs)[0]
	}
	return fmt.Sprintf("sm_%d to sm_%d", archs[0], archs[len(archs)-1])
}

// archPattern is an architecture as NVRTC takes it. The letter means features of
// just that architecture, or of its family.
var archPattern = regexp.MustCompile(`^(?:sm|compute)_(\d+)[af]?$`)

// check refuses what NVRTC doesn't compile for.
func (a about) check(arch string) error {
	const op = "nvrtcCompileProgram"
	m := archPattern.FindStringSubmatch(arch)
	if m == nil {
		return refused(op, driver.ErrInvalidValue, "%q is no architecture; one is \"sm_90\", for machine code, or \"compute_90\", for PTX", arch)
	}
	if n, err := strconv.Atoi(m[1]); err == nil && slices.Contains(a.archs, n) {
		return nil
	}
	return refused(op, driver.ErrUnsupported, "%s does not compile for %s; it does for %s", a, arch, strings.Join(names(a.archs), ", "))
}
