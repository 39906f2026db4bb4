package hiprtc

import (
	"context"
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/compile"
)

// Program is a program in HIP C++. Compile keeps nothing of it.
type Program struct {
	Name string // of its file, for errors and logs; "program.hip" if empty
	Code []byte
	// Headers are the files that it may include, by the names in its #include
	// directives: "lib/util.h". See the function Headers for those of an fs.FS.
	Headers map[string][]byte
	// NameExpressions are C++ expressions for kernels and variables, such as
	// "scale<float>" and "&table", of which Result.Lowered has the names in the
	// binary. They also have templates instantiated.
	NameExpressions []string
}

// Options say how to compile. Compile keeps nothing of them.
type Options struct {
	// Arch is the architecture, with features if it should have them on or off:
	// "gfx90a", "gfx90a:sramecc+:xnack-". Target chooses one for a device. If it is
	// empty, or Flags have one, hiprtc compiles for the current device or goes by
	// Flags.
	Arch string
	// Flags are hiprtc's options, one each, such as "-O3" and "-ffast-math".
	// "-fgpu-rdc" makes bitcode; "-fhip-kernel-arg-name" keeps the names of
	// parameters.
	Flags []string
	// Defines are preprocessor definitions, as in driver.BuildOptions.
	Defines []driver.Define
	// Device is what errors call the device; Arch if empty. hiprtc's version is
	// added.
	Device string
}

// Result is what a compile made. The form of code that the options did not ask for
// is nil.
type Result struct {
	Code    []byte            // a code object; see package codeobject
	Bitcode []byte            // LLVM's, for linking
	Log     string            // what the compiler said, warnings included
	Lowered map[string]string // of each name expression, the name in the binary
}

// running lets one compile at a time into hiprtc: of HIP 5.2 two at once end the
// process.
var running = make(compile.Slots, 1)

// Compile compiles a program (hiprtcCreateProgram, hiprtcCompileProgram,
// hiprtcGetCode, hiprtcGetBitcode and so on).
//
// A program that does not compile is a *driver.BuildError, with the log and the
// first line that it complains of. When ctx ends, Compile returns its error at
// once, and what hiprtc, which can't be interrupted, makes in the end is dropped.
// ctx may be nil.
func Compile(ctx context.Context, p Program, o Options) (*Result, error) {
	a := facts()
	if a.err != nil {
		return nil, a.err
	}
	j, err := newJob(a, p, o)
	if err != nil {
		return nil, err
	}
	return compile.Abandonable(ctx, func() (*Result, error) { return j.run(ctx) }, func(*Result) {})
}

// job is a compile, with all that it needs.
type job struct {
	compile.Program
	about  about
	device string // and hiprtc's version
}

func newJob(a about, p Program, o Options) (*job, error) {
	if p.Name == "" {
		p.Name = "program.hip"
	}
	j := &job{about: a, device: o.Device}
	// hiprtc calls the program's file "CompileSource", in a folder of its own.
	prog := compile.Program{Name: p.Name, Code: p.Code, Headers: p.Headers, Names: p.NameExpressions, Options: options(o), Unnamed: true}
	var err error
	if j.Program, err = prog.Prepare(creating, o.Defines); err != nil {
		return nil, err
	}
	for _, option := range j.Options {
		if arch, ok := archOf(option); ok {
			if err := a.check(arch); err != nil {
				return nil, err
			}
		}
	}
	if j.device == "" {
		j.device = o.Arch
	}
	if j.device == "" {
		j.device = "the current device"
	}
	j.device += " by " + a.String()
	return j, nil
}

// archOf is the architecture that an option names.
func archOf(option string) (arch string, ok bool) {
	for _, name := range []string{"--offload-arch=", "--gpu-architecture="} {
		if arch, ok = strings.CutPrefix(option, name); ok {
			return arch, true
		}
	}
	return "", false
}

// options are hiprtc's arguments: the architecture, unless the flags have one, and
// the flags.
func options(o Options) []string {
	for _, f := range o.Flags {
		if _, ok := archOf(f); ok {
			return o.Flags
		}
	}
	if o.Arch == "" {
		return o.Flags
	}
	return append([]string{"--offload-arch=" + o.Arch}, o.Flags...)
}

func (j *job) run(ctx context.Context) (*Result, error) {
	leave, err := running.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	p, code := rawNew(j.Text, j.Name, j.Headers)
	if code != 0 {
		return nil, failure("hiprtcCreateProgram", code, "%s, %s, with %d headers, for %s", j.Name, driver.ByteSize(uint64(len(j.Text))), len(j.Headers), j.about)
	}
	defer rawFree(p)
	for _, name := range j.Names {
		if code := rawAddName(p, name); code != 0 {
			return nil, failure("hiprtcAddNameExpression", code, "%q, of %s", name, j.Name)
		}
	}
	return j.result(p, rawCompile(p, j.Options))
}

// result is what a compile that ended with code has made.
func (j *job) result(p handle, code int32) (*Result, error) {
	log, logCode := rawGet(p, getLog)
	r := &Result{Log: strings.TrimRight(string(log), "\x00\n")}
	if err := j.verdict(code, r.Log); err != nil {
		return nil, err
	}
	if logCode != 0 {
		return nil, failure("hiprtcGetProgramLog", logCode, "of %s", j.Name)
	}
	for _, form := range []struct {
		what int
		op   string
		to   *[]byte
	}{{getCode, "hiprtcGetCode", &r.Code}, {getBitcode, "hiprtcGetBitcode", &r.Bitcode}} {
		// Some versions refuse to give what wasn't made, others give nothing.
		code, failed := rawGet(p, form.what)
		if failed != 0 && failed != codeInvalidInput && failed != codeInvalidProgram {
			return nil, failure(form.op, failed, "of %s", j.Name)
		}
		*form.to = code
	}
	if r.Code == nil && r.Bitcode == nil {
		return nil, refused("hiprtcGetCode", driver.ErrBuild, "%s made no code of %s with the options %q", j.about, j.Name, strings.Join(j.Options, " "))
	}
	if len(j.Names) > 0 {
		r.Lowered = make(map[string]string, len(j.Names))
	}
	for _, name := range j.Names {
		lowered, code := rawLowered(p, name)
		if code != 0 {
			return nil, failure("hiprtcGetLoweredName", code, "%q, of %s", name, j.Name)
		}
		r.Lowered[name] = lowered
	}
	return r, nil
}

// verdict is the error of a compile that ended with code.
func (j *job) verdict(code int32, log string) error {
	const op = "hiprtcCompileProgram"
	switch c := codes[code]; {
	case code == 0:
		return nil
	case code == codeBuiltins:
		return failure(op, code, "%s needs libhiprtc-builtins.so of its own version, which belongs beside %s: %s", j.about, load().Path, log)
	case c.kind != nil && c.kind != driver.ErrBuild:
		return failure(op, code, "%s, for %s", j.Name, j.device)
	case log == "" && code == codeCompilation:
		log = "hiprtc says nothing of the reason; without an architecture it needs a device to compile for"
	}
	return &driver.BuildError{
		Backend: backendName, Op: op, Code: int(code), Name: codeName(code), Device: j.device,
		Options: strings.Join(j.Options, " "), Log: log, Line: compile.Complaint(log, j.Source(), j.Headers),
	}
}
