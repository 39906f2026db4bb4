package hiprtc_test

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"slices"

	"github.com/triad-gpu/triad/hip/hiprtc"
)

// A program, kernels/scale.hip, and the header that it includes.
//
//go:embed testdata/kernels
var files embed.FS

// Headers that are embedded in the program, by the names in #include lines.
func ExampleHeaders() {
	sub, err := fs.Sub(files, "testdata/kernels")
	if err != nil {
		log.Fatal(err)
	}
	headers, err := hiprtc.Headers(sub)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		fmt.Println(name)
	}
	// Output:
	// lib/scale.h
	// scale.hip
}

// A code object of a template, made ahead of time for one kind of device. It takes
// hiprtc, and no GPU.
func ExampleCompile() {
	sub, _ := fs.Sub(files, "testdata/kernels")
	headers, err := hiprtc.Headers(sub)
	if err != nil {
		log.Fatal(err)
	}
	arch, err := hiprtc.Target("gfx90a")
	if err != nil {
		log.Fatal(err) // lists the libraries that were tried
	}
	r, err := hiprtc.Compile(context.Background(), hiprtc.Program{
		Name: "scale.hip", Code: headers["scale.hip"], Headers: headers, NameExpressions: []string{"scale<float>"},
	}, hiprtc.Options{Arch: arch, Flags: []string{"-ffast-math"}})
	if err != nil {
		log.Fatal(err) // with the compiler's log, and the line that it complains of
	}
	if err := os.WriteFile("scale.co", r.Code, 0o666); err != nil {
		log.Fatal(err)
	}
	fmt.Println("the kernel is called", r.Lowered["scale<float>"])
}
