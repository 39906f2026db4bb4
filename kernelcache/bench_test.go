package kernelcache_test

import (
	"fmt"
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
