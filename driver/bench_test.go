package driver_test

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
)

type saxpyArgs struct {
	A    float32
	X, Y driver.Ptr[float32]
	N    uint32
}

// Filling a pack and launching it, and its twin with an argument struct.
func BenchmarkArguments(b *testing.B) {
	var (
		k driver.Kernel = &readKernel{got: make([]byte, 0, 100)}
		x               = driver.PtrFrom[float32](0x1000)
	)
	b.Run("pack", func(b *testing.B) {
		p := driver.NewArgPack(mustSign[saxpyArgs](b))
		b.ReportAllocs()
		for i := range b.N {
			p.Float32(0, 2)
			driver.SetPtr(p, 1, x)
			driver.SetPtr(p, 2, x)
			p.Uint32(3, uint32(i))
			args, err := p.Ref()
			if err == nil {
				err = k.Launch(nil, driver.LaunchConfig{}, args)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("struct", func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			args := saxpyArgs{2, x, x, uint32(i)}
			if err := k.Launch(nil, driver.LaunchConfig{}, driver.ArgsOf(&args)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
