package cuda

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// CompilerID implements driver.Compiler: the driver, down to its library's file, and
// the device's architecture.
func (d *Device) CompilerID() string { return d.arch() + " " + driverID() }

// driverID identifies the driver. Its version is that of CUDA, which many builds
// share; the library's real name has the build's, as a rule, and the file's size and
// date tell where it doesn't.
var driverID = sync.OnceValue(func() string {
	lib := load()
	id := versionText(lib.version)
	path, err := filepath.EvalSymlinks(lib.Path)
	if err != nil {
		return id
	}
	id += " " + filepath.Base(path)
	if info, err := os.Stat(path); err == nil {
		id += fmt.Sprintf(" %d %d", info.Size(), info.ModTime().UnixNano())
	}
	return id
})
