package main

import (
	"github.com/triad-gpu/triad/cuda"
	"github.com/triad-gpu/triad/driver"
)

// What the suites need of package cuda beyond the contract.

// cudaContext is the device's CUcontext.
func cudaContext(dev driver.Device) uintptr {
	_, context := dev.(*cuda.Device).Native()
	return context
}

// cudaStream is the stream's CUstream. From then on the library assumes that
// others enqueue on it.
func cudaStream(s driver.Stream) uintptr { return s.(*cuda.Stream).Native() }

// cudaFunction is the kernel's CUfunction.
func cudaFunction(k driver.Kernel) uintptr { return k.(*cuda.Kernel).Native() }

// streamAllocator is a stream that allocates memory in its own order. The memory's
// Close frees it in that order.
type streamAllocator interface {
	Alloc(bytes uint64) (*cuda.Memory, error)
}
