#include "face.h"

#include <pthread.h>

struct face_cuda cu;
__thread struct face_thread face = {.current = 0, .bound = -1};
_Atomic uint32_t face_resets;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CUresult loaded;
static _Atomic int most; /* devices that were ever seen */

static int devices(void) {
    int n = 0;
    if (cu.cuDeviceGetCount(&n) != CUDA_SUCCESS) n = 0;
    n = n > FACE_DEVICES ? FACE_DEVICES : n;
    most = n > most ? n : most;
    return n;
}

static void load_once(void) {
    loaded = face_load();
    if (loaded == CUDA_SUCCESS && devices() == 0) loaded = CUDA_ERROR_NO_DEVICE;
}

hipError_t face_ready(void) {
    pthread_once(&once, load_once);
    return face_done(loaded);
}

hipError_t face_device(int device) {
    hipError_t code = face_ready();
    if (code == hipSuccess && (device < 0 || device >= devices())) code = face_refuse(hipErrorInvalidDevice);
    return code;
}

/* The primary contexts that have been retained. */
static CUcontext contexts[FACE_DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

hipError_t face_context(int device, CUcontext *ctx) {
    hipError_t code = face_device(device);
    if (code != hipSuccess) return code;
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    if (!contexts[device]) result = cu.cuDevicePrimaryCtxRetain(&contexts[device], device);
    if (result != CUDA_SUCCESS) contexts[device] = 0;
    *ctx = contexts[device];
    pthread_mutex_unlock(&lock);
    return face_done(result);
}

hipError_t face_device_of(CUcontext ctx, int *device) {
    int found = -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < FACE_DEVICES; i++)
        if (contexts[i] == ctx && ctx) found = i;
    pthread_mutex_unlock(&lock);
    if (found < 0) return face_refuse(hipErrorInvalidContext);
    *device = found;
    return hipSuccess;
}

hipError_t face_rebind(void) {
    uint32_t resets = atomic_load(&face_resets);
    CUcontext ctx;
    hipError_t code = face_context(face.current, &ctx);
    if (code == hipSuccess) code = face_done(cu.cuCtxSetCurrent(ctx));
    if (code != hipSuccess) return code;
    face.bound = face.current;
    face.seen = resets;
    return hipSuccess;
}

hipError_t hipInit(unsigned int flags) { return flags ? face_refuse(hipErrorInvalidValue) : face_ready(); }

hipError_t hipGetDeviceCount(int *count) {
    hipError_t code = face_ready();
    *count = code == hipSuccess ? devices() : 0;
    return code;
}

hipError_t hipDeviceGet(hipDevice_t *device, int ordinal) {
    hipError_t code = face_device(ordinal);
    if (code == hipSuccess) *device = ordinal;
    return code;
}

hipError_t hipGetDevice(int *device) {
    *device = face.current;
    return hipSuccess;
}

hipError_t hipSetDevice(int device) {
    if (LIKELY(device == face.current)) return hipSuccess;
    hipError_t code = device >= 0 && device < most ? hipSuccess : face_device(device);
    if (code == hipSuccess) face.current = device;
    return code;
}

hipError_t hipDeviceSynchronize(void) { return ON(cuCtxSynchronize()); }

hipError_t hipDeviceReset(void) {
    hipError_t code = face_device(face.current);
    if (code != hipSuccess) return code;
    pthread_mutex_lock(&lock);
    CUresult result = cu.cuDevicePrimaryCtxReset_v2(face.current);
    /* A reset does not give up what was retained. */
    if (contexts[face.current]) cu.cuDevicePrimaryCtxRelease_v2(face.current);
    contexts[face.current] = 0;
    atomic_fetch_add(&face_resets, 1);
    pthread_mutex_unlock(&lock);
    return face_done(result);
}

hipError_t hipGetDeviceFlags(unsigned int *flags) {
    int active;
    hipError_t code = face_device(face.current);
    return code ? code : face_done(cu.cuDevicePrimaryCtxGetState(face.current, flags, &active));
}

hipError_t hipSetDeviceFlags(unsigned int flags) {
    hipError_t code = face_device(face.current);
    return code ? code : face_done(cu.cuDevicePrimaryCtxSetFlags_v2(face.current, flags & ~hipDeviceMapHost));
}

hipError_t hipDeviceGetLimit(size_t *value, hipLimit_t limit) {
    if (limit < hipLimitStackSize || limit > hipLimitMallocHeapSize) return face_refuse(hipErrorUnsupportedLimit);
    return ON(cuCtxGetLimit(value, limit));
}

hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value) {
    if (limit < hipLimitStackSize || limit > hipLimitMallocHeapSize) return face_refuse(hipErrorUnsupportedLimit);
    return ON(cuCtxSetLimit(limit, value));
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *config) { return ON(cuCtxGetCacheConfig(config)); }
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config) { return ON(cuCtxSetCacheConfig(config)); }

hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
    return ON(cuCtxGetStreamPriorityRange(least, greatest));
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags) {
    CUcontext ctx;
    hipError_t code = face_context(peer, &ctx);
    return code ? code : ON(cuCtxEnablePeerAccess(ctx, flags));
}

hipError_t hipDeviceDisablePeerAccess(int peer) {
    CUcontext ctx;
    hipError_t code = face_context(peer, &ctx);
    return code ? code : ON(cuCtxDisablePeerAccess(ctx));
}
