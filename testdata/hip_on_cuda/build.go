package hiponcuda

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
	"strings"

	"github.com/triad-gpu/triad/cgo_headers"
	"github.com/triad-gpu/triad/driver"
)

// Sources are the libraries' sources, in the folder src; testdata/fakedriver builds a
// fake runtime of them too.
//
//go:embed src
var Sources embed.FS

// Dir is the environment variable that names a folder with the libraries built, for
// machines without a C compiler: Build takes them from there.
const Dir = "TRIAD_HIP_ON_CUDA"

// Paths says where the libraries are.
type Paths struct {
	HIP    string // libamdhip64.so.7
	Hiprtc string // libhiprtc.so.7
}

// Env is the environment of a process that is to use them.
func (p Paths) Env() []string {
	return []string{"TRIAD_HIP_LIBRARY=" + p.HIP, "TRIAD_HIPRTC_LIBRARY=" + p.Hiprtc}
}

func paths(dir string) Paths {
	return Paths{HIP: filepath.Join(dir, "libamdhip64.so.7"), Hiprtc: filepath.Join(dir, "libhiprtc.so.7")}
}

func (p Paths) there() bool {
	_, err1 := os.Stat(p.HIP)
	_, err2 := os.Stat(p.Hiprtc)
	return err1 == nil && err2 == nil
}

// Build builds the libraries into a folder, or finds them there. With an empty dir
// that is the folder that TRIAD_HIP_ON_CUDA names, or one of the user's cache, where
// they are kept by content. The error wraps [driver.ErrUnavailable] where they can't
// be built: on another system, or without a C compiler.
func Build(dir string) (Paths, error) {
	if runtime.GOOS != "linux" {
		return Paths{}, fmt.Errorf("%w: HIP on CUDA is for Linux, and this is %s", driver.ErrUnavailable, runtime.GOOS)
	}
	if dir == "" {
		if built := os.Getenv(Dir); built != "" {
			if p := paths(built); p.there() {
				return p, nil
			}
			return Paths{}, fmt.Errorf("%w: %s names %s, which has no libamdhip64.so.7 and libhiprtc.so.7", driver.ErrUnavailable, Dir, built)
		}
	}
	cc := os.Getenv("CC")
	if cc == "" || strings.Contains(cc, " ") {
		cc = "gcc"
	}
	cc, err := exec.LookPath(cc)
	if err != nil {
		return Paths{}, fmt.Errorf("%w: HIP on CUDA needs a C compiler: %w", driver.ErrUnavailable, err)
	}
	files, key, err := collect(cc)
	if err != nil {
		return Paths{}, err
	}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return Paths{}, err
		}
		return paths(dir), build(cc, files, dir)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir = filepath.Join(cache, "triad-hip-on-cuda", key)
	if p := paths(dir); p.there() {
		return p, nil
	}
	return paths(dir), buildOnce(cc, files, dir)
}

// collect are the sources, by path, and what identifies what is made of them.
func collect(cc string) (files map[string][]byte, key string, err error) {
	files = make(map[string][]byte)
	h := sha256.New()
	version, _ := exec.Command(cc, "--version").Output()
	fmt.Fprintf(h, "%s\n%s\n%q\n", cc, version, flags)
	add := func(fsys fs.FS, root, to string) error {
		return fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(fsys, name)
			at := path.Join(to, name)
			files[at] = text
			fmt.Fprintf(h, "%s %d\n%s", at, len(text), text)
			return err
		})
	}
	err = errors.Join(add(Sources, "src", "."), add(cgo_headers.Files, ".", "abi"))
	return files, fmt.Sprintf("%x", h.Sum(nil)[:12]), err
}

var flags = []string{
	"-std=gnu11", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", "-pthread",
	// A thread's device is looked at in every call.
	"-ftls-model=initial-exec",
	"-shared", "-Wl,--no-undefined", "-Wl,-z,now",
}

// buildOnce builds into a folder of its own, which then becomes dir. Of several
// processes that do so at the same time one wins.
func buildOnce(cc string, files map[string][]byte, dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := build(cc, files, tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil && !paths(dir).there() {
		return err
	}
	return nil
}

func build(cc string, files map[string][]byte, dir string) error {
	src, err := os.MkdirTemp("", "triad-hip-on-cuda-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(src)
	for name, text := range files {
		at := filepath.Join(src, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, text, 0o600); err != nil {
			return err
		}
	}
	p := paths(dir)
	return errors.Join(link(cc, src, "hip", p.HIP), link(cc, src, "hiprtc", p.Hiprtc))
}

// link compiles and links one library, of the sources in a folder.
func link(cc, src, folder, to string) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	list, err := filepath.Glob(filepath.Join(src, "src", folder, "*.c"))
	if err != nil || len(list) == 0 {
		return fmt.Errorf("no sources in %s: %w", folder, err)
	}
	args := append([]string{"-I" + filepath.Join(src, "abi"), "-Wl,-soname," + filepath.Base(to), "-o", to}, flags...)
	var said bytes.Buffer
	cmd := exec.Command(cc, append(append(args, list...), "-ldl")...)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", filepath.Base(to), err, said.Bytes())
	}
	return nil
}
