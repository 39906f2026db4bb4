package cuda

import (
	"fmt"
	"sync"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/library"
)

// libraryEnv names the library to load, alone, in place of the candidates.
const libraryEnv = "TRIAD_CUDA_LIBRARY"

// candidates are the libraries that are tried, in this order: the driver by its
// soname, then where WSL, containers and distributions put it outside of the
// linker's paths, and last its development name, which may be the toolkit's stub.
var candidates = []string{
	"libcuda.so.1",
	"/usr/lib/wsl/lib/libcuda.so.1",
	"/usr/local/nvidia/lib64/libcuda.so.1",
	"/usr/local/nvidia/lib/libcuda.so.1",
	"/usr/lib/x86_64-linux-gnu/libcuda.so.1",
	"/usr/lib/aarch64-linux-gnu/libcuda.so.1",
	"/usr/lib/aarch64-linux-gnu/tegra/libcuda.so.1",
	"/usr/lib64/libcuda.so.1",
	"/run/opengl-driver/lib/libcuda.so.1",
	"/usr/local/cuda/compat/libcuda.so.1",
	"libcuda.so",
}

// search is how the library is found.
var search = library.Search{
	Backend: backendName, Env: libraryEnv, Candidates: candidates,
	Advice:   "install NVIDIA's driver, of which libcuda.so.1 is a part (in a container: start it with the NVIDIA runtime),",
	Unusable: usable, Open: rawLoad, Missing: rawMissing,
}

// loaded is the library in use, initialized, or why there is none.
type loaded struct {
	*library.Library
	version int // of CUDA, that the driver speaks: 13000
}

// load loads and initializes the driver, once per process.
var load = sync.OnceValue(func() loaded {
	lib := loaded{Library: library.Load(search)}
	if lib.Err != nil {
		return lib
	}
	version, code := rawInit()
	lib.version = version
	if code != 0 {
		e := failure("cuInit", code, "the driver %s was loaded and has no device for this process%s", lib.Path, initHints[code]).(*driver.Error)
		if e.Kind == driver.ErrInvalidValue {
			e.Kind = driver.ErrNoDevice
		}
		lib.Err = e
	}
	return lib
})

// initHints say what is behind the usual failures of cuInit.
var initHints = map[int32]string{
	100: "; is there a GPU (lspci), and does CUDA_VISIBLE_DEVICES leave one visible?",
	101: "; does CUDA_VISIBLE_DEVICES name a device that exists?",
	803: "; the driver's kernel module and its libraries are of different versions: reboot, or reload the module",
	804: "; the compatibility libraries of a newer CUDA don't support this device",
	999: "; is the kernel module loaded (nvidia-smi), and may this process open /dev/nvidia*?",
}

// versionText is "CUDA 13.0" for 13000.
func versionText(v int) string { return fmt.Sprintf("CUDA %d.%d", v/1000, v%1000/10) }
