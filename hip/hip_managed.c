#include "triad_hip_c.h"

uint64_t triad_hip_alloc_managed(triad_hip_device *d, size_t size, uint32_t flags, hipError_t *code) {
    void *p = 0;
    *code = TRIAD_HIP_ALLOC(d, triad_hip.hipMallocManaged(&p, size, flags));
    return *code == hipSuccess ? (uint64_t)(uintptr_t)p : 0;
}

/* A place as calls before HIP 7.1 know it: a device, or the host without its NUMA
 * nodes, which is device -1. Returns 0 where they know no such place. */
static int old_place(triad_hip_place at, int *id) {
    *id = at.type == hipMemLocationTypeDevice ? at.id : hipCpuDeviceId;
    return at.type == hipMemLocationTypeDevice || at.type == hipMemLocationTypeHost;
}

static hipError_t advise(uint64_t p, uint64_t n, int advice, triad_hip_place at) {
    int id;
    if (triad_hip.hipMemAdvise && old_place(at, &id)) return triad_hip.hipMemAdvise(triad_hip_ptr(p), n, advice, id);
    if (!triad_hip.hipMemAdvise_v2) return hipErrorNotSupported;
    return triad_hip.hipMemAdvise_v2(triad_hip_ptr(p), n, advice, (hipMemLocation){at.type, at.id});
}

hipError_t triad_hip_advise(triad_hip_device *d, uint64_t p, uint64_t n, int advice, triad_hip_place at) {
    return TRIAD_HIP_CALM(d, advise(p, n, advice, at));
}

static hipError_t prefetch(hipStream_t s, uint64_t p, uint64_t n, triad_hip_place at) {
    int id;
    if (triad_hip.hipMemPrefetchAsync && old_place(at, &id)) return triad_hip.hipMemPrefetchAsync(triad_hip_ptr(p), n, id, s);
    if (!triad_hip.hipMemPrefetchAsync_v2) return hipErrorNotSupported;
    return triad_hip.hipMemPrefetchAsync_v2(triad_hip_ptr(p), n, (hipMemLocation){at.type, at.id}, 0, s);
}

hipError_t triad_hip_prefetch(triad_hip_stream *s, uint64_t p, uint64_t n, triad_hip_place at) {
    return triad_hip_submitted(s, TRIAD_HIP_CALM(s->dev, prefetch(s->s, p, n, at)));
}

/* All of one allocation. */
hipError_t triad_hip_attach(triad_hip_stream *s, uint64_t p, uint32_t flags) {
    if (!triad_hip.hipStreamAttachMemAsync) return hipErrorNotSupported;
    return triad_hip_submitted(s, TRIAD_HIP_CALM(s->dev, triad_hip.hipStreamAttachMemAsync(s->s, triad_hip_ptr(p), 0, flags)));
}

/* One attribute of a range: n ints. */
hipError_t triad_hip_range_attribute(triad_hip_device *d, int attribute, uint64_t p, uint64_t size, int32_t *values, int n) {
    if (!triad_hip.hipMemRangeGetAttribute) return hipErrorNotSupported;
    return TRIAD_HIP_CALM(d, triad_hip.hipMemRangeGetAttribute(values, (size_t)n * sizeof *values, attribute, triad_hip_ptr(p), size));
}
