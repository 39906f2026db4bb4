package drivertest

import (
	"embed"
	"fmt"

	"github.com/triad-gpu/triad/driver"
)

//go:embed kernels
var kernelFiles embed.FS

// Sources gives the suite's own kernels in the language of a file ending: ".cl"
// for OpenCL C, ".cu" for CUDA C++, ".hip" for HIP C++, as which the text of CUDA's
// will do.
//
// The kernels of a name have the same parameters in each language, except that
// CUDA C++ and HIP C++ have no parameters for shared memory.
func Sources(ending string) func(name string) (driver.ModuleSource, error) {
	return func(name string) (driver.ModuleSource, error) {
		file := name + ending
		stored := file
		if ending == ".hip" {
			stored = name + ".cu"
		}
		code, err := kernelFiles.ReadFile("kernels/" + stored)
		if err != nil {
			return driver.ModuleSource{}, fmt.Errorf("drivertest has no kernels %q: %w", file, err)
		}
		return driver.ModuleSource{Kind: driver.SourceText, Name: file, Code: code}, nil
	}
}
