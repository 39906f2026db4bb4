#include "triad_hip_c.h"

#include <stdlib.h>

/* How often each device was reset. */
enum { DEVICES = 256 };
static _Atomic uint32_t resets[DEVICES];

/* Sets up what allocations in stream order need. Without pools, d->pool stays 0.
 * The pool is our own, so that its settings are nobody else's: it keeps what was
 * freed, and never has an allocation wait for another stream. */
static hipError_t pool_open(triad_hip_device *d, const char **call) {
    int has = 0;
    *call = "hipDeviceGetAttribute";
    if (triad_hip_checked(triad_hip.hipDeviceGetAttribute(&has, hipDeviceAttributeCanUseStreamWaitValue, d->id)) == hipSuccess)
        d->words = has != 0 && triad_hip.hipStreamWriteValue32;
    hipError_t code = triad_hip_checked(triad_hip.hipDeviceGetAttribute(&has, hipDeviceAttributeMemoryPoolsSupported, d->id));
    if (code != hipSuccess || !has || !triad_hip.hipMemPoolCreate || !triad_hip.hipMemPoolDestroy || !triad_hip.hipMallocFromPoolAsync || !triad_hip.hipFreeAsync)
        return hipSuccess;
    hipMemPoolProps p = {.allocType = hipMemAllocationTypePinned,
                         .handleTypes = hipMemHandleTypeNone,
                         .location = {hipMemLocationTypeDevice, d->id}};
    uint64_t keep = ~(uint64_t)0;
    int no = 0;
    *call = "hipStreamCreateWithPriority";
    if ((code = triad_hip.hipStreamCreateWithPriority(&d->side, hipStreamNonBlocking, 0)) != hipSuccess) return code;
    if ((code = triad_hip.hipStreamCreateWithPriority(&d->behind, hipStreamNonBlocking, 0)) != hipSuccess) return code;
    *call = "hipMemPoolCreate";
    if ((code = triad_hip.hipMemPoolCreate(&d->pool, &p)) != hipSuccess) {
        d->pool = 0;
        return code;
    }
    triad_hip_checked(TRIAD_HIP_MAYBE(hipMemPoolSetAttribute, d->pool, hipMemPoolAttrReleaseThreshold, &keep));
    triad_hip_checked(TRIAD_HIP_MAYBE(hipMemPoolSetAttribute, d->pool, hipMemPoolReuseAllowInternalDependencies, &no));
    return hipSuccess;
}

/* Flags are for the device where it isn't in use yet: a runtime may refuse to change
 * them afterwards. */
static hipError_t begin(triad_hip_device *d, uint32_t flags, const char **call) {
    if (flags != ~0u) {
        *call = "hipSetDeviceFlags";
        hipError_t code = triad_hip_checked(triad_hip.hipSetDeviceFlags(flags));
        if (code != hipSuccess && code != hipErrorSetOnActiveProcess) return code;
    }
    return pool_open(d, call);
}

/* Opens the device; flags of ~0 leave those that it has. *call is the call that failed. */
triad_hip_device *triad_hip_device_open(int id, uint32_t flags, hipError_t *code, const char **call) {
    *call = "hipSetDevice";
    if (id < 0 || id >= DEVICES) {
        *code = hipErrorInvalidDevice;
        return 0;
    }
    triad_hip_device *d = calloc(1, sizeof *d);
    if (!d) {
        *code = hipErrorOutOfMemory;
        return 0;
    }
    d->id = id;
    d->resets = &resets[id];
    d->born = atomic_load(d->resets);
    pthread_mutex_init(&d->lock, 0);
    *code = TRIAD_HIP_CALM(d, begin(d, flags, call));
    if (*code == hipSuccess) return d;
    triad_hip_device_close(d);
    return 0;
}

int triad_hip_device_dead(triad_hip_device *d) { return atomic_load(d->resets) != d->born; }

static void slabs_free(triad_hip_device *d) {
    while (d->slabs) {
        triad_hip_slab *slab = d->slabs;
        d->slabs = slab->next;
        triad_hip_pages_free(d, slab->cells);
        free(slab);
    }
}

static void late_free(triad_hip_device *d, int dead) {
    while (d->late) {
        triad_hip_late *late = d->late;
        d->late = late->next;
        if (!dead) triad_hip_checked(triad_hip.hipFreeAsync(triad_hip_ptr(late->p), d->behind));
        free(late);
    }
}

/* Gives the device up, after everything on it. */
void triad_hip_device_close(triad_hip_device *d) {
    int was, dead = triad_hip_enter(d, &was) != hipSuccess;
    hipStreamCaptureMode mode;
    if (!dead) {
        triad_hip_calm(&mode);
        late_free(d, 0);
        if (d->side) triad_hip_checked(triad_hip.hipStreamDestroy(d->side));
        if (d->behind) triad_hip_checked(triad_hip.hipStreamDestroy(d->behind));
        if (d->pool) triad_hip_checked(triad_hip.hipMemPoolDestroy(d->pool));
    }
    if (dead) late_free(d, 1);
    slabs_free(d);
    if (!dead) {
        triad_hip_uncalm(&mode);
        triad_hip_leave(was);
    }
    pthread_mutex_destroy(&d->lock);
    free(d);
}

/* Destroys all that the process has on the device. The counter is raised first, so that
 * nobody enters while it goes. */
hipError_t triad_hip_device_reset(triad_hip_device *d) {
    int now = -1;
    uint32_t born = d->born;
    if (!atomic_compare_exchange_strong(d->resets, &born, d->born + 1)) return hipErrorContextIsDestroyed;
    triad_hip_checked(triad_hip.hipGetDevice(&now));
    hipError_t code = triad_hip.hipSetDevice(d->id);
    if (code == hipSuccess) code = triad_hip.hipDeviceReset();
    triad_hip_checked(code);
    if (now >= 0 && now != d->id) triad_hip_checked(triad_hip.hipSetDevice(now));
    return code;
}
