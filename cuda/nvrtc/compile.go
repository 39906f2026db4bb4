package nvrtc

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/compile"
)

// Program is a program in CUDA C++. Compile keeps nothing of it.
type Program struct {
	Name string // of its file, for errors and logs; "program.cu" if empty
	Code []byte
	// Headers are the files that it may include, by the names in its #include
	// directives: "lib/util.cuh". See the function Headers for those of an fs.FS.
	Headers map[string][]byte
	// NameExpressions are C++ expressions for kernels and variables, such as
	// "scale<float>" and "&table", of which Result.Lowered has the names in the
	// binary. They also have templates instantiated.
	NameExpressions []string
}

// Options say how to compile. Compile keeps nothing of them.
type Options struct {
	// Arch is the architecture: "sm_90" makes machine code and PTX, "compute_90"
	// PTX alone. Target chooses one for a device. If it is empty, or Flags have one,
	// NVRTC chooses or goes by Flags.
	Arch string
	// Flags are NVRTC's options, one each, such as "--use_fast_math". "-dlto" makes
	// LTO-IR.
	Flags []string
	// Defines are preprocessor definitions, as in driver.BuildOptions.
	Defines []driver.Define
	// Device is what errors call the device; Arch if empty. NVRTC's version is added.
	Device string
}

// Result is what a compile made. Forms of code that the options did not ask for
// are nil.
type Result struct {
	CUBIN   []byte            // machine code
	PTX     []byte            // as text, without a NUL at its end
	LTOIR   []byte            // for linking
	Log     string            // what the compiler said, warnings included
	Lowered map[string]string // of each name expression, the name in the binary
}

// running bounds how many compiles are in NVRTC at once: each holds a thread, and
// most of its work goes on under a lock of its own anyway.
var running = make(compile.Slots, max(2, runtime.NumCPU()))

// Compile compiles a program (nvrtcCreateProgram, nvrtcCompileProgram,
// nvrtcGetCUBIN, nvrtcGetPTX and so on).
//
// A program that does not compile is a *driver.BuildError, with the log and the
// first line that it complains of. When ctx ends, Compile returns its error at
// once; NVRTC 12.8 and later then stop soon, and what older ones make in the end
// is dropped. ctx may be nil.
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
	device string // and NVRTC's version
}

func newJob(a about, p Program, o Options) (*job, error) {
	if p.Name == "" {
		p.Name = "program.cu"
	}
	opts, err := options(a, o)
	if err != nil {
		return nil, err
	}
	j := &job{about: a, device: o.Device}
	j.Program, err = compile.Program{Name: p.Name, Code: p.Code, Headers: p.Headers, Names: p.NameExpressions, Options: opts}.Prepare(creating, o.Defines)
	if err != nil {
		return nil, err
	}
	if j.device == "" {
		j.device = o.Arch
	}
	if j.device == "" {
		j.device = "the usual architecture"
	}
	j.device += " by " + a.String()
	return j, nil
}

// options are NVRTC's arguments: the architecture, unless the flags have one, and
// the flags.
func options(a about, o Options) ([]string, error) {
	given := slices.ContainsFunc(o.Flags, func(f string) bool {
		name, _, _ := strings.Cut(f, "=")
		return name == "-arch" || name == "--gpu-architecture"
	})
	if o.Arch == "" || given {
		return slices.Clone(o.Flags), nil
	}
	if err := a.check(o.Arch); err != nil {
		return nil, err
	}
	return append([]string{"--gpu-architecture=" + o.Arch}, o.Flags...), nil
}

func (j *job) run(ctx context.Context) (*Result, error) {
	leave, err := running.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var cancel atomic.Int32
	if ctx != nil {
		defer context.AfterFunc(ctx, func() { cancel.Store(1) })()
	}

	p, code := rawNew(j.Text, j.Name, j.Headers)
	if code != 0 {
		return nil, failure("nvrtcCreateProgram", code, "%s, %s, with %d headers, for %s", j.Name, driver.ByteSize(uint64(len(j.Text))), len(j.Headers), j.about)
	}
	defer rawFree(p)
	for _, name := range j.Names {
		if code := rawAddName(p, name); code != 0 {
			return nil, failure("nvrtcAddNameExpression", code, "%q, of %s", name, j.Name)
		}
	}
	code = rawCompile(p, j.Options, &cancel)
	if code == codeCancelled && cancel.Load() != 0 {
		return nil, ctx.Err()
	}
	return j.result(p, code)
}

// result is what a compile that ended with code has made.
func (j *job) result(p handle, code int32) (*Result, error) {
	log, logCode := rawGet(p, getLog)
	r := &Result{Log: strings.TrimRight(string(log), "\x00\n")}
	if err := j.verdict(code, r.Log); err != nil {
		return nil, err
	}
	if logCode != 0 {
		return nil, failure("nvrtcGetProgramLog", logCode, "of %s", j.Name)
	}
	for _, form := range []struct {
		what int
		op   string
		to   *[]byte
	}{{getCUBIN, "nvrtcGetCUBIN", &r.CUBIN}, {getLTOIR, "nvrtcGetLTOIR", &r.LTOIR}, {getPTX, "nvrtcGetPTX", &r.PTX}} {
		// Some versions refuse to give what wasn't made, others give nothing.
		code, failed := rawGet(p, form.what)
		if failed != 0 && failed != codeInvalidInput && failed != codeInvalidProgram {
			return nil, failure(form.op, failed, "of %s", j.Name)
		}
		if form.what == getPTX {
			code = bytes.TrimSuffix(code, []byte{0})
		}
		if len(code) > 0 {
			*form.to = code
		}
	}
	if r.CUBIN == nil && r.LTOIR == nil && r.PTX == nil {
		return nil, refused("nvrtcGetPTX", driver.ErrBuild, "%s made no code of %s with the options %q", j.about, j.Name, strings.Join(j.Options, " "))
	}
	if len(j.Names) > 0 {
		r.Lowered = make(map[string]string, len(j.Names))
	}
	for _, name := range j.Names {
		lowered, code := rawLowered(p, name)
		if code != 0 {
			return nil, failure("nvrtcGetLoweredName", code, "%q, of %s", name, j.Name)
		}
		r.Lowered[name] = lowered
	}
	return r, nil
}

// verdict is the error of a compile that ended with code.
func (j *job) verdict(code int32, log string) error {
	const op = "nvrtcCompileProgram"
	switch c := codes[code]; {
	case code == 0:
		return nil
	case code == codeBuiltins:
		return failure(op, code, "%s needs libnvrtc-builtins.so of its own version, which belongs beside %s: %s", j.about, load().Path, log)
	case c.kind != nil && c.kind != driver.ErrBuild:
		return failure(op, code, "%s, for %s", j.Name, j.device)
	}
	return &driver.BuildError{
		Backend: backendName, Op: op, Code: int(code), Name: codeName(code), Device: j.device,
		Options: strings.Join(j.Options, " "), Log: log, Line: compile.Complaint(log, j.Source(), j.Headers),
	}
}
