package opencl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/triad-gpu/triad/driver"
)

// libraryEnv names the library to load, alone, in place of the candidates.
const libraryEnv = "TRIAD_OPENCL_LIBRARY"

// candidates are the libraries that are tried, in this order: the loader by its
// soname, which is what a machine without development packages has, then by its
// development name, then where containers and vendors put it outside of the
// linker's paths.
var candidates = []string{
	"libOpenCL.so.1",
	"libOpenCL.so",
	"/usr/lib/x86_64-linux-gnu/libOpenCL.so.1",
	"/usr/lib/aarch64-linux-gnu/libOpenCL.so.1",
	"/usr/lib64/libOpenCL.so.1",
	"/usr/local/cuda/lib64/libOpenCL.so.1",
	"/opt/rocm/lib/libOpenCL.so.1",
	"/opt/intel/oneapi/compiler/latest/lib/libOpenCL.so.1",
	"/usr/local/lib/libOpenCL.so.1",
}

// library is the loaded library, or why there is none. Loading happens once per
// process: a driver library can't be replaced under objects that it made.
type library struct {
	attempts []driver.LibraryAttempt
	path     string
	missing  []missingSymbol
	err      error
}

var load = sync.OnceValue(func() *library {
	if env := os.Getenv(libraryEnv); env != "" {
		return loadFrom([]string{env}, rawLoad)
	}
	return loadFrom(candidates, rawLoad)
})

// loadFrom tries libraries until one opens and has every required symbol.
func loadFrom(paths []string, open func(string) (found, failure string)) *library {
	lib := &library{}
	if usable != "" {
		lib.err = refused("dlopen", driver.ErrUnavailable, "%s", usable)
		return lib
	}
	for _, path := range paths {
		found, failure := open(path)
		lib.attempts = append(lib.attempts, driver.LibraryAttempt{Path: path, Err: failure})
		if failure == "" {
			lib.path, lib.missing = found, rawMissing()
			return lib
		}
	}
	var b strings.Builder
	b.WriteString("tried, in this order:")
	for _, a := range lib.attempts {
		fmt.Fprintf(&b, "\n  %s: %s", a.Path, a.Err)
	}
	fmt.Fprintf(&b, "\ninstall an OpenCL loader (Debian: ocl-icd-libopencl1) or name one in %s", libraryEnv)
	lib.err = refused("dlopen", driver.ErrLibraryNotFound, "%s", b.String())
	return lib
}

// has tells whether the library has an optional symbol.
func (l *library) has(symbol string) bool {
	for _, m := range l.missing {
		if m.name == symbol {
			return false
		}
	}
	return true
}

// noPlatform explains an empty list of platforms by what the loader goes by.
func noPlatform(lib *library, cause error) error {
	var b strings.Builder
	fmt.Fprintf(&b, "the loader %s knows no OpenCL platform", lib.path)
	for _, name := range []string{"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH"} {
		if v, ok := os.LookupEnv(name); ok {
			fmt.Fprintf(&b, "; %s=%q", name, v)
		}
	}
	for _, dir := range []string{"/etc/OpenCL/vendors", os.Getenv("OCL_ICD_VENDORS")} {
		if dir == "" {
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.icd"))
		switch {
		case err != nil:
			fmt.Fprintf(&b, "; %s: %v", dir, err)
		case len(files) == 0:
			fmt.Fprintf(&b, "; no .icd file in %s", dir)
		default:
			fmt.Fprintf(&b, "; in %s:", dir)
			for _, f := range files {
				text, _ := os.ReadFile(f)
				fmt.Fprintf(&b, " %s (%s)", filepath.Base(f), strings.TrimSpace(string(text)))
			}
		}
	}
	b.WriteString("; install a platform, for instance PoCL, which runs on any CPU (Debian: pocl-opencl-icd)")
	e := refused("clGetPlatformIDs", driver.ErrNoDevice, "%s", b.String()).(*driver.Error)
	var c *driver.Error
	if errors.As(cause, &c) {
		e.Code, e.Name = c.Code, c.Name
	}
	return e
}
