package nvrtc

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/library"
)

// libraryEnv names the library to load, alone, in place of the candidates.
const libraryEnv = "TRIAD_NVRTC_LIBRARY"

// sonames are what the dynamic linker is asked for, newest first. NVRTC 11.2 and
// all later ones of CUDA 11 are libnvrtc.so.11.2.
var sonames = []string{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"}

// candidates are the libraries that are tried, in this order: those that the
// linker knows, then those of the toolkit that the environment names, then those
// where toolkits are installed, the newest first. glob is filepath.Glob.
func candidates(getenv func(string) string, glob func(string) ([]string, error)) []string {
	list := slices.Clone(sonames)
	add := func(path string) {
		if !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	addFolder := func(dir string) (found bool) {
		for _, name := range sonames {
			if hits, _ := glob(filepath.Join(dir, name)); len(hits) > 0 {
				add(filepath.Join(dir, name))
				found = true
			}
		}
		return found
	}
	var roots []string
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if root := getenv(name); filepath.IsAbs(root) {
			roots = append(roots, root)
		}
	}
	for _, root := range append(roots, "/usr/local/cuda") {
		if dir := filepath.Join(root, "lib64"); !addFolder(dir) {
			add(filepath.Join(dir, "libnvrtc.so")) // for the error to say so
		}
	}
	targets, _ := glob("/usr/local/cuda-*/targets/*/lib")
	slices.SortStableFunc(targets, func(a, b string) int { return library.CompareVersions(toolkit(b), toolkit(a)) })
	for _, dir := range targets {
		addFolder(dir)
	}
	return list
}

// toolkit is the version in a toolkit's folder: "12.4" of /usr/local/cuda-12.4/….
func toolkit(dir string) string {
	version, _, _ := strings.Cut(strings.TrimPrefix(dir, "/usr/local/cuda-"), "/")
	return version
}

// load is the library in use, or why there is none; see library.Library.
var load = sync.OnceValue(func() *library.Library {
	return library.Load(library.Search{
		Backend: backendName, Env: libraryEnv, Candidates: candidates(os.Getenv, filepath.Glob),
		Advice:   "install NVRTC, which compiles CUDA C++ and is part of the CUDA toolkit,",
		Unusable: usable, Open: rawLoad, Missing: rawMissing,
	})
})

// about is what a loaded library says of itself.
type about struct {
	version // of NVRTC
	archs   []int
	err     error
}

var facts = sync.OnceValue(func() about {
	if err := load().Err; err != nil {
		return about{err: err}
	}
	var a about
	var code int32
	if a.major, a.minor, code = rawVersion(); code != 0 {
		return about{err: failure("nvrtcVersion", code, "asked of %s", load().Path)}
	}
	if a.archs, code = rawArchs(); code != 0 {
		return about{err: failure("nvrtcGetSupportedArchs", code, "asked of %s", a)}
	}
	slices.Sort(a.archs)
	return a
})

// version is NVRTC's, which is that of the CUDA toolkit that it belongs to.
type version struct{ major, minor int }

func (v version) String() string { return fmt.Sprintf("NVRTC %d.%d", v.major, v.minor) }

// Version is NVRTC's version (nvrtcVersion). The error is
// driver.ErrLibraryNotFound, with all that was tried, where there is no NVRTC.
func Version() (major, minor int, err error) {
	a := facts()
	return a.major, a.minor, a.err
}

// Architectures lists the compute capabilities that NVRTC compiles for, times
// ten and ascending: 90 for sm_90 and compute_90 (nvrtcGetSupportedArchs). Those
// of variants, such as sm_90a, are not told apart.
func Architectures() ([]int, error) {
	a := facts()
	return slices.Clone(a.archs), a.err
}

// Probe reports what was tried and found; it does not fail. Platforms holds one
// text, the list of architectures.
func Probe() driver.Report {
	lib := load()
	r := driver.Report{Backend: "nvrtc", Libraries: lib.Attempts, Loaded: lib.Path, Missing: lib.MissingNames(), Err: lib.Err}
	if r.Err != nil {
		return r
	}
	a := facts()
	if r.Err = a.err; r.Err == nil {
		r.Version, r.Platforms = a.String(), []string{strings.Join(names(a.archs), ", ")}
	}
	return r
}

// names are architectures by their usual names.
func names(archs []int) []string {
	list := make([]string, len(archs))
	for i, arch := range archs {
		list[i] = fmt.Sprintf("sm_%d", arch)
	}
	return list
}
