package kernelcache_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

// recorder is a hook that keeps what it is told.
type recorder struct {
	kernelcache.Hook
	got    []kernelcache.Resolution
	binary string
	phases chan kernelcache.Phase
}

func newRecorder(t *testing.T) *recorder {
	r := &recorder{phases: make(chan kernelcache.Phase, 100)}
	r.Resolved = func(res *kernelcache.Resolution) {
		r.got = append(r.got, *res)
		if res.Err == nil {
			b, err := res.Binary()
			if err != nil {
				t.Error(err)
			}
			r.binary = string(b)
		}
	}
	r.Progress = func(p kernelcache.Progress) { r.phases <- p.Phase }
	return r
}

func (r *recorder) last(t *testing.T, n int) kernelcache.Resolution {
	t.Helper()
	if len(r.got) != n {
		t.Fatalf("%d resolutions reported; want %d", len(r.got), n)
	}
	if n == 0 {
		return kernelcache.Resolution{}
	}
	return r.got[n-1]
}

func TestCacheHookSeesEverything(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	src := text("kernel f")
	f := kernelcache.Declare[saxpyArgs](src, "f", kernelcache.Define("N", 3), kernelcache.Flags("-w"))
	r := newRecorder(t)
	if former := kernelcache.SetHook(&r.Hook); former != nil {
		t.Fatal("there was a hook")
	}
	defer kernelcache.SetHook(nil)
	mustLaunch(t, f, dev, saxpyArgs{})
	res := r.last(t, 1)
	if res.Kernel != "f" || res.Device != driver.Device(dev) || string(res.Source.Code) != "kernel f" || res.Source.Name != "test.cl" ||
		res.Source.Kind != driver.SourceText || res.Origin != kernelcache.FromCompiler || res.Log != "log of kernel f" || r.binary != "binary of kernel f" ||
		res.World != kernelcache.World() || res.Signature.Go != "kernelcache_test.saxpyArgs" || res.DiskNote != "the disk cache is off" {
		t.Errorf("%+v, binary %q", res, r.binary)
	}
	if len(res.Options.Defines) != 1 || res.Options.Defines[0] != (driver.Define{Name: "N", Value: "3"}) || !slices.Equal(res.Options.Flags, []string{"-w"}) {
		t.Errorf("options %+v", res.Options)
	}
	if tm := res.Times; tm.Total <= 0 || tm.Compile <= 0 || tm.Bind <= 0 || tm.Total < tm.Compile+tm.Bind || tm.Disk+tm.Store != 0 {
		t.Errorf("times %+v", tm)
	}
	// Warm launches are seen too while the hook is set.
	for i := range 3 {
		mustLaunch(t, f, dev, saxpyArgs{})
		if res := r.last(t, 2+i); res.Origin != kernelcache.FromMemory || res.Times.Compile != 0 || res.Log != "log of kernel f" {
			t.Errorf("%+v", res)
		}
	}
	mustOn(t, f, dev)
	r.last(t, 5)
	redefine(t, src, "kernel f // 2")
	if res := r.last(t, 6); res.Origin != kernelcache.FromCompiler || string(res.Source.Code) != "kernel f // 2" || res.World != kernelcache.World() {
		t.Errorf("%+v", res)
	}
	// Failures come with their log.
	b := kernelcache.Declare[struct{}](text("broken"), "f")
	wantErr(t, b.Bind(ctx, dev), driver.ErrBuild)
	if res := r.last(t, 7); res.Err == nil || res.Log != "f.cl:1: this is broken" || res.Origin != "" {
		t.Errorf("%+v", res)
	}
	_, err := r.got[6].Binary()
	wantErr(t, err, driver.ErrNotFound)
	_, err = r.got[6].Disassembly()
	wantErr(t, err, driver.ErrNotFound)
	_, err = r.got[0].Disassembly()
	wantErr(t, err, driver.ErrUnsupported, "no disassembler")

	if former := kernelcache.SetHook(nil); former != &r.Hook {
		t.Error("SetHook did not return the former hook")
	}
	if kernelcache.WarmPathIsOff() {
		t.Error("the warm path is still off")
	}
	mustLaunch(t, f, dev, saxpyArgs{})
	mustOn(t, f, dev)
	r.last(t, 7)
}

func TestContextHookSeesItsContextAlone(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	f := kernelcache.Declare[struct{}](text("kernel f"), "f")
	r, all := newRecorder(t), newRecorder(t)
	hooked := context.WithValue(kernelcache.WithHook(ctx, &r.Hook), recorder{}.phases, 1)
	mustLaunch(t, f, dev, struct{}{})
	mustOn(t, f, dev)
	r.last(t, 0)
	for i := range 2 {
		if _, err := f.On(hooked, dev); err != nil {
			t.Fatal(err)
		}
		if res := r.last(t, 1+i); res.Origin != kernelcache.FromMemory {
			t.Errorf("%+v", res)
		}
	}
	kernelcache.SetHook(&all.Hook)
	defer kernelcache.SetHook(nil)
	if err := f.Bind(hooked, dev); err != nil {
		t.Fatal(err)
	}
	mustOn(t, f, dev)
	r.last(t, 3)
	all.last(t, 2)
}

type disassembled struct{ *fakeDevice }

type disassembledModule struct{ *fakeModule }

func (d disassembled) Load(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (driver.Module, error) {
	m, err := d.fakeDevice.Load(ctx, src, opts)
	if err != nil {
		return nil, err
	}
	return disassembledModule{m.(*fakeModule)}, nil
}

func (m disassembledModule) Disassembly() (string, error) { return "nop ; " + m.code, nil }

func TestHookDisassembles(t *testing.T) {
	dev := disassembled{newDevice("opencl")}
	defer dev.Close()
	seen := ""
	h := &kernelcache.Hook{Resolved: func(r *kernelcache.Resolution) {
		s, err := r.Disassembly()
		if err != nil {
			t.Error(err)
		}
		seen = s
	}}
	if err := kernelcache.Declare[struct{}](text("kernel f"), "f").Bind(kernelcache.WithHook(ctx, h), dev); err != nil {
		t.Fatal(err)
	}
	if seen != "nop ; kernel f" {
		t.Errorf("%q", seen)
	}
}

// A compile that takes long is reported while it lasts, to each who waits.
func TestLongCompilesReportProgress(t *testing.T) {
	dev := blocking("opencl")
	defer dev.Close()
	f := kernelcache.Declare[struct{}](text("kernel f"), "f")
	done := make(chan error)
	var waiting [2]*recorder
	for i := range waiting {
		r := newRecorder(t)
		r.Interval = time.Millisecond
		waiting[i] = r
		go func() { done <- f.Bind(kernelcache.WithHook(ctx, &r.Hook), dev) }()
	}
	<-dev.loading
	for _, r := range waiting {
		for range 5 {
			if p := <-r.phases; p != kernelcache.Compiling {
				t.Errorf("phase %q", p)
			}
		}
	}
	close(dev.gate)
	for range waiting {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	for _, r := range waiting {
		if res := r.last(t, 1); res.Origin != kernelcache.FromCompiler || res.Times.Compile < time.Millisecond {
			t.Errorf("%+v", res)
		}
	}
}

// Hooks come and go while others launch.
func TestHooksChangeUnderLaunches(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	f := kernelcache.Declare[struct{}](text("kernel f"), "f")
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				mustLaunch(t, f, dev, struct{}{})
			}
		}
	}()
	seen := make(chan struct{}, 1)
	h := &kernelcache.Hook{Resolved: func(*kernelcache.Resolution) {
		select {
		case seen <- struct{}{}:
		default:
		}
	}}
	for range 100 {
		kernelcache.SetHook(h)
		<-seen
		kernelcache.AdvanceWorld()
		kernelcache.SetHook(nil)
	}
	close(stop)
	<-stopped
	if dev.loadCount() != 1 {
		t.Errorf("%d loads", dev.loadCount())
	}
}
