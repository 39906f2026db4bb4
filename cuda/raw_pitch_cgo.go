//go:build cgo && linux

package cuda

/*
#include "triad_cuda_memory.h"
*/
import "C"

import "github.com/triad-gpu/triad/driver/bounds"

// rawAllocPitch allocates rows at a distance that the driver chooses.
func rawAllocPitch(d handle, width, rows uint64, element uint32) (p, pitch uint64, code int32) {
	var at C.size_t
	var c C.CUresult
	addr := C.triad_cu_alloc_pitch((*C.triad_cu_device)(d), C.size_t(width), C.size_t(rows), C.uint32_t(element), &at, &c)
	return uint64(addr), uint64(at), int32(c)
}

// rawFillRect fills rows with a pattern of size bytes, 1, 2 or 4.
func rawFillRect(s handle, at uint64, r bounds.Region, value, size uint32, bytes, rows, slices uint64) int32 {
	return int32(C.triad_cu_fill_rect((*C.triad_cu_stream)(s), C.uint64_t(at), cRect(r), C.uint32_t(value), C.uint32_t(size),
		C.uint64_t(bytes), C.uint64_t(rows), C.uint64_t(slices)))
}

// rawCopyPeer copies between memory of two devices.
func rawCopyPeer(s, to handle, dst uint64, from handle, src, n uint64) int32 {
	return int32(C.triad_cu_copy_peer((*C.triad_cu_stream)(s), (*C.triad_cu_device)(to), C.uint64_t(dst),
		(*C.triad_cu_device)(from), C.uint64_t(src), C.uint64_t(n)))
}

func rawCopyPeerRect(s, to handle, dst uint64, dr bounds.Region, from handle, src uint64, sr bounds.Region, bytes, rows, slices uint64) int32 {
	return int32(C.triad_cu_copy_peer_rect((*C.triad_cu_stream)(s), (*C.triad_cu_device)(to), C.uint64_t(dst), cRect(dr),
		(*C.triad_cu_device)(from), C.uint64_t(src), cRect(sr), C.uint64_t(bytes), C.uint64_t(rows), C.uint64_t(slices)))
}
