package hiprtc

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/hip/codeobject"
)

// target is the architecture that the tests compile for: one of NVIDIA's where hiprtc
// is testdata/hip_on_cuda, which doesn't tell what it knows.
func target() string {
	if archs, err := Architectures(); err == nil && len(archs) == 0 {
		return "sm_80"
	}
	return "gfx90a"
}

// needHiprtc skips where there is no hiprtc.
func needHiprtc(t *testing.T) {
	t.Helper()
	if _, _, err := Version(); err != nil {
		drivertest.Unavailable(t, "hiprtc", err)
	}
}

// needAMD skips where there is no hiprtc of AMD's.
func needAMD(t *testing.T) {
	t.Helper()
	needHiprtc(t)
	if target() != "gfx90a" {
		drivertest.Lacks(t, "amd-hiprtc", "the hiprtc that is here does not tell what it compiles for")
	}
}

// suiteSource is one of the suite's kernel files.
func suiteSource(t *testing.T, name string) Program {
	t.Helper()
	src, err := drivertest.Sources(".cu")(name)
	check(t, err)
	return Program{Name: src.Name, Code: src.Code}
}

// kernels compiles a program and reads what was made.
func kernels(t *testing.T, p Program, o Options) *codeobject.Object {
	t.Helper()
	r, err := Compile(t.Context(), p, o)
	check(t, err)
	obj, err := codeobject.Parse(r.Code, o.Arch)
	check(t, err)
	return obj
}

func TestVersionAndArchitecturesAreSensible(t *testing.T) {
	needAMD(t)
	major, _, err := Version()
	check(t, err)
	archs, err := Architectures()
	check(t, err)
	if major < 5 || len(archs) == 0 || !strings.HasPrefix(archs[0], "gfx") {
		t.Errorf("version %d, architectures %v", major, archs)
	}
	if r := Probe(); r.Err != nil || r.Loaded == "" || r.Version == "" || len(r.Platforms) != 1 {
		t.Errorf("%+v", r)
	}
	for _, x := range []struct{ device, want string }{
		{"gfx90a", "gfx90a"}, {"gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-"}, {"gfx1030:xnack+", "gfx1030"},
	} {
		if arch, err := Target(x.device); arch != x.want || err != nil {
			t.Errorf("for %s: %q, error %v; want %s", x.device, arch, err, x.want)
		}
	}
	_, err = Target("gfx000")
	wantIs(t, "Target", err, driver.ErrUnsupported, "gfx000", "gfx90a")
}

func TestTheSuitesKernelsCompile(t *testing.T) {
	needAMD(t)
	names := []string{"args", "basic", "defined", "vectors", "warns"}
	if testing.Short() {
		names = []string{"vectors", "warns"}
	}
	defines := map[string][]driver.Define{"vectors": {{Name: "WITH_DOUBLE", Value: "1"}}, "defined": {{Name: "VALUE", Value: "7 // and more"}}}
	for _, name := range names {
		r, err := Compile(t.Context(), suiteSource(t, name), Options{Arch: target(), Defines: defines[name]})
		check(t, err)
		o, err := codeobject.Parse(r.Code, target())
		check(t, err)
		if len(o.Kernels) == 0 {
			t.Errorf("%s: no kernels", name)
		}
		if name == "warns" && !strings.Contains(r.Log, "drivertest was here") {
			t.Errorf("the warning is not in the log: %q", r.Log)
		}
	}
}

// The structs of Go that the suite binds its kernels with are what the compiler
// says that the kernels take, to the byte, on every architecture that it knows.
func TestCodeObjectsFitTheirGoStructs(t *testing.T) {
	needAMD(t)
	type inner struct {
		A int8
		_ [7]byte
		B float64
	}
	type s12 struct{ A, B, C int32 }
	type s64 struct {
		Head int8
		_    [7]byte
		In   [2]inner
		Mid  int16
		_    [6]byte
		Tail [3]uint64
	}
	type mixed struct {
		A   uint8
		B   uint64
		C   uint16
		D   s12
		E   int8
		F   driver.Float3
		G   uint32
		Out driver.Ptr[uint64]
	}
	type fields struct {
		Pad uint8
		A   s64
		Out driver.Ptr[float64]
	}
	archs := []string{"gfx90a", "gfx942", "gfx1030"}
	if testing.Short() {
		archs = archs[:1]
	}
	for _, arch := range archs {
		if arch, err := Target(arch); err != nil {
			wantIs(t, arch, err, driver.ErrUnsupported, "gfx90a") // an older hiprtc says what it knows
			continue
		}
		o := kernels(t, suiteSource(t, "args"), Options{Arch: arch})
		k := kernel(t, o, "mixed")
		check(t, k.Verify(signature[mixed](t)))
		var at []uint32
		for _, a := range k.Args {
			at = append(at, a.Offset, a.Size)
		}
		if want := []uint32{0, 1, 8, 8, 16, 2, 20, 12, 32, 1, 48, 16, 64, 4, 72, 8}; !equal(at, want) {
			t.Errorf("%s: places and sizes are %v, want %v", arch, at, want)
		}
		check(t, kernel(t, o, "fields").Verify(signature[fields](t)))
		check(t, kernel(t, o, "shape12").Verify(signature[struct {
			A   s12
			Out driver.Ptr[s12]
		}](t)))
		err := kernel(t, o, "fields").Verify(signature[struct {
			Pad uint8
			A   s12
			Out driver.Ptr[float64]
		}](t))
		wantIs(t, "too small", err, driver.ErrSignature, "parameter 1", "72 bytes at byte 8", "field A (hiprtc.s12)", "has 12")
		err = kernel(t, o, "fields").Verify(signature[struct {
			Pad uint8
			A   s64
			Out float64
		}](t))
		wantIs(t, "no pointer", err, driver.ErrSignature, "parameter 2", "a pointer to global memory", "field Out (float64)", "is a value")
		err = k.Verify(signature[fields](t))
		wantIs(t, "too few", err, driver.ErrSignature, "has 8 parameters", "gives it 3")
	}
}

func TestFeaturesOfAnArchitectureAreKept(t *testing.T) {
	needAMD(t)
	if o := kernels(t, suiteSource(t, "basic"), Options{Arch: "gfx90a:sramecc+:xnack-"}); o.Target != "gfx90a:sramecc+:xnack-" {
		t.Errorf("the target is %s", o.Target)
	}
}

func TestBuildErrorsHaveTheLogAndTheLine(t *testing.T) {
	needHiprtc(t)
	for _, defines := range [][]driver.Define{nil, {{Name: "A", Value: "1"}}} {
		_, err := Compile(t.Context(), suiteSource(t, "broken"), Options{Arch: target(), Defines: defines})
		var be *driver.BuildError
		if !errors.As(err, &be) {
			t.Fatalf("%T: %v", err, err)
		}
		if be.Backend != "hip" || be.Op != "hiprtcCompileProgram" || be.Code != codeCompilation || !strings.Contains(be.Device, target()) || !strings.Contains(be.Options, target()) {
			t.Errorf("%+v", be)
		}
		if want := "broken.cu:4: out[0] = undeclared_name + here;"; be.Line != want || !strings.Contains(be.Log, "broken.cu") {
			t.Errorf("the line is %q, want %q; the log is %q", be.Line, want, be.Log)
		}
	}
	_, err := Compile(t.Context(), suiteSource(t, "basic"), Options{Arch: target(), Flags: []string{"--no-such-flag-of-any-compiler"}})
	wantIs(t, "an unknown flag", err, driver.ErrBuild, "--no-such-flag-of-any-compiler")
}

// Of HIP 5.2 a compile for one of these would end the process.
func TestUnknownArchitecturesAreRefused(t *testing.T) {
	needAMD(t)
	for _, o := range []Options{
		{Arch: "gfx000"}, {Arch: "gfx1030:xnack+"}, {Arch: "gfx90a:more+"}, {Arch: "sm_90"}, {Flags: []string{"--offload-arch=gfx001"}},
		{Arch: target(), Flags: []string{"--gpu-architecture=gfx001"}},
	} {
		_, err := Compile(t.Context(), suiteSource(t, "basic"), o)
		wantIs(t, o.Arch, err, driver.ErrUnsupported, o.Arch, "hiprtc", "gfx90a")
	}
	_, err := Compile(t.Context(), suiteSource(t, "basic"), Options{Flags: []string{"--offload-arch="}})
	wantIs(t, "none", err, driver.ErrInvalidValue, "no architecture")
}

const withHeaders = `#include "scale.h"
#include "lib/names.h"
extern "C" __global__ void scale(float *x) { x[threadIdx.x] = scaled(x[threadIdx.x]) + OFFSET; }
`

func TestHeadersAreFoundByTheirNames(t *testing.T) {
	needAMD(t)
	p := Program{Name: "scale.hip", Code: []byte(withHeaders), Headers: map[string][]byte{
		"scale.h":     []byte("static __device__ float scaled(float x) { return 2 * x; }\n"),
		"lib/names.h": []byte("#define OFFSET 1\n"),
	}}
	kernel(t, kernels(t, p, Options{Arch: target()}), "scale")
	p.Headers["lib/names.h"] = []byte("// of no use\nint wrong = nothing_known;\n")
	_, err := Compile(t.Context(), p, Options{Arch: target()})
	var be *driver.BuildError
	if !errors.As(err, &be) || be.Line != "lib/names.h:2: int wrong = nothing_known;" {
		t.Errorf("an error in a header: %v", err)
	}
	delete(p.Headers, "scale.h")
	_, err = Compile(t.Context(), p, Options{Arch: target()})
	wantIs(t, "a missing header", err, driver.ErrBuild, "scale.h")
}

func TestNameExpressionsInstantiateTemplates(t *testing.T) {
	needAMD(t)
	code := "template <typename T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by; }\n__device__ int table[4];\n"
	p := Program{Name: "scale.hip", Code: []byte(code), NameExpressions: []string{"scale<float>", "scale<int>"}}
	r, err := Compile(t.Context(), p, Options{Arch: target()})
	check(t, err)
	o, err := codeobject.Parse(r.Code, target())
	check(t, err)
	f, i := r.Lowered["scale<float>"], r.Lowered["scale<int>"]
	if len(r.Lowered) != 2 || f == i || len(o.Kernels) != 2 {
		t.Errorf("the names are %v, the kernels %+v", r.Lowered, o.Kernels)
	}
	kernel(t, o, f)
	kernel(t, o, i)
}

func TestFlagsMayHoldBlanks(t *testing.T) {
	needHiprtc(t)
	const code = `extern "C" __global__ void f(int *x) { x[0] = sizeof(TEXT); }
static_assert(sizeof(TEXT) == 10, "the flag was cut");
`
	_, err := Compile(t.Context(), Program{Code: []byte(code)}, Options{Arch: target(), Flags: []string{`-DTEXT="two words"`}})
	check(t, err)
}

func TestContextsEndACompile(t *testing.T) {
	needHiprtc(t)
	p := suiteSource(t, "basic")
	for i := range 5 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*10*time.Millisecond)
		r, err := Compile(ctx, p, Options{Arch: target()})
		switch {
		case err == nil:
			if len(r.Code) == 0 {
				t.Error("no code")
			}
		case !errors.Is(err, context.DeadlineExceeded):
			t.Errorf("round %d: %v", i, err)
		}
		cancel()
	}
	ends(t)
}

func TestManyCompilesDontMix(t *testing.T) {
	needAMD(t)
	var wait sync.WaitGroup
	for _, arch := range []string{"gfx90a", "gfx1030", "gfx906", "gfx90a"} {
		wait.Add(1)
		go func() {
			defer wait.Done()
			r, err := Compile(t.Context(), suiteSource(t, "basic"), Options{Arch: arch})
			if err == nil {
				_, err = codeobject.Parse(r.Code, arch)
			}
			if err != nil {
				t.Errorf("%s: %v", arch, err)
			}
		}()
	}
	wait.Wait()
}

var update = flag.Bool("update", false, "make the code objects of codeobject/testdata anew")

// The code objects that the tests of package codeobject read are this compiler's:
// what it makes of their source today has the same kernels and parameters.
func TestKeptCodeObjectsAreStillMade(t *testing.T) {
	needAMD(t)
	dir := filepath.Join("..", "codeobject", "testdata")
	code, err := os.ReadFile(filepath.Join(dir, "kernels.hip"))
	check(t, err)
	for name, o := range map[string]Options{
		"gfx90a.co":  {Arch: "gfx90a:sramecc+:xnack-", Flags: []string{"-fhip-kernel-arg-name"}},
		"gfx1030.co": {Arch: "gfx1030"},
	} {
		r, err := Compile(t.Context(), Program{Name: "kernels.hip", Code: code}, o)
		check(t, err)
		if *update {
			check(t, os.WriteFile(filepath.Join(dir, name), r.Code, 0o666))
		}
		kept, err := os.ReadFile(filepath.Join(dir, name))
		check(t, err)
		was, err := codeobject.Parse(kept, o.Arch)
		check(t, err)
		is, err := codeobject.Parse(r.Code, o.Arch)
		check(t, err)
		for _, k := range was.Kernels {
			sig, err := k.Signature()
			check(t, err)
			check(t, kernel(t, is, k.Name).Verify(sig))
		}
	}
}

func TestTheExamplesProgramCompiles(t *testing.T) {
	needHiprtc(t)
	headers, err := Headers(os.DirFS("testdata/kernels"))
	check(t, err)
	r, err := Compile(t.Context(), Program{Name: "scale.hip", Code: headers["scale.hip"], Headers: headers, NameExpressions: []string{"scale<float>"}},
		Options{Arch: target(), Flags: []string{"-ffast-math"}})
	check(t, err)
	if len(r.Code) == 0 || !bytes.Contains(r.Code, []byte(r.Lowered["scale<float>"])) {
		t.Errorf("%d bytes of code, names %v", len(r.Code), r.Lowered)
	}
}
