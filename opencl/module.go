package opencl

import (
	"context"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/compile"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Module is a built OpenCL program. It implements driver.Module; all methods may
// be called from any goroutine.
type Module struct {
	life  lifetime.Life
	dev   *Device
	raw   handle // the cl_program
	name  string
	log   string
	names []string // of the kernels, sorted

	options string // that it was built with
	facts   facts
	// asked is a program to ask for parameters, where raw can't be; see paramless.
	asked handle
}

var moduleKind = lifetime.NewKind("opencl module")

// Load implements driver.Device (clCreateProgramWithSource, …WithIL, …WithBinary
// and clBuildProgram).
func (d *Device) Load(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (driver.Module, error) {
	src, opts = compile.Keep(ctx, src, opts)
	m, err := compile.Abandonable(ctx, func() (*Module, error) { return d.load(src, opts) }, func(m *Module) { _ = m.Close() })
	if err != nil {
		return nil, err // not a nil *Module in an interface
	}
	return m, nil
}

// createOps names the calls that make a program of each form of code.
var createOps = map[driver.SourceKind]string{
	driver.SourceText:   "clCreateProgramWithSource",
	driver.SourceSPIRV:  "clCreateProgramWithIL",
	driver.SourceBinary: "clCreateProgramWithBinary",
}

func (d *Device) load(src driver.ModuleSource, opts driver.BuildOptions) (*Module, error) {
	op := createOps[src.Kind]
	switch {
	case d == nil:
		return nil, refused("Load", driver.ErrInvalidValue, "the device is nil")
	case op == "":
		return nil, refused("Load", driver.ErrUnsupported, "%s is %s; OpenCL takes source text, SPIR-V and program binaries", src.Name, src.Kind)
	case len(src.Code) == 0:
		return nil, refused(op, driver.ErrInvalidValue, "%q is empty", src.Name)
	case src.Kind == driver.SourceSPIRV && !d.info.SPIRV:
		return nil, unsupported(op, "clCreateProgramWithIL and SPIR-V", "OpenCL 2.1", d.info.Version)
	}
	if err := d.use(op); err != nil {
		return nil, err
	}
	m := &Module{dev: d, name: src.Name}
	code := src.Code
	if src.Kind == driver.SourceText {
		prefix, err := compile.Defines(backendName, "clBuildProgram", opts.Defines)
		if err != nil {
			d.life.Release()
			return nil, err
		}
		m.facts.Source = prefix + compile.FirstLine(src.Name) + string(code)
		code = []byte(m.facts.Source)
	} else if len(opts.Defines) > 0 {
		d.life.Release()
		return nil, refused(op, driver.ErrUnsupported, "definitions are for source text; %s is %s", src.Name, src.Kind)
	}
	err := m.facts.read(src)
	if err == nil {
		err = m.build(op, src, code, opts)
	}
	if err != nil {
		if m.raw != nil {
			rawProgramFree(m.raw)
		}
		d.life.Release()
		return nil, err
	}
	m.life.Init(moduleKind, func() {
		rawProgramFree(m.raw)
		if m.asked != nil {
			rawProgramFree(m.asked)
		}
		d.life.Release()
	})
	return m, nil
}

func (m *Module) build(op string, src driver.ModuleSource, code []byte, opts driver.BuildOptions) (err error) {
	d := m.dev
	if m.options, err = optionsText(opts.Flags); err != nil {
		return err
	}
	plain := m.options
	if src.Kind == driver.SourceText {
		// Keeps the parameters' names and types, for comparing with Go's.
		m.options = strings.TrimSpace(m.options + " -cl-kernel-arg-info")
	}
	var result int32
	if m.raw, result = rawProgramNew(d.raw, int(src.Kind), code); result != 0 {
		return failure(op, result, "%s, %s of %s, for %s", src.Name, driver.ByteSize(uint64(len(code))), src.Kind, d.info.Name)
	}
	for _, c := range opts.Constants {
		if !load().Has("clSetProgramSpecializationConstant") || d.version < 220 {
			return unsupported(op, "clSetProgramSpecializationConstant", "OpenCL 2.2", d.info.Version)
		}
		if err := failure("clSetProgramSpecializationConstant", rawProgramConstant(m.raw, c.ID, c.Value), "constant %d, %d bytes, of %s", c.ID, len(c.Value), src.Name); err != nil {
			return err
		}
	}
	result = rawProgramBuild(d.raw, m.raw, m.options)
	m.log = infoString(ofBuild, m.raw, d.native, programBuildLog)
	if result != 0 && m.options != plain && strings.Contains(m.log, "ptxas") {
		m.options = plain
		result = rawProgramBuild(d.raw, m.raw, m.options)
		m.log = infoString(ofBuild, m.raw, d.native, programBuildLog)
		if result == 0 {
			m.asked = m.withoutParamless()
		}
	}
	if result != 0 {
		return &driver.BuildError{
			Backend: backendName, Op: "clBuildProgram", Code: int(result), Name: codes[result].name,
			Device: d.info.Name, Options: m.options, Log: m.log, Line: compile.Complaint(m.log, src, nil),
		}
	}
	for _, name := range strings.Split(infoString(ofProgram, m.raw, nil, programKernelNames), ";") {
		if name != "" {
			m.names = append(m.names, name)
		}
	}
	slices.Sort(m.names)
	if src.Kind == driver.SourceText {
		m.facts.Options = m.options
	}
	return nil
}

// optionsText joins flags. OpenCL takes one string and knows no quoting, so a
// flag with a space could only be misread.
func optionsText(flags []string) (string, error) {
	for _, f := range flags {
		if strings.ContainsAny(f, " \t\n\r\x00\"'\\") {
			return "", refused("clBuildProgram", driver.ErrInvalidValue, "option %q holds a blank or a quote, which OpenCL has no way to pass; give each option as a flag of its own", f)
		}
	}
	return strings.Join(flags, " "), nil
}

func (m *Module) use(op string) error {
	if m == nil {
		return refused(op, driver.ErrInvalidValue, "the module is nil; make one with Device.Load")
	}
	if !m.life.Acquire() {
		return driver.ClosedError(backendName, op, "module")
	}
	return nil
}

// Device implements driver.Module.
func (m *Module) Device() driver.Device { return m.dev }

// Native returns the cl_program as an integer, for a user's own C code. It is
// valid until Close; 0 afterwards.
func (m *Module) Native() uintptr {
	if m == nil || m.life.Closed() {
		return 0
	}
	return uintptr(m.raw)
}

// KernelNames implements driver.Module (CL_PROGRAM_KERNEL_NAMES).
func (m *Module) KernelNames() ([]string, error) { return slices.Clone(m.names), nil }

// BuildLog implements driver.Module (CL_PROGRAM_BUILD_LOG).
func (m *Module) BuildLog() string { return m.log }

// Binary implements driver.Module (CL_PROGRAM_BINARIES).
func (m *Module) Binary() ([]byte, error) {
	const op = "clGetProgramInfo"
	if err := m.use(op); err != nil {
		return nil, err
	}
	defer m.life.Release()
	sizes := infoSizes(ofProgram, m.raw, nil, programBinarySizes)
	if len(sizes) != 1 || sizes[0] == 0 {
		return nil, refused(op, driver.ErrUnsupported, "%s gives no binary of %q", m.dev.info.Platform, m.name)
	}
	binary, code := rawProgramBinary(m.raw, int(sizes[0]))
	return binary, failure(op, code, "the binary of %q", m.name)
}

// Close implements driver.Module (clReleaseProgram).
func (m *Module) Close() error {
	if m != nil {
		m.life.Close()
	}
	return nil
}
