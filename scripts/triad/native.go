package main

import (
	"github.com/triad-gpu/triad/cuda"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/hip"
)

// native is what the suites need of a backend beyond the contract.
type native struct {
	// context is the device's CUcontext; on HIP, which has none, the device's number,
	// plus one.
	context func(driver.Device) uintptr
	// stream is the stream's handle. From when it is given out on, the library assumes
	// that others enqueue on it.
	stream   func(driver.Stream) uintptr
	function func(driver.Kernel) uintptr
	// alloc allocates in the stream's order; the memory's Close frees it in that order.
	alloc func(s driver.Stream, bytes uint64) (driver.Memory, error)
}

var natives = map[string]native{
	"cuda": {
		context: func(dev driver.Device) uintptr {
			_, context := dev.(*cuda.Device).Native()
			return context
		},
		stream:   func(s driver.Stream) uintptr { return s.(*cuda.Stream).Native() },
		function: func(k driver.Kernel) uintptr { return k.(*cuda.Kernel).Native() },
		alloc: func(s driver.Stream, bytes uint64) (driver.Memory, error) {
			return s.(*cuda.Stream).Alloc(bytes)
		},
	},
	"hip": {
		context:  func(dev driver.Device) uintptr { return uintptr(dev.(*hip.Device).Native()) + 1 },
		stream:   func(s driver.Stream) uintptr { return s.(*hip.Stream).Native() },
		function: func(k driver.Kernel) uintptr { return k.(*hip.Kernel).Native() },
		alloc: func(s driver.Stream, bytes uint64) (driver.Memory, error) {
			return s.(*hip.Stream).Alloc(bytes)
		},
	},
}
