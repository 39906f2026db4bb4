//go:build cgo && linux

package cuda

/*
#cgo nocallback ref_copy
#cgo nocallback ref_copy_rect
#cgo nocallback ref_fill
#cgo nocallback ref_free
#cgo nocallback ref_upload
#cgo noescape ref_upload

#include "triad_cuda.h"

static CUresult ref_copy(uintptr_t s, uint64_t dst, uint64_t src, uint64_t n, uint32_t ends) {
    return triad_cu_copy((triad_cu_stream *)s, dst, src, n, ends);
}
// The host memory may lie in a Go object that has pointers elsewhere: cgo, which
// would refuse it, sees bytes.
static int64_t ref_upload(uintptr_t s, uint64_t dst, const uint8_t *src, uint64_t n, int ask) {
    int pinned;
    CUresult code = triad_cu_upload((triad_cu_stream *)s, dst, src, n, ask, &pinned);
    return (int64_t)pinned << 32 | (uint32_t)code;
}
static CUresult ref_copy_rect(uintptr_t s, uint64_t dst, triad_cu_rect dr, uint64_t src, triad_cu_rect sr,
                              uint64_t bytes, uint64_t rows, uint64_t slices) {
    return triad_cu_copy_rect((triad_cu_stream *)s, dst, dr, src, sr, bytes, rows, slices);
}
static CUresult ref_fill(uintptr_t s, uint64_t dst, uint64_t n, uint64_t lo, uint64_t hi, uint32_t len) {
    return triad_cu_fill((triad_cu_stream *)s, dst, n, lo, hi, len);
}
static CUresult ref_free(uintptr_t d, CUdeviceptr p, uintptr_t home, size_t keep) {
    return triad_cu_free((triad_cu_device *)d, p, (triad_cu_stream *)home, keep);
}
*/
import "C"

import (
	"unsafe"

	"github.com/triad-gpu/triad/driver/bounds"
)

// rawAlloc allocates from the device's pool, or plainly where it has none.
func rawAlloc(d handle, size uint64) (uint64, int32) {
	var code C.CUresult
	p := C.triad_cu_alloc((*C.triad_cu_device)(d), C.size_t(size), &code)
	return uint64(p), int32(code)
}

// rawAllocPlain allocates from no pool.
func rawAllocPlain(d handle, size uint64) (uint64, int32) {
	var code C.CUresult
	p := C.triad_cu_alloc_plain((*C.triad_cu_device)(d), C.size_t(size), &code)
	return uint64(p), int32(code)
}

// rawPinned tells whether host memory is page-locked.
func rawPinned(d handle, p unsafe.Pointer) bool {
	return C.triad_cu_is_pinned((*C.triad_cu_device)(d), C.uint64_t(word(p))) != 0
}

// rawFree frees memory of a pool behind everything enqueued on the device. home is the
// stream that it was allocated on; nil if none. It may be gone; else it may keep the
// memory for its next allocation, if keep, its size, is not 0.
func rawFree(d handle, p uint64, home handle, keep uint64) int32 {
	return int32(C.ref_free(ref(d), C.CUdeviceptr(p), ref(home), C.size_t(keep)))
}

// rawFreePlain frees memory of no pool; it may wait for the device.
func rawFreePlain(d handle, p uint64) int32 {
	return int32(C.triad_cu_free_plain((*C.triad_cu_device)(d), C.CUdeviceptr(p)))
}

// rawHostAlloc allocates page-locked memory; at is where the device sees it.
func rawHostAlloc(d handle, size uint64, flags uint32) (p handle, at uint64, code int32) {
	var c C.CUresult
	var a C.CUdeviceptr
	p = C.triad_cu_host_alloc((*C.triad_cu_device)(d), C.size_t(size), C.uint32_t(flags), &a, &c)
	return p, uint64(a), int32(c)
}

func rawHostFree(d, p handle) int32 { return int32(C.triad_cu_host_free((*C.triad_cu_device)(d), p)) }

func rawCopy(s handle, dst, src, n uint64, ends uint32) int32 {
	return int32(C.ref_copy(ref(s), C.uint64_t(dst), C.uint64_t(src), C.uint64_t(n), C.uint32_t(ends)))
}

// rawUpload copies at most 64 KiB from memory that the driver reads before it
// returns; if pinned, which is only found out if asked, it would read it later, and did
// nothing.
func rawUpload(s handle, dst uint64, src unsafe.Pointer, n uint64, ask bool) (pinned bool, code int32) {
	r := C.ref_upload(ref(s), C.uint64_t(dst), (*C.uint8_t)(src), C.uint64_t(n), flag(ask))
	return r>>32 != 0, int32(r)
}

func rawCopyRect(s handle, dst uint64, dr bounds.Region, src uint64, sr bounds.Region, bytes, rows, slices uint64) int32 {
	return int32(C.ref_copy_rect(ref(s), C.uint64_t(dst), cRect(dr), C.uint64_t(src), cRect(sr),
		C.uint64_t(bytes), C.uint64_t(rows), C.uint64_t(slices)))
}

func cRect(r bounds.Region) C.triad_cu_rect {
	return C.triad_cu_rect{offset: C.uint64_t(r.Offset), row: C.uint64_t(r.Row), slice: C.uint64_t(r.Slice)}
}

func rawFill(s handle, dst, n, lo, hi uint64, size uint32) int32 {
	return int32(C.ref_fill(ref(s), C.uint64_t(dst), C.uint64_t(n), C.uint64_t(lo), C.uint64_t(hi), C.uint32_t(size)))
}
