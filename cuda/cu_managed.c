#include "triad_cuda_memory.h"

CUdeviceptr triad_cu_alloc_managed(triad_cu_device *d, size_t size, uint32_t flags, CUresult *code) {
    CUdeviceptr p = 0;
    *code = TRIAD_CU_ALLOC(d, triad_cu.cuMemAllocManaged(&p, size, flags));
    return *code == CUDA_SUCCESS ? p : 0;
}

/* A place as calls before CUDA 12.2 know it: a device, or the host without its NUMA
 * nodes, which is device -1. Returns 0 where they know no such place. */
static int old_place(triad_cu_place at, CUdevice *id) {
    *id = at.type == CU_MEM_LOCATION_TYPE_DEVICE ? at.id : -1;
    return at.type == CU_MEM_LOCATION_TYPE_DEVICE || at.type == CU_MEM_LOCATION_TYPE_HOST;
}

static CUresult advise(uint64_t p, uint64_t n, int advice, triad_cu_place at) {
    CUdevice id;
    if (triad_cu.cuMemAdvise_v2) return triad_cu.cuMemAdvise_v2(p, n, advice, (CUmemLocation){at.type, at.id});
    if (!triad_cu.cuMemAdvise || !old_place(at, &id)) return CUDA_ERROR_NOT_SUPPORTED;
    return triad_cu.cuMemAdvise(p, n, advice, id);
}

CUresult triad_cu_advise(triad_cu_device *d, uint64_t p, uint64_t n, int advice, triad_cu_place at) {
    return TRIAD_CU_CALM(d, advise(p, n, advice, at));
}

static CUresult prefetch(CUstream s, uint64_t p, uint64_t n, triad_cu_place at) {
    CUdevice id;
    if (triad_cu.cuMemPrefetchAsync_v2) return triad_cu.cuMemPrefetchAsync_v2(p, n, (CUmemLocation){at.type, at.id}, 0, s);
    if (!triad_cu.cuMemPrefetchAsync || !old_place(at, &id)) return CUDA_ERROR_NOT_SUPPORTED;
    return triad_cu.cuMemPrefetchAsync(p, n, id, s);
}

CUresult triad_cu_prefetch(triad_cu_stream *s, uint64_t p, uint64_t n, triad_cu_place at) {
    return triad_cu_submitted(s, TRIAD_CU_IN(s->dev, prefetch(s->s, p, n, at)));
}

/* All of one allocation: the driver takes no part of it. */
CUresult triad_cu_attach(triad_cu_stream *s, uint64_t p, uint32_t flags) {
    return triad_cu_submitted(s, TRIAD_CU_IN(s->dev, triad_cu.cuStreamAttachMemAsync(s->s, p, 0, flags)));
}

/* One attribute of a range: n ints. */
CUresult triad_cu_range_attribute(triad_cu_device *d, int attribute, uint64_t p, uint64_t size, int32_t *values, int n) {
    return TRIAD_CU_CALM(d, triad_cu.cuMemRangeGetAttribute(values, (size_t)n * sizeof *values, attribute, p, size));
}
