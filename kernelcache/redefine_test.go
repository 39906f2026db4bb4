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
