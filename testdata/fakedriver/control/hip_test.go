//go:build cgo && linux

package control_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

func openHIP(t *testing.T, o fakedriver.Options) (d *control.Driver, path string) {
	t.Helper()
	p, err := fakedriver.Build(o)
	if err != nil {
		drivertest.Unavailable(t, "cc", err)
	}
	if d, err = control.Open(p.Hip); err != nil {
		t.Fatal(err)
	}
	d.Reset()
	t.Cleanup(d.Reset)
	return d, p.Hip
}

// A call that is made to fail leaves its code behind as one that fails by itself does,
// and calls of the driver behind are none of HIP's.
func TestHIPCallsFailOnCommand(t *testing.T) {
	d, _ := openHIP(t, fakedriver.Options{})
	m := scratch(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // the last error is the thread's
		code(t, d, 0, "hipInit", 0)
		code(t, d, 0, "hipMalloc", m.At(0), 1000)
		code(t, d, 0, "hipGetLastError")
		d.Fail("hipFree", 719, control.Once)
		code(t, d, 719, "hipFree", uintptr(m.Word(0)))
		code(t, d, 719, "hipGetLastError")
		code(t, d, 0, "hipGetLastError")
		d.Fail("hipGetLastError", 1, control.Once)
		code(t, d, 1, "hipGetLastError")
		code(t, d, 0, "hipGetLastError")
		if n, calls := d.Live("memory"), d.Calls("hipFree"); n != 1 || calls != 1 {
			t.Errorf("%d allocations live after %d calls that were to free one, want 1 and 1", n, calls)
		}
		code(t, d, 0, "hipFree", uintptr(m.Word(0)))
		d.Fail("*", 999, control.Always)
		code(t, d, 999, "hipDeviceSynchronize")
		if d.Call("hipGetErrorName", 2) == 0 {
			t.Error("a name has no code that it could fail with")
		}
		d.Reset()
		code(t, d, 0, "hipDeviceSynchronize")
		if n := d.Calls("*"); n != 1 {
			t.Errorf("one call was counted as %d", n)
		}
		code(t, d, 0, "hipDeviceReset")
	}()
	<-done
	if n, b := d.Live("*"), d.Bytes("*"); n != 0 || b != 0 {
		t.Errorf("%d things and %d bytes are left", n, b)
	}
}

func TestHIPSymbolsAreTheHeaders(t *testing.T) {
	d, _ := openHIP(t, fakedriver.Options{})
	list, err := fakedriver.HIPSymbols()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, s := range list {
		want = append(want, s.Name)
	}
	if got := d.Symbols(); !slices.Equal(got, want) {
		t.Errorf("the library has %v, the header %v", got, want)
	}
}

// Each generation of the runtime says its version in its own name, and lacks what came
// later.
func TestHIPGenerations(t *testing.T) {
	for version, x := range map[int]struct {
		says      uint64
		has, last string // what it has of late, and what it lacks
	}{
		50200: {50200000, "hipGetDeviceProperties", "hipStreamGetDevice"},
		50700: {50700000, "hipStreamGetDevice", "hipGetDevicePropertiesR0600"},
		60200: {60200000, "hipGetDevicePropertiesR0600", "hipEventRecordWithFlags"},
		70000: {70000000, "hipDrvLaunchKernelEx", "hipMemAdvise_v2"},
		0:     {70100000, "hipMemAdvise_v2", ""},
	} {
		d, path := openHIP(t, fakedriver.Options{HIP: version})
		m := scratch(t)
		code(t, d, 0, "hipInit", 0)
		code(t, d, 0, "hipRuntimeGetVersion", m.At(0))
		if m.Word(0) != x.says || !d.Has(x.has) || x.last != "" && d.Has(x.last) {
			t.Errorf("%s says %d; it has %s: %v, and %s: %v", path, m.Word(0), x.has, d.Has(x.has), x.last, d.Has(x.last))
		}
	}
}
