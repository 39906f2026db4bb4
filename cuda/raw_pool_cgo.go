//go:build cgo && linux

package cuda

/*
#cgo noescape ref_alloc_on
#cgo nocallback ref_alloc_on

#include "triad_cuda_memory.h"

static CUdeviceptr ref_alloc_on(uintptr_t s, uintptr_t pool, size_t size, CUresult *code) {
    return triad_cu_alloc_on((triad_cu_stream *)s, (CUmemoryPool)pool, size, code);
}
*/
import "C"

// rawPoolNew makes a pool of at most max bytes, 0 for no limit, that keeps as many
// as told when all is freed.
func rawPoolNew(d handle, max, keep uint64, shareable bool) (handle, int32) {
	var code C.CUresult
	p := C.triad_cu_pool_new((*C.triad_cu_device)(d), C.uint64_t(max), C.uint64_t(keep), flag(shareable), &code)
	return handle(p), int32(code)
}

func rawPoolDestroy(d, pool handle) int32 {
	return int32(C.triad_cu_pool_destroy((*C.triad_cu_device)(d), C.CUmemoryPool(pool)))
}

// rawPoolOwn is the pool of the opening; nil without pools.
func rawPoolOwn(d handle) handle { return handle((*C.triad_cu_device)(d).pool) }

// rawPoolOfDevice is the driver's pool of the device, or the one that is current.
func rawPoolOfDevice(d handle, current bool) (handle, int32) {
	var code C.CUresult
	p := C.triad_cu_pool_of_device((*C.triad_cu_device)(d), flag(current), &code)
	return handle(p), int32(code)
}

func rawPoolMakeCurrent(d, pool handle) int32 {
	return int32(C.triad_cu_pool_make_current((*C.triad_cu_device)(d), C.CUmemoryPool(pool)))
}

func rawPoolGet(d, pool handle, attribute int32) (uint64, int32) {
	var v C.uint64_t
	code := C.triad_cu_pool_get((*C.triad_cu_device)(d), C.CUmemoryPool(pool), C.int(attribute), &v)
	return uint64(v), int32(code)
}

func rawPoolSet(d, pool handle, attribute int32, value uint64) int32 {
	return int32(C.triad_cu_pool_set((*C.triad_cu_device)(d), C.CUmemoryPool(pool), C.int(attribute), C.uint64_t(value)))
}

func rawPoolTrim(d, pool handle, keep uint64) int32 {
	return int32(C.triad_cu_pool_trim((*C.triad_cu_device)(d), C.CUmemoryPool(pool), C.uint64_t(keep)))
}

func rawPoolSetAccess(d, pool handle, at Location, access Access) int32 {
	return int32(C.triad_cu_pool_set_access((*C.triad_cu_device)(d), C.CUmemoryPool(pool), cPlace(at), C.int(access)))
}

func rawPoolGetAccess(d, pool handle, at Location) (int, int32) {
	var a C.int
	code := C.triad_cu_pool_get_access((*C.triad_cu_device)(d), C.CUmemoryPool(pool), cPlace(at), &a)
	return int(a), int32(code)
}

// rawPoolExport is a file descriptor that stands for the pool.
func rawPoolExport(d, pool handle) (fd int, code int32) {
	var f C.int
	code = int32(C.triad_cu_pool_export((*C.triad_cu_device)(d), C.CUmemoryPool(pool), &f))
	return int(f), code
}

func rawPoolImport(d handle, fd uintptr) (handle, int32) {
	var code C.CUresult
	p := C.triad_cu_pool_import((*C.triad_cu_device)(d), C.int(fd), &code)
	return handle(p), int32(code)
}

// rawPoolExportPointer describes memory of a pool for another process.
func rawPoolExportPointer(d handle, p uint64) (data [64]byte, code int32) {
	code = int32(C.triad_cu_pool_export_pointer((*C.triad_cu_device)(d), C.CUdeviceptr(p), (*C.uint8_t)(&data[0])))
	return data, code
}

func rawPoolImportPointer(d, pool handle, data [64]byte) (uint64, int32) {
	var code C.CUresult
	p := C.triad_cu_pool_import_pointer((*C.triad_cu_device)(d), C.CUmemoryPool(pool), (*C.uint8_t)(&data[0]), &code)
	return uint64(p), int32(code)
}

// rawAllocOn allocates in the order of a stream, from a pool or, with nil, from
// the device's own.
func rawAllocOn(s, pool handle, size uint64) (uint64, int32) {
	var code C.CUresult
	p := C.ref_alloc_on(ref(s), ref(pool), C.size_t(size), &code)
	return uint64(p), int32(code)
}

func cPlace(at Location) C.triad_cu_place {
	return C.triad_cu_place{_type: C.int32_t(at.kind), id: C.int32_t(at.id)}
}
