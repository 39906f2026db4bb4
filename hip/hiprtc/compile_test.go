package hiprtc

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// Two hiprtcs: one that tells what it compiles for, and one that doesn't.
var (
	telling = about{version: version{9, 0}, archs: []string{"gfx90a", "gfx9-4-generic"}, knows: func(target string) (bool, bool) {
		return slices.Contains([]string{"gfx90a", "gfx90a:xnack-", "gfx9-4-generic"}, target), true
	}}
	silent = about{version: version{9, 0}, knows: func(string) (bool, bool) { return false, false }}
)

func TestOptionsAreArchitectureThenFlags(t *testing.T) {
	for _, x := range []struct {
		o    Options
		want []string
	}{
		{Options{}, nil},
		{Options{Arch: "gfx90a"}, []string{"--offload-arch=gfx90a"}},
		{Options{Arch: "gfx90a", Flags: []string{"-I", "a folder"}}, []string{"--offload-arch=gfx90a", "-I", "a folder"}},
		{Options{Arch: "gfx90a", Flags: []string{"--gpu-architecture=gfx906"}}, []string{"--gpu-architecture=gfx906"}},
		{Options{Arch: "gfx90a", Flags: []string{"--offload-arch=gfx906", "-O3"}}, []string{"--offload-arch=gfx906", "-O3"}},
	} {
		if got := options(x.o); !slices.Equal(got, x.want) {
			t.Errorf("%+v: %q, want %q", x.o, got, x.want)
		}
	}
}

func TestTheBestTargetIsChosen(t *testing.T) {
	for device, want := range map[string]string{
		"gfx90a": "gfx90a", "gfx90a:xnack-": "gfx90a:xnack-", "gfx90a:sramecc+:xnack-": "gfx90a", "gfx942:sramecc+:xnack-": "gfx9-4-generic",
	} {
		if arch, err := telling.target(device); arch != want || err != nil {
			t.Errorf("for %s: %q, error %v; want %q", device, arch, err, want)
		}
	}
	_, err := telling.target("gfx1100")
	wantIs(t, "gfx1100", err, driver.ErrUnsupported, "hiprtc 9.0 does not compile for gfx1100; it does for gfx90a, gfx9-4-generic")
	if arch, err := silent.target("gfx1100"); arch != "gfx1100" || err != nil {
		t.Errorf("%q, error %v", arch, err)
	}
}

func TestWhatCannotBeCompiledIsRefusedAtOnce(t *testing.T) {
	code := []byte("code")
	for what, x := range map[string]struct {
		p     Program
		o     Options
		want  error
		words []string
	}{
		"no code":              {Program{Name: "f.hip"}, Options{}, driver.ErrInvalidValue, []string{"f.hip", "empty"}},
		"a NUL in the code":    {Program{Name: "f.hip", Code: []byte("co\x00de")}, Options{}, driver.ErrInvalidValue, []string{"f.hip", "NUL", "byte 2"}},
		"a NUL in a flag":      {Program{Code: code}, Options{Flags: []string{"-DA=\x00"}}, driver.ErrInvalidValue, []string{"option", "NUL"}},
		"a bad definition":     {Program{Code: code}, Options{Defines: []driver.Define{{Name: "A B"}}}, driver.ErrInvalidValue, []string{"A B", "identifier"}},
		"no such architecture": {Program{Code: code}, Options{Arch: "gfx942"}, driver.ErrUnsupported, []string{"gfx942", "hiprtc 9.0", "gfx90a"}},
	} {
		_, err := newJob(telling, x.p, x.o)
		wantIs(t, what, err, x.want, x.words...)
	}
	_, err := newJob(silent, Program{Code: code}, Options{Arch: "gfx942"})
	check(t, err)
}

func TestJobsHaveNames(t *testing.T) {
	j, err := newJob(telling, Program{Code: []byte("code")}, Options{Arch: "gfx90a"})
	check(t, err)
	if j.Text != "#line 1 \"program.hip\"\ncode" || j.device != "gfx90a by hiprtc 9.0" {
		t.Errorf("%q for %q", j.Text, j.device)
	}
	for o, want := range map[string]string{"": "the current device by hiprtc 9.0", "a GPU": "a GPU by hiprtc 9.0"} {
		if j, err = newJob(telling, Program{Code: []byte("code")}, Options{Device: o}); j.device != want || err != nil {
			t.Errorf("%q, want %q; error %v", j.device, want, err)
		}
	}
}

func TestVerdictsCarryTheLogAndTheLine(t *testing.T) {
	j, err := newJob(telling, Program{Name: "f.hip", Code: []byte("int a;\nint b = c;\n")}, Options{Arch: "gfx90a", Flags: []string{"-O3"}, Device: "a GPU"})
	check(t, err)
	const log = "f.hip:2:9: error: use of undeclared identifier 'c'\nint b = c;\n        ^\n"
	var be *driver.BuildError
	if err := j.verdict(codeCompilation, log); !errors.As(err, &be) {
		t.Fatalf("%T: %v", err, err)
	}
	want := driver.BuildError{Backend: "hip", Op: "hiprtcCompileProgram", Code: 6, Name: "HIPRTC_ERROR_COMPILATION", Device: "a GPU by hiprtc 9.0",
		Options: "--offload-arch=gfx90a -O3", Log: log, Line: "f.hip:2: int b = c;"}
	if *be != want {
		t.Errorf("got  %+v\nwant %+v", *be, want)
	}
	check(t, j.verdict(0, log))
	wantIs(t, "memory", j.verdict(1, ""), driver.ErrOutOfMemory, "HIPRTC_ERROR_OUT_OF_MEMORY (1)", "f.hip", "a GPU", "hiprtc 9.0")
	wantIs(t, "input", j.verdict(codeInvalidInput, ""), driver.ErrInvalidValue)
}

func TestEveryCodeHasANameAndAKind(t *testing.T) {
	for code, c := range codes {
		if !strings.HasPrefix(c.name, "HIPRTC_ERROR_") || c.kind == nil {
			t.Errorf("%d: %+v", code, c)
		}
	}
	if err := failure("op", 0, ""); err != nil {
		t.Errorf("success is the error %v", err)
	}
}
