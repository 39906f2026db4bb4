//go:build cgo && linux

package cuda

/*
// A launch neither keeps the arguments' address nor calls back, so that they may
// stay on the goroutine's stack.
#cgo noescape triad_cu_launch
#cgo nocallback triad_cu_launch

#include <stdlib.h>
#include "triad_cuda.h"

// cgo does not know arrays without a length.
static triad_cu_param *params(triad_cu_kernel *k) { return k->params; }
*/
import "C"

import (
	"unsafe"

	"github.com/triad-gpu/triad/driver"
)

// logRoom is how much of each of the compiler's logs is kept.
const logRoom = 64 << 10

// rawModuleLoad loads an image, which must end with a NUL if it is PTX. The logs
// are those of the driver's compiler; the second has its complaints.
func rawModuleLoad(d handle, image []byte, options []jitOption) (m handle, info, complaint string, code int32) {
	logs := C.triad_cu_logs{info: (*C.char)(C.calloc(1, logRoom)), error: (*C.char)(C.calloc(1, logRoom)), room: logRoom}
	defer C.free(unsafe.Pointer(logs.info))
	defer C.free(unsafe.Pointer(logs.error))
	// The image goes by way of C memory: whatever the driver keeps of it, it is
	// none of Go's.
	mem := C.CBytes(image)
	defer C.free(mem)
	var c C.CUresult
	var more [C.TRIAD_CU_MAX_JIT]C.triad_cu_jit
	for i := range options[:min(len(options), len(more))] {
		more[i] = C.triad_cu_jit{option: C.int32_t(options[i].id), value: C.uint32_t(options[i].value)}
	}
	m = handle(C.triad_cu_module_load((*C.triad_cu_device)(d), mem, &logs, &more[0], C.uint32_t(min(len(options), len(more))), &c))
	return m, C.GoString(logs.info), C.GoString(logs.error), int32(c)
}

func rawModuleUnload(d, m handle) int32 {
	return int32(C.triad_cu_module_unload((*C.triad_cu_device)(d), C.CUmodule(m)))
}

func rawModuleFunction(d, m handle, name string) (handle, int32) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var code C.CUresult
	f := C.triad_cu_module_function((*C.triad_cu_device)(d), C.CUmodule(m), text, &code)
	return handle(f), int32(code)
}

// rawModuleNames lists the names of a module's functions.
func rawModuleNames(d, m handle) ([]string, int32) {
	dev, mod := (*C.triad_cu_device)(d), C.CUmodule(m)
	var n C.uint32_t
	code := C.triad_cu_module_functions(dev, mod, nil, &n)
	if code != 0 || n == 0 {
		return nil, int32(code)
	}
	list := (*C.CUfunction)(C.calloc(C.size_t(n), C.size_t(unsafe.Sizeof(uintptr(0)))))
	defer C.free(unsafe.Pointer(list))
	room := n
	if code = C.triad_cu_module_functions(dev, mod, list, &n); code != 0 {
		return nil, int32(code)
	}
	names := make([]string, 0, room)
	for _, f := range unsafe.Slice(list, min(n, room)) {
		var name *C.char
		if code = C.triad_cu_function_name(dev, f, &name); code != 0 {
			return nil, int32(code)
		}
		names = append(names, C.GoString(name))
	}
	return names, 0
}

// rawFunctionParam is where parameter i lies, and its size.
func rawFunctionParam(d, f handle, i int) (offset, size uint64, code int32) {
	var o, s C.size_t
	code = int32(C.triad_cu_function_param((*C.triad_cu_device)(d), C.CUfunction(f), C.size_t(i), &o, &s))
	return uint64(o), uint64(s), code
}

func rawFunctionAttribute(d, f handle, attribute int) (int, int32) {
	var v C.int
	code := C.triad_cu_function_attribute((*C.triad_cu_device)(d), C.CUfunction(f), C.int(attribute), &v)
	return int(v), int32(code)
}

func rawFunctionSetAttribute(d, f handle, attribute, value int) int32 {
	return int32(C.triad_cu_function_set_attribute((*C.triad_cu_device)(d), C.CUfunction(f), C.int(attribute), C.int(value)))
}

// rawKernelNew makes the C side of a kernel, with its plan: parameters, then local
// memory. nil when there is no memory.
func rawKernelNew(d, f handle, params, locals []planParam, packed uint32) handle {
	k := C.triad_cu_kernel_new((*C.triad_cu_device)(d), C.CUfunction(f), C.uint32_t(len(params)), C.uint32_t(len(locals)), C.uint32_t(packed))
	if k == nil {
		return nil
	}
	room := unsafe.Slice(C.params(k), len(params)+len(locals))
	for i, p := range append(params[:len(params):len(params)], locals...) {
		room[i] = C.triad_cu_param{offset: C.uint32_t(p.offset), size: C.uint32_t(p.size), kind: C.uint32_t(p.kind)}
	}
	return handle(k)
}

func rawKernelFree(k handle) { C.triad_cu_kernel_free((*C.triad_cu_kernel)(k)) }

// rawKernelNative is the CUfunction.
func rawKernelNative(k handle) handle { return handle((*C.triad_cu_kernel)(k).f) }

// rawLaunch launches, in one crossing. It returns CUDA's code and, where an
// argument was refused before CUDA was asked, its place in the plan; else -1.
func rawLaunch(stream, kernel handle, grid, block driver.Dim3, shared uint32, args unsafe.Pointer) (code int32, arg int) {
	r := C.triad_cu_launch(C.triad_cu_launch_shape{
		stream: ref(stream),
		kernel: ref(kernel),
		grid:   [3]C.uint32_t{C.uint32_t(grid.X), C.uint32_t(grid.Y), C.uint32_t(grid.Z)},
		block:  [3]C.uint32_t{C.uint32_t(block.X), C.uint32_t(block.Y), C.uint32_t(block.Z)},
		shared: C.uint32_t(shared),
	}, (*C.uint8_t)(args))
	return int32(r), int(r>>32) - 1
}
