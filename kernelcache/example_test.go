package kernelcache_test

import (
	"context"
	"log"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

// scaleArgs has a field for each parameter of the kernel, in their order.
type scaleArgs struct {
	X driver.Ptr[float32]
	N uint32
}

// Declared once, at package level; nothing is opened or compiled here. Larger
// kernels are better kept in files of their own: see FromFS.
var scale = kernelcache.Declare[scaleArgs](kernelcache.FromText(kernelcache.Text{
	Name: "scale",
	OpenCL: `kernel void scale(global float *x, uint n) {
		uint i = get_global_id(0);
		if (i < n) x[i] *= FACTOR;
	}`,
	CUDA: `extern "C" __global__ void scale(float *x, unsigned n) {
		unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
		if (i < n) x[i] *= FACTOR;
	}`,
}), "scale", kernelcache.Define("FACTOR", float32(1.5)))

func Example() {
	ctx := context.Background()
	dev, err := driver.Open("auto")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	if err := scale.Bind(ctx, dev); err != nil { // optional: compile now
		log.Fatal(err)
	}
	s, err := dev.NewStream(driver.StreamOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	host := make([]float32, 1000)
	x, err := driver.Alloc[float32](dev, len(host))
	if err != nil {
		log.Fatal(err)
	}
	defer x.Close()
	if err := x.CopyFrom(ctx, s, host); err != nil {
		log.Fatal(err)
	}
	if err := scale.Launch(s, driver.Grid1D(len(host), 256), scaleArgs{x.Ptr(), uint32(len(host))}); err != nil {
		log.Fatal(err)
	}
	if err := x.CopyTo(ctx, s, host); err != nil {
		log.Fatal(err)
	}
}
