package kernelcache_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

func mustLaunch[A any](t testing.TB, k *kernelcache.Kernel[A], dev *fakeDevice, args A) {
	t.Helper()
	if err := k.Launch(dev.stream(), driver.Grid1D(1, 1), args); err != nil {
		t.Fatal(err)
	}
}

func TestRedefineCompilesBindsAndClosesTheFormer(t *testing.T) {
	a, b := newDevice("opencl"), newDevice("opencl")
	defer a.Close()
	defer b.Close()
	src := text("kernel f kernel g // 1")
	f := kernelcache.Declare[struct{}](src, "f")
	g := kernelcache.Declare[struct{}](src, "g")
	h := kernelcache.Declare[struct{}](src, "f", kernelcache.Define("N", 1))
	old := []*fakeKernel{mustOn(t, f, a), mustOn(t, g, a), mustOn(t, f, b), mustOn(t, h, b)}
	before := kernelcache.World()
	redefine(t, src, "kernel f kernel g // 2")
	if w := kernelcache.World(); w != before+1 {
		t.Errorf("the world went from %d to %d", before, w)
	}
	// One module on a, two on b, for their options.
	if a.loadCount() != 2 || b.loadCount() != 4 {
		t.Errorf("%d and %d loads; want 2 and 4", a.loadCount(), b.loadCount())
	}
	for i, k := range old {
		if !k.closed.Load() || !k.module.closed.Load() {
			t.Errorf("kernel %d of the former world is open, or its module", i)
		}
		wantErr(t, k.Launch(k.module.dev.stream(), driver.Grid1D(1, 1), driver.ArgRef{}), driver.ErrClosed)
	}
	for _, k := range []*fakeKernel{mustOn(t, f, a), mustOn(t, g, a), mustOn(t, f, b), mustOn(t, h, b)} {
		if k.closed.Load() || !strings.HasSuffix(k.module.code, "// 2") {
			t.Errorf("%s of %q, closed %v", k.name, k.module.code, k.closed.Load())
		}
	}
	if a.loadCount() != 2 || b.loadCount() != 4 || a.open() != 3 || b.open() != 4 {
		t.Errorf("%d and %d loads, %d and %d open", a.loadCount(), b.loadCount(), a.open(), b.open())
	}
}

func TestRedefinitionThatFailsChangesNothing(t *testing.T) {
	good, bad := newDevice("opencl"), newDevice("opencl")
	defer good.Close()
	defer bad.Close()
	src := text("kernel f kernel g // 1")
	f, g := kernelcache.Declare[struct{}](src, "f"), kernelcache.Declare[struct{}](src, "g")
	before := []*fakeKernel{mustOn(t, f, good), mustOn(t, g, bad)}
	world := kernelcache.World()
	check := func(what string, err, sentinel error, words ...string) {
		t.Helper()
		wantErr(t, err, sentinel, append(words, "test stays as it was")...)
		if mustOn(t, f, good) != before[0] || mustOn(t, g, bad) != before[1] || kernelcache.World() != world {
			t.Errorf("%s: not the kernels of before, or another world", what)
		}
		mustLaunch(t, f, good, struct{}{})
		mustLaunch(t, g, bad, struct{}{})
		if good.open() != 2 || bad.open() != 2 {
			t.Errorf("%s: %d and %d objects open; want 2 and 2", what, good.open(), bad.open())
		}
	}
	err := src.Redefine(ctx, kernelcache.Text{OpenCL: "kernel f kernel g broken"})
	check("broken text", err, driver.ErrBuild, "this is broken", "kernel f")
	var build *driver.BuildError
	if !errors.As(err, &build) || build.Log != "f.cl:1: this is broken" {
		t.Errorf("no log in %v", err)
	}
	check("a kernel is missing", src.Redefine(ctx, kernelcache.Text{OpenCL: "kernel f // 2"}), driver.ErrNotFound, "kernel g")
	bad.set(func() { bad.loadErr = driver.Errorf("fake", "Load", driver.ErrOutOfMemory, "no room") })
	check("one device fails", src.Redefine(ctx, kernelcache.Text{OpenCL: "kernel f kernel g // 2"}), driver.ErrOutOfMemory, "no room", "kernel g")
	bad.set(func() { bad.loadErr = nil })
	ended, cancel := context.WithCancel(ctx)
	cancel()
	good.set(func() {
		good.loading, good.gate, good.heedContext, good.ended = nil, make(chan struct{}), true, make(chan struct{}, 9)
	})
	check("the context ends", src.Redefine(ended, kernelcache.Text{OpenCL: "kernel f kernel g // 2"}), context.Canceled)
	good.set(func() { good.gate = nil })
	redefine(t, src, "kernel f kernel g // 3")
	if k := mustOn(t, f, good); k == before[0] || !strings.HasSuffix(k.module.code, "3") {
		t.Errorf("after all that: %q", k.module.code)
	}
}

func TestRedefineLeavesOthersAlone(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	const code = "kernel f // shared"
	changed, equal := text(code), text(code)
	f, g := kernelcache.Declare[struct{}](changed, "f"), kernelcache.Declare[struct{}](equal, "f")
	shared := mustOn(t, f, dev)
	if mustOn(t, g, dev) != shared {
		t.Fatal("equal sources do not share")
	}
	stale, kept := f.Bound(dev.id), g.Bound(dev.id)
	redefine(t, changed, "kernel f // 2")
	if mustOn(t, g, dev) != shared || shared.closed.Load() || shared.module.closed.Load() {
		t.Error("the other source lost its kernel")
	}
	if mustOn(t, f, dev) == shared {
		t.Error("the redefined source kept its kernel")
	}
	// What one source still uses must not seem valid to the other.
	if stale() || !kept() {
		t.Errorf("the former binding is valid: %v; the other source's: %v", stale(), kept())
	}
	mustLaunch(t, g, dev, struct{}{})
	redefine(t, equal, "kernel f // 3")
	if !shared.closed.Load() || !shared.module.closed.Load() {
		t.Error("nobody needs the shared kernel, and it is open")
	}
	if dev.open() != 4 {
		t.Errorf("%d objects open; want 4", dev.open())
	}
}

func TestRedefineBeforeAnythingIsResolved(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f // 1")
	f := kernelcache.Declare[struct{}](src, "f")
	redefine(t, src, "kernel f broken")
	if dev.loadCount() != 0 {
		t.Error("something was compiled")
	}
	wantErr(t, f.Bind(ctx, dev), driver.ErrBuild, "this is broken")
	redefine(t, src, "kernel f // 2")
	if k := mustOn(t, f, dev); k.module.code != "kernel f // 2" {
		t.Errorf("got %q", k.module.code)
	}
}

// A text that never compiled is no obstacle: the redefinition that mends it need
// not compile at once what was never in service.
func TestRedefineMendsABrokenSource(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f broken")
	f := kernelcache.Declare[struct{}](src, "f", kernelcache.RememberFailure())
	for range 3 {
		wantErr(t, f.Bind(ctx, dev), driver.ErrBuild)
	}
	if dev.loadCount() != 1 {
		t.Errorf("%d loads; want 1, for the failure is remembered", dev.loadCount())
	}
	redefine(t, src, "kernel f")
	mustLaunch(t, f, dev, struct{}{})
}

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

func TestRedefineByLanguage(t *testing.T) {
	files := fstest.MapFS{
		"own/k.cl": {Data: []byte("kernel f cl")}, "own/k.cu": {Data: []byte("kernel f cu")}, "own/k.hip": {Data: []byte("kernel f hip")},
		"cuda/k.cu": {Data: []byte("kernel f cu")},
	}
	cl, cu, hip := newDevice("opencl"), newDevice("cuda"), newDevice("hip")
	for _, d := range []*fakeDevice{cl, cu, hip} {
		defer d.Close()
	}
	own, shared := kernelcache.FromFS(files, "own/k"), kernelcache.FromFS(files, "cuda/k")
	o, s := kernelcache.Declare[struct{}](own, "f"), kernelcache.Declare[struct{}](shared, "f")
	for _, src := range []*kernelcache.Source{own, shared} {
		if err := src.Redefine(ctx, kernelcache.Text{CUDA: "kernel f new"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		k          *kernelcache.Kernel[struct{}]
		dev        *fakeDevice
		file, code string
	}{
		{o, cl, "own/k.cl", "kernel f cl"},
		{o, cu, "own/k.cu", "kernel f new"},
		{o, hip, "own/k.hip", "kernel f hip"},
		{s, cu, "cuda/k.cu", "kernel f new"},
		{s, hip, "cuda/k.cu", "kernel f new"},
	} {
		if got := mustOn(t, c.k, c.dev).module.code; got != c.code {
			t.Errorf("%s: %q; want %q", c.dev.info.Backend, got, c.code)
		}
		if name := c.dev.loads[len(c.dev.loads)-1].Src.Name; name != c.file {
			t.Errorf("file %q; want %q", name, c.file)
		}
	}
	if err := shared.Redefine(ctx, kernelcache.Text{HIP: "kernel f hip at last"}); err != nil {
		t.Fatal(err)
	}
	if err := shared.Redefine(ctx, kernelcache.Text{CUDA: "kernel f newer"}); err != nil {
		t.Fatal(err)
	}
	if got := mustOn(t, s, hip).module.code; got != "kernel f hip at last" {
		t.Errorf("HIP lost its own text to %q", got)
	}
}

func TestRedefineRefuses(t *testing.T) {
	var none *kernelcache.Source
	wantErr(t, none.Redefine(ctx, kernelcache.Text{OpenCL: "x"}), driver.ErrInvalidValue, "nil")
	wantErr(t, new(kernelcache.Source).Redefine(ctx, kernelcache.Text{OpenCL: "x"}), driver.ErrInvalidValue, "FromText")
	wantErr(t, text("kernel f").Redefine(ctx, kernelcache.Text{}), driver.ErrInvalidValue, "empty")
	wantErr(t, kernelcache.FromFS(nil, "f").Redefine(ctx, kernelcache.Text{OpenCL: "x"}), driver.ErrInvalidValue, "file system is nil")
	bins := kernelcache.FromBinaries("b", kernelcache.Binary{Backend: "opencl", Code: []byte("x")})
	wantErr(t, bins.Redefine(ctx, kernelcache.Text{OpenCL: "x"}), driver.ErrUnsupported, "binaries")
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
