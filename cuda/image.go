package cuda

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"strconv"
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/compile"
)

// Images are loaded as modules (cuModuleLoadDataEx), each into one context. The
// driver's libraries (cuLibraryLoadData), which load one image into all contexts, have
// nothing that a Module lacks: its kernels are listed by cuModuleEnumerateFunctions,
// managed variables are found by cuModuleGetGlobal like others, and code is loaded
// lazily either way. A second road would only be another thing to go wrong.

// OptLevel is how much the driver's compiler optimizes.
type OptLevel uint8

// The levels of optimization. The driver's default is the highest.
const (
	OptDefault OptLevel = iota
	Opt0
	Opt1
	Opt2
	Opt3
	Opt4
)

// LoadCache says how the compiled code's loads from global memory are cached
// (CUjit_cacheMode).
type LoadCache uint8

// The ways to cache loads.
const (
	LoadCacheDefault LoadCache = iota
	LoadCacheNone              // CU_JIT_CACHE_OPTION_NONE: without a flag of the compiler's
	LoadCacheCG                // CU_JIT_CACHE_OPTION_CG: in L2 only
	LoadCacheCA                // CU_JIT_CACHE_OPTION_CA: in L1 and L2
)

// Prefer says what is taken of a fatbin without machine code for the device
// (CUjit_fallback).
type Prefer uint8

// What to take of a fatbin.
const (
	PreferDefault Prefer = iota
	PreferPTX            // CU_PREFER_PTX: compile its PTX
	PreferBinary         // CU_PREFER_BINARY: machine code that fits nearly
)

// ImageOptions are for the driver's compiler, which makes machine code of PTX; they
// do nothing to what is machine code already. The zero value leaves all to the
// driver.
type ImageOptions struct {
	MaxRegisters       uint32 // of a thread; 0 for no limit
	MinBlocksPerSM     uint32 // that are to fit on a multiprocessor; since CUDA 12.3
	MaxThreadsPerBlock uint32 // that the code is made for; since CUDA 12.3
	OverrideDirectives bool   // the above beat what stands in the PTX; since CUDA 12.4
	Level              OptLevel
	DebugInfo          bool // for debuggers; slow code
	LineInfo           bool // for profilers and compute-sanitizer
	Verbose            bool // the log tells registers and memory of each kernel
	LoadCache          LoadCache
	Prefer             Prefer
	// Target is what the code is made for, such as "sm_90" or "sm_90a"; "" for the
	// device.
	Target string
}

// jitOption is an option of the driver's compiler; triad_cu_jit in C.
type jitOption struct {
	id    int32 // CU_JIT_…
	value uint32
}

// The options (CUjit_option).
const (
	jitMaxRegisters  = 0
	jitLevel         = 7
	jitTarget        = 9
	jitFallback      = 10
	jitDebugInfo     = 11
	jitVerbose       = 12
	jitLineInfo      = 13
	jitCacheMode     = 14
	jitMinBlocks     = 31
	jitMaxThreads    = 32
	jitOverride      = 33
	targetAccel      = 0x10000 // of "sm_90a"
	targetFamily     = 0x20000 // of "sm_100f"
	optionsSince12_3 = 12030
)

// LoadImage loads PTX, a cubin or a fatbin, whichever it is by its first bytes
// (cuModuleLoadDataEx). name is for errors and logs; image is not retained. A
// *driver.BuildError has the driver's log.
func (d *Device) LoadImage(ctx context.Context, name string, image []byte, o ImageOptions) (*Module, error) {
	const op = "cuModuleLoadDataEx"
	if d == nil {
		return nil, refused(op, driver.ErrInvalidValue, "the device is nil")
	}
	options, err := o.options(op)
	if err != nil {
		return nil, err
	}
	src, _ := compile.Keep(ctx, driver.ModuleSource{Kind: kindOf(image), Name: name, Code: image}, driver.BuildOptions{})
	return compile.Abandonable(ctx, func() (*Module, error) {
		return d.loadImage(src.Name, src.Kind, src.Code, "", options)
	}, func(m *Module) { _ = m.Close() })
}

// kindOf tells machine code from text.
func kindOf(image []byte) driver.SourceKind {
	if bytes.HasPrefix(image, []byte(elf.ELFMAG)) || bytes.HasPrefix(image, fatbinMagic) {
		return driver.SourceBinary
	}
	return driver.SourcePTX
}

// options are those that differ from the driver's own.
func (o *ImageOptions) options(op string) ([]jitOption, error) {
	var list []jitOption
	number := func(id int32, v uint32) {
		if v != 0 {
			list = append(list, jitOption{id, v})
		}
	}
	yes := func(id int32, b bool) {
		if b {
			list = append(list, jitOption{id, 1})
		}
	}
	// Enumerations count from 1 here, and from 0 in the driver.
	one := func(id int32, v, most uint8) error {
		switch {
		case v > most:
			return refused(op, driver.ErrInvalidValue, "option %d has no value %d", id, v)
		case v > 0:
			list = append(list, jitOption{id, uint32(v) - 1})
		}
		return nil
	}
	number(jitMaxRegisters, o.MaxRegisters)
	number(jitMinBlocks, o.MinBlocksPerSM)
	number(jitMaxThreads, o.MaxThreadsPerBlock)
	yes(jitOverride, o.OverrideDirectives)
	yes(jitDebugInfo, o.DebugInfo)
	yes(jitLineInfo, o.LineInfo)
	yes(jitVerbose, o.Verbose)
	for _, err := range []error{one(jitLevel, uint8(o.Level), 5), one(jitCacheMode, uint8(o.LoadCache), 3), one(jitFallback, uint8(o.Prefer), 2)} {
		if err != nil {
			return nil, err
		}
	}
	if o.Target != "" {
		v, err := targetOf(op, o.Target)
		if err != nil {
			return nil, err
		}
		list = append(list, jitOption{jitTarget, v})
	}
	if version := load().version; version < optionsSince12_3 && (o.MinBlocksPerSM > 0 || o.MaxThreadsPerBlock > 0 || o.OverrideDirectives) {
		return nil, refused(op, driver.ErrUnsupported, "MinBlocksPerSM, MaxThreadsPerBlock and OverrideDirectives came with CUDA 12.3; the driver speaks %s", versionText(version))
	}
	return list, nil
}

// targetOf is an architecture as the driver numbers it (CUjit_target).
func targetOf(op, text string) (uint32, error) {
	digits, ok := strings.CutPrefix(text, "sm_")
	if !ok {
		digits, ok = strings.CutPrefix(text, "compute_")
	}
	var add uint32
	switch {
	case strings.HasSuffix(digits, "a"):
		digits, add = digits[:len(digits)-1], targetAccel
	case strings.HasSuffix(digits, "f"):
		digits, add = digits[:len(digits)-1], targetFamily
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if !ok || err != nil || n < 10 || n > 999 {
		return 0, refused(op, driver.ErrInvalidValue, "the target %q is none: it must be such as \"sm_90\", \"compute_90\" or \"sm_90a\"", text)
	}
	return uint32(n) + add, nil
}

// imageFlag is an option of ptxas's that the driver's compiler has too.
type imageFlag struct {
	long, short string
	value       string // what must follow; "" if nothing
	set         func(o *ImageOptions, value string) bool
}

// imageFlags are the options that driver.BuildOptions.Flags may have for PTX and
// machine code.
var imageFlags = []imageFlag{
	{"--maxrregcount", "-maxrregcount", "N", setNumber(func(o *ImageOptions) *uint32 { return &o.MaxRegisters })},
	{"--minnctapersm", "-minnctapersm", "N", setNumber(func(o *ImageOptions) *uint32 { return &o.MinBlocksPerSM })},
	{"--maxntid", "-maxntid", "N", setNumber(func(o *ImageOptions) *uint32 { return &o.MaxThreadsPerBlock })},
	{"--override-directive-values", "-override-directive-values", "", setYes(func(o *ImageOptions) *bool { return &o.OverrideDirectives })},
	{"--opt-level", "-O", "0…4", func(o *ImageOptions, v string) bool {
		n, err := strconv.ParseUint(v, 10, 8)
		o.Level = OptLevel(n + 1)
		return err == nil && n <= 4
	}},
	{"--device-debug", "-g", "", setYes(func(o *ImageOptions) *bool { return &o.DebugInfo })},
	{"--generate-line-info", "-lineinfo", "", setYes(func(o *ImageOptions) *bool { return &o.LineInfo })},
	{"--verbose", "-v", "", setYes(func(o *ImageOptions) *bool { return &o.Verbose })},
	{"--def-load-cache", "-dlcm", "ca|cg", func(o *ImageOptions, v string) bool {
		o.LoadCache = map[string]LoadCache{"ca": LoadCacheCA, "cg": LoadCacheCG}[v]
		return o.LoadCache != 0
	}},
	{"--gpu-name", "-arch", "sm_NN", func(o *ImageOptions, v string) bool {
		o.Target = v
		_, err := targetOf("", v)
		return err == nil
	}},
}

func setNumber(field func(*ImageOptions) *uint32) func(*ImageOptions, string) bool {
	return func(o *ImageOptions, v string) bool {
		n, err := strconv.ParseUint(v, 10, 32)
		*field(o) = uint32(n)
		return err == nil && n > 0
	}
}

func setYes(field func(*ImageOptions) *bool) func(*ImageOptions, string) bool {
	return func(o *ImageOptions, _ string) bool { *field(o) = true; return true }
}

// parse reads one option off a flag; told is false if it isn't this one.
func (f *imageFlag) parse(o *ImageOptions, flag string) (told, ok bool) {
	name, value, has := strings.Cut(flag, "=")
	if f.short == "-O" && !has && len(flag) == 3 && strings.HasPrefix(flag, "-O") {
		name, value, has = "-O", flag[2:], true
	}
	if name != f.long && name != f.short {
		return false, false
	}
	return true, has == (f.value != "") && f.set(o, value)
}

// imageOptions are the options of a build that is none of source text.
func imageOptions(op, name string, flags []string) (ImageOptions, error) {
	var o ImageOptions
next:
	for _, flag := range flags {
		for i := range imageFlags {
			f := &imageFlags[i]
			told, ok := f.parse(&o, flag)
			switch {
			case told && ok:
				continue next
			case told:
				return o, refused(op, driver.ErrInvalidValue, "%s: the flag %q must be such as %s", name, flag, f)
			}
		}
		var known []string
		for i := range imageFlags {
			known = append(known, imageFlags[i].String())
		}
		return o, refused(op, driver.ErrInvalidValue, "%s: the flag %q is unknown; for PTX and machine code there are %s", name, flag, strings.Join(known, ", "))
	}
	return o, nil
}

func (f *imageFlag) String() string {
	if f.value == "" {
		return f.long
	}
	return fmt.Sprintf("%s=%s", f.long, f.value)
}
