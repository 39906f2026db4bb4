package cuda

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/triad-gpu/triad/cuda/nvrtc"
)

// CompilerID implements driver.Compiler: the driver and NVRTC, down to their
// libraries' files, and the device's architecture.
func (d *Device) CompilerID() string { return d.arch() + ", " + compilers() }

// compilers identifies the driver, which compiles PTX, and NVRTC. Their versions are
// CUDA's, which many builds share; a library's real name has the build's, as a rule,
// and the file's size and date tell where it doesn't.
var compilers = sync.OnceValue(func() string {
	lib := load()
	id := versionText(lib.version) + " " + fileID(lib.Path)
	if major, minor, err := nvrtc.Version(); err == nil {
		id += fmt.Sprintf(", NVRTC %d.%d %s", major, minor, fileID(nvrtc.Probe().Loaded))
	}
	return id
})

func fileID(path string) string {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return filepath.Base(path)
	}
	return fmt.Sprintf("%s %d %d", filepath.Base(path), info.Size(), info.ModTime().UnixNano())
}
