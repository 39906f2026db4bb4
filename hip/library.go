package hip

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/library"
)

// libraryEnv names the library to load, alone, in place of the candidates.
const libraryEnv = "TRIAD_HIP_LIBRARY"

// candidates are the libraries that are tried, in this order: the runtime by its
// sonames, the newest first, then by its development name, then where ROCm installs
// it, which is outside of the linker's paths as a rule.
func candidates(root string) []string {
	list := []string{"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"}
	folders, _ := filepath.Glob(filepath.Join(root, "rocm-*"))
	version := func(folder string) string { return strings.TrimPrefix(filepath.Base(folder), "rocm-") }
	slices.SortFunc(folders, func(a, b string) int { return library.CompareVersions(version(b), version(a)) })
	for _, folder := range append([]string{filepath.Join(root, "rocm")}, folders...) {
		list = append(list, filepath.Join(folder, "lib", "libamdhip64.so"))
	}
	return list
}

// search is how the library is found.
func search() library.Search {
	return library.Search{
		Backend: backendName, Env: libraryEnv, Candidates: candidates("/opt"),
		Advice:   "install ROCm's HIP runtime, libamdhip64.so (packages hip-runtime-amd or libamdhip64),",
		Unusable: usable, Open: rawLoad, Missing: rawMissing,
	}
}

// loaded is the library in use, initialized, or why there is none.
type loaded struct {
	*library.Library
	version int // of HIP, that the runtime speaks: 70100
}

// oldest is the version from which on the declarations hold.
const oldest = 50200

// load loads and initializes the runtime, once per process.
var load = sync.OnceValue(func() loaded {
	lib := loaded{Library: library.Load(search())}
	if lib.Err != nil {
		return lib
	}
	version, code := rawInit()
	lib.version = version
	switch {
	case code != 0:
		e := failure("hipInit", code, "the runtime %s was loaded and has no device for this process%s", lib.Path, noDeviceHint).(*driver.Error)
		if e.Kind != driver.ErrUnavailable {
			e.Kind = driver.ErrNoDevice
		}
		lib.Err = e
	case version > 0 && version < oldest:
		lib.Err = refused("hipRuntimeGetVersion", driver.ErrUnavailable, "%s is of %s; %s or later is needed", lib.Path, versionText(version), versionText(oldest))
	}
	return lib
})

// noDeviceHint says what is behind the usual reasons for no device.
const noDeviceHint = "; is there a GPU of AMD's with its kernel driver (/dev/kfd), may this process open /dev/kfd and /dev/dri/renderD* (groups render and video), and do HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES leave one visible?"

// versionText is "HIP 7.1" for 70100.
func versionText(v int) string { return fmt.Sprintf("HIP %d.%d", v/10000, v%10000/100) }
