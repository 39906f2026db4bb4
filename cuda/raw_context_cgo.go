//go:build cgo && linux

package cuda

// #include "triad_cuda.h"
import "C"

func rawPeerPossible(from, to int32) (bool, int32) {
	var yes C.int
	code := C.triad_cu_peer_possible(C.CUdevice(from), C.CUdevice(to), &yes)
	return yes != 0, int32(code)
}

func rawPeerAttribute(from, to int32, attribute int) (int, int32) {
	var v C.int
	code := C.triad_cu_peer_attribute(C.CUdevice(from), C.CUdevice(to), C.int(attribute), &v)
	return int(v), int32(code)
}

// rawPeerEnable has d's kernels reach peer's memory.
func rawPeerEnable(d, peer handle) int32 {
	return int32(C.triad_cu_peer_enable((*C.triad_cu_device)(d), (*C.triad_cu_device)(peer)))
}

func rawPeerDisable(d, peer handle) int32 {
	return int32(C.triad_cu_peer_disable((*C.triad_cu_device)(d), (*C.triad_cu_device)(peer)))
}

func rawPrimaryState(id int32) (flags uint32, active bool, code int32) {
	var f C.uint
	var a C.int
	code = int32(C.triad_cu_primary_state(C.CUdevice(id), &f, &a))
	return uint32(f), a != 0, code
}

func rawPrimaryFlags(id int32, flags uint32) int32 {
	return int32(C.triad_cu_primary_flags(C.CUdevice(id), C.uint(flags)))
}

func rawContextLimit(d handle, limit int) (uint64, int32) {
	var v C.size_t
	code := C.triad_cu_context_limit((*C.triad_cu_device)(d), C.int(limit), &v)
	return uint64(v), int32(code)
}

func rawContextSetLimit(d handle, limit int, value uint64) int32 {
	return int32(C.triad_cu_context_set_limit((*C.triad_cu_device)(d), C.int(limit), C.size_t(value)))
}

func rawContextCache(d handle) (int, int32) {
	var v C.int
	code := C.triad_cu_context_cache((*C.triad_cu_device)(d), &v)
	return int(v), int32(code)
}

func rawContextSetCache(d handle, config int) int32 {
	return int32(C.triad_cu_context_set_cache((*C.triad_cu_device)(d), C.int(config)))
}

func rawContextPriorities(d handle) (least, greatest int, code int32) {
	var l, g C.int
	code = int32(C.triad_cu_context_priorities((*C.triad_cu_device)(d), &l, &g))
	return int(l), int(g), code
}

func rawContextFlags(d handle) (uint32, int32) {
	var f C.uint
	code := C.triad_cu_context_flags((*C.triad_cu_device)(d), &f)
	return uint32(f), int32(code)
}

func rawContextSetFlags(d handle, flags uint32) int32 {
	return int32(C.triad_cu_context_set_flags((*C.triad_cu_device)(d), C.uint(flags)))
}

func rawContextID(d handle) (uint64, int32) {
	var id C.ulonglong
	code := C.triad_cu_context_id((*C.triad_cu_device)(d), &id)
	return uint64(id), int32(code)
}

func rawContextAPI(d handle) (int, int32) {
	var v C.uint
	code := C.triad_cu_context_api((*C.triad_cu_device)(d), &v)
	return int(v), int32(code)
}

func rawContextResetL2(d handle) int32 {
	return int32(C.triad_cu_context_reset_l2((*C.triad_cu_device)(d)))
}
