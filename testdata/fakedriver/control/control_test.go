//go:build cgo && linux

package control_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

func open(t *testing.T, o fakedriver.Options) *control.Driver {
	t.Helper()
	p, err := fakedriver.Build(o)
	if err != nil {
		drivertest.Unavailable(t, "cc", err)
	}
	d, err := control.Open(p.Cuda)
	if err != nil {
		t.Fatal(err)
	}
	d.Reset()
	t.Cleanup(d.Reset)
	return d
}

func code(t *testing.T, d *control.Driver, want int, symbol string, args ...uintptr) {
	t.Helper()
	if got := d.Call(symbol, args...); got != want {
		t.Errorf("%s returned %d, want %d", symbol, got, want)
	}
}

func TestCallsFailOnCommand(t *testing.T) {
	d := open(t, fakedriver.Options{})
	d.Fail("cuInit", 999, control.Once)
	code(t, d, 999, "cuInit", 0)
	code(t, d, 0, "cuInit", 0)
	d.Fail("cuInit", 100, control.Nth(2))
	for _, want := range []int{0, 100, 0} {
		code(t, d, want, "cuInit", 0)
	}
	d.Fail("*", 46, control.Always)
	code(t, d, 46, "cuCtxSynchronize")
	d.Fail("*", 0, control.Never)
	d.Seed(7)
	d.Fail("cuInit", 1, control.Random(0.5))
	failed := 0
	for range 1000 {
		failed += d.Call("cuInit", 0)
	}
	if failed < 400 || failed > 600 {
		t.Errorf("%d of 1000 calls failed, about half were to", failed)
	}
	d.Reset()
	code(t, d, 0, "cuInit", 0)
	if n := d.Calls("cuInit"); n != 1 {
		t.Errorf("%d calls were counted, want 1", n)
	}
}

func TestCallsWaitUntilReleased(t *testing.T) {
	d := open(t, fakedriver.Options{})
	release := d.Block("cuInit")
	done := make(chan int)
	go func() { done <- d.Call("cuInit", 0) }()
	for d.Blocked("cuInit") == 0 {
		time.Sleep(time.Millisecond)
	}
	code(t, d, 0, "cuDriverGetVersion", scratch(t).At(0))
	select {
	case <-done:
		t.Fatal("the call returned before its release")
	default:
	}
	release()
	if got := <-done; got != 0 {
		t.Errorf("the call returned %d", got)
	}
}

func scratch(t *testing.T) control.Memory {
	t.Helper()
	m := control.NewMemory(64)
	t.Cleanup(m.Free)
	return m
}

func TestLatency(t *testing.T) {
	d := open(t, fakedriver.Options{})
	d.Latency("cuInit", 20*time.Millisecond)
	begin := time.Now()
	code(t, d, 0, "cuInit", 0)
	if took := time.Since(begin); took < 20*time.Millisecond {
		t.Errorf("the call took %v", took)
	}
}

func TestFaultsAndCounts(t *testing.T) {
	d := open(t, fakedriver.Options{})
	m := scratch(t)
	code(t, d, 0, "cuInit", 0)
	code(t, d, 0, "cuDevicePrimaryCtxRetain", m.At(0), 0)
	// Contexts are current per thread: everything that needs one is done by one
	// goroutine that stays where it is.
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		code(t, d, 0, "cuCtxSetCurrent", uintptr(m.Word(0)))
		code(t, d, 0, "cuMemAlloc_v2", m.At(1), 1000)
		if n, b := d.Live("memory"), d.Bytes("device"); n != 1 || b != 1000 {
			t.Errorf("%d allocations of %d bytes live, want 1 of 1000", n, b)
		}
		d.FaultNext(700)
		d.Call("cuMemsetD8Async", uintptr(m.Word(1)), 0, 1000, 0)
		code(t, d, 700, "cuCtxSynchronize")
		code(t, d, 700, "cuMemFree_v2", uintptr(m.Word(1)))
		code(t, d, 0, "cuDevicePrimaryCtxReset_v2", 0)
		code(t, d, 709, "cuCtxSynchronize")
		code(t, d, 0, "cuCtxSetCurrent", 0)
	}()
	<-done
	if n, b := d.Live("*"), d.Bytes("*"); n != 0 || b != 0 {
		t.Errorf("%d things and %d bytes are left", n, b)
	}
	if n := d.WrongContext(); n != 0 {
		t.Errorf("%d calls with a wrong context", n)
	}
}

func TestSymbolsAreTheHeaders(t *testing.T) {
	d := open(t, fakedriver.Options{})
	list, err := fakedriver.Symbols()
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
	for _, s := range append(want, "cuGetProcAddress", "cuGetProcAddress_v2") {
		if !d.Has(s) {
			t.Errorf("dlsym finds no %s", s)
		}
	}
}

// lookup asks cuGetProcAddress_v2.
func lookup(d *control.Driver, m control.Memory, name string, version int) (code int, address, result uint64) {
	m.SetText(name)
	code = d.Call("cuGetProcAddress_v2", m.At(0), m.At(32), uintptr(version), 0, m.At(33))
	return code, m.Word(32), m.Word(33) & 0xffffffff
}

func TestVariantsLackSymbols(t *testing.T) {
	d := open(t, fakedriver.Options{Missing: []string{"cuLaunchKernelEx", "cuFuncGetParamInfo"}, Settings: "version=12080;devices=3"})
	m := scratch(t)
	for symbol, want := range map[string]bool{"cuLaunchKernelEx": false, "cuFuncGetParamInfo": false, "cuLaunchKernel": true} {
		if d.Has(symbol) != want {
			t.Errorf("dlsym finds %s: %v", symbol, !want)
		}
		if _, address, _ := lookup(d, m, symbol, 13000); (address != 0) != want {
			t.Errorf("cuGetProcAddress finds %s: %v", symbol, !want)
		}
	}
	m.Set(0, 0)
	m.Set(1, 0)
	code(t, d, 0, "cuInit", 0)
	code(t, d, 0, "cuDriverGetVersion", m.At(0))
	code(t, d, 0, "cuDeviceGetCount", m.At(1))
	if v, n := m.Word(0), m.Word(1); v != 12080 || n != 3 {
		t.Errorf("version %d with %d devices, want 12080 with 3", v, n)
	}
}

func TestLookUpsGiveTheFormOfTheVersion(t *testing.T) {
	d := open(t, fakedriver.Options{})
	m := scratch(t)
	_, old, _ := lookup(d, m, "cuCtxCreate", 12000)
	_, later, _ := lookup(d, m, "cuCtxCreate", 13000)
	if old == 0 || later == 0 || old == later {
		t.Errorf("cuCtxCreate is %#x for 12.0 and %#x for 13.0", old, later)
	}
	if _, address, result := lookup(d, m, "cuFuncGetParamInfo", 12000); address != 0 || result != 2 {
		t.Errorf("cuFuncGetParamInfo for 12.0: %#x, result %d", address, result)
	}
	if _, address, result := lookup(d, m, "cuNothing", 13000); address != 0 || result != 1 {
		t.Errorf("cuNothing: %#x, result %d", address, result)
	}
}

func TestAnOldDriver(t *testing.T) {
	missing, err := fakedriver.Newer(11040)
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, fakedriver.Options{Missing: missing, Settings: "version=11040;model=old"})
	m := scratch(t)
	if d.Has("cuGetProcAddress_v2") || d.Has("cuCtxCreate_v4") || !d.Has("cuCtxCreate_v2") {
		t.Error("the symbols are not those of 11.4")
	}
	code(t, d, 0, "cuInit", 0)
	code(t, d, 801, "cuDeviceGetDefaultMemPool", m.At(0), 0)
	m.SetText("cuCtxCreate")
	code(t, d, 0, "cuGetProcAddress", m.At(0), m.At(32), 13000, 0)
}

func TestMisspellingsPanic(t *testing.T) {
	d := open(t, fakedriver.Options{})
	for name, fn := range map[string]func(){
		"symbol": func() { d.Fail("cuMemAlloc", 1, control.Once) },
		"kind":   func() { d.Live("streams") },
		"call":   func() { d.Call("cuNothing") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a wrong %s did not panic", name)
				}
			}()
			fn()
		}()
	}
	if _, err := control.Open("libc.so.6"); err == nil {
		t.Error("the C library was taken for a fake driver")
	}
}

// A thread without a context may use streams, unless the driver insists.
func TestStreamsAreUsedWithoutAContext(t *testing.T) {
	d := open(t, fakedriver.Options{})
	m := scratch(t)
	code(t, d, 0, "cuInit", 0)
	code(t, d, 0, "cuDevicePrimaryCtxRetain", m.At(0), 0)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		code(t, d, 0, "cuCtxSetCurrent", uintptr(m.Word(0)))
		code(t, d, 0, "cuStreamCreateWithPriority", m.At(1), 1, 0)
		code(t, d, 0, "cuCtxSetCurrent", 0)
		code(t, d, 0, "cuStreamQuery", uintptr(m.Word(1)))
		code(t, d, 0, "cuCtxGetCurrent", m.At(2))
		if m.Word(2) != 0 {
			t.Error("the call left a context behind")
		}
		code(t, d, 201, "cuMemAlloc_v2", m.At(3), 100)
		d.Strict(true)
		code(t, d, 201, "cuStreamQuery", uintptr(m.Word(1)))
		d.Strict(false)
		code(t, d, 201, "cuStreamQuery", 12345678) // of no context
		code(t, d, 0, "cuDevicePrimaryCtxRelease_v2", 0)
	}()
	<-done
	if n := d.Live("*"); n != 0 {
		t.Errorf("%d things are left", n)
	}
}
