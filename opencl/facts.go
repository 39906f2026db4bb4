package opencl

import (
	"encoding/json"
	"maps"
	"sync"

	"github.com/triad-gpu/triad/driver"
)

// facts are what is known of a module's kernels by way of its source. A program
// that OpenCL makes from a binary has no information on parameters; these facts,
// kept beside the binary as the module's description, take its place.
type facts struct {
	// Source and Options are what the types of parameters are measured with;
	// Source is empty for modules that neither were built from text nor came with
	// a description.
	Source  string
	Options string

	mu sync.Mutex // guards what follows
	// Kernels have the parameters of kernels whose parameters are known.
	Kernels map[string][]kernelParam
	// Measured has types that have been measured, by measure.id.
	Measured map[string]measured
}

// measured is what the compiler told of a type.
type measured struct {
	Size, Align uint32
	Alike       bool
}

// description is the form of facts in bytes, in JSON.
type description struct {
	Version  int
	Source   string
	Options  string
	Kernels  map[string][]kernelParam
	Measured map[string]measured
}

const descriptionVersion = 1

// A type's alignment is a power of two, at most this; double16's is 128.
const mostAlign = 4096

// read takes the description that a binary came with, if any.
func (f *facts) read(src driver.ModuleSource) error {
	if src.Kind != driver.SourceBinary || len(src.Description) == 0 {
		return nil
	}
	var d description
	if err := json.Unmarshal(src.Description, &d); err != nil || d.Version != descriptionVersion {
		return refused("clCreateProgramWithBinary", driver.ErrInvalidValue, "the description of %q was not made by this version: version %d, want %d (%v)", src.Name, d.Version, descriptionVersion, err)
	}
	for id, m := range d.Measured {
		if m.Align == 0 || m.Align > mostAlign || m.Align&(m.Align-1) != 0 {
			return refused("clCreateProgramWithBinary", driver.ErrInvalidValue, "the description of %q is damaged: it says that %s is aligned to %d bytes", src.Name, id, m.Align)
		}
	}
	f.Source, f.Options, f.Kernels, f.Measured = d.Source, d.Options, d.Kernels, d.Measured
	return nil
}

// describe is a kernel's parameters: from the driver where it knows them, else
// from the facts. Their number is always known; known tells whether the rest is.
func (m *Module) describe(name string, kernel handle) (params []kernelParam, known bool) {
	params, known = m.params(kernel, name)
	f := &m.facts
	f.mu.Lock()
	defer f.mu.Unlock()
	if known {
		if f.Kernels == nil {
			f.Kernels = make(map[string][]kernelParam)
		}
		f.Kernels[name] = params
		return params, true
	}
	// A number that differs speaks of another program.
	if kept, ok := f.Kernels[name]; ok && len(kept) == len(params) {
		return kept, true
	}
	return params, false
}

// recall fills in what has been measured, and returns the rest.
func (f *facts) recall(list []measure) (missing []*measure) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range list {
		m, ok := f.Measured[list[i].id()]
		if !ok {
			missing = append(missing, &list[i])
			continue
		}
		list[i].measured = m
	}
	return missing
}

func (f *facts) remember(list []*measure) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Measured == nil {
		f.Measured = make(map[string]measured)
	}
	for _, m := range list {
		f.Measured[m.id()] = m.measured
	}
}

// Description implements driver.Describer: the parameters of all kernels, the
// sizes of types as far as they were measured, and the source for others.
func (m *Module) Description() ([]byte, error) {
	const op = "clGetKernelArgInfo"
	if err := m.use(op); err != nil {
		return nil, err
	}
	defer m.life.Release()
	for _, name := range m.names {
		k, code := rawKernelProbe(m.raw, name)
		if err := failure(op, code, "kernel %q of %q", name, m.name); err != nil {
			return nil, err
		}
		m.describe(name, k)
		rawKernelRelease(k)
	}
	f := &m.facts
	f.mu.Lock()
	d := description{descriptionVersion, f.Source, f.Options, maps.Clone(f.Kernels), maps.Clone(f.Measured)}
	f.mu.Unlock()
	return json.Marshal(d)
}
