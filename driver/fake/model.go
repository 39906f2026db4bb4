package fake

import (
	"fmt"
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/testdata/fakedriver"
)

// Model is what a test's devices are. Take one of the package's and change what the
// test is about.
type Model struct {
	Name    string // "H200" or "old"
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
)

func (m Model) check() error {
	switch {
	case m.Name != H200.Name && m.Name != Old.Name:
		return driver.Errorf("fake", "Start", driver.ErrInvalidValue, "there is no model %q; take fake.H200 or fake.Old", m.Name)
	case m.Devices < 0 || m.Devices > 8:
		return driver.Errorf("fake", "Start", driver.ErrInvalidValue, "%d devices; 1 to 8 are possible", m.Devices)
	}
	return nil
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
	for _, name := range d.Missing {
		found, err := symbols(name)
		if err != nil {
			return o, err
		}
		o.Missing = append(o.Missing, found...)
	}
	return o, nil
}

// symbols are those of a call: "cuMemAlloc" is cuMemAlloc_v2, and where a driver has
// a call in several forms, each of them. "*" stays what it is.
func symbols(call string) ([]string, error) {
	if call == "*" {
		return []string{call}, nil
	}
	all, err := fakedriver.Symbols()
	if err != nil {
		return nil, err
	}
	var found, like []string
	for _, s := range all {
		switch {
		case s.Name == call:
			return []string{call}, nil
		case s.Known == call:
			found = append(found, s.Name)
		case len(call) >= 4 && strings.Contains(strings.ToLower(s.Name), strings.ToLower(call[2:])):
			like = append(like, s.Name)
		}
	}
	if found == nil {
		return nil, driver.Errorf("fake", call, driver.ErrNotFound, "the driver has no such function; there are, for example: %s", strings.Join(append(like, "cuMemAlloc", "cuLaunchKernel"), ", "))
	}
	return found, nil
}
