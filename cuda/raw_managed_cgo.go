//go:build cgo && linux

package cuda

/*
#include "triad_cuda_memory.h"
*/
import "C"

func rawAllocManaged(d handle, size uint64, flags uint32) (uint64, int32) {
	var code C.CUresult
	p := C.triad_cu_alloc_managed((*C.triad_cu_device)(d), C.size_t(size), C.uint32_t(flags), &code)
	return uint64(p), int32(code)
}

func rawAdvise(d handle, p, n uint64, advice Advice, at Location) int32 {
	return int32(C.triad_cu_advise((*C.triad_cu_device)(d), C.uint64_t(p), C.uint64_t(n), C.int(advice), cPlace(at)))
}

func rawPrefetch(s handle, p, n uint64, at Location) int32 {
	return int32(C.triad_cu_prefetch((*C.triad_cu_stream)(s), C.uint64_t(p), C.uint64_t(n), cPlace(at)))
}

func rawAttach(s handle, p uint64, flags uint32) int32 {
	return int32(C.triad_cu_attach((*C.triad_cu_stream)(s), C.uint64_t(p), C.uint32_t(flags)))
}

// rawRangeAttribute fills values with an attribute of managed memory.
func rawRangeAttribute(d handle, attribute int32, p, n uint64, values []int32) int32 {
	return int32(C.triad_cu_range_attribute((*C.triad_cu_device)(d), C.int(attribute), C.uint64_t(p), C.uint64_t(n),
		(*C.int32_t)(&values[0]), C.int(len(values))))
}
