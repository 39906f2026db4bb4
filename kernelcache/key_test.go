package kernelcache_test

import (
	"testing"
	"testing/fstest"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

// What differs in anything gets a kernel, and what differs in text or options a
// module, of its own; what differs in nothing shares them.
func TestIdentity(t *testing.T) {
	type (
		one struct{ A float32 }
		two struct{ A int32 }
	)
	src := text("kernel f kernel g")
	dev := newDevice("opencl")
	defer dev.Close()
	base := mustOn(t, kernelcache.Declare[one](src, "f", kernelcache.Define("N", 1)), dev)
	for _, c := range []struct {
		name                   string
		got                    *fakeKernel
		sameKernel, sameModule bool
	}{
		{"nothing", mustOn(t, kernelcache.Declare[one](src, "f", kernelcache.Define("N", 1)), dev), true, true},
		{"an equal source", mustOn(t, kernelcache.Declare[one](text("kernel f kernel g"), "f", kernelcache.Define("N", 1)), dev), true, true},
		{"the name", mustOn(t, kernelcache.Declare[one](src, "g", kernelcache.Define("N", 1)), dev), false, true},
		{"the argument struct", mustOn(t, kernelcache.Declare[two](src, "f", kernelcache.Define("N", 1)), dev), false, true},
		{"a define's value", mustOn(t, kernelcache.Declare[one](src, "f", kernelcache.Define("N", 2)), dev), false, false},
		{"a define's type", mustOn(t, kernelcache.Declare[one](src, "f", kernelcache.Define("N", int64(1))), dev), false, false},
		{"a define's name", mustOn(t, kernelcache.Declare[one](src, "f", kernelcache.Define("M", 1)), dev), false, false},
		{"no define", mustOn(t, kernelcache.Declare[one](src, "f"), dev), false, false},
		{"a flag", mustOn(t, kernelcache.Declare[one](src, "f", kernelcache.Define("N", 1), kernelcache.Flags("-w")), dev), false, false},
		{"the text", mustOn(t, kernelcache.Declare[one](text("kernel f kernel g "), "f", kernelcache.Define("N", 1)), dev), false, false},
	} {
		if got := c.got == base; got != c.sameKernel {
			t.Errorf("differing in %s: same kernel %v; want %v", c.name, got, c.sameKernel)
		}
		if got := c.got.module == base.module; got != c.sameModule {
			t.Errorf("differing in %s: same module %v; want %v", c.name, got, c.sameModule)
		}
	}
	other := newDevice("opencl")
	defer other.Close()
	if h := mustOn(t, kernelcache.Declare[one](src, "f", kernelcache.Define("N", 1)), other); h.module.dev != other {
		t.Error("a kernel of another device")
	}
}

// Flags that run into each other when they are joined are not the same flags.
func TestFlagsKeepTheirBorders(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f")
	seen := map[*fakeModule]string{}
	for _, flags := range [][]string{{"-a", "-b"}, {"-a -b"}, {"-a-b"}, {`-a" "-b`}, {"-b", "-a"}} {
		m := mustOn(t, kernelcache.Declare[struct{}](src, "f", kernelcache.Flags(flags...)), dev).module
		if was, ok := seen[m]; ok {
			t.Errorf("flags %q got the module of %s", flags, was)
		}
		seen[m] = flags[0]
	}
}

func TestSameNameInDifferentSources(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	files := fstest.MapFS{
		"a/f.cl": {Data: []byte("kernel f // a")},
		"b/f.cl": {Data: []byte("kernel f // b")},
	}
	a := kernelcache.Declare[struct{}](kernelcache.FromFS(files, "a/f"), "f")
	b := kernelcache.Declare[struct{}](kernelcache.FromFS(files, "b/f"), "f")
	for range 2 {
		if got := mustOn(t, a, dev).module.code; got != "kernel f // a" {
			t.Errorf("a is %q", got)
		}
		if got := mustOn(t, b, dev).module.code; got != "kernel f // b" {
			t.Errorf("b is %q", got)
		}
	}
}

func TestNewWorldWithoutNewTextCompilesNothing(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	k := kernelcache.Declare[struct{}](text("kernel f"), "f")
	before := mustOn(t, k, dev)
	kernelcache.AdvanceWorld()
	if after := mustOn(t, k, dev); after != before || dev.loadCount() != 1 {
		t.Errorf("another kernel (%v) after %d loads", after != before, dev.loadCount())
	}
	var s driver.Stream = dev.stream()
	if n := testing.AllocsPerRun(100, func() { k.Launch(s, driver.Grid1D(1, 1), struct{}{}) }); n != 0 && !instrumented {
		t.Errorf("%v allocations a launch in the new world", n)
	}
}

func TestNewTextIsResolvedAnew(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	changed, untouched := text("kernel f // 1"), text("kernel f // other")
	f := kernelcache.Declare[struct{}](changed, "f")
	g := kernelcache.Declare[struct{}](untouched, "f")
	old, kept := mustOn(t, f, dev), mustOn(t, g, dev)
	redefine(t, changed, "kernel f // 2")
	if got := mustOn(t, f, dev); got == old || got.module.code != "kernel f // 2" {
		t.Errorf("still the old kernel: %q", got.module.code)
	}
	if mustOn(t, g, dev) != kept {
		t.Error("a source that did not change was resolved anew")
	}
	// Back to the first text: of this world all the same.
	redefine(t, changed, "kernel f // 1")
	if got := mustOn(t, f, dev); got == old || got.module.code != "kernel f // 1" {
		t.Errorf("got %q, of the old world %v", got.module.code, got == old)
	}
}
