package opencl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/library"
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

// search is how the library is found.
var search = library.Search{
	Backend: backendName, Env: libraryEnv, Candidates: candidates,
	Advice:   "install an OpenCL loader (Debian: ocl-icd-libopencl1)",
	Unusable: usable, Open: rawLoad, Missing: rawMissing,
}

// load is the library in use, or why there is none; see library.Library.
var load = sync.OnceValue(func() *library.Library { return library.Load(search) })

// noPlatform explains an empty list of platforms by what the loader goes by.
func noPlatform(lib *library.Library, cause error) error {
	var b strings.Builder
	fmt.Fprintf(&b, "the loader %s knows no OpenCL platform", lib.Path)
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
