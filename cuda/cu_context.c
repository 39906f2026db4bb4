#include "triad_cuda.h"

/* What two devices can do with each other's memory. */
CUresult triad_cu_peer_possible(CUdevice from, CUdevice to, int *yes) { return triad_cu.cuDeviceCanAccessPeer(yes, from, to); }

CUresult triad_cu_peer_attribute(CUdevice from, CUdevice to, int attribute, int *value) {
    return triad_cu.cuDeviceGetP2PAttribute(value, attribute, from, to);
}

/* Memory of a pool is not covered by cuCtxEnablePeerAccess: each pool is told who
 * may read and write it. */
static CUresult pool_access(triad_cu_device *of, CUdevice who, CUmemAccess_flags how) {
    if (!of->pool) return CUDA_SUCCESS;
    CUmemAccessDesc access = {.location = {CU_MEM_LOCATION_TYPE_DEVICE, who}, .flags = how};
    return triad_cu.cuMemPoolSetAccess(of->pool, &access, 1);
}

/* Has d's kernels read and write peer's memory. That they can already is no error. */
CUresult triad_cu_peer_enable(triad_cu_device *d, triad_cu_device *peer) {
    CUresult code = TRIAD_CU_CALM(d, triad_cu.cuCtxEnablePeerAccess(peer->ctx, 0));
    if (code != CUDA_SUCCESS && code != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) return code;
    return TRIAD_CU_CALM(peer, pool_access(peer, d->id, CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
}

CUresult triad_cu_peer_disable(triad_cu_device *d, triad_cu_device *peer) {
    CUresult code = TRIAD_CU_CALM(d, triad_cu.cuCtxDisablePeerAccess(peer->ctx));
    if (code != CUDA_SUCCESS && code != CUDA_ERROR_PEER_ACCESS_NOT_ENABLED) return code;
    return TRIAD_CU_CALM(peer, pool_access(peer, d->id, CU_MEM_ACCESS_FLAGS_PROT_NONE));
}

CUresult triad_cu_primary_state(CUdevice id, unsigned int *flags, int *active) {
    return triad_cu.cuDevicePrimaryCtxGetState(id, flags, active);
}

CUresult triad_cu_primary_flags(CUdevice id, unsigned int flags) { return triad_cu.cuDevicePrimaryCtxSetFlags_v2(id, flags); }

CUresult triad_cu_context_limit(triad_cu_device *d, int limit, size_t *value) {
    return TRIAD_CU_CALM(d, triad_cu.cuCtxGetLimit(value, limit));
}

CUresult triad_cu_context_set_limit(triad_cu_device *d, int limit, size_t value) {
    return TRIAD_CU_CALM(d, triad_cu.cuCtxSetLimit(limit, value));
}

CUresult triad_cu_context_cache(triad_cu_device *d, int *config) {
    return TRIAD_CU_CALM(d, triad_cu.cuCtxGetCacheConfig(config));
}

CUresult triad_cu_context_set_cache(triad_cu_device *d, int config) {
    return TRIAD_CU_CALM(d, triad_cu.cuCtxSetCacheConfig(config));
}

CUresult triad_cu_context_priorities(triad_cu_device *d, int *least, int *greatest) {
    return TRIAD_CU_CALM(d, triad_cu.cuCtxGetStreamPriorityRange(least, greatest));
}

CUresult triad_cu_context_flags(triad_cu_device *d, unsigned int *flags) {
    return TRIAD_CU_CALM(d, triad_cu.cuCtxGetFlags(flags));
}

CUresult triad_cu_context_set_flags(triad_cu_device *d, unsigned int flags) {
    if (!triad_cu.cuCtxSetFlags) return CUDA_ERROR_NOT_SUPPORTED;
    return TRIAD_CU_CALM(d, triad_cu.cuCtxSetFlags(flags));
}

CUresult triad_cu_context_id(triad_cu_device *d, unsigned long long *id) {
    if (!triad_cu.cuCtxGetId) return CUDA_ERROR_NOT_SUPPORTED;
    return TRIAD_CU_CALM(d, triad_cu.cuCtxGetId(d->ctx, id));
}

CUresult triad_cu_context_api(triad_cu_device *d, unsigned int *version) {
    return TRIAD_CU_CALM(d, triad_cu.cuCtxGetApiVersion(d->ctx, version));
}

CUresult triad_cu_context_reset_l2(triad_cu_device *d) { return TRIAD_CU_CALM(d, triad_cu.cuCtxResetPersistingL2Cache()); }
