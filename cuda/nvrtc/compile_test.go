package nvrtc

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/triad-gpu/triad/driver"
)

func TestOptionsAreArchitectureThenFlags(t *testing.T) {
	for _, x := range []struct {
		o    Options
		want []string
	}{
		{Options{}, nil},
		{Options{Arch: "sm_90"}, []string{"--gpu-architecture=sm_90"}},
		{Options{Arch: "compute_80", Flags: []string{"-I", "a folder"}}, []string{"--gpu-architecture=compute_80", "-I", "a folder"}},
		{Options{Arch: "sm_90", Flags: []string{"-arch=sm_80"}}, []string{"-arch=sm_80"}},
		{Options{Arch: "sm_90", Flags: []string{"--gpu-architecture", "sm_80"}}, []string{"--gpu-architecture", "sm_80"}},
		{Options{Arch: "sm_90", Flags: []string{"-archaic"}}, []string{"--gpu-architecture=sm_90", "-archaic"}},
	} {
		got, err := options(nvrtc12, x.o)
		if !slices.Equal(got, x.want) || err != nil {
			t.Errorf("%+v: %q, error %v; want %q", x.o, got, err, x.want)
		}
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
		"no code":             {Program{Name: "f.cu"}, Options{}, driver.ErrInvalidValue, []string{"f.cu", "empty"}},
		"a NUL in the code":   {Program{Name: "f.cu", Code: []byte("co\x00de")}, Options{}, driver.ErrInvalidValue, []string{"f.cu", "NUL", "byte 2"}},
		"a NUL in the name":   {Program{Name: "f\x00.cu", Code: code}, Options{}, driver.ErrInvalidValue, []string{"name", "NUL"}},
		"a NUL in a header":   {Program{Code: code, Headers: map[string][]byte{"a.h": []byte("\x00")}}, Options{}, driver.ErrInvalidValue, []string{"a.h", "NUL"}},
		"a header of no name": {Program{Code: code, Headers: map[string][]byte{"": nil}}, Options{}, driver.ErrInvalidValue, []string{"header"}},
		"a NUL in an expression": {Program{Code: code, NameExpressions: []string{"f\x00"}}, Options{}, driver.ErrInvalidValue,
			[]string{"expression", "NUL"}},
		"a NUL in a flag":      {Program{Code: code}, Options{Flags: []string{"-DA=\x00"}}, driver.ErrInvalidValue, []string{"option", "NUL"}},
		"a bad definition":     {Program{Code: code}, Options{Defines: []driver.Define{{Name: "A B"}}}, driver.ErrInvalidValue, []string{"A B", "identifier"}},
		"no such architecture": {Program{Code: code}, Options{Arch: "sm_100"}, driver.ErrUnsupported, []string{"sm_100", "NVRTC 12.4"}},
	} {
		_, err := newJob(nvrtc12, x.p, x.o)
		wantIs(t, what, err, x.want, x.words...)
	}
}

func TestJobsKeepNothingOfTheCallers(t *testing.T) {
	p := Program{Code: []byte("code"), Headers: map[string][]byte{"a.h": []byte("text")}, NameExpressions: []string{"f<int>"}}
	o := Options{Arch: "sm_90", Flags: []string{"-G"}, Defines: []driver.Define{{Name: "A", Value: "1"}}}
	j, err := newJob(nvrtc12, p, o)
	check(t, err)
	copy(p.Code, "????")
	copy(p.Headers["a.h"], "????")
	p.Headers["b.h"] = nil
	p.NameExpressions[0], o.Flags[0], o.Defines[0].Name = "?", "?", "?"
	if want := "#define A 1\n#line 1 \"program.cu\"\ncode"; j.Text != want {
		t.Errorf("the text is %q, want %q", j.Text, want)
	}
	if string(j.Code) != "code" || len(j.Headers) != 1 || string(j.Headers["a.h"]) != "text" || j.Names[0] != "f<int>" || j.Options[1] != "-G" {
		t.Errorf("%+v", j)
	}
	if j.device != "sm_90 by NVRTC 12.4" {
		t.Errorf("the device is %q", j.device)
	}
}

func TestVerdictsCarryTheLogAndTheLine(t *testing.T) {
	j, err := newJob(nvrtc12, Program{Name: "f.cu", Code: []byte("int a;\nint b = c;\n")}, Options{Arch: "sm_90", Flags: []string{"-G"}, Device: "a GPU"})
	check(t, err)
	const log = "f.cu(2): error: identifier \"c\" is undefined\n  int b = c;\n          ^\n"
	var be *driver.BuildError
	if err := j.verdict(codeCompilation, log); !errors.As(err, &be) {
		t.Fatalf("%T: %v", err, err)
	}
	want := driver.BuildError{Backend: "cuda", Op: "nvrtcCompileProgram", Code: 6, Name: "NVRTC_ERROR_COMPILATION", Device: "a GPU by NVRTC 12.4",
		Options: "--gpu-architecture=sm_90 -G", Log: log, Line: "f.cu:2: int b = c;"}
	if *be != want {
		t.Errorf("got  %+v\nwant %+v", *be, want)
	}
	check(t, j.verdict(0, log))
	wantIs(t, "memory", j.verdict(1, ""), driver.ErrOutOfMemory, "NVRTC_ERROR_OUT_OF_MEMORY (1)", "f.cu", "a GPU", "NVRTC 12.4")
	wantIs(t, "input", j.verdict(codeInvalidInput, ""), driver.ErrInvalidValue)
}

func TestHeadersAreAllFilesByTheirPaths(t *testing.T) {
	got, err := Headers(fstest.MapFS{"a.h": {Data: []byte("A")}, "lib/util.cuh": {Data: []byte("U")}, "lib/deep/x": {Data: []byte("X")}})
	check(t, err)
	if want := map[string][]byte{"a.h": []byte("A"), "lib/util.cuh": []byte("U"), "lib/deep/x": []byte("X")}; !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %q", got)
	}
	if none, err := Headers(nil); len(none) != 0 || err != nil {
		t.Errorf("of nothing: %v, %v", none, err)
	}
	_, err = Headers(broken{})
	wantIs(t, "a broken file system", err, fs.ErrPermission, "headers")
}

// broken is a file system that can't be read.
type broken struct{}

func (broken) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func TestEveryCodeHasANameAndAKind(t *testing.T) {
	for code, c := range codes {
		if !strings.HasPrefix(c.name, "NVRTC_ERROR_") || c.kind == nil {
			t.Errorf("%d: %+v", code, c)
		}
	}
	if err := failure("op", 0, ""); err != nil {
		t.Errorf("success is the error %v", err)
	}
}
