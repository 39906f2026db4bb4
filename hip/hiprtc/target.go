package hiprtc

import (
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/hip/codeobject"
)

// Target chooses what to compile for a device. device is what the device calls
// its architecture (hipDeviceProp's gcnArchName): "gfx90a:sramecc+:xnack-". arch,
// for Options.Arch, is the same where hiprtc knows it, else the architecture
// without its features, else the family that it belongs to ("gfx11-generic").
//
// The error is driver.ErrUnsupported, and names what hiprtc compiles for, if that
// is none of them. Where hiprtc can't be asked, arch is device.
func Target(device string) (arch string, err error) {
	a := facts()
	if a.err != nil {
		return "", a.err
	}
	return a.target(device)
}

func (a about) target(device string) (arch string, err error) {
	bare, _, _ := strings.Cut(device, ":")
	for _, arch := range append([]string{device, bare}, codeobject.Families(bare)...) {
		if knows, known := a.knows(arch); knows || !known {
			return arch, nil
		}
	}
	return "", a.unknown(device)
}

func (a about) unknown(arch string) error {
	return refused("hiprtcCompileProgram", driver.ErrUnsupported, "%s does not compile for %s; it does for %s", a, arch, strings.Join(a.archs, ", "))
}

// check refuses what hiprtc doesn't compile for. It must: of HIP 5.2 a compile for
// an unknown architecture ends the process.
func (a about) check(arch string) error {
	if arch == "" {
		return refused("hiprtcCompileProgram", driver.ErrInvalidValue, "no architecture is named; one is \"gfx90a\", another \"gfx90a:sramecc+:xnack-\"")
	}
	if knows, known := a.knows(arch); known && !knows {
		return a.unknown(arch)
	}
	return nil
}
