package kernelcache_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

type saxpyArgs struct {
	A    float32
	X, Y driver.Ptr[float32]
	N    uint32
}

var ctx = context.Background()

func text(code string) *kernelcache.Source {
	return kernelcache.FromText(kernelcache.Text{Name: "test", OpenCL: code, CUDA: "cuda " + code})
}

// mustOn resolves k on dev and returns the fake's kernel.
func mustOn[A any](t testing.TB, k *kernelcache.Kernel[A], dev driver.Device) *fakeKernel {
	t.Helper()
	h, err := k.On(ctx, dev)
	if err != nil {
		t.Fatal(err)
	}
	return h.(*fakeKernel)
}

// wantErr fails unless err matches the sentinel and says all of words.
func wantErr(t testing.TB, err, sentinel error, words ...string) {
	t.Helper()
	if !errors.Is(err, sentinel) {
		t.Fatalf("error %v; want one that matches %q", err, sentinel)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}

func TestLaunchHandsOverArgumentsAndShape(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	k := kernelcache.Declare[saxpyArgs](text("kernel saxpy"), "saxpy")
	args := saxpyArgs{2, driver.PtrFrom[float32](16), driver.PtrFrom[float32](32), 7}
	cfg := driver.Grid1D(7, 64)
	s := dev.stream()
	launches := 0
	mustOn(t, k, dev).onLaunch = func(gs driver.Stream, gc driver.LaunchConfig, ref driver.ArgRef) {
		launches++
		if gs != driver.Stream(s) || gc != cfg {
			t.Errorf("launched on %v with %v; want %v, %v", gs, gc, s, cfg)
		}
		if got := *(*saxpyArgs)(ref.Pointer()); got != args {
			t.Errorf("arguments %v; want %v", got, args)
		}
	}
	for range 3 {
		if err := k.Launch(s, cfg, args); err != nil {
			t.Fatal(err)
		}
	}
	if launches != 3 || dev.loadCount() != 1 {
		t.Errorf("%d launches, %d loads; want 3, 1", launches, dev.loadCount())
	}
}

func TestFirstLaunchResolves(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	k := kernelcache.Declare[struct{}](text("kernel f"), "f")
	if dev.loadCount() != 0 || k.HasEntry(dev.id) {
		t.Fatal("Declare resolved something")
	}
	if err := k.Launch(dev.stream(), driver.Grid1D(1, 1), struct{}{}); err != nil {
		t.Fatal(err)
	}
	if n := mustOn(t, k, dev).launches.Load(); n != 1 {
		t.Errorf("%d launches; want 1", n)
	}
}

func TestDeclareReportsInsteadOfPanicking(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f")
	type bad struct{ N int }
	for _, c := range []struct {
		name     string
		err      error // from Err
		launch   error
		sentinel error
		says     string
	}{
		of("int field", kernelcache.Declare[bad](src, "f"), dev, driver.ErrSignature, "bad.N"),
		of("no struct", kernelcache.Declare[int32](src, "f"), dev, driver.ErrSignature, "struct"),
		of("nil source", kernelcache.Declare[struct{}](nil, "f"), dev, driver.ErrInvalidValue, "source is nil"),
		of("nil fs", kernelcache.Declare[struct{}](kernelcache.FromFS(nil, "f"), "f"), dev, driver.ErrInvalidValue, "file system is nil"),
		of("no name", kernelcache.Declare[struct{}](src, ""), dev, driver.ErrInvalidValue, "identifier"),
		of("name with code", kernelcache.Declare[struct{}](src, "f();"), dev, driver.ErrInvalidValue, `"f();"`),
		of("bad option", kernelcache.Declare[struct{}](src, "f", kernelcache.Define("A B", 1)), dev, driver.ErrInvalidValue, `"A B"`),
		of("nil option", kernelcache.Declare[struct{}](src, "f", nil), dev, driver.ErrInvalidValue, "option is nil"),
	} {
		t.Run(c.name, func(t *testing.T) {
			wantErr(t, c.err, c.sentinel, c.says, "kernelcache: kernel ")
			wantErr(t, c.launch, c.sentinel, c.says)
		})
	}
	if dev.loadCount() != 0 {
		t.Error("a bad declaration was loaded")
	}
}

// of fills a row of TestDeclareReportsInsteadOfPanicking.
func of[A any](name string, k *kernelcache.Kernel[A], dev *fakeDevice, sentinel error, says string) (row struct {
	name     string
	err      error
	launch   error
	sentinel error
	says     string
}) {
	var args A
	row.name, row.sentinel, row.says = name, sentinel, says
	row.err, row.launch = k.Err(), k.Launch(dev.stream(), driver.Grid1D(1, 1), args)
	return row
}

func TestNilStreamNilDeviceAndUndeclared(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	k := kernelcache.Declare[struct{}](text("kernel f"), "f")
	wantErr(t, k.Launch(nil, driver.Grid1D(1, 1), struct{}{}), driver.ErrInvalidValue, "stream is nil")
	wantErr(t, k.Bind(ctx, nil), driver.ErrInvalidValue, "device is nil")
	var undeclared kernelcache.Kernel[struct{}]
	wantErr(t, undeclared.Bind(ctx, dev), driver.ErrInvalidValue, "Declare")
}

func TestErrorsNameKernelAndDevice(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	wantErr(t, kernelcache.Declare[struct{}](text("kernel f"), "g").Bind(ctx, dev), driver.ErrNotFound, "kernel g", "opencl:", "Fake")
}

func TestVerifiedAndAttributes(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	k := kernelcache.Declare[struct{}](text("kernel f"), "f")
	if ok, err := k.Verified(ctx, dev); !ok || err != nil {
		t.Errorf("Verified: %v, %v", ok, err)
	}
	if a, err := k.Attributes(ctx, dev); a.Registers != 42 || err != nil {
		t.Errorf("Attributes: %+v, %v", a, err)
	}
	dev.Close()
	_, err := k.Verified(ctx, dev)
	wantErr(t, err, driver.ErrClosed)
	_, err = k.Attributes(ctx, dev)
	wantErr(t, err, driver.ErrClosed)
}

func TestWarmLaunchDoesNotAllocate(t *testing.T) {
	if instrumented {
		t.Skip("the race detector and AddressSanitizer allocate")
	}
	dev := newDevice("opencl")
	defer dev.Close()
	k := kernelcache.Declare[saxpyArgs](text("kernel saxpy"), "saxpy")
	var s driver.Stream = dev.stream()
	sum := uint32(0)
	mustOn(t, k, dev).onLaunch = func(_ driver.Stream, _ driver.LaunchConfig, ref driver.ArgRef) {
		sum += (*saxpyArgs)(ref.Pointer()).N
	}
	n := testing.AllocsPerRun(1000, func() {
		if err := k.Launch(s, driver.Grid1D(100, 10), saxpyArgs{N: 1}); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 || sum != 1001 {
		t.Errorf("%v allocations a launch, sum %d; want 0, 1001", n, sum)
	}
}

// Devices whose ids share a slot of the warm path push each other out of it, and
// still get their own kernel, compiled once.
func TestDevicesThatShareASlot(t *testing.T) {
	devs := make([]*fakeDevice, 17)
	for i := range devs {
		devs[i] = newDevice("opencl")
		defer devs[i].Close()
	}
	k := kernelcache.Declare[struct{}](text("kernel f"), "f")
	launchAll := func() {
		for _, d := range devs {
			if err := k.Launch(d.stream(), driver.Grid1D(1, 1), struct{}{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 3 {
		launchAll()
	}
	for _, d := range devs {
		if h := mustOn(t, k, d); h.Device() != driver.Device(d) || h.launches.Load() != 3 || d.loadCount() != 1 {
			t.Errorf("device %d: kernel of device %d, %d launches, %d loads", d.id, h.Device().ID(), h.launches.Load(), d.loadCount())
		}
	}
}

func TestLaunchFromManyGoroutinesOnManyDevices(t *testing.T) {
	devs := make([]*fakeDevice, 9)
	for i := range devs {
		devs[i] = newDevice("opencl")
		defer devs[i].Close()
	}
	k := kernelcache.Declare[struct{}](text("kernel f"), "f")
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 500 {
				d := devs[(g+i)%len(devs)]
				if h := mustOn(t, k, d); h.module.dev != d {
					t.Errorf("asked for device %d and got %d", d.id, h.module.dev.id)
				}
			}
		}()
	}
	wg.Wait()
	for _, d := range devs {
		if n := d.loadCount(); n != 1 {
			t.Errorf("device %d: %d loads; want 1", d.id, n)
		}
	}
}
