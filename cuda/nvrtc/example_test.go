package nvrtc_test

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"slices"

	"github.com/triad-gpu/triad/cuda/nvrtc"
)

// A program, kernels/scale.cu, and the header that it includes.
//
//go:embed testdata/kernels
var files embed.FS

// Headers that are embedded in the program, by the names in #include lines.
func ExampleHeaders() {
	sub, err := fs.Sub(files, "testdata/kernels")
	if err != nil {
		log.Fatal(err)
	}
	headers, err := nvrtc.Headers(sub)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		fmt.Println(name)
	}
	// Output:
	// lib/scale.cuh
	// scale.cu
}

// Machine code of a template, made ahead of time for devices of compute
// capability 9.0. It takes NVRTC, and no GPU.
func ExampleCompile() {
	sub, _ := fs.Sub(files, "testdata/kernels")
	headers, err := nvrtc.Headers(sub)
	if err != nil {
		log.Fatal(err)
	}
	arch, _, err := nvrtc.Target(9, 0, 0)
	if err != nil {
		log.Fatal(err) // lists the libraries that were tried
	}
	r, err := nvrtc.Compile(context.Background(), nvrtc.Program{
		Name: "scale.cu", Code: headers["scale.cu"], Headers: headers, NameExpressions: []string{"scale<float>"},
	}, nvrtc.Options{Arch: arch, Flags: []string{"--use_fast_math"}})
	if err != nil {
		log.Fatal(err) // with the compiler's log, and the line that it complains of
	}
	if err := os.WriteFile("scale.cubin", r.CUBIN, 0o666); err != nil {
		log.Fatal(err)
	}
	fmt.Println("the kernel is called", r.Lowered["scale<float>"])
}
