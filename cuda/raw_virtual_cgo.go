//go:build cgo && linux

package cuda

/*
#include "triad_cuda_memory.h"
*/
import "C"

// rawReserve reserves addresses, near the one given if that is possible.
func rawReserve(d handle, size, align, near uint64) (uint64, int32) {
	var code C.CUresult
	p := C.triad_cu_reserve((*C.triad_cu_device)(d), C.uint64_t(size), C.uint64_t(align), C.uint64_t(near), &code)
	return uint64(p), int32(code)
}

func rawUnreserve(d handle, at, size uint64) int32 {
	return int32(C.triad_cu_unreserve((*C.triad_cu_device)(d), C.uint64_t(at), C.uint64_t(size)))
}

func cPhysical(o PhysicalOptions) C.triad_cu_physical_kind {
	return C.triad_cu_physical_kind{
		at: cPlace(o.Where), shareable: C.int32_t(flag(o.Shareable)), compressible: C.int32_t(flag(o.Compressible)), rdma: C.int32_t(flag(o.RDMA)),
	}
}

// rawGranularity is what sizes of physical memory are multiples of.
func rawGranularity(d handle, o PhysicalOptions, recommended bool) (uint64, int32) {
	var n C.uint64_t
	code := C.triad_cu_granularity((*C.triad_cu_device)(d), cPhysical(o), flag(recommended), &n)
	return uint64(n), int32(code)
}

func rawPhysicalNew(d handle, o PhysicalOptions, size uint64) (h uint64, code int32) {
	var got C.uint64_t
	code = int32(C.triad_cu_physical_new((*C.triad_cu_device)(d), cPhysical(o), C.uint64_t(size), &got))
	return uint64(got), code
}

func rawPhysicalRelease(d handle, h uint64) int32 {
	return int32(C.triad_cu_physical_release((*C.triad_cu_device)(d), C.uint64_t(h)))
}

// rawPhysicalExport is a file descriptor that stands for the memory.
func rawPhysicalExport(d handle, h uint64) (fd int, code int32) {
	var f C.int
	code = int32(C.triad_cu_physical_export((*C.triad_cu_device)(d), C.uint64_t(h), &f))
	return int(f), code
}

func rawPhysicalImport(d handle, fd uintptr) (h uint64, code int32) {
	var got C.uint64_t
	code = int32(C.triad_cu_physical_import((*C.triad_cu_device)(d), C.int(fd), &got))
	return uint64(got), code
}

// rawMap maps physical memory, and lets the device read and write it.
func rawMap(d handle, at, size, h uint64) int32 {
	return int32(C.triad_cu_map((*C.triad_cu_device)(d), C.uint64_t(at), C.uint64_t(size), C.uint64_t(h)))
}

func rawUnmap(d handle, at, size uint64) int32 {
	return int32(C.triad_cu_unmap((*C.triad_cu_device)(d), C.uint64_t(at), C.uint64_t(size)))
}

func rawSetAccess(d handle, at, size uint64, who Location, access Access) int32 {
	return int32(C.triad_cu_set_access((*C.triad_cu_device)(d), C.uint64_t(at), C.uint64_t(size), cPlace(who), C.int(access)))
}

func rawGetAccess(d handle, at uint64, who Location) (int, int32) {
	var a C.int
	code := C.triad_cu_get_access((*C.triad_cu_device)(d), C.uint64_t(at), cPlace(who), &a)
	return int(a), int32(code)
}
