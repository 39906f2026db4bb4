package fakedriver

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/triad-gpu/triad/cgo_headers"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	hiponcuda "github.com/triad-gpu/triad/testdata/hip_on_cuda"
)

//go:embed src
var sources embed.FS

// Options says what to build.
type Options struct {
	// Dir is where libraries are kept, by content, so that they are built once.
	// Empty: a folder of the user's cache.
	Dir string
	// Sanitize builds with AddressSanitizer, as go test -asan does always. The
	// program that loads the libraries must have been built with it too, or
	// preload it.
	Sanitize bool
	// Missing are symbols that the libraries lack, of CUDA's driver, of HIP's
	// runtime or of hiprtc: neither dlsym nor cuGetProcAddress finds them.
	Missing []string
	// Settings are built in, into all libraries; see fake_control.h. TRIAD_FAKE
	// comes after them.
	Settings string
	// HIP is the version of the HIP runtime, 60200 for 6.2: it says so of itself,
	// its libraries are called as those of that version, and they lack what came
	// later. 0: 70100.
	HIP int
}

// Paths says where the libraries are.
type Paths struct {
	Cuda    string // libcuda.so.1
	Nvrtc   string // libnvrtc.so.13
	Hip     string // libamdhip64.so.7, or another number: see [Options]
	Hiprtc  string // libhiprtc.so.7
	Include string // fake_kernel.h, for images written in C, and fake_control.h
}

// Build builds the libraries, or finds them built. Its error wraps
// [driver.ErrUnavailable] where they can't be built: on another system, or
// without a C compiler.
func Build(o Options) (Paths, error) {
	if runtime.GOOS != "linux" {
		return Paths{}, fmt.Errorf("%w: the fake drivers are for Linux, and this is %s", driver.ErrUnavailable, runtime.GOOS)
	}
	cc, err := exec.LookPath(compiler())
	if err != nil {
		return Paths{}, fmt.Errorf("%w: the fake drivers need a C compiler: %w", driver.ErrUnavailable, err)
	}
	dir := o.Dir
	if dir == "" {
		if dir, err = cacheDir(); err != nil {
			return Paths{}, err
		}
	}
	b := builder{cc: cc, sanitize: o.Sanitize || drivertest.AsanEnabled}
	if err := b.collect(); err != nil {
		return Paths{}, err
	}
	home := filepath.Join(dir, b.key())
	p := Paths{
		Cuda:    filepath.Join(home, "libcuda.so.1"),
		Nvrtc:   filepath.Join(home, "libnvrtc.so.13"),
		Hip:     filepath.Join(home, "libamdhip64.so.7"),
		Hiprtc:  filepath.Join(home, "libhiprtc.so.7"),
		Include: filepath.Join(home, "include"),
	}
	if err := once(home, b.build); err != nil {
		return Paths{}, err
	}
	if len(o.Missing) == 0 && o.Settings == "" && o.HIP == 0 {
		return p, nil
	}
	return variant(dir, p, o)
}

func compiler() string {
	if cc := os.Getenv("CC"); cc != "" && !strings.Contains(cc, " ") {
		return cc
	}
	return "gcc"
}

type builder struct {
	cc       string
	sanitize bool
	files    map[string][]byte // by path below the build folder
	names    []string          // of files, in order
}

func (b *builder) collect() error {
	b.files = make(map[string][]byte)
	add := func(fsys fs.FS, root, to string) error {
		return fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(fsys, name)
			at := path.Join(to, strings.TrimPrefix(name, root))
			b.files[at] = text
			b.names = append(b.names, at)
			return err
		})
	}
	if err := add(sources, "src", "src"); err != nil {
		return err
	}
	// HIP's functions over CUDA's: here the driver behind them is in the same library.
	if err := add(hiponcuda.Sources, "src", "face"); err != nil {
		return err
	}
	b.names = slices.DeleteFunc(b.names, func(name string) bool { return name == "face/hip/driver.c" || name == "face/hiprtc/nvrtc.c" })
	return add(cgo_headers.Files, ".", "abi")
}

func (b *builder) flags() []string {
	flags := []string{"-std=gnu11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-fPIC", "-fvisibility=hidden", "-pthread"}
	if b.sanitize {
		flags = append(flags, "-fsanitize=address", "-fno-omit-frame-pointer")
	}
	return flags
}

var linkFlags = []string{"-shared", "-Wl,-z,nodelete", "-Wl,-z,now", "-Wl,-Bsymbolic", "-ldl", "-lm"}

// key is the content: sources, flags, and the compiler's own version.
func (b *builder) key() string {
	h := sha256.New()
	version, _ := exec.Command(b.cc, "--version").Output()
	fmt.Fprintf(h, "%s\n%s\n%q %q %v %v\n", b.cc, version, b.flags(), linkFlags, parts, libraries)
	for _, name := range b.names {
		fmt.Fprintf(h, "%s %d\n", name, len(b.files[name]))
		h.Write(b.files[name])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12])
}

func (b *builder) build(dir string) error {
	for _, name := range b.names {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, b.files[name], 0o600); err != nil {
			return err
		}
	}
	include := filepath.Join(dir, "include")
	if err := os.Mkdir(include, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"fake_kernel.h", "fake_control.h"} {
		if err := os.WriteFile(filepath.Join(include, name), b.files["src/engine/"+name], 0o600); err != nil {
			return err
		}
	}
	if err := each(parts, func(p part) error { return b.compile(dir, p) }); err != nil {
		return err
	}
	return each(libraries, func(l library) error { return b.link(dir, l) })
}

// each does something with all of a list at once.
func each[T any](list []T, do func(T) error) error {
	errs := make([]error, len(list))
	var all sync.WaitGroup
	for i, x := range list {
		all.Add(1)
		go func() {
			defer all.Done()
			errs[i] = do(x)
		}()
	}
	all.Wait()
	return errors.Join(errs...)
}

// part is what is compiled together, once for all libraries that it goes into.
type part struct {
	name    string
	sources []string
	flags   []string
}

// behind has the functions of testdata/hip_on_cuda stand behind the entries in front
// of them.
var behind = []string{"-include", "src/front/names.h"}

var parts = []part{
	{"engine", []string{"src/engine/*.c"}, nil},
	{"cuda", []string{"src/cuda/*.c"}, nil},
	{"nvrtc", []string{"src/nvrtc/*.c"}, nil},
	{"hip", []string{"src/hip/*.c", "face/hip/*.c"}, behind},
	{"hiprtc", []string{"src/hiprtc/*.c", "face/hiprtc/*.c"}, behind},
}

type library struct {
	soname string
	own    string   // the file of src/own
	files  []string // of the parts
	flags  []string
}

// onlyAMDs hides what isn't AMD's or a control function.
var onlyAMDs = []string{"-Wl,--version-script=src/own/amd.map"}

var libraries = []library{
	{"libcuda.so.1", "cuda", []string{"engine/*", "cuda/*"}, nil},
	{"libnvrtc.so.13", "nvrtc", []string{"nvrtc/*", "engine/control.o", "engine/config.o"}, nil},
	{"libamdhip64.so.7", "hip", []string{"hip/*", "engine/*", "cuda/*"}, onlyAMDs},
	{"libhiprtc.so.7", "hiprtc", []string{"hiprtc/*", "nvrtc/*", "engine/control.o", "engine/config.o"}, onlyAMDs},
}

// compile compiles a part, into a folder of its name.
func (b *builder) compile(dir string, p part) error {
	args := append(b.flags(), "-c")
	for _, folder := range []string{"src/engine", "src/nvrtc", "src/own", "src/front", "face/hip", "face/hiprtc", "abi"} {
		args = append(args, "-I"+filepath.Join(dir, folder))
	}
	for _, flag := range p.flags {
		if strings.HasPrefix(flag, "src/") {
			flag = filepath.Join(dir, flag)
		}
		args = append(args, flag)
	}
	for _, pattern := range p.sources {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("no sources %s: %w", pattern, err)
		}
		args = append(args, files...)
	}
	objects := filepath.Join(dir, "objects", p.name)
	if err := os.MkdirAll(objects, 0o700); err != nil {
		return err
	}
	return b.run(objects, p.name, args)
}

// link links one library.
func (b *builder) link(dir string, l library) error {
	args := append(b.flags(), "-o", l.soname, "-Wl,-soname,"+l.soname, "-Isrc/own", "src/own/"+l.own+".c")
	args = append(args, l.flags...)
	if !b.sanitize {
		args = append(args, "-Wl,--no-undefined")
	}
	for _, pattern := range l.files {
		files, err := filepath.Glob(filepath.Join(dir, "objects", pattern))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("no objects %s: %w", pattern, err)
		}
		args = append(args, files...)
	}
	return b.run(dir, l.soname, append(args, linkFlags...))
}

func (b *builder) run(dir, what string, args []string) error {
	cmd := exec.Command(b.cc, args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", what, err, said.Bytes())
	}
	return nil
}
