// Command hiponcuda builds the libraries of testdata/hip_on_cuda into a folder, for
// a machine that has a GPU of NVIDIA's and no C compiler:
//
//	go run ./scripts/hiponcuda FOLDER
//
// The folder's name must hold "hip-on-cuda", by which the tests know the runtime for
// what it is.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	hiponcuda "github.com/triad-gpu/triad/testdata/hip_on_cuda"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "hiponcuda:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") {
		return fmt.Errorf("usage: hiponcuda FOLDER")
	}
	dir, err := filepath.Abs(args[0])
	if err != nil {
		return err
	}
	if !strings.Contains(dir, "hip-on-cuda") {
		return fmt.Errorf("the name of %s does not hold \"hip-on-cuda\"", dir)
	}
	p, err := hiponcuda.Build(dir)
	if err != nil {
		return err
	}
	fmt.Println(strings.Join(p.Env(), "\n"))
	return nil
}
