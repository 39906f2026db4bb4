package opencl

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// vendors makes a folder of ICD files, each naming one library.
func vendors(t *testing.T, libraries ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i, lib := range libraries {
		file := filepath.Join(dir, string(rune('a'+i))+".icd")
		if err := os.WriteFile(file, []byte(lib+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// oclgrindLibrary finds the simulator that checks memory accesses.
func oclgrindLibrary(t *testing.T) string {
	t.Helper()
	for _, path := range []string{"/usr/lib/oclgrind/liboclgrind-rt-icd.so", "/usr/local/lib/liboclgrind-rt-icd.so", "/usr/lib/x86_64-linux-gnu/oclgrind/liboclgrind-rt-icd.so"} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	drivertest.Unavailable(t, "oclgrind", driver.Errorf("oclgrind", "", driver.ErrUnavailable, "liboclgrind-rt-icd.so is not installed"))
	return ""
}

// poclLibrary is what PoCL's own ICD file names.
func poclLibrary(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("/etc/OpenCL/vendors/pocl.icd")
	if err != nil {
		drivertest.Unavailable(t, "pocl", driver.Errorf("pocl", "", driver.ErrUnavailable, "%v", err))
	}
	return strings.TrimSpace(string(text))
}

// testDevice opens the first device, or skips where there is none.
func testDevice(t testing.TB, o DeviceOptions) *Device {
	t.Helper()
	d, err := Open(0, o)
	if err != nil {
		drivertest.Unavailable(t, "opencl", err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func testStream(t testing.TB, d *Device, o driver.StreamOptions) *Stream {
	t.Helper()
	s, err := d.Stream(o)
	check(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func testEvent(t testing.TB, d *Device) *Event {
	t.Helper()
	e, err := d.Event()
	check(t, err)
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func userEvent(t testing.TB, d *Device) *Event {
	t.Helper()
	e, err := d.UserEvent()
	check(t, err)
	t.Cleanup(func() {
		if done, err := e.Query(); !done && err == nil {
			_ = e.Complete() // a test that failed must not hold up the others
		}
		_ = e.Close()
	})
	return e
}

func buffer[T any](t testing.TB, s *Stream, values []T) *driver.Buffer[T] {
	t.Helper()
	b, err := driver.Alloc[T](s.dev, len(values))
	check(t, err)
	t.Cleanup(func() { _ = b.Close() })
	check(t, b.CopyFrom(t.Context(), s, values))
	return b
}

func values[T any](t testing.TB, s *Stream, b *driver.Buffer[T]) []T {
	t.Helper()
	list := make([]T, b.Len())
	check(t, b.CopyTo(t.Context(), s, list))
	return list
}

// kernel builds source and binds one of its kernels.
func kernel[A any](t testing.TB, d *Device, source, name string) *Kernel {
	t.Helper()
	m, err := d.Load(t.Context(), driver.ModuleSource{Kind: driver.SourceText, Name: t.Name(), Code: []byte(source)}, driver.BuildOptions{})
	check(t, err)
	sig, err := driver.SignatureOf[A]()
	check(t, err)
	k, err := m.(*Module).Bind(t.Context(), name, sig)
	check(t, err)
	check(t, m.Close())
	t.Cleanup(func() { _ = k.Close() })
	return k
}

type storeArgs struct {
	Out   driver.Ptr[uint32]
	Value uint32
}

const storeSource = "__kernel void store(__global uint *out, uint value) { out[get_global_id(0)] = value; }"

var one = driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

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

// within runs f and fails when it takes longer than a test can wait.
func within(t testing.TB, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		buf := make([]byte, 1<<16)
		_, _ = io.WriteString(os.Stderr, string(buf[:runtime.Stack(buf, true)]))
		t.Fatalf("%s did not come to an end", what)
	}
}
