package fakedriver

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// program builds the C program of the files testdata/NAME*.c.
func program(t *testing.T, p Paths, name string, flags ...string) string {
	t.Helper()
	files, err := filepath.Glob("testdata/" + name + "*.c")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sources of %s: %v", name, err)
	}
	out := filepath.Join(t.TempDir(), name)
	args := append([]string{"-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Wno-unused-result", "-I" + p.Include, "-I../../cgo_headers", "-pthread", "-o", out}, flags...)
	if drivertest.AsanEnabled { // as the libraries are
		args = append(args, "-fsanitize=address")
	}
	args = append(append(args, files...), "-ldl")
	if said, err := exec.Command(compiler(), args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, said)
	}
	return out
}

// run runs a program on the libraries and returns what it prints.
func run(t *testing.T, env []string, path string, args ...string) []byte {
	t.Helper()
	cmd := drivertest.Program(path, args...)
	cmd.Env = append(os.Environ(), env...)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	said, err := cmd.Output()
	if err != nil {
		t.Errorf("%s: %v\n%s%s", filepath.Base(path), err, said, &complaints)
	}
	return said
}

var twoDevices = []string{"TRIAD_FAKE=devices=2;memory=1G"}

func needCxx(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("g++"); err != nil {
		drivertest.Unavailable(t, "c++", errors.Join(driver.ErrUnavailable, err))
	}
}

func TestItBehavesLikeADriver(t *testing.T) {
	needCxx(t)
	p := build(t, Options{})
	run(t, twoDevices, program(t, p, "check"), p.Cuda, p.Nvrtc, "testdata/kernels.cu")
}

func TestItIsMemorySafe(t *testing.T) {
	needCxx(t)
	if !hasASan(t) {
		drivertest.Lacks(t, "asan", "the C compiler has no AddressSanitizer that works")
	}
	p := build(t, Options{Sanitize: true})
	run(t, twoDevices, program(t, p, "check", "-fsanitize=address"), p.Cuda, p.Nvrtc, "testdata/kernels.cu")
}

func hasASan(t *testing.T) bool {
	t.Helper()
	out := filepath.Join(t.TempDir(), "asan")
	cmd := exec.Command(compiler(), "-fsanitize=address", "-o", out, "-x", "c", "-")
	cmd.Stdin = strings.NewReader("int main(void) { return 0; }")
	return cmd.Run() == nil && drivertest.Program(out).Run() == nil
}

// Calls with arguments picked at random, of which most make no sense.
func TestItSurvivesAnything(t *testing.T) {
	needCxx(t)
	if !hasASan(t) {
		drivertest.Lacks(t, "asan", "the C compiler has no AddressSanitizer that works")
	}
	p := build(t, Options{Sanitize: true})
	out := filepath.Join(t.TempDir(), "fuzz")
	args := []string{"-std=c++17", "-fsanitize=address", "-O1", "-g", "-Wall", "-I../../cgo_headers", "-o", out, "testdata/fuzz.cpp", "-ldl"}
	if said, err := exec.Command("g++", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, seed := range []string{"1", "2", "3"} {
		run(t, nil, out, p.Cuda, p.Nvrtc, "20000", seed)
	}
}

// The answers to misuse are written down, so that a change of one is seen. The
// same program asks a real driver: probe libcuda.so.1 libnvrtc.so.
func TestAnswersToMisuse(t *testing.T) {
	needCxx(t)
	p := build(t, Options{})
	got := run(t, nil, program(t, p, "probe"), p.Cuda, p.Nvrtc)
	const file = "testdata/probe.txt"
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	have, wanted := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(have), len(wanted)) {
		var h, w string
		if i < len(have) {
			h = have[i]
		}
		if i < len(wanted) {
			w = wanted[i]
		}
		if h != w {
			t.Fatalf("%s:%d: have %q, want %q", file, i+1, h, w)
		}
	}
}

// Every kernel of the conformance suite compiles, but for the one that must not.
func TestTheSuitesKernelsCompile(t *testing.T) {
	needCxx(t)
	files, err := filepath.Glob("../../driver/drivertest/kernels/*.cu")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		drivertest.Lacks(t, "cuda-kernels", "the suite has no kernels in CUDA C++")
	}
	p := build(t, Options{})
	compile := program(t, p, "compile")
	for _, file := range files {
		cmd := drivertest.Program(compile, p.Nvrtc, file, "--gpu-architecture=sm_90", "-DVALUE=1")
		said, err := cmd.CombinedOutput()
		name := filepath.Base(file)
		if broken := name == "broken.cu"; broken != (err != nil) {
			t.Errorf("%s: %v\n%s", name, err, said)
		} else if broken && !strings.Contains(string(said), name+"(4): error: ") {
			t.Errorf("%s: no error in line 4:\n%s", name, said)
		}
	}
}
