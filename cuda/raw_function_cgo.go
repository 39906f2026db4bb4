//go:build cgo && linux

package cuda

/*
#cgo noescape triad_cu_launch_ex
#cgo nocallback triad_cu_launch_ex
#cgo noescape triad_cu_launch_shared
#cgo nocallback triad_cu_launch_shared

#include <stdlib.h>
#include "triad_cuda.h"
*/
import "C"

import (
	"unsafe"

	"github.com/triad-gpu/triad/driver"
)

func rawModuleGlobal(d, m handle, name string) (at, size uint64, code int32) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var a C.CUdeviceptr
	var n C.size_t
	code = int32(C.triad_cu_module_global((*C.triad_cu_device)(d), C.CUmodule(m), text, &a, &n))
	return uint64(a), uint64(n), code
}

func rawLoadingMode() (int, int32) {
	var mode C.int
	code := C.triad_cu_loading_mode(&mode)
	return int(mode), int32(code)
}

func rawFunctionLoad(d, f handle) int32 {
	return int32(C.triad_cu_function_load((*C.triad_cu_device)(d), C.CUfunction(f)))
}

func rawFunctionLoaded(d, f handle) (bool, int32) {
	var state C.int
	code := C.triad_cu_function_loaded((*C.triad_cu_device)(d), C.CUfunction(f), &state)
	return state == C.CU_FUNCTION_LOADING_STATE_LOADED, int32(code)
}

func rawFunctionCache(d, f handle, config int) int32 {
	return int32(C.triad_cu_function_cache((*C.triad_cu_device)(d), C.CUfunction(f), C.int(config)))
}

func rawOccupancy(d, f handle, threads int, shared uint64) (int, int32) {
	var n C.int
	code := C.triad_cu_occupancy((*C.triad_cu_device)(d), C.CUfunction(f), C.int(threads), C.size_t(shared), &n)
	return int(n), int32(code)
}

func rawBlockSize(d, f handle, shared uint64) (int, int32) {
	var n C.int
	code := C.triad_cu_block_size((*C.triad_cu_device)(d), C.CUfunction(f), C.size_t(shared), &n)
	return int(n), int32(code)
}

func rawSharedLeft(d, f handle, blocks, threads int) (uint64, int32) {
	var n C.size_t
	code := C.triad_cu_shared_left((*C.triad_cu_device)(d), C.CUfunction(f), C.int(blocks), C.int(threads), &n)
	return uint64(n), int32(code)
}

// rawClusters is how many clusters of that shape run at once.
func rawClusters(kernel handle, grid, block driver.Dim3, shared uint32, cluster driver.Dim3) (int, int32) {
	var n C.int
	size := [3]C.uint32_t{C.uint32_t(cluster.X), C.uint32_t(cluster.Y), C.uint32_t(cluster.Z)}
	code := C.triad_cu_clusters(shape(nil, kernel, grid, block, shared), &size[0], &n)
	return int(n), int32(code)
}

func rawClusterSize(kernel handle, grid, block driver.Dim3, shared uint32) (int, int32) {
	var n C.int
	code := C.triad_cu_cluster_size(shape(nil, kernel, grid, block, shared), &n)
	return int(n), int32(code)
}

func shape(stream, kernel handle, grid, block driver.Dim3, shared uint32) C.triad_cu_launch_shape {
	return C.triad_cu_launch_shape{
		stream: ref(stream),
		kernel: ref(kernel),
		grid:   [3]C.uint32_t{C.uint32_t(grid.X), C.uint32_t(grid.Y), C.uint32_t(grid.Z)},
		block:  [3]C.uint32_t{C.uint32_t(block.X), C.uint32_t(block.Y), C.uint32_t(block.Z)},
		shared: C.uint32_t(shared),
	}
}

// rawLaunchEx is rawLaunch, with attributes.
func rawLaunchEx(stream, kernel handle, grid, block driver.Dim3, shared uint32, x launchExtra, args unsafe.Pointer) (code int32, arg int) {
	r := C.triad_cu_launch_ex(shape(stream, kernel, grid, block, shared), C.triad_cu_launch_extra{
		set:      C.uint32_t(x.set),
		cluster:  [3]C.uint32_t{C.uint32_t(x.cluster.X), C.uint32_t(x.cluster.Y), C.uint32_t(x.cluster.Z)},
		policy:   C.int32_t(x.policy),
		priority: C.int32_t(x.priority),
		domain:   C.int32_t(x.domain),
		carveout: C.int32_t(x.carveout),
	}, (*C.uint8_t)(args))
	return int32(r), int(r>>32) - 1
}

// rawLaunchShared is the dynamic shared memory that a launch asks for, with that of
// its Local parameters.
func rawLaunchShared(kernel handle, shared uint32, args unsafe.Pointer) uint32 {
	return uint32(C.triad_cu_launch_shared(shape(nil, kernel, driver.Dim3{}, driver.Dim3{}, shared), (*C.uint8_t)(args)))
}
