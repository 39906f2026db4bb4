package fake

import (
	"fmt"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/testdata/fakedriver"
)

// Model is what a test's devices are. Take one of the package's and change what the
// test is about.
type Model struct {
	Name    string // "H200", "old", "MI300X" or "RX7900"
	Devices int    // how many there are, at most 8; 0: one
	Memory  uint64 // of each, bytes; 0: as much as the real ones have
	Seed    uint64 // of what happens by chance; see Chance
}

// The models that there are.
var (
	// H200 is an NVIDIA H200, compute capability 9.0.
	H200 = Model{Name: "H200"}
	// Old is a Tesla M60, compute capability 5.2: without memory pools, writes of
	// words, clusters and cooperative launches.
	Old = Model{Name: "old"}
	// MI300X is an AMD Instinct MI300X, gfx942, whose wavefronts (warps) have 64
	// threads. It is for StartHIP, as is RX7900.
	MI300X = Model{Name: "MI300X"}
	// RX7900 is an AMD Radeon RX 7900 XTX, gfx1100, with wavefronts of 32: without
	// memory pools and managed memory that moves.
	RX7900 = Model{Name: "RX7900"}
)

func (m Model) check(l *library) error {
	names := make([]string, len(l.models))
	for i, x := range l.models {
		names[i] = x.Name
	}
	switch {
	case !slices.Contains(names, m.Name):
		return driver.Errorf("fake", l.start, driver.ErrInvalidValue, "there is no model %q here; there are %s, and those of the other vendor are for %s", m.Name, strings.Join(names, ", "), l.other())
	case m.Devices < 0 || m.Devices > 8:
		return driver.Errorf("fake", l.start, driver.ErrInvalidValue, "%d devices; 1 to 8 are possible", m.Devices)
	}
	return nil
}

func (l *library) other() string {
	if l == hips {
		return cudas.start
	}
	return hips.start
}

// Driver is what a driver is for all of a process; see [Main]. The zero value is a
// driver of CUDA 13.0 that has every function.
type Driver struct {
	// Version is the CUDA version that it speaks, 12040 for 12.4; it then lacks the
	// functions that came later. 0: 13000.
	Version int
	// Missing are further functions that it lacks, by the names of their symbols:
	// "cuMemAllocAsync".
	Missing []string
	// HIP has Main load a fake HIP runtime as well; nil: the first StartHIP does.
	HIP *Runtime
}

// Runtime is what a HIP runtime is for all of a process; see [Main]. The zero value is
// one of HIP 7.1 that has every function.
type Runtime struct {
	// Version is the HIP version that it speaks, 60200 for 6.2; it is then one of that
	// generation, with its library's name and its structs, and lacks the functions that
	// came later. 0: 70100; the oldest is 50200.
	Version int
	// Missing are further functions that it lacks: "hipMallocAsync".
	Missing []string
}

func (r Runtime) options() (o fakedriver.Options, err error) {
	if r.Version != 0 && (r.Version < 50200 || r.Version > 79999) {
		return o, driver.Errorf("fake", "Main", driver.ErrInvalidValue, "%d is no version of HIP that package hip knows; 60200 is 6.2, and 50200 the oldest", r.Version)
	}
	o.HIP = r.Version
	o.Missing, err = hips.all(r.Missing)
	return o, err
}

// all are the symbols of several calls.
func (l *library) all(calls []string) (list []string, err error) {
	for _, call := range calls {
		found, err := l.symbolsOf(call)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func (d Driver) options() (fakedriver.Options, error) {
	var o fakedriver.Options
	if d.Version < 0 || d.Version > 99990 {
		return o, driver.Errorf("fake", "Main", driver.ErrInvalidValue, "%d is no version; 12040 is 12.4", d.Version)
	}
	if d.Version > 0 {
		later, err := fakedriver.Newer(d.Version)
		if err != nil {
			return o, err
		}
		o.Missing, o.Settings = later, fmt.Sprintf("version=%d", d.Version)
	}
	found, err := cudas.all(d.Missing)
	if err != nil {
		return o, err
	}
	o.Missing = append(o.Missing, found...)
	slices.Sort(o.Missing)
	o.Missing = slices.Compact(o.Missing)
	return o, nil
}
