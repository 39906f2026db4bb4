package fake

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/cuda"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// failing stands for a test that is to fail: it keeps what was said, and stops its
// goroutine as a test does.
type failing struct {
	testing.TB
	name, said string
}

func (f *failing) Helper()      {}
func (f *failing) Name() string { return f.name }
func (f *failing) Fatal(args ...any) {
	f.said = fmt.Sprint(args...)
	runtime.Goexit()
}
func (f *failing) Fatalf(format string, args ...any) { f.Fatal(fmt.Sprintf(format, args...)) }

// said is what a test says that fails by what is done in it; dev is a test's device,
// and becomes that one's.
func said(t *testing.T, dev *Device, do func(t testing.TB)) string {
	f := &failing{TB: t, name: t.Name()}
	before := dev.t
	dev.t = f
	defer func() { dev.t = before }()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do(f)
	}()
	<-done
	return f.said
}

func TestMistakesAreSaid(t *testing.T) {
	dev := Start(t, H200)
	for want, do := range map[string]func(t testing.TB){
		"TestMistakesAreSaid has started the fake driver already": func(t testing.TB) { Start(t, H200) },
		`there is no model "H2"`:                                  func(t testing.TB) { Start(t, Model{Name: "H2"}) },
		"9 devices; 1 to 8":                                       func(t testing.TB) { Start(t, Model{Name: "H200", Devices: 9}) },
		"no name of a kernel":                                     func(t testing.TB) { Text(t, dev, NewFunc("a b", func(Grid, struct{}) error { return nil })) },
		`kernel "nil" is nil`:                                     func(t testing.TB) { Text(t, dev, NewFunc[struct{}]("nil", nil)) },
		"N is an int":                                             func(t testing.TB) { Text(t, dev, NewFunc("ints", func(Grid, struct{ N int }) error { return nil })) },
		"that NewFunc did not":                                    func(t testing.TB) { Text(t, dev, Func{}) },
		"compiling C":                                             func(t testing.TB) { CompileC(t, dev, "int f(") },
		"the driver has no such":                                  func(testing.TB) { dev.Fail("cuMemAllok", 1, Once) },
		"for example: cuMemAlloc":                                 func(testing.TB) { dev.Calls("cuMemAll0c") },
		`no kind "streams"`:                                       func(testing.TB) { dev.Live("streams") },
		`no kind of memory "gpu"`:                                 func(testing.TB) { dev.Bytes("gpu") },
	} {
		if said := said(t, dev, do); !strings.Contains(said, want) {
			t.Errorf("want %q, and the test says %q", want, said)
		}
	}
}

// One test at a time has the driver.
func TestOthersWait(t *testing.T) {
	if err := cudas.load(Driver{}.options); err != nil {
		drivertest.Unavailable(t, "fake", err)
	}
	done := make(chan struct{})
	t.Run("first", func(t *testing.T) {
		Start(t, H200)
		go func() {
			cudas.take(&failing{TB: t, name: "other"})
			close(done)
			cudas.leave()
		}()
		select {
		case <-done:
			t.Error("two tests have the driver")
		default:
		}
	})
	<-done
}

func TestCalls(t *testing.T) {
	for call, want := range map[string][]string{
		"cuMemAlloc": {"cuMemAlloc_v2"}, "cuMemAlloc_v2": {"cuMemAlloc_v2"}, "*": {"*"}, "cuLaunchKernel": {"cuLaunchKernel"},
	} {
		if got, err := cudas.symbolsOf(call); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s is %v, %v; want %v", call, got, err, want)
		}
	}
	if got, err := cudas.symbolsOf("cuCtxCreate"); err != nil || len(got) < 2 {
		t.Errorf("cuCtxCreate is %v, %v; it has several forms", got, err)
	}
}

func TestDriversOfAProcess(t *testing.T) {
	drivertest.RunChild(t, "TestAnOldDriverInAProcess")
	drivertest.RunChild(t, "TestARealDriverCameFirst")
}

func TestAnOldDriverInAProcess(t *testing.T) {
	drivertest.OnlyAsChild(t)
	if err := cudas.load(Driver{Version: 11040, Missing: []string{"cuStreamWriteValue32"}}.options); err != nil {
		drivertest.Unavailable(t, "fake", err)
	}
	report := cuda.Backend().Probe()
	if report.Err != nil || report.Version != "CUDA 11.4" || !slices.Contains(report.Missing, "cuFuncGetParamInfo") || !slices.Contains(report.Missing, "cuStreamWriteValue32_v2") {
		t.Errorf("%+v", report)
	}
	d := Start(t, H200)
	m, err := d.Alloc(100)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// A copy of the fake driver stands for a real one.
func TestARealDriverCameFirst(t *testing.T) {
	drivertest.OnlyAsChild(t)
	p, err := fakedriver.Build(fakedriver.Options{})
	if err == nil {
		_, err = control.Open(p.Cuda) // which needs cgo
	}
	if err != nil {
		drivertest.Unavailable(t, "fake", err)
	}
	image, err := os.ReadFile(p.Cuda)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "libcuda.so.1")
	if err := os.WriteFile(other, image, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TRIAD_CUDA_LIBRARY", other)
	if _, err := cuda.Backend().Devices(); err != nil {
		t.Fatal(err)
	}
	err = cudas.load(Driver{}.options)
	for _, word := range []string{other, "once", "fake.Main"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("the error does not say %q: %v", word, err)
		}
	}
	if e, ok := err.(*driver.Error); !ok || e.Kind != driver.ErrInvalidContext {
		t.Errorf("error %#v", err)
	}
}
