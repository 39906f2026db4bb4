#include "triad_cuda_memory.h"

#include <stdlib.h>

/* How often each device was reset. Contexts of our own have a counter that stays
 * as it is. */
enum { DEVICES = 256 };
static _Atomic uint32_t resets[DEVICES + 1];

static triad_cu_device *device_new(CUdevice id, CUresult *code, const char **call) {
    *call = "cuDeviceGet";
    if (id < 0 || id >= DEVICES) {
        *code = CUDA_ERROR_INVALID_DEVICE;
        return 0;
    }
    triad_cu_device *d = calloc(1, sizeof *d);
    if (!d) {
        *code = CUDA_ERROR_OUT_OF_MEMORY;
        return 0;
    }
    d->id = id;
    d->resets = &resets[id];
    d->born = atomic_load(d->resets);
    pthread_mutex_init(&d->lock, 0);
    return d;
}

/* Sets up what allocations in stream order need. Without pools, d->pool stays 0.
 * The pool is our own, so that its settings are nobody else's: it keeps what was
 * freed, and never has an allocation wait for another stream. */
static CUresult pool_open(triad_cu_device *d, const char **call) {
    int has = 0;
    *call = "cuDeviceGetAttribute";
    CUresult code = triad_cu.cuDeviceGetAttribute(&has, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, d->id);
    if (code != CUDA_SUCCESS || !has) return code;
    CUmemPoolProps p = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                        .handleTypes = CU_MEM_HANDLE_TYPE_NONE,
                        .location = {CU_MEM_LOCATION_TYPE_DEVICE, d->id}};
    cuuint64_t keep = ~(cuuint64_t)0;
    int no = 0;
    *call = "cuStreamCreateWithPriority";
    if ((code = triad_cu.cuStreamCreateWithPriority(&d->side, CU_STREAM_NON_BLOCKING, 0)) != CUDA_SUCCESS) return code;
    if ((code = triad_cu.cuStreamCreateWithPriority(&d->behind, CU_STREAM_NON_BLOCKING, 0)) != CUDA_SUCCESS) return code;
    *call = "cuMemPoolCreate";
    if ((code = triad_cu.cuMemPoolCreate(&d->pool, &p)) != CUDA_SUCCESS) {
        d->pool = 0;
        return code;
    }
    triad_cu.cuMemPoolSetAttribute(d->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep);
    triad_cu.cuMemPoolSetAttribute(d->pool, CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, &no);
    return CUDA_SUCCESS;
}

static triad_cu_device *opened(triad_cu_device *d, CUresult *code, const char **call) {
    *call = "cuCtxPushCurrent";
    *code = TRIAD_CU_CALM(d, pool_open(d, call));
    if (*code == CUDA_SUCCESS) return d;
    triad_cu_device_close(d);
    return 0;
}

/* Opens the device with its primary context, which is retained. flags are for the
 * context where it isn't active yet; ~0 leaves them as they are. */
triad_cu_device *triad_cu_device_open(CUdevice id, uint32_t flags, CUresult *code, const char **call) {
    triad_cu_device *d = device_new(id, code, call);
    if (!d) return 0;
    *code = CUDA_SUCCESS;
    *call = "cuDevicePrimaryCtxSetFlags";
    if (flags != ~0u) *code = triad_cu.cuDevicePrimaryCtxSetFlags_v2(id, flags);
    if (*code == CUDA_SUCCESS || *code == CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE) {
        *call = "cuDevicePrimaryCtxRetain";
        *code = triad_cu.cuDevicePrimaryCtxRetain(&d->ctx, id);
    }
    if (*code != CUDA_SUCCESS) {
        pthread_mutex_destroy(&d->lock);
        free(d);
        return 0;
    }
    d->primary = 1;
    return opened(d, code, call);
}

/* Opens the device with a context of its own. */
triad_cu_device *triad_cu_device_own(CUdevice id, uint32_t flags, CUresult *code, const char **call) {
    triad_cu_device *d = device_new(id, code, call);
    if (!d) return 0;
    CUctxCreateParams p = {0};
    CUcontext was;
    *call = "cuCtxCreate";
    if (triad_cu.cuCtxCreate_v4)
        *code = triad_cu.cuCtxCreate_v4(&d->ctx, &p, flags, id);
    else if (triad_cu.cuCtxCreate_v2)
        *code = triad_cu.cuCtxCreate_v2(&d->ctx, flags, id);
    else
        *code = CUDA_ERROR_NOT_FOUND;
    if (*code != CUDA_SUCCESS) {
        pthread_mutex_destroy(&d->lock);
        free(d);
        return 0;
    }
    triad_cu.cuCtxPopCurrent_v2(&was); /* it was made current */
    d->resets = &resets[DEVICES];
    d->born = 0;
    return opened(d, code, call);
}

/* Opens the device with a context that is the user's, and stays so. */
triad_cu_device *triad_cu_device_borrow(CUdevice id, CUcontext ctx, CUresult *code, const char **call) {
    triad_cu_device *d = device_new(id, code, call);
    if (!d) return 0;
    d->ctx = ctx;
    d->borrowed = 1;
    return opened(d, code, call);
}

int triad_cu_device_dead(triad_cu_device *d) { return atomic_load(d->resets) != d->born; }

static void slabs_free(triad_cu_device *d) {
    while (d->slabs) {
        triad_cu_slab *slab = d->slabs;
        d->slabs = slab->next;
        triad_cu_pages_free(d, slab->cells);
        free(slab);
    }
}

static void late_free(triad_cu_device *d, int dead) {
    while (d->late) {
        triad_cu_late *late = d->late;
        d->late = late->next;
        if (!dead) triad_cu.cuMemFreeAsync(late->p, d->behind);
        free(late);
    }
}

/* Gives the device up, after everything on it. */
void triad_cu_device_close(triad_cu_device *d) {
    int pushed, dead = triad_cu_enter(d, &pushed) != CUDA_SUCCESS, mode;
    if (!dead) {
        triad_cu_calm(&mode);
        late_free(d, 0);
        if (d->side) triad_cu.cuStreamDestroy_v2(d->side);
        if (d->behind) triad_cu.cuStreamDestroy_v2(d->behind);
        if (d->pool) triad_cu.cuMemPoolDestroy(d->pool);
    }
    if (dead) late_free(d, 1);
    slabs_free(d);
    if (!dead) {
        triad_cu_uncalm(&mode);
        triad_cu_leave(pushed);
        if (d->primary)
            triad_cu.cuDevicePrimaryCtxRelease_v2(d->id);
        else if (!d->borrowed)
            triad_cu.cuCtxDestroy_v2(d->ctx);
    }
    pthread_mutex_destroy(&d->lock);
    free(d);
}

/* Destroys the primary context with all that belongs to it. The counter is raised
 * first, so that nobody enters while it goes. *again is whether the device can be
 * used afterwards. */
CUresult triad_cu_device_reset(triad_cu_device *d, CUresult *again) {
    *again = CUDA_SUCCESS;
    if (!d->primary) return CUDA_ERROR_INVALID_CONTEXT;
    uint32_t now = d->born;
    if (!atomic_compare_exchange_strong(d->resets, &now, d->born + 1)) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    CUresult code = triad_cu.cuDevicePrimaryCtxReset_v2(d->id);
    CUcontext ctx;
    if (code != CUDA_SUCCESS) { /* it is there still, and what is in it is to be freed */
        now = d->born + 1;
        atomic_compare_exchange_strong(d->resets, &now, d->born);
        return code;
    }
    *again = triad_cu.cuDevicePrimaryCtxRetain(&ctx, d->id);
    if (*again == CUDA_SUCCESS) triad_cu.cuDevicePrimaryCtxRelease_v2(d->id);
    return code;
}
