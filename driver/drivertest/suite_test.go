package drivertest

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// outcome is how a test that was given a recorder ended.
type outcome struct {
	kind string // "fatal", "skip" or ""
	text string
}

// recorder is a testing.TB that notes what a helper would have done to the test.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	panic(outcome{"fatal", fmt.Sprintf(format, args...)})
}

func (r *recorder) Skipf(format string, args ...any) {
	panic(outcome{"skip", fmt.Sprintf(format, args...)})
}

func unavailable(name string, err error) (o outcome) {
	defer func() {
		if o, _ = recover().(outcome); o.kind == "" {
			o.text = "returned"
		}
	}()
	Unavailable(&recorder{}, name, err)
	return
}

func TestUnavailableSkipsAndAnythingElseFails(t *testing.T) {
	lost := driver.Errorf("opencl", "clCreateContext", driver.ErrDeviceLost, "gone")
	none := driver.Errorf("opencl", "clGetDeviceIDs", driver.ErrNoDevice, "no device here")
	library := driver.Errorf("cuda", "dlopen", driver.ErrLibraryNotFound, "no libcuda.so.1")
	for _, x := range []struct {
		require, name string
		err           error
		want          string
	}{
		{"", "opencl", none, "skip"}, {"", "cuda", library, "skip"}, {"", "opencl", lost, "fatal"}, {"", "opencl", errors.New("any"), "fatal"},
		{"opencl", "opencl", none, "fatal"}, {"opencl", "cuda", library, "skip"}, {"hip, CUDA ,opencl", "cuda", library, "fatal"},
		{"opencl-headers", "opencl", none, "skip"}, {"", "opencl", nil, "fatal"},
	} {
		t.Setenv(RequireEnv, x.require)
		got := unavailable(x.name, x.err)
		if got.kind != x.want {
			t.Errorf("%s=%q, %s, %v: %q (%s), want %q", RequireEnv, x.require, x.name, x.err, got.kind, got.text, x.want)
		}
		if !strings.Contains(got.text, x.name) || x.err != nil && !strings.Contains(got.text, x.err.Error()) {
			t.Errorf("the reason is not told: %q", got.text)
		}
	}
}

func TestExclusionsMustNameTestsAndGiveReasons(t *testing.T) {
	for exclude, want := range map[string]int{
		"Events=slow": 0, "Events/ElapsedIsMonotone=its clock jumps": 0, "Events/NoSuchTest=reason": 1, "Nothing=reason": 1, "Events= ": 1,
	} {
		name, reason, _ := strings.Cut(exclude, "=")
		var r recorder
		checkExclusions(&r, Harness{Exclude: map[string]string{name: reason}})
		if len(r.errors) != want {
			t.Errorf("%q: %q", exclude, r.errors)
		}
	}
}

func TestNamesReadAsBehavioursAndAreUnique(t *testing.T) {
	name := regexp.MustCompile(`^[A-Z][A-Za-z0-9]+$`)
	seen := map[string]bool{}
	for _, s := range subjects() {
		if len(s.tests) == 0 || !name.MatchString(s.name) {
			t.Errorf("subject %q has %d tests", s.name, len(s.tests))
		}
		for _, x := range s.tests {
			full := s.name + "/" + x.name
			if seen[full] || !name.MatchString(x.name) || x.run == nil {
				t.Errorf("%s: a name that is taken or is none", full)
			}
			seen[full] = true
		}
	}
}

// Each language has the same files.
func TestEveryLanguageHasEveryKernelFile(t *testing.T) {
	files := map[string][]string{}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	entries, err := fs.ReadDir(kernelFiles, "kernels")
	check(err)
	for _, e := range entries {
		base, ending, _ := strings.Cut(e.Name(), ".")
		files["."+ending] = append(files["."+ending], base)
		src, err := Sources("." + ending)(base)
		check(err)
		if src.Name != e.Name() || len(src.Code) == 0 || src.Kind != driver.SourceText {
			t.Errorf("%s: %+v", e.Name(), src)
		}
	}
	for ending, list := range files {
		if fmt.Sprint(list) != fmt.Sprint(files[".cl"]) {
			t.Errorf("%s has %v, .cl has %v", ending, list, files[".cl"])
		}
	}
	if _, err := Sources(".none")("basic"); err == nil {
		t.Error("kernels of no language were found")
	}
}

// The model that rectangular copies are compared with, on a case worked out by
// hand.
func TestTheModelOfRectanglesIsRight(t *testing.T) {
	src := []byte("abcdefghijklmnopqrstuvwxyz")
	dst := []byte(strings.Repeat(".", 24))
	modelRect(dst, driver.Rect{Offset: 1, RowPitch: 5, SlicePitch: 10}, src, driver.Rect{Offset: 2, RowPitch: 4, SlicePitch: 12}, driver.Extent{Bytes: 3, Rows: 2, Slices: 2})
	if got, want := string(dst), ".cde..ghi..opq..stu....."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	modelRect(dst, driver.Rect{}, src, driver.Rect{}, driver.Extent{Bytes: 2, Rows: 2, Slices: 2})
	if got, want := string(dst), "abcdefghi..opq..stu....."; got != want {
		t.Errorf("dense: got %s, want %s", got, want)
	}
}
