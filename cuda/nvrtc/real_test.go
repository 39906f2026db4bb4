package nvrtc

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// The tests of this file are for any NVRTC: the one of this machine, and the fake
// one that hands programs to a C++ compiler.

// target is the architecture that the tests compile for: one of the middle, which
// every version from 11.2 on knows.
const target = "sm_80"

func needNVRTC(t *testing.T) {
	t.Helper()
	if _, _, err := Version(); err != nil {
		drivertest.Unavailable(t, "nvrtc", err)
	}
}

// suiteSource is one of the suite's kernel files.
func suiteSource(t *testing.T, name string) Program {
	t.Helper()
	src, err := drivertest.Sources(".cu")(name)
	check(t, err)
	return Program{Name: src.Name, Code: src.Code}
}

func TestVersionAndArchitecturesAreSensible(t *testing.T) {
	needNVRTC(t)
	major, minor, err := Version()
	check(t, err)
	archs, err := Architectures()
	check(t, err)
	if major < 11 || len(archs) == 0 || archs[0] < 10 {
		t.Errorf("version %d.%d, architectures %v", major, minor, archs)
	}
	if r := Probe(); r.Err != nil || r.Loaded == "" || r.Version == "" || len(r.Platforms) != 1 {
		t.Errorf("%+v", r)
	}
	arch, machine, err := Target(archs[0]/10, archs[0]%10, 0)
	if want := names(archs)[0]; arch != want || !machine || err != nil {
		t.Errorf("target %q, machine code %v, error %v; want %q", arch, machine, err, want)
	}
}

func TestTheSuitesKernelsCompile(t *testing.T) {
	needNVRTC(t)
	defines := map[string][]driver.Define{"vectors": {{Name: "WITH_DOUBLE", Value: "1"}}, "defined": {{Name: "VALUE", Value: "7 // and more"}}}
	for _, name := range []string{"args", "basic", "defined", "vectors", "warns"} {
		r, err := Compile(t.Context(), suiteSource(t, name), Options{Arch: target, Defines: defines[name]})
		check(t, err)
		if len(r.CUBIN) == 0 {
			t.Errorf("%s: no machine code", name)
		}
		if name == "warns" && !strings.Contains(r.Log, "drivertest was here") {
			t.Errorf("the warning is not in the log: %q", r.Log)
		}
	}
}

func TestVirtualArchitecturesMakePTXAlone(t *testing.T) {
	needNVRTC(t)
	r, err := Compile(t.Context(), suiteSource(t, "basic"), Options{Arch: "compute_80"})
	check(t, err)
	if r.CUBIN != nil || len(r.PTX) == 0 || !bytes.Contains(r.PTX, []byte("saxpy")) {
		t.Errorf("%d bytes of machine code, PTX %.200q", len(r.CUBIN), r.PTX)
	}
}

func TestBuildErrorsHaveTheLogAndTheLine(t *testing.T) {
	needNVRTC(t)
	_, err := Compile(t.Context(), suiteSource(t, "broken"), Options{Arch: target, Defines: []driver.Define{{Name: "A", Value: "1"}}})
	var be *driver.BuildError
	if !errors.As(err, &be) {
		t.Fatalf("%T: %v", err, err)
	}
	if be.Backend != "cuda" || be.Op != "nvrtcCompileProgram" || be.Code != codeCompilation || !strings.Contains(be.Device, target) || !strings.Contains(be.Options, target) {
		t.Errorf("%+v", be)
	}
	if want := "broken.cu:4: out[0] = undeclared_name + here;"; be.Line != want || !strings.Contains(be.Log, "undeclared_name") {
		t.Errorf("the line is %q, want %q; the log is %q", be.Line, want, be.Log)
	}
	_, err = Compile(t.Context(), suiteSource(t, "basic"), Options{Arch: target, Flags: []string{"--no-such-flag-of-any-compiler"}})
	wantIs(t, "an unknown flag", err, driver.ErrBuild, "--no-such-flag-of-any-compiler")
	_, err = Compile(t.Context(), suiteSource(t, "basic"), Options{Arch: "sm_10"})
	wantIs(t, "an unknown architecture", err, driver.ErrUnsupported, "sm_10", "NVRTC")
}

const withHeaders = `#include "scale.cuh"
#include "lib/names.h"
extern "C" __global__ void scale(float *x) { x[threadIdx.x] = scaled(x[threadIdx.x]) + OFFSET; }
`

func TestHeadersAreFoundByTheirNames(t *testing.T) {
	needNVRTC(t)
	p := Program{Name: "scale.cu", Code: []byte(withHeaders), Headers: map[string][]byte{
		"scale.cuh":   []byte("static __device__ float scaled(float x) { return 2 * x; }\n"),
		"lib/names.h": []byte("#define OFFSET 1\n"),
	}}
	r, err := Compile(t.Context(), p, Options{Arch: target})
	check(t, err)
	if len(r.CUBIN) == 0 {
		t.Error("no machine code")
	}
	p.Headers["lib/names.h"] = []byte("// of no use\nint wrong = nothing_known;\n")
	_, err = Compile(t.Context(), p, Options{Arch: target})
	var be *driver.BuildError
	if !errors.As(err, &be) || be.Line != "lib/names.h:2: int wrong = nothing_known;" {
		t.Errorf("an error in a header: %v", err)
	}
	delete(p.Headers, "scale.cuh")
	_, err = Compile(t.Context(), p, Options{Arch: target})
	wantIs(t, "a missing header", err, driver.ErrBuild, "scale.cuh")
}

const templated = `template <typename T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by; }
__device__ int table[4];
`

func TestNameExpressionsInstantiateTemplates(t *testing.T) {
	needNVRTC(t)
	p := Program{Name: "scale.cu", Code: []byte(templated), NameExpressions: []string{"scale<float>", "scale<int>"}}
	r, err := Compile(t.Context(), p, Options{Arch: target})
	check(t, err)
	f, i := r.Lowered["scale<float>"], r.Lowered["scale<int>"]
	if len(r.Lowered) != 2 || f == i || !strings.HasPrefix(f, "_Z") || !strings.Contains(f, "scale") || !bytes.Contains(r.CUBIN, []byte(f)) {
		t.Errorf("the names are %v", r.Lowered)
	}
}

func TestFlagsMayHoldBlanks(t *testing.T) {
	needNVRTC(t)
	const code = `extern "C" __global__ void f(int *x) { x[0] = sizeof(TEXT); }
static_assert(sizeof(TEXT) == 10, "the flag was cut");
`
	_, err := Compile(t.Context(), Program{Code: []byte(code)}, Options{Arch: target, Flags: []string{`-DTEXT="two words"`}})
	check(t, err)
}

func TestContextsEndACompile(t *testing.T) {
	needNVRTC(t)
	p := suiteSource(t, "basic")
	for i := range 10 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*5*time.Millisecond)
		r, err := Compile(ctx, p, Options{Arch: target})
		switch {
		case err == nil:
			if len(r.CUBIN) == 0 {
				t.Error("no machine code")
			}
		case !errors.Is(err, context.DeadlineExceeded):
			t.Errorf("round %d: %v", i, err)
		}
		cancel()
	}
	ends(t)
}

func TestTheExamplesProgramCompiles(t *testing.T) {
	needNVRTC(t)
	headers, err := Headers(os.DirFS("testdata/kernels"))
	check(t, err)
	r, err := Compile(t.Context(), Program{Name: "scale.cu", Code: headers["scale.cu"], Headers: headers, NameExpressions: []string{"scale<float>"}},
		Options{Arch: target, Flags: []string{"--use_fast_math"}})
	check(t, err)
	if len(r.CUBIN) == 0 || r.Lowered["scale<float>"] == "" {
		t.Errorf("%d bytes of machine code, names %v", len(r.CUBIN), r.Lowered)
	}
}
