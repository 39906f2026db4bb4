package hiprtc

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/hip/codeobject"
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

func signature[A any](t testing.TB) *driver.Signature {
	t.Helper()
	sig, err := driver.SignatureOf[A]()
	check(t, err)
	return sig
}

func kernel(t testing.TB, o *codeobject.Object, name string) *codeobject.Kernel {
	t.Helper()
	k, err := o.Kernel(name)
	check(t, err)
	return k
}

func equal(a, b []uint32) bool { return slices.Equal(a, b) }

// ends waits until no compile is in hiprtc.
func ends(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); len(running) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a compile did not come to an end")
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
	_, err = Target("gfx90a")
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

func TestSonamesComeFirstThenTheNewestROCm(t *testing.T) {
	got := candidatesWith(map[string]string{"ROCM_PATH": "/opt/mine", "HIP_PATH": "relative"},
		"/opt/mine/lib/libhiprtc.so.7", "/opt/mine/lib/libhiprtc.so",
		"/opt/rocm-6.4.1/lib/libhiprtc.so.6", "/opt/rocm-6.10.0/lib/libhiprtc.so.6", "/opt/rocm-6.10.0/lib/libamdhip64.so.6",
		"/opt/rocm-5.2.3/lib/libamdhip64.so.5", "/opt/rocm-7.0.0/lib/libother.so")
	want := append(slices.Clone(sonames),
		"/opt/mine/lib/libhiprtc.so.7", "/opt/mine/lib/libhiprtc.so",
		"/opt/rocm/lib/libhiprtc.so", // is not there, and is named by the error
		"/opt/rocm-6.10.0/lib/libhiprtc.so.6", "/opt/rocm-6.10.0/lib/libamdhip64.so.6",
		"/opt/rocm-6.4.1/lib/libhiprtc.so.6",
		"/opt/rocm-5.2.3/lib/libamdhip64.so.5",
	)
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestEachLibraryIsTriedOnce(t *testing.T) {
	got := candidatesWith(map[string]string{"ROCM_PATH": "/opt/rocm", "HIP_PATH": "/opt/rocm"}, "/opt/rocm/lib/libhiprtc.so.7")
	if want := append(slices.Clone(sonames), "/opt/rocm/lib/libhiprtc.so.7"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
