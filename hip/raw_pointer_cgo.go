//go:build cgo && linux

package hip

/*
#include "triad_hip_c.h"
*/
import "C"

// rawPointer is what the driver knows of an address.
func rawPointer(d handle, p uint64) (pointerFacts, int32) {
	var f C.triad_hip_pointer_facts
	code := C.triad_hip_pointer((*C.triad_hip_device)(d), C.uint64_t(p), &f)
	return pointerFacts{
		kind: uint32(f._type), device: int32(f.device), at: uint64(f.at), host: uint64(f.host),
		base: uint64(f.base), size: uint64(f.size), id: uint64(f.id), managed: f.managed != 0,
	}, int32(code)
}

// rawHostRegister page-locks memory, which the device then sees at the same address.
// The driver keeps the address: memory of Go's must be pinned. After a failure it may be
// page-locked all the same.
func rawHostRegister(d handle, p, size uint64, flags uint32) (code int32, registered bool) {
	var r C.int
	code = int32(C.triad_hip_host_register((*C.triad_hip_device)(d), C.uint64_t(p), C.size_t(size), C.uint32_t(flags), &r))
	return code, r != 0
}

// rawHostUnregister tells whether the memory is its owner's alone again.
func rawHostUnregister(d handle, p uint64) bool {
	return C.triad_hip_host_unregister((*C.triad_hip_device)(d), C.uint64_t(p)) != 0
}

// rawIPCExport describes memory for another process.
func rawIPCExport(d handle, p uint64) (h [64]byte, code int32) {
	code = int32(C.triad_hip_ipc_export((*C.triad_hip_device)(d), C.uint64_t(p), (*C.uint8_t)(&h[0])))
	return h, code
}

// rawIPCOpen opens another process's memory; size is 0 where the driver doesn't
// tell it.
func rawIPCOpen(d handle, h [64]byte) (p, size uint64, code int32) {
	var n C.uint64_t
	var c C.hipError_t
	at := C.triad_hip_ipc_open((*C.triad_hip_device)(d), (*C.uint8_t)(&h[0]), &n, &c)
	return uint64(at), uint64(n), int32(c)
}

func rawIPCClose(d handle, p uint64) int32 {
	return int32(C.triad_hip_ipc_close((*C.triad_hip_device)(d), C.uint64_t(p)))
}
