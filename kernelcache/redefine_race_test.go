package kernelcache_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

func TestLaunchUnderWayEndsOnTheFormerModule(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f // 1")
	f := kernelcache.Declare[struct{}](src, "f")
	old := mustOn(t, f, dev)
	entered, leave := make(chan struct{}), make(chan struct{})
	old.onLaunch = func(driver.Stream, driver.LaunchConfig, driver.ArgRef) {
		entered <- struct{}{}
		<-leave
	}
	before := fakeModules.Live()
	done := make(chan error)
	go func() { done <- f.Launch(dev.stream(), driver.Grid1D(1, 1), struct{}{}) }()
	<-entered
	redefine(t, src, "kernel f // 2")
	mustLaunch(t, f, dev, struct{}{}) // of the new world, while the old one goes on
	if n := fakeModules.Live(); n != before+1 {
		t.Errorf("%d modules live while a launch is under way; want %d", n, before+1)
	}
	close(leave)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := fakeModules.Live(); n != before {
		t.Errorf("%d modules live after it; want %d", n, before)
	}
	if old.launches.Load() != 1 || mustOn(t, f, dev).launches.Load() != 1 {
		t.Error("a launch went to the wrong world")
	}
}

// A compile that a redefinition overtakes is of no use to anybody: whoever waits
// for it gets the new kernel.
func TestRedefineOvertakesACompile(t *testing.T) {
	dev := blocking("opencl")
	defer dev.Close()
	src := text("kernel f broken // 1")
	f := kernelcache.Declare[struct{}](src, "f")
	done := make(chan error)
	go func() { done <- f.Launch(dev.stream(), driver.Grid1D(1, 1), struct{}{}) }()
	<-dev.loading
	redefine(t, src, "kernel f // 2")
	close(dev.gate)
	if err := <-done; err != nil {
		t.Errorf("the launch failed in a former world: %v", err)
	}
	if k := mustOn(t, f, dev); k.module.code != "kernel f // 2" || dev.open() != 2 {
		t.Errorf("%q, %d objects open", k.module.code, dev.open())
	}
}

func TestOnlyAfterItsTextIsAKernelUsed(t *testing.T) {
	dev := blocking("opencl")
	defer dev.Close()
	src := text("kernel f // 1")
	f := kernelcache.Declare[struct{}](src, "f")
	bound := make(chan error)
	go func() { bound <- f.Bind(ctx, dev) }()
	<-dev.loading
	dev.gate <- struct{}{}
	if err := <-bound; err != nil {
		t.Fatal(err)
	}
	redefined := make(chan error)
	go func() { redefined <- src.Redefine(ctx, kernelcache.Text{OpenCL: "kernel f // 2"}) }()
	<-dev.loading
	// The compile is under way, and the former kernel in service.
	if k := mustOn(t, f, dev); k.module.code != "kernel f // 1" {
		t.Errorf("%q before the compile is done", k.module.code)
	}
	// One that is first resolved meanwhile is part of the redefinition too.
	g := kernelcache.Declare[struct{}](src, "f", kernelcache.Define("N", 2))
	go func() { bound <- g.Bind(ctx, dev) }()
	<-dev.loading
	dev.gate <- struct{}{}
	dev.gate <- struct{}{}
	go func() {
		for range dev.loading {
			dev.gate <- struct{}{}
		}
	}()
	if err := <-redefined; err != nil {
		t.Fatal(err)
	}
	if err := <-bound; err != nil {
		t.Fatal(err)
	}
	for _, k := range []*kernelcache.Kernel[struct{}]{f, g} {
		if got := mustOn(t, k, dev).module.code; got != "kernel f // 2" {
			t.Errorf("%q after it", got)
		}
	}
	close(dev.loading)
}

// Redefinitions of one source take turns, and who waits can leave.
func TestRedefinitionsTakeTurns(t *testing.T) {
	dev := blocking("opencl")
	defer dev.Close()
	src := text("kernel f // 1")
	f := kernelcache.Declare[struct{}](src, "f")
	first := make(chan error)
	go func() { first <- f.Bind(ctx, dev) }()
	<-dev.loading
	dev.gate <- struct{}{}
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	go func() { first <- src.Redefine(ctx, kernelcache.Text{OpenCL: "kernel f // 2"}) }()
	<-dev.loading
	c, cancel := context.WithCancel(ctx)
	cancel()
	wantErr(t, src.Redefine(c, kernelcache.Text{OpenCL: "kernel f // 3"}), context.Canceled)
	dev.gate <- struct{}{}
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	if got := mustOn(t, f, dev).module.code; got != "kernel f // 2" {
		t.Errorf("got %q", got)
	}
}

// A device that is closed while its kernels are compiled anew is no reason to
// fail: it wants none.
func TestDeviceCloseDuringRedefine(t *testing.T) {
	dev, other := blocking("opencl"), newDevice("opencl")
	defer other.Close()
	src := text("kernel f // 1")
	f := kernelcache.Declare[struct{}](src, "f")
	g := kernelcache.Declare[struct{}](src, "f", kernelcache.Define("N", 1)) // another module
	done := make(chan error)
	for _, k := range []*kernelcache.Kernel[struct{}]{f, g} {
		go func() { done <- k.Bind(ctx, dev) }()
		<-dev.loading
		dev.gate <- struct{}{}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	mustOn(t, f, other)
	go func() { done <- src.Redefine(ctx, kernelcache.Text{OpenCL: "kernel f // 2"}) }()
	<-dev.loading
	dev.Close()
	close(dev.gate)
	if err := <-done; err != nil {
		t.Errorf("Redefine: %v", err)
	}
	if dev.open() != 0 || mustOn(t, f, other).module.code != "kernel f // 2" {
		t.Errorf("%d objects of the closed device open, %q on the other", dev.open(), mustOn(t, f, other).module.code)
	}
}

// A launch whose kernel is closed by a redefinition just before it looks is one
// of the new kernel, on the warm path and past it.
func TestLaunchThatFindsItsKernelClosedLooksAgain(t *testing.T) {
	for _, warm := range []bool{true, false} {
		dev := newDevice("opencl")
		src := text("kernel f // 1")
		f := kernelcache.Declare[struct{}](src, "f")
		old := mustOn(t, f, dev)
		old.onEnter = func() { redefine(t, src, "kernel f // 2") }
		if !warm {
			kernelcache.AdvanceWorld()
		}
		mustLaunch(t, f, dev, struct{}{})
		if k := mustOn(t, f, dev); k == old || k.launches.Load() != 1 || old.launches.Load() != 0 {
			t.Errorf("warm %v: %d launches of the old kernel, %d of the new", warm, old.launches.Load(), k.launches.Load())
		}
		// One that fails for another reason is not tried again.
		s := closedStream{dev.stream()}
		n := 0
		mustOn(t, f, dev).onEnter = func() { n++ }
		mustOn(t, f, dev).refuse = driver.ClosedError("fake", "Launch", "stream")
		kernelcache.AdvanceWorld()
		mustOn(t, f, dev)
		wantErr(t, f.Launch(s, driver.Grid1D(1, 1), struct{}{}), driver.ErrClosed, "stream")
		if n != 1 {
			t.Errorf("warm %v: %d tries on a closed stream", warm, n)
		}
		dev.Close()
	}
}

type closedStream struct{ driver.Stream }

// What Attributes and the like are asked of is the new kernel too.
func TestAttributesOfAKernelThatIsRedefined(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f // 1")
	f := kernelcache.Declare[struct{}](src, "f")
	asked := 0
	dev.wrap = func(k *fakeKernel) driver.Kernel {
		return askedKernel{k, func() error {
			if asked++; asked == 1 {
				redefine(t, src, "kernel f // 2")
				return driver.ClosedError("fake", "Attributes", "kernel")
			}
			return nil
		}}
	}
	if a, err := f.Attributes(ctx, dev); err != nil || a.Registers != 42 || asked != 2 {
		t.Errorf("%+v, %v, asked %d times", a, err, asked)
	}
}

type askedKernel struct {
	*fakeKernel
	ask func() error
}

func (k askedKernel) Attributes() (driver.KernelAttributes, error) {
	if err := k.ask(); err != nil {
		return driver.KernelAttributes{}, err
	}
	return k.fakeKernel.Attributes()
}

// A kernel that is resolved for the first time when all else is made and about
// to take over is made, too.
func TestRedefineLooksAgainBeforeItTakesOver(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f kernel g // 1")
	f, g := kernelcache.Declare[struct{}](src, "f"), kernelcache.Declare[struct{}](src, "g")
	mustOn(t, f, dev)
	swaps := 0
	var old *fakeKernel
	defer kernelcache.BeforeSwap(func() {
		if swaps++; swaps == 1 {
			old = mustOn(t, g, dev)
		}
	})()
	redefine(t, src, "kernel f kernel g // 2")
	if swaps != 2 {
		t.Errorf("%d attempts to take over; want 2", swaps)
	}
	if !old.closed.Load() || !g.HasEntry(dev.id) || !g.Bound(dev.id)() {
		t.Error("the latecomer was not made anew")
	}
}

// A kernel that is resolved for the first time on one device while another still
// compiles the new text is part of the redefinition: it too is compiled first.
func TestRedefineWaitsForLatecomers(t *testing.T) {
	quick, slow := newDevice("opencl"), blocking("opencl")
	defer quick.Close()
	defer slow.Close()
	src := text("kernel f kernel g // 1")
	f, g := kernelcache.Declare[struct{}](src, "f"), kernelcache.Declare[struct{}](src, "g")
	done := make(chan error)
	go func() { done <- f.Bind(ctx, slow) }()
	<-slow.loading
	slow.gate <- struct{}{}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	mustOn(t, f, quick)
	go func() { done <- src.Redefine(ctx, kernelcache.Text{OpenCL: "kernel f // 2, without g"}) }()
	<-slow.loading
	old := mustOn(t, g, quick)
	slow.gate <- struct{}{}
	wantErr(t, <-done, driver.ErrNotFound, "kernel g")
	if mustOn(t, g, quick) != old || mustOn(t, f, slow).module.code != "kernel f kernel g // 1" {
		t.Error("a redefinition that failed changed something")
	}
	if quick.open() != 3 || slow.open() != 2 {
		t.Errorf("%d and %d objects open; want 3 and 2", quick.open(), slow.open())
	}
}

// A context that ends while the last kernel is bound ends the redefinition: the
// backend may have left out what takes long, such as verifying.
func TestRedefineUntilItsContextEnds(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f // 1")
	f := kernelcache.Declare[struct{}](src, "f")
	old := mustOn(t, f, dev)
	c, cancel := context.WithCancel(ctx)
	dev.wrap = func(k *fakeKernel) driver.Kernel { cancel(); return k }
	wantErr(t, src.Redefine(c, kernelcache.Text{OpenCL: "kernel f // 2"}), context.Canceled)
	if mustOn(t, f, dev) != old || dev.open() != 2 {
		t.Errorf("another kernel, or %d objects open; want 2", dev.open())
	}
}

// A backend that ends the goroutine which it is called on hangs no redefinition.
func TestBackendThatEndsItsGoroutineFailsARedefinition(t *testing.T) {
	for _, hooked := range []bool{false, true} {
		dev := newDevice("opencl")
		src := text("kernel f // 1")
		f := kernelcache.Declare[struct{}](src, "f")
		old := mustOn(t, f, dev)
		c := ctx
		if hooked {
			c = kernelcache.WithHook(ctx, &kernelcache.Hook{})
		}
		dev.wrap = func(k *fakeKernel) driver.Kernel {
			k.Close()
			runtime.Goexit()
			return nil
		}
		if err := src.Redefine(c, kernelcache.Text{OpenCL: "kernel f // 2"}); err == nil || !strings.Contains(err.Error(), "ended the goroutine") {
			t.Errorf("hooked %v: %v", hooked, err)
		}
		if mustOn(t, f, dev) != old {
			t.Error("another kernel")
		}
		dev.Close()
	}
}
