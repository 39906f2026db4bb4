//go:build cgo && linux

package hip

/*
#cgo noescape triad_hip_launch_ex
#cgo nocallback triad_hip_launch_ex
#cgo noescape triad_hip_launch_shared
#cgo nocallback triad_hip_launch_shared

#include <stdlib.h>
#include "triad_hip_c.h"
*/
import "C"

import (
	"unsafe"

	"github.com/triad-gpu/triad/driver"
)

func rawModuleGlobal(d, m handle, name string) (at, size uint64, code int32) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var a C.uint64_t
	var n C.size_t
	code = int32(C.triad_hip_module_global((*C.triad_hip_device)(d), C.hipModule_t(m), text, &a, &n))
	return uint64(a), uint64(n), code
}

func rawOccupancy(d, f handle, threads int, shared uint64) (int, int32) {
	var n C.int
	code := C.triad_hip_occupancy((*C.triad_hip_device)(d), C.hipFunction_t(f), C.int(threads), C.size_t(shared), &n)
	return int(n), int32(code)
}

func rawBlockSize(d, f handle, shared uint64) (int, int32) {
	var n C.int
	code := C.triad_hip_block_size((*C.triad_hip_device)(d), C.hipFunction_t(f), C.size_t(shared), &n)
	return int(n), int32(code)
}

func shape(stream, kernel handle, grid, block driver.Dim3, shared uint32) C.triad_hip_launch_shape {
	return C.triad_hip_launch_shape{
		stream: ref(stream),
		kernel: ref(kernel),
		grid:   [3]C.uint32_t{C.uint32_t(grid.X), C.uint32_t(grid.Y), C.uint32_t(grid.Z)},
		block:  [3]C.uint32_t{C.uint32_t(block.X), C.uint32_t(block.Y), C.uint32_t(block.Z)},
		shared: C.uint32_t(shared),
	}
}

// rawLaunchEx is rawLaunch, with attributes.
func rawLaunchEx(stream, kernel handle, grid, block driver.Dim3, shared uint32, x launchExtra, args unsafe.Pointer) (code int32, arg int) {
	r := C.triad_hip_launch_ex(shape(stream, kernel, grid, block, shared), C.triad_hip_launch_extra{
		set:      C.uint32_t(x.set),
		priority: C.int32_t(x.priority),
	}, (*C.uint8_t)(args))
	return int32(r), int(r>>32) - 1
}

// rawLaunchShared is the dynamic shared memory that a launch asks for, with that of
// its Local parameters.
func rawLaunchShared(kernel handle, shared uint32, args unsafe.Pointer) uint32 {
	return uint32(C.triad_hip_launch_shared(shape(nil, kernel, driver.Dim3{}, driver.Dim3{}, shared), (*C.uint8_t)(args)))
}
