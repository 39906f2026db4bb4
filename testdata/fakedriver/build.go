package fakedriver

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/triad-gpu/triad/cgo_headers"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
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
	// Missing are symbols of the driver that the library lacks: neither dlsym
	// nor cuGetProcAddress finds them.
	Missing []string
	// Settings are built in; see fake_control.h. TRIAD_FAKE comes after them.
	Settings string
}

// Paths says where the libraries are.
type Paths struct {
	Cuda    string // libcuda.so.1
	Nvrtc   string // libnvrtc.so.13
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
		Include: filepath.Join(home, "include"),
	}
	if err := once(home, b.build); err != nil {
		return Paths{}, err
	}
	if len(o.Missing) == 0 && o.Settings == "" {
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

func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	dir = filepath.Join(dir, "triad-fakedriver")
	return dir, os.MkdirAll(dir, 0o700)
}

// once makes a folder with what fill puts there, unless it is there. Of several
// processes that do so at the same time one wins.
func once(home string, fill func(dir string) error) error {
	if _, err := os.Stat(home); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(home), 0o700); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(home), "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := fill(tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, home); err != nil {
		if _, there := os.Stat(home); there != nil {
			return err
		}
	}
	return nil
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
	fmt.Fprintf(h, "%s\n%s\n%q %q\n", b.cc, version, b.flags(), linkFlags)
	for _, name := range b.names {
		fmt.Fprintf(h, "%s %d\n", name, len(b.files[name]))
		h.Write(b.files[name])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12])
}

func (b *builder) build(dir string) error {
	for name, text := range b.files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, text, 0o600); err != nil {
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
	if err := b.link(dir, "libcuda.so.1", "src/engine/*.c", "src/cuda/*.c"); err != nil {
		return err
	}
	return b.link(dir, "libnvrtc.so.13", "src/nvrtc/*.c", "src/engine/control.c", "src/engine/config.c")
}

// link compiles and links one library.
func (b *builder) link(dir, soname string, patterns ...string) error {
	args := append(b.flags(), "-Isrc/engine", "-Isrc/nvrtc", "-Iabi", "-o", soname, "-Wl,-soname,"+soname)
	if !b.sanitize {
		args = append(args, "-Wl,--no-undefined")
	}
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("no sources %s: %w", pattern, err)
		}
		for _, f := range files {
			rel, err := filepath.Rel(dir, f)
			if err != nil {
				return err
			}
			args = append(args, rel)
		}
	}
	cmd := exec.Command(b.cc, append(args, linkFlags...)...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", soname, err, said.Bytes())
	}
	return nil
}
