//go:build cgo && linux

package cuda

// #include "triad_cuda_memory.h"
import "C"

func rawStageAlloc(d handle, size uint64) handle {
	return C.triad_cu_pages_alloc((*C.triad_cu_device)(d), C.size_t(size))
}

func rawStageFree(d, p handle) { C.triad_cu_pages_free((*C.triad_cu_device)(d), p) }
