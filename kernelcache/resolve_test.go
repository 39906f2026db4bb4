package kernelcache_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/kernelcache"
)

// blocking is a device whose loads wait for gate, and say so on loading.
func blocking(backend string) *fakeDevice {
	d := newDevice(backend)
	d.loading, d.gate, d.ended = make(chan struct{}, 100), make(chan struct{}), make(chan struct{}, 100)
	return d
}

// eventually waits for what another goroutine is about to do.
func eventually(t *testing.T, done func() bool, failure string) {
	t.Helper()
	if !drivertest.Eventually(done) {
		t.Fatal(failure)
	}
}

func TestAHundredGoroutinesCompileOnce(t *testing.T) {
	dev := blocking("opencl")
	defer dev.Close()
	src := text("kernel f kernel g")
	kernels := []*kernelcache.Kernel[struct{}]{
		kernelcache.Declare[struct{}](src, "f"),
		kernelcache.Declare[struct{}](src, "g"), // of the same module
	}
	started, results := make(chan struct{}, 100), make(chan driver.Kernel, 100)
	for i := range 100 {
		go func() {
			started <- struct{}{}
			h, err := kernels[i%2].On(ctx, dev)
			if err != nil {
				t.Error(err)
			}
			results <- h
		}()
	}
	for range 100 {
		<-started
	}
	<-dev.loading
	close(dev.gate)
	seen := map[driver.Kernel]bool{}
	for range 100 {
		seen[<-results] = true
	}
	if dev.loadCount() != 1 || len(seen) != 2 || dev.open() != 3 {
		t.Errorf("%d loads, %d kernels, %d objects open; want 1, 2, 3", dev.loadCount(), len(seen), dev.open())
	}
}

func TestCancelledWaiterCancelsNobodyElse(t *testing.T) {
	dev := blocking("opencl")
	dev.heedContext = true
	defer dev.Close()
	k := kernelcache.Declare[struct{}](text("kernel f"), "f")

	// The first waiter is the one whose call started the compile.
	first, cancelFirst := context.WithCancel(ctx)
	firstDone, secondDone := make(chan error), make(chan error)
	go func() { firstDone <- k.Bind(first, dev) }()
	<-dev.loading
	go func() { secondDone <- k.Bind(ctx, dev) }()
	cancelFirst()
	if err := <-firstDone; !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled waiter got %v", err)
	}
	select {
	case err := <-secondDone:
		t.Fatalf("the other waiter got %v before the compile was done", err)
	default:
	}
	close(dev.gate)
	if err := <-secondDone; err != nil {
		t.Errorf("the other waiter got %v", err)
	}
	if dev.loadCount() != 1 {
		t.Errorf("%d loads; want 1", dev.loadCount())
	}
}

func TestCompileGoesOnWhenAllWaitersLeave(t *testing.T) {
	dev := blocking("opencl")
	dev.heedContext = true
	defer dev.Close()
	k := kernelcache.Declare[struct{}](text("kernel f"), "f")
	c, cancel := context.WithCancel(ctx)
	done := make(chan error)
	go func() { done <- k.Bind(c, dev) }()
	<-dev.loading
	cancel()
	wantErr(t, <-done, context.Canceled, "kernel f")
	close(dev.gate)
	if err := k.Bind(ctx, dev); err != nil || dev.loadCount() != 1 {
		t.Errorf("the next call got %v after %d loads; want nil after 1", err, dev.loadCount())
	}
}

func TestWhatIsThereIsHadWithAnEndedContext(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	k := kernelcache.Declare[struct{}](text("kernel f"), "f")
	mustOn(t, k, dev)
	c, cancel := context.WithCancel(ctx)
	cancel()
	for range 100 { // a select over two ready channels takes either
		kernelcache.AdvanceWorld() // past the warm path
		if err := k.Bind(c, dev); err != nil {
			t.Fatal(err)
		}
	}
}

func TestContextValuesReachTheDriver(t *testing.T) {
	type key struct{}
	dev := &valueDevice{fakeDevice: newDevice("opencl"), key: key{}}
	defer dev.Close()
	c := context.WithValue(ctx, key{}, "v")
	if err := kernelcache.Declare[struct{}](text("kernel f"), "f").Bind(c, dev); err != nil {
		t.Fatal(err)
	}
	if dev.got != "v" {
		t.Errorf("Load's context has %v", dev.got)
	}
}

type valueDevice struct {
	*fakeDevice
	key, got any
}

func (d *valueDevice) Load(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (driver.Module, error) {
	d.got = ctx.Value(d.key)
	return d.fakeDevice.Load(ctx, src, opts)
}

func TestFailureIsNotCached(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	k := kernelcache.Declare[struct{}](text("kernel f"), "f")
	dev.loadErr = &driver.BuildError{Backend: "opencl", Op: "clBuildProgram", Log: "f.cl:1: no such thing"}
	for range 2 {
		err := k.Launch(dev.stream(), driver.Grid1D(1, 1), struct{}{})
		wantErr(t, err, driver.ErrBuild, "kernel f", "no such thing")
		var build *driver.BuildError
		if !errors.As(err, &build) {
			t.Errorf("no *BuildError in %#v", err)
		}
	}
	dev.set(func() { dev.loadErr = nil })
	if err := k.Launch(dev.stream(), driver.Grid1D(1, 1), struct{}{}); err != nil {
		t.Errorf("after the failure: %v", err)
	}
	if dev.loadCount() != 3 {
		t.Errorf("%d loads; want 3", dev.loadCount())
	}
}

func TestFailedBindingKeepsTheModule(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f")
	wantErr(t, kernelcache.Declare[struct{}](src, "missing").Bind(ctx, dev), driver.ErrNotFound)
	mustOn(t, kernelcache.Declare[struct{}](src, "f"), dev)
	if dev.loadCount() != 1 {
		t.Errorf("%d loads; want 1", dev.loadCount())
	}
}

func TestDeviceCloseDropsAndClosesEverything(t *testing.T) {
	dev, other := newDevice("opencl"), newDevice("opencl")
	defer other.Close()
	src := text("kernel f kernel g")
	f := kernelcache.Declare[struct{}](src, "f")
	g := kernelcache.Declare[struct{}](src, "g")
	handle := mustOn(t, f, dev)
	mustOn(t, g, dev)
	mustOn(t, f, other)
	if dev.open() != 3 {
		t.Fatalf("%d objects open; want 3", dev.open())
	}
	dev.Close()
	if dev.open() != 0 || kernelcache.Remembers(dev.id) || f.HasEntry(dev.id) || g.HasEntry(dev.id) {
		t.Errorf("after Close: %d objects open, remembered %v, entries %v and %v",
			dev.open(), kernelcache.Remembers(dev.id), f.HasEntry(dev.id), g.HasEntry(dev.id))
	}
	wantErr(t, handle.Launch(dev.stream(), driver.Grid1D(1, 1), driver.ArgRef{}), driver.ErrClosed)
	for range 2 {
		wantErr(t, f.Launch(dev.stream(), driver.Grid1D(1, 1), struct{}{}), driver.ErrClosed, "kernel f")
		if kernelcache.Remembers(dev.id) {
			t.Error("a launch after Close brought the device back")
		}
	}
	if dev.loadCount() != 1 {
		t.Errorf("%d loads; want 1", dev.loadCount())
	}
	if err := f.Launch(other.stream(), driver.Grid1D(1, 1), struct{}{}); err != nil {
		t.Errorf("on another device: %v", err)
	}
}

// A device that is closed during a compile frees its waiters at once and ends
// the compile's context; what the compile yields all the same is closed.
func TestDeviceCloseDuringCompile(t *testing.T) {
	for _, heed := range []bool{true, false} {
		dev := blocking("opencl")
		dev.heedContext = heed
		k := kernelcache.Declare[struct{}](text("kernel f"), "f")
		done := make(chan error)
		go func() { done <- k.Bind(ctx, dev) }()
		<-dev.loading
		dev.Close()
		wantErr(t, <-done, driver.ErrClosed, "kernel f")
		if !heed {
			close(dev.gate)
		}
		<-dev.ended
		eventually(t, func() bool { return dev.open() == 0 }, "the late module was not closed")
		if kernelcache.Remembers(dev.id) || k.HasEntry(dev.id) {
			t.Errorf("heeding %v: remembered %v, entry %v", heed, kernelcache.Remembers(dev.id), k.HasEntry(dev.id))
		}
	}
}

// Launches that race with Close run or get ErrClosed, and nothing stays open.
func TestLaunchesRaceWithDeviceClose(t *testing.T) {
	src := text("kernel f kernel g")
	f := kernelcache.Declare[struct{}](src, "f")
	g := kernelcache.Declare[struct{}](src, "g")
	for range 200 {
		dev := newDevice("opencl")
		var wg sync.WaitGroup
		for i := range 4 {
			k := f
			if i%2 == 1 {
				k = g
			}
			wg.Add(1)
			go func() {
				defer wg.Done()
				for {
					if err := k.Launch(dev.stream(), driver.Grid1D(1, 1), struct{}{}); err != nil {
						if !errors.Is(err, driver.ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			}()
		}
		dev.Close()
		wg.Wait()
		eventually(t, func() bool { return dev.open() == 0 }, "something stayed open")
		if kernelcache.Remembers(dev.id) || f.HasEntry(dev.id) || g.HasEntry(dev.id) {
			t.Fatalf("remembered %v, entries %v and %v", kernelcache.Remembers(dev.id), f.HasEntry(dev.id), g.HasEntry(dev.id))
		}
	}
}

type goexitDevice struct{ *fakeDevice }

func (d *goexitDevice) Load(context.Context, driver.ModuleSource, driver.BuildOptions) (driver.Module, error) {
	runtime.Goexit()
	panic("not reached")
}

func TestBackendThatEndsItsGoroutineHangsNobody(t *testing.T) {
	dev := &goexitDevice{newDevice("opencl")}
	defer dev.Close()
	if err := kernelcache.Declare[struct{}](text("kernel f"), "f").Bind(ctx, dev); err == nil {
		t.Error("no error")
	}
}
