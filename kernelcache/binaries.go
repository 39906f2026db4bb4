package kernelcache

import (
	"fmt"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// Binary is compiled code for one architecture, or for all of a backend's.
type Binary struct {
	Backend string // "cuda", "hip", "opencl"
	// Arch is the architecture: "sm_90" for CUDA; "gfx942" for HIP, or with the
	// features that it was compiled for, "gfx942:sramecc+:xnack-"; a device's
	// name for OpenCL. Empty for code that every device of the backend takes,
	// such as PTX, SPIR-V or a fatbin.
	Arch string
	Kind driver.SourceKind // driver.SourceBinary if 0
	Code []byte
}

// FromBinaries is a source of compiled code. A device gets the first binary of
// its own architecture, else the first of its backend without one. name stands
// in errors and logs.
//
// The code is not copied and must not be changed.
func FromBinaries(name string, list ...Binary) *Source {
	list = slices.Clone(list)
	s := newSource(name, func(info *driver.DeviceInfo) (*text, error) { return pickBinary(name, list, info) })
	s.binaries = true
	for i := range list {
		b := &list[i]
		if b.Kind == 0 {
			b.Kind = driver.SourceBinary
		}
		if s.err = b.check(i); s.err != nil {
			break
		}
	}
	if len(list) == 0 {
		s.err = driver.Errorf("kernelcache", "FromBinaries", driver.ErrInvalidValue, "%q has no binaries", name)
	}
	return s
}

func (b *Binary) check(i int) error {
	switch {
	case extensions[b.Backend] == nil:
		return unknownBackend("FromBinaries", b.Backend)
	case len(b.Code) == 0:
		return driver.Errorf("kernelcache", "FromBinaries", driver.ErrInvalidValue, "binary %d, for %s, is empty", i, b)
	case b.Kind != driver.SourceBinary && b.Kind != driver.SourceSPIRV && b.Kind != driver.SourcePTX:
		return driver.Errorf("kernelcache", "FromBinaries", driver.ErrInvalidValue, "binary %d, for %s, is %s; use FromText for text", i, b, b.Kind)
	}
	return nil
}

// String is backend and architecture.
func (b *Binary) String() string {
	if b.Arch == "" {
		return b.Backend + ", any architecture"
	}
	return b.Backend + " " + b.Arch
}

func pickBinary(name string, list []Binary, info *driver.DeviceInfo) (*text, error) {
	archs := archsOf(info)
	var have []string
	for _, arch := range append(archs, "") {
		for i := range list {
			if b := &list[i]; b.Backend == info.Backend && b.Arch == arch {
				return newText(name, b.Kind, b.Code), nil
			}
		}
	}
	for i := range list {
		have = append(have, list[i].String())
	}
	return nil, driver.Errorf("kernelcache", "FromBinaries", driver.ErrNotFound,
		"source %q has no binary for %s %s; it has %s", name, info.Backend, strings.Join(archs, " or "), strings.Join(have, "; "))
}

// archsOf are the names of a device's architecture, the most specific first.
func archsOf(info *driver.DeviceInfo) []string {
	switch info.Backend {
	case "cuda":
		var major, minor int
		if n, _ := fmt.Sscanf(info.Version, "compute capability %d.%d", &major, &minor); n == 2 {
			return []string{fmt.Sprintf("sm_%d%d", major, minor)}
		}
	case "hip":
		if target, _, ok := strings.Cut(info.Version, ":"); ok {
			return []string{info.Version, target}
		}
	case "opencl":
		return []string{info.Name}
	}
	return []string{info.Version}
}
