//go:build cgo && linux

package hip

/*
#include "triad_hip_c.h"
*/
import "C"

func rawAllocManaged(d handle, size uint64, flags uint32) (uint64, int32) {
	var code C.hipError_t
	p := C.triad_hip_alloc_managed((*C.triad_hip_device)(d), C.size_t(size), C.uint32_t(flags), &code)
	return uint64(p), int32(code)
}

func rawAdvise(d handle, p, n uint64, advice Advice, at Location) int32 {
	return int32(C.triad_hip_advise((*C.triad_hip_device)(d), C.uint64_t(p), C.uint64_t(n), C.int(advice), cPlace(at)))
}

func rawPrefetch(s handle, p, n uint64, at Location) int32 {
	return int32(C.triad_hip_prefetch((*C.triad_hip_stream)(s), C.uint64_t(p), C.uint64_t(n), cPlace(at)))
}

func rawAttach(s handle, p uint64, flags uint32) int32 {
	return int32(C.triad_hip_attach((*C.triad_hip_stream)(s), C.uint64_t(p), C.uint32_t(flags)))
}

// rawRangeAttribute fills values with an attribute of managed memory.
func rawRangeAttribute(d handle, attribute int32, p, n uint64, values []int32) int32 {
	return int32(C.triad_hip_range_attribute((*C.triad_hip_device)(d), C.int(attribute), C.uint64_t(p), C.uint64_t(n),
		(*C.int32_t)(&values[0]), C.int(len(values))))
}
