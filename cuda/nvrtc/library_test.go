package nvrtc

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// wantIs fails unless err matches want and holds the words.
func wantIs(t testing.TB, what string, err, want error, words ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v; it should match %q", what, err, want)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: the error lacks %q: %v", what, w, err)
		}
	}
}

func TestWithoutCgoEverythingIsUnavailable(t *testing.T) {
	if usable == "" {
		drivertest.Lacks(t, "no-cgo", "this build has cgo")
	}
	_, _, err := Version()
	wantIs(t, "Version", err, driver.ErrUnavailable, "CGO_ENABLED")
	_, err = Architectures()
	wantIs(t, "Architectures", err, driver.ErrUnavailable, "CGO_ENABLED")
	_, _, err = Target(9, 0, 0)
	wantIs(t, "Target", err, driver.ErrUnavailable, "CGO_ENABLED")
	_, err = Compile(t.Context(), Program{Code: []byte("x")}, Options{})
	wantIs(t, "Compile", err, driver.ErrUnavailable, "CGO_ENABLED")
	if r := Probe(); r.Err == nil || r.Loaded != "" || r.Libraries != nil {
		t.Errorf("%+v", r)
	}
}

// candidatesWith are the candidates on a machine with these files.
func candidatesWith(env map[string]string, files ...string) []string {
	return candidates(func(name string) string { return env[name] }, func(pattern string) ([]string, error) {
		var hits []string
		for _, f := range files {
			// A folder is matched by way of the files in it.
			for _, path := range []string{f, filepath.Dir(f)} {
				if ok, err := filepath.Match(pattern, path); err == nil && ok && !slices.Contains(hits, path) {
					hits = append(hits, path)
				}
			}
		}
		return hits, nil
	})
}

func TestSonamesComeFirstThenTheNewestToolkit(t *testing.T) {
	got := candidatesWith(map[string]string{"CUDA_HOME": "/opt/mine", "CUDA_PATH": "relative"},
		"/opt/mine/lib64/libnvrtc.so.12", "/opt/mine/lib64/libnvrtc.so",
		"/usr/local/cuda-12.4/targets/x86_64-linux/lib/libnvrtc.so.12",
		"/usr/local/cuda-12.10/targets/x86_64-linux/lib/libnvrtc.so.12",
		"/usr/local/cuda-9.2/targets/x86_64-linux/lib/libnvrtc.so",
		"/usr/local/cuda-11.8/targets/x86_64-linux/lib/libnvrtc.so.11.2",
		"/usr/local/cuda-13.0/targets/x86_64-linux/lib/libcudart.so.13")
	want := []string{
		"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so",
		"/opt/mine/lib64/libnvrtc.so.12", "/opt/mine/lib64/libnvrtc.so",
		"/usr/local/cuda/lib64/libnvrtc.so", // is not there, and is named by the error
		"/usr/local/cuda-12.10/targets/x86_64-linux/lib/libnvrtc.so.12",
		"/usr/local/cuda-12.4/targets/x86_64-linux/lib/libnvrtc.so.12",
		"/usr/local/cuda-11.8/targets/x86_64-linux/lib/libnvrtc.so.11.2",
		"/usr/local/cuda-9.2/targets/x86_64-linux/lib/libnvrtc.so",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestEachLibraryIsTriedOnce(t *testing.T) {
	got := candidatesWith(map[string]string{"CUDA_HOME": "/usr/local/cuda", "CUDA_PATH": "/usr/local/cuda"}, "/usr/local/cuda/lib64/libnvrtc.so.13")
	if want := append(slices.Clone(sonames), "/usr/local/cuda/lib64/libnvrtc.so.13"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
