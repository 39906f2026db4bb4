package kernelcache_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

// From a declared kernel to the driver's handle.
func BenchmarkResolveWarm(b *testing.B) {
	dev := newDevice("opencl")
	defer dev.Close()
	k := kernelcache.Declare[saxpyArgs](text("kernel saxpy"), "saxpy")
	mustOn(b, k, dev)
	var d driver.Device = dev
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if h, err := k.On(ctx, d); h == nil || err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if h, err := k.On(ctx, d); h == nil || err != nil {
					b.Error(err)
				}
			}
		})
	})
}

// A launch through the cache, and its twin with the handle held by hand.
func BenchmarkLaunchWarm(b *testing.B) {
	dev := newDevice("opencl")
	dev.quick = true
	defer dev.Close()
	k := kernelcache.Declare[saxpyArgs](text("kernel saxpy"), "saxpy")
	var (
		h    driver.Kernel = mustOn(b, k, dev)
		s    driver.Stream = dev.stream()
		args               = saxpyArgs{A: 2, N: 100}
	)
	b.Run("cache", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if err := k.Launch(s, driver.Grid1D(args.N, 64), args); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("handle", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			a := args
			if err := h.Launch(s, driver.Grid1D(args.N, 64), driver.ArgsOf(&a)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Looking up a kernel that is resolved, past the warm path, among many others.
func BenchmarkResolveSlow(b *testing.B) {
	for _, n := range []int{1, 10_000} {
		b.Run(fmt.Sprintf("among=%d", n), func(b *testing.B) {
			dev := newDevice("opencl")
			defer dev.Close()
			src := text("kernel saxpy")
			var k *kernelcache.Kernel[saxpyArgs]
			for i := range n {
				k = kernelcache.Declare[saxpyArgs](src, "saxpy", kernelcache.Define("N", i))
				mustOn(b, k, dev)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				kernelcache.AdvanceWorld()
				if err := k.Bind(ctx, dev); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What 10,000 distinct kernels take: of one module, and each of its own. The
// fake's kernels and modules, some 300 bytes, are included; the declarations are
// not.
func BenchmarkMemoryPerEntry(b *testing.B) {
	const n = 10_000
	for _, own := range []bool{false, true} {
		b.Run(map[bool]string{false: "module=shared", true: "module=own"}[own], func(b *testing.B) {
			for range b.N {
				dev := newDevice("opencl")
				dev.light = true
				kernels := make([]*kernelcache.Kernel[saxpyArgs], n)
				src := text("kernel f")
				for i := range kernels {
					if own {
						kernels[i] = kernelcache.Declare[saxpyArgs](src, "f", kernelcache.Define("N", i))
					} else {
						kernels[i] = kernelcache.Declare[saxpyArgs](src, fmt.Sprintf("f%d", i))
					}
				}
				before := heap()
				for _, k := range kernels {
					mustOn(b, k, dev)
				}
				b.ReportMetric(float64(heap()-before)/n, "B/entry")
				for _, k := range kernels {
					mustOn(b, k, dev) // keeps all of them alive until here
				}
				dev.Close()
			}
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// What hooks cost: a launch while none is set (to be compared with
// LaunchWarm/cache), On once contexts with hooks are in use, and a launch while a
// hook is set.
func BenchmarkHooks(b *testing.B) {
	dev := newDevice("opencl")
	dev.quick = true
	defer dev.Close()
	k := kernelcache.Declare[saxpyArgs](text("kernel saxpy"), "saxpy")
	var (
		s    driver.Stream = dev.stream()
		d    driver.Device = dev
		args               = saxpyArgs{A: 2, N: 100}
	)
	mustOn(b, k, dev)
	launch := func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if err := k.Launch(s, driver.Grid1D(args.N, 64), args); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("launch/never", launch)
	kernelcache.WithHook(ctx, &kernelcache.Hook{})
	b.Run("launch/contexts", launch)
	b.Run("on/contexts", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if _, err := k.On(ctx, d); err != nil {
				b.Fatal(err)
			}
		}
	})
	kernelcache.SetHook(&kernelcache.Hook{})
	b.Run("launch/set", launch)
	kernelcache.SetHook(nil)
	b.Run("launch/unset", launch)
}
