//go:build cgo && linux

package hip

// #include "triad_hip_c.h"
import "C"

func rawStageAlloc(d handle, size uint64) handle {
	return C.triad_hip_pages_alloc((*C.triad_hip_device)(d), C.size_t(size))
}

func rawStageFree(d, p handle) { C.triad_hip_pages_free((*C.triad_hip_device)(d), p) }
