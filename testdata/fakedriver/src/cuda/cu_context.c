/* cu_context.c: contexts. */
#include "cu.h"

/* What a lost device answers to those who want a context of it. */
static int there(CUdevice device) {
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    int code = fk_device_lost(device);
    return code ? FK_RAW_CODE(code) : FK_OK;
}

static int bad_flags(unsigned flags) {
    unsigned sched = flags & CU_CTX_SCHED_MASK;
    return flags & ~(unsigned)CU_CTX_FLAGS_MASK || (sched & (sched - 1));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *ctx, CUdevice device) {
    ENTER_FREE(cuDevicePrimaryCtxRetain);
    fk_handle h;
    LEAVE_IF(!ctx, FK_INVALID_VALUE);
    int status = there(device);
    if (!status) status = fk_primary_retain(device, &h);
    if (!status) *ctx = OUT(CUcontext, h);
    LEAVE(status);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    ENTER_FREE(cuDevicePrimaryCtxRelease_v2);
    LEAVE(fk_primary_release(device));
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
    ENTER_FREE(cuDevicePrimaryCtxReset_v2);
    LEAVE(fk_primary_reset(device));
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
    ENTER_FREE(cuDevicePrimaryCtxSetFlags_v2);
    LEAVE_IF(bad_flags(flags), FK_INVALID_VALUE);
    LEAVE(fk_primary_set_flags(device, flags));
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
    ENTER_FREE(cuDevicePrimaryCtxGetState);
    LEAVE_IF(!flags || !active, FK_INVALID_VALUE);
    LEAVE(fk_primary_state(device, flags, active));
}

static int create(CUcontext *ctx, unsigned flags, CUdevice device) {
    fk_handle h;
    if (!ctx || bad_flags(flags)) return FK_INVALID_VALUE;
    int status = there(device);
    if (!status) status = fk_context_create(device, flags, &h);
    if (!status) *ctx = OUT(CUcontext, h);
    return status;
}

CUresult cuCtxCreate_v2(CUcontext *ctx, unsigned flags, CUdevice device) {
    ENTER_FREE(cuCtxCreate_v2);
    LEAVE(create(ctx, flags, device));
}

CUresult cuCtxCreate_v4(CUcontext *ctx, CUctxCreateParams *params, unsigned flags, CUdevice device) {
    ENTER_FREE(cuCtxCreate_v4);
    LEAVE_IF(params && (params->numExecAffinityParams || params->cigParams), FK_NOT_SUPPORTED);
    LEAVE(create(ctx, flags, device));
}

CUresult cuCtxDestroy_v2(CUcontext ctx) {
    ENTER_FREE(cuCtxDestroy_v2);
    LEAVE(fk_context_destroy(H(ctx)));
}

CUresult cuCtxPushCurrent_v2(CUcontext ctx) {
    ENTER_FREE(cuCtxPushCurrent_v2);
    LEAVE(fk_context_push(H(ctx)));
}

CUresult cuCtxPopCurrent_v2(CUcontext *ctx) {
    ENTER_FREE(cuCtxPopCurrent_v2);
    fk_handle h;
    int status = fk_context_pop(&h);
    if (!status && ctx) *ctx = OUT(CUcontext, h);
    LEAVE(status);
}

CUresult cuCtxGetCurrent(CUcontext *ctx) {
    ENTER_FREE(cuCtxGetCurrent);
    LEAVE_IF(!ctx, FK_INVALID_VALUE);
    *ctx = OUT(CUcontext, fk_context_get());
    LEAVE(FK_OK);
}

CUresult cuCtxSetCurrent(CUcontext ctx) {
    ENTER_FREE(cuCtxSetCurrent);
    LEAVE(fk_context_set(H(ctx)));
}

CUresult cuCtxGetDevice(CUdevice *device) {
    ENTER_FREE(cuCtxGetDevice);
    LEAVE_IF(!device, FK_INVALID_VALUE);
    LEAVE(fk_context_device(device));
}

CUresult cuCtxSynchronize(void) {
    ENTER(cuCtxSynchronize);
    LEAVE(fk_context_sync());
}

CUresult cuCtxGetFlags(unsigned *flags) {
    ENTER(cuCtxGetFlags);
    LEAVE_IF(!flags, FK_INVALID_VALUE);
    LEAVE(fk_context_flags(flags));
}

CUresult cuCtxSetFlags(unsigned flags) {
    ENTER(cuCtxSetFlags);
    LEAVE_IF(bad_flags(flags), FK_INVALID_VALUE);
    LEAVE(fk_context_set_flags(flags));
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long *id) {
    ENTER_FREE(cuCtxGetId);
    uint64_t n;
    LEAVE_IF(!id, FK_INVALID_VALUE);
    int status = fk_context_id(H(ctx), &n);
    if (!status) *id = n;
    LEAVE(status);
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned *version) {
    ENTER_FREE(cuCtxGetApiVersion);
    uint64_t id;
    LEAVE_IF(!version, FK_INVALID_VALUE);
    int status = fk_context_id(H(ctx), &id);
    if (!status) *version = 3020;
    LEAVE(status);
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
    ENTER(cuCtxGetLimit);
    uint64_t n;
    LEAVE_IF(!value, FK_INVALID_VALUE);
    int status = fk_context_limit(limit, &n, 0);
    if (!status) *value = n;
    LEAVE(status);
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
    ENTER(cuCtxSetLimit);
    uint64_t n = value;
    LEAVE(fk_context_limit(limit, &n, 1));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
    ENTER(cuCtxGetCacheConfig);
    LEAVE_IF(!config, FK_INVALID_VALUE);
    LEAVE(fk_context_cache(config, 0));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
    ENTER(cuCtxSetCacheConfig);
    LEAVE_IF(config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL, FK_INVALID_VALUE);
    LEAVE(fk_context_cache(&config, 1));
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    ENTER(cuCtxGetStreamPriorityRange);
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    LEAVE(FK_OK);
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
    ENTER(cuCtxEnablePeerAccess);
    LEAVE_IF(flags, FK_INVALID_VALUE);
    LEAVE(fk_context_peer(H(peer), 1));
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
    ENTER(cuCtxDisablePeerAccess);
    LEAVE(fk_context_peer(H(peer), 0));
}

CUresult cuCtxResetPersistingL2Cache(void) {
    ENTER(cuCtxResetPersistingL2Cache);
    LEAVE(FK_OK);
}
