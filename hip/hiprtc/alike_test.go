//go:build cgo && linux

package hiprtc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/hip/codeobject"
)

// oddKernels have parameters of the kinds that the suite's kernels lack.
const oddKernels = `
struct __attribute__((aligned(32))) wide { char c[40]; };
enum small : char { one };
struct held { int *p; short n; };
template <class T> __global__ void scale(T *__restrict__ x, const volatile T *y, T list[4], void (*fn)(int), bool b, wide w, T by) {}
namespace inner {
__global__ void __launch_bounds__(96) enums(small e, int, const int n, double **q, void *const r) {}
}
extern "C" __global__ void structs(held h, char c, held *p, long long n) {}
extern "C" __global__ void nothing() {}
`

// alikeCases are what both compilers are given.
func alikeCases(t *testing.T) []alikeCase {
	args, basic, vectors := suiteSource(t, "args"), suiteSource(t, "basic"), suiteSource(t, "vectors")
	odd := Program{Name: "odd.hip", Code: []byte(oddKernels), NameExpressions: []string{"scale<float>", "scale<unsigned char>"}}
	doubles := []driver.Define{{Name: "WITH_DOUBLE", Value: "1"}}
	return []alikeCase{
		{args, Options{Arch: "gfx90a:sramecc+:xnack-"}},
		{basic, Options{Arch: "gfx90a"}},
		{vectors, Options{Arch: "gfx1030", Defines: doubles}},
		{odd, Options{Arch: "gfx1030"}},
		{odd, Options{Arch: "gfx906:xnack+"}},
	}
}

type alikeCase struct {
	program Program
	options Options
}

// alikeEnv is the folder with what AMD's compiler made.
const alikeEnv = "TRIAD_TEST_ALIKE"

// What the fake hiprtc says of kernels in the metadata of its images is what AMD's says.
func TestTheFakesMetadataIsLikeAMDs(t *testing.T) {
	needAMD(t)
	dir, version := t.TempDir(), 50200
	for i, x := range alikeCases(t) {
		r, err := Compile(t.Context(), x.program, x.options)
		check(t, err)
		o, err := codeobject.Parse(r.Code, x.options.Arch)
		check(t, err)
		if o.Version != [2]int{1, 1} {
			version = 0
		}
		check(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.co", i)), r.Code, 0o666))
		names, err := json.Marshal(r.Lowered)
		check(t, err)
		check(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", i)), names, 0o666))
	}
	drivertest.RunChild(t, "TestAlikeInChild", append(fakeLibrary(t, version), alikeEnv+"="+dir)...)
}

func TestAlikeInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	for i, x := range alikeCases(t) {
		what := fmt.Sprintf("%s for %s", x.program.Name, x.options.Arch)
		code, err := os.ReadFile(filepath.Join(os.Getenv(alikeEnv), fmt.Sprintf("%d.co", i)))
		check(t, err)
		names, err := os.ReadFile(filepath.Join(os.Getenv(alikeEnv), fmt.Sprintf("%d.json", i)))
		check(t, err)
		r, err := Compile(t.Context(), x.program, x.options)
		check(t, err)
		if lowered, err := json.Marshal(r.Lowered); err != nil || !bytes.Equal(lowered, names) {
			t.Errorf("%s: the names are %s, AMD's %s", what, lowered, names)
		}
		alike(t, what, code, r.Code, x.options.Arch)
	}
}

// alike compares two code objects of the same program.
func alike(t *testing.T, what string, theirs, ours []byte, arch string) {
	t.Helper()
	want, err := codeobject.Parse(theirs, arch)
	check(t, err)
	got, err := codeobject.Parse(ours, arch)
	check(t, err)
	// The kind of file, the machine, and the processor with its features.
	for _, part := range [][2]int{{0, 24}, {48, 52}} {
		if a, b := ours[part[0]:part[1]], theirs[part[0]:part[1]]; !bytes.Equal(a, b) && want.Version == got.Version {
			t.Errorf("%s: bytes %v of the file are %x, AMD's are %x", what, part, a, b)
		}
	}
	if got.Target != want.Target || len(got.Kernels) != len(want.Kernels) {
		t.Errorf("%s: %d kernels for %s; of AMD's compiler %d for %s", what, len(got.Kernels), got.Target, len(want.Kernels), want.Target)
	}
	for _, k := range want.Kernels {
		mine, err := got.Kernel(k.Name)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		was, is := described(k), described(*mine)
		if len(k.Hidden) != len(mine.Hidden) { // which depend on what a kernel does
			was.ArgBytes, is.ArgBytes = 0, 0
		}
		if diff := cmp.Diff(was, is); diff != "" {
			t.Errorf("%s: %s differs (-AMD's +the fake's):\n%s", what, k.Name, diff)
		}
	}
}

// described is what doesn't depend on the code that was made.
func described(k codeobject.Kernel) codeobject.Kernel {
	return codeobject.Kernel{
		Name: k.Name, Symbol: k.Symbol, Args: k.Args, ArgBytes: k.ArgBytes,
		MaxThreads: k.MaxThreads, RequiredBlock: k.RequiredBlock, WavefrontSize: k.WavefrontSize,
	}
}
