package hiprtc

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
const libraryEnv = "TRIAD_HIPRTC_LIBRARY"

// sonames are what the dynamic linker is asked for, newest first. Before HIP 7 the
// runtime has hiprtc's functions too, and Debian's has no other library with them.
var sonames = []string{
	"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", "libhiprtc.so",
	"libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so",
}

// candidates are the libraries that are tried, in this order: those that the
// linker knows, then those of the ROCm that the environment names, then those
// where ROCm is installed, the newest first. glob is filepath.Glob.
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
	for _, name := range []string{"ROCM_PATH", "HIP_PATH"} {
		if root := getenv(name); filepath.IsAbs(root) {
			roots = append(roots, root)
		}
	}
	for _, root := range append(roots, "/opt/rocm") {
		if dir := filepath.Join(root, "lib"); !addFolder(dir) {
			add(filepath.Join(dir, "libhiprtc.so")) // for the error to say so
		}
	}
	installed, _ := glob("/opt/rocm-*/lib")
	slices.SortStableFunc(installed, func(a, b string) int { return library.CompareVersions(rocm(b), rocm(a)) })
	for _, dir := range installed {
		addFolder(dir)
	}
	return list
}

// rocm is the version in a folder of ROCm: "6.3.1" of /opt/rocm-6.3.1/lib.
func rocm(dir string) string {
	version, _, _ := strings.Cut(strings.TrimPrefix(dir, "/opt/rocm-"), "/")
	return version
}

// load is the library in use, or why there is none; see library.Library.
var load = sync.OnceValue(func() *library.Library {
	return library.Load(library.Search{
		Backend: backendName, Env: libraryEnv, Candidates: candidates(os.Getenv, filepath.Glob),
		Advice:   "install hiprtc, which compiles HIP C++ and is part of ROCm,",
		Unusable: usable, Open: rawLoad, Missing: rawMissing,
	})
})

// about is what a loaded library says of itself.
type about struct {
	version // of hiprtc
	archs   []string
	// knows tells whether it compiles for a target, with features: "gfx90a:xnack+".
	// known is false when only a compile would tell.
	knows func(target string) (knows, known bool)
	err   error
}

// targetPrefix is the rest of a target's full name.
const targetPrefix = "amdgcn-amd-amdhsa--"

var facts = sync.OnceValue(func() about {
	if err := load().Err; err != nil {
		return about{err: err}
	}
	a := about{knows: func(target string) (bool, bool) { return rawKnows(targetPrefix + target) }}
	var code int32
	if a.major, a.minor, code = rawVersion(); code != 0 {
		return about{err: failure("hiprtcVersion", code, "asked of %s", load().Path)}
	}
	for _, name := range rawTargets() {
		if arch, ok := strings.CutPrefix(name, targetPrefix); ok {
			a.archs = append(a.archs, arch)
		}
	}
	return a
})

// version is hiprtc's own, which is 9.0 in all of HIP 5 to 7.
type version struct{ major, minor int }

func (v version) String() string { return fmt.Sprintf("hiprtc %d.%d", v.major, v.minor) }

// Version is hiprtc's version (hiprtcVersion), which is not HIP's. The error is
// driver.ErrLibraryNotFound, with all that was tried, where there is no hiprtc.
func Version() (major, minor int, err error) {
	a := facts()
	return a.major, a.minor, a.err
}

// Architectures lists the architectures that hiprtc compiles for, such as
// "gfx90a", as the compiler library comgr tells them. It is empty where that
// can't be asked, and then only a compile tells.
func Architectures() ([]string, error) {
	a := facts()
	return slices.Clone(a.archs), a.err
}

// Probe reports what was tried and found; it does not fail. Platforms holds one
// text, the list of architectures.
func Probe() driver.Report {
	lib := load()
	r := driver.Report{Backend: "hiprtc", Libraries: lib.Attempts, Loaded: lib.Path, Missing: lib.MissingNames(), Err: lib.Err}
	if r.Err != nil {
		return r
	}
	a := facts()
	if r.Err = a.err; r.Err == nil {
		r.Version = a.String()
		if len(a.archs) > 0 {
			r.Platforms = []string{strings.Join(a.archs, ", ")}
		}
	}
	return r
}
