package fakedriver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
)

// misdeclared are structs of the driver's whose members stand in another order, or are of
// another size, than it has them.
var misdeclared = []struct{ is, was string }{
	{"size_t Height, WidthInBytes;\n} CUDA_MEMCPY2D;", "size_t WidthInBytes, Height;\n} CUDA_MEMCPY2D;"},
	{"size_t Depth, Height, WidthInBytes;\n} CUDA_MEMCPY3D;", "size_t WidthInBytes, Height, Depth;\n} CUDA_MEMCPY3D;"},
	{"unsigned int Flags;\n    unsigned int NumChannels;\n} CUDA_ARRAY3D_DESCRIPTOR;", "unsigned int NumChannels;\n    unsigned int Flags;\n} CUDA_ARRAY3D_DESCRIPTOR;"},
}

// Whoever has a struct otherwise than the driver is noticed by what the driver does.
func TestMisdeclaredStructsAreNoticed(t *testing.T) {
	needCxx(t)
	p := build(t, Options{})
	headers, err := filepath.Glob("../../cgo_headers/*.h")
	if err != nil || len(headers) == 0 {
		t.Fatalf("no headers: %v", err)
	}
	for _, x := range misdeclared {
		_, name, _ := strings.Cut(x.was, "} ")
		t.Run(strings.TrimSuffix(name, ";"), func(t *testing.T) {
			dir := t.TempDir()
			for _, file := range headers {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				changed := string(text)
				if filepath.Base(file) == "triad_cu_types.h" {
					if changed = strings.Replace(changed, x.was, x.is, 1); changed == string(text) {
						t.Fatal("it is not declared like that any more")
					}
				}
				if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), []byte(changed), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := drivertest.Program(program(t, p, "check", "-iquote", dir), p.Cuda, p.Nvrtc, "testdata/kernels.cu")
			cmd.Env = append(os.Environ(), twoDevices...)
			if said, err := cmd.CombinedOutput(); err == nil {
				t.Errorf("the checks pass:\n%s", said)
			}
		})
	}
}
