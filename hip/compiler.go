package hip

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/triad-gpu/triad/hip/hiprtc"
)

// CompilerID implements driver.Compiler: the runtime and hiprtc, down to their
// libraries' files, and the device's architecture.
func (d *Device) CompilerID() string { return d.facts.arch + ", " + compilers() }

// compilers identifies the runtime and hiprtc. Their versions are HIP's, which many
// builds share; a library's real name has the build's, as a rule, and the file's size
// and date tell where it doesn't.
var compilers = sync.OnceValue(func() string {
	lib := load()
	id := versionText(lib.version) + " " + fileID(lib.Path)
	if major, minor, err := hiprtc.Version(); err == nil {
		id += fmt.Sprintf(", hiprtc %d.%d %s", major, minor, fileID(hiprtc.Probe().Loaded))
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
