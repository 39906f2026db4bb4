//go:build cgo && linux

package hip

/*
// A launch neither keeps the arguments' address nor calls back, so that they may
// stay on the goroutine's stack.
#cgo noescape triad_hip_launch
#cgo nocallback triad_hip_launch

#include <stdlib.h>
#include "triad_hip_c.h"

// cgo does not know arrays without a length.
static triad_hip_param *params(triad_hip_kernel *k) { return k->params; }
*/
import "C"

import (
	"unsafe"

	"github.com/triad-gpu/triad/driver"
)

// rawModuleLoad loads an image.
func rawModuleLoad(d handle, image []byte) (m handle, code int32) {
	// The image goes by way of C memory: whatever the runtime keeps of it, it is
	// none of Go's.
	mem := C.CBytes(image)
	defer C.free(mem)
	var c C.hipError_t
	m = handle(C.triad_hip_module_load((*C.triad_hip_device)(d), mem, &c))
	return m, int32(c)
}

func rawModuleUnload(d, m handle) int32 {
	return int32(C.triad_hip_module_unload((*C.triad_hip_device)(d), C.hipModule_t(m)))
}

func rawModuleFunction(d, m handle, name string) (handle, int32) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var code C.hipError_t
	f := C.triad_hip_module_function((*C.triad_hip_device)(d), C.hipModule_t(m), text, &code)
	return handle(f), int32(code)
}

func rawFunctionAttribute(d, f handle, attribute int) (int, int32) {
	var v C.int
	code := C.triad_hip_function_attribute((*C.triad_hip_device)(d), C.hipFunction_t(f), C.int(attribute), &v)
	return int(v), int32(code)
}

// rawKernelNew makes the C side of a kernel, with its plan: parameters, then local
// memory. nil when there is no memory.
func rawKernelNew(d, f handle, params, locals []planParam) handle {
	k := C.triad_hip_kernel_new((*C.triad_hip_device)(d), C.hipFunction_t(f), C.uint32_t(len(params)), C.uint32_t(len(locals)))
	if k == nil {
		return nil
	}
	room := unsafe.Slice(C.params(k), len(params)+len(locals))
	for i, p := range append(params[:len(params):len(params)], locals...) {
		room[i] = C.triad_hip_param{offset: C.uint32_t(p.offset), size: C.uint32_t(p.size), kind: C.uint32_t(p.kind)}
	}
	return handle(k)
}

func rawKernelFree(k handle) { C.triad_hip_kernel_free((*C.triad_hip_kernel)(k)) }

// rawKernelNative is the hipFunction_t.
func rawKernelNative(k handle) handle { return handle((*C.triad_hip_kernel)(k).f) }

// rawLaunch launches, in one crossing. It returns HIP's code and, where an
// argument was refused before HIP was asked, its place in the plan; else -1.
func rawLaunch(stream, kernel handle, grid, block driver.Dim3, shared uint32, args unsafe.Pointer) (code int32, arg int) {
	r := C.triad_hip_launch(C.triad_hip_launch_shape{
		stream: ref(stream),
		kernel: ref(kernel),
		grid:   [3]C.uint32_t{C.uint32_t(grid.X), C.uint32_t(grid.Y), C.uint32_t(grid.Z)},
		block:  [3]C.uint32_t{C.uint32_t(block.X), C.uint32_t(block.Y), C.uint32_t(block.Z)},
		shared: C.uint32_t(shared),
	}, (*C.uint8_t)(args))
	return int32(r), int(r>>32) - 1
}
