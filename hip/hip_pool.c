#include "triad_hip_c.h"

#include <stdlib.h>
#include <time.h>

static hipError_t create(int id, uint64_t max, uint64_t keep, int shareable, hipMemPool_t *pool) {
    hipMemPoolProps p = {.allocType = hipMemAllocationTypePinned,
                        .handleTypes = shareable ? hipMemHandleTypePosixFileDescriptor : hipMemHandleTypeNone,
                        .location = {hipMemLocationTypeDevice, id},
                        .maxSize = max};
    if (keep && !triad_hip.hipMemPoolSetAttribute) return hipErrorNotSupported;
    hipError_t code = TRIAD_HIP_MAYBE(hipMemPoolCreate, pool, &p);
    if (code != hipSuccess || keep == 0) return code;
    code = TRIAD_HIP_MAYBE(hipMemPoolSetAttribute, *pool, hipMemPoolAttrReleaseThreshold, &keep);
    if (code != hipSuccess) TRIAD_HIP_MAYBE(hipMemPoolDestroy, *pool);
    return code;
}

hipMemPool_t triad_hip_pool_new(triad_hip_device *d, uint64_t max, uint64_t keep, int shareable, hipError_t *code) {
    hipMemPool_t pool = 0;
    *code = TRIAD_HIP_CALM(d, create(d->id, max, keep, shareable, &pool));
    return *code == hipSuccess ? pool : 0;
}

hipError_t triad_hip_pool_destroy(triad_hip_device *d, hipMemPool_t pool) {
    return TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemPoolDestroy, pool));
}

/* The pool that the driver made for the device, or the one that is in use for
 * allocations that name none. */
hipMemPool_t triad_hip_pool_of_device(triad_hip_device *d, int current, hipError_t *code) {
    hipMemPool_t pool = 0;
    *code = TRIAD_HIP_CALM(d, current ? TRIAD_HIP_MAYBE(hipDeviceGetMemPool, &pool, d->id) : TRIAD_HIP_MAYBE(hipDeviceGetDefaultMemPool, &pool, d->id));
    return *code == hipSuccess ? pool : 0;
}

hipError_t triad_hip_pool_make_current(triad_hip_device *d, hipMemPool_t pool) {
    return TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipDeviceSetMemPool, d->id, pool));
}

/* The first attributes are ints, the others 8 bytes. */
static int is_flag(int attribute) { return attribute < hipMemPoolAttrReleaseThreshold; }

/* What a stream was given until now; 0 for want of memory. */
static hipEvent_t mark(hipStream_t s) {
    hipEvent_t ev;
    if (triad_hip_checked(triad_hip.hipEventCreateWithFlags(&ev, hipEventDisableTiming)) != hipSuccess) return 0;
    if (triad_hip_checked(triad_hip.hipEventRecord(ev, s)) == hipSuccess) return ev;
    triad_hip_checked(triad_hip.hipEventDestroy(ev));
    return 0;
}

static int idle(hipStream_t s) { return triad_hip_checked(triad_hip.hipStreamQuery(s)) == hipSuccess; }

/* Frees what the streams keep, and marks those that were idle before; returns how many.
 * There is room for as many as there are. d->lock is held. */
static int free_spares(triad_hip_device *d, hipEvent_t *marks) {
    hipStream_t own[] = {d->side, d->behind};
    int n = 0;
    for (triad_hip_stream *s = d->streams; s; s = s->next) {
        hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
        if (triad_hip_checked(triad_hip.hipStreamIsCapturing(s->s, &status)) != hipSuccess || status != hipStreamCaptureStatusNone) continue;
        int soon = idle(s->s);
        triad_hip_spares_free(s);
        if (marks && soon && (marks[n] = mark(s->s))) n++;
    }
    for (int i = 0; i < 2; i++)
        if (marks && own[i] && idle(own[i]) && (marks[n] = mark(own[i]))) n++;
    return n;
}

/* Waits for marks, which takes long only where another thread has enqueued something just
 * before one: then it is left. */
static void come_to(hipEvent_t *marks, int n) {
    struct timespec nap = {0, 10000};
    int naps = 5000;
    for (int i = 0; i < n; i++) {
        hipError_t code;
        while ((code = triad_hip_checked(triad_hip.hipEventQuery(marks[i]))) == hipErrorNotReady && naps-- > 0)
            clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, 0);
        if (code == hipSuccess) triad_hip_checked(triad_hip.hipEventSynchronize(marks[i])); /* see settle */
        triad_hip_checked(triad_hip.hipEventDestroy(marks[i]));
    }
}

/* Frees what was put off and what the streams keep, and has the runtime see what was freed,
 * on streams that are idle: over CUDA it looks only when somebody has waited, be it for what
 * was reached before. */
static void settle(triad_hip_device *d) {
    int n = 2;
    pthread_mutex_lock(&d->lock);
    for (triad_hip_stream *s = d->streams; s; s = s->next) n++;
    hipEvent_t *marks = calloc((size_t)n, sizeof *marks);
    triad_hip_checked(triad_hip_free_late(d));
    n = free_spares(d, marks);
    pthread_mutex_unlock(&d->lock);
    come_to(marks, n);
    free(marks);
}

/* Gives back all that the opening keeps for later, after a call that failed for want of
 * memory, which the runtime forgets; whether there may be room now. */
int triad_hip_give_back(triad_hip_device *d) {
    triad_hip_tidy(hipErrorOutOfMemory);
    settle(d);
    return triad_hip_checked(TRIAD_HIP_MAYBE(hipMemPoolTrimTo, d->pool, 0)) == hipSuccess;
}

/* What streams keep counts as used with the runtime, and is used by nobody. */
static hipError_t get(triad_hip_device *d, hipMemPool_t pool, int attribute, void *value) {
    if (pool == d->pool && attribute == hipMemPoolAttrUsedMemCurrent) settle(d);
    return TRIAD_HIP_MAYBE(hipMemPoolGetAttribute, pool, attribute, value);
}

hipError_t triad_hip_pool_get(triad_hip_device *d, hipMemPool_t pool, int attribute, uint64_t *value) {
    int flag = 0;
    hipError_t code = TRIAD_HIP_CALM(d, get(d, pool, attribute, is_flag(attribute) ? (void *)&flag : (void *)value));
    if (is_flag(attribute)) *value = (uint64_t)flag;
    return code;
}

static hipError_t set(triad_hip_device *d, hipMemPool_t pool, int attribute, void *value) {
    if (pool == d->pool && attribute == hipMemPoolAttrUsedMemHigh) settle(d); /* it becomes what is used now */
    return TRIAD_HIP_MAYBE(hipMemPoolSetAttribute, pool, attribute, value);
}

hipError_t triad_hip_pool_set(triad_hip_device *d, hipMemPool_t pool, int attribute, uint64_t value) {
    int flag = value != 0;
    return TRIAD_HIP_CALM(d, set(d, pool, attribute, is_flag(attribute) ? (void *)&flag : (void *)&value));
}

/* The runtime gives back only what it has seen freed. */
static hipError_t trim(triad_hip_device *d, hipMemPool_t pool, uint64_t keep) {
    if (!triad_hip.hipMemPoolTrimTo) return hipErrorNotSupported;
    settle(d);
    return triad_hip.hipMemPoolTrimTo(pool, keep);
}

hipError_t triad_hip_pool_trim(triad_hip_device *d, hipMemPool_t pool, uint64_t keep) { return TRIAD_HIP_CALM(d, trim(d, pool, keep)); }

hipError_t triad_hip_pool_set_access(triad_hip_device *d, hipMemPool_t pool, triad_hip_place at, int access) {
    hipMemAccessDesc desc = {{at.type, at.id}, access};
    return TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemPoolSetAccess, pool, &desc, 1));
}

hipError_t triad_hip_pool_get_access(triad_hip_device *d, hipMemPool_t pool, triad_hip_place at, int *access) {
    hipMemLocation where = {at.type, at.id};
    return TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemPoolGetAccess, access, pool, &where));
}

hipError_t triad_hip_pool_export(triad_hip_device *d, hipMemPool_t pool, int *fd) {
    return TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemPoolExportToShareableHandle, fd, pool, hipMemHandleTypePosixFileDescriptor, 0));
}

hipMemPool_t triad_hip_pool_import(triad_hip_device *d, int fd, hipError_t *code) {
    hipMemPool_t pool = 0;
    *code = TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemPoolImportFromShareableHandle, &pool, (void *)(intptr_t)fd,
                                                                         hipMemHandleTypePosixFileDescriptor, 0));
    return *code == hipSuccess ? pool : 0;
}

hipError_t triad_hip_pool_export_pointer(triad_hip_device *d, uint64_t p, uint8_t data[64]) {
    return TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemPoolExportPointer, (hipMemPoolPtrExportData *)data, triad_hip_ptr(p)));
}

uint64_t triad_hip_pool_import_pointer(triad_hip_device *d, hipMemPool_t pool, uint8_t data[64], hipError_t *code) {
    void *p = 0;
    *code = TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemPoolImportPointer, &p, pool, (hipMemPoolPtrExportData *)data));
    return *code == hipSuccess ? (uint64_t)(uintptr_t)p : 0;
}

static hipError_t alloc_from(triad_hip_stream *s, hipMemPool_t pool, size_t size, void **p) {
    hipError_t code = TRIAD_HIP_MAYBE(hipMallocFromPoolAsync, p, size, pool, s->s);
    if (code != hipErrorOutOfMemory) return code;
    if (pool != s->dev->pool) triad_hip_trimmed(pool);
    triad_hip_give_back(s->dev);
    return TRIAD_HIP_MAYBE(hipMallocFromPoolAsync, p, size, pool, s->s);
}

/* Captured, an allocation would be of the graph, and its free a matter of the
 * graph's as well. What the stream has kept is no command of its. */
static hipError_t alloc_on(triad_hip_stream *s, hipMemPool_t pool, size_t size, void **p) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    hipError_t code = triad_hip.hipStreamIsCapturing(s->s, &status);
    if (code != hipSuccess) return code;
    if (status != hipStreamCaptureStatusNone) return hipErrorStreamCaptureUnsupported;
    if (!pool && (*p = triad_hip_ptr(triad_spares_take(&s->spares, size)))) return hipSuccess;
    hipStreamCaptureMode mode;
    triad_hip_calm(&mode);
    code = triad_hip_submitted(s, alloc_from(s, pool ? pool : s->dev->pool, size, p));
    triad_hip_uncalm(&mode);
    return code;
}

/* Allocates in the order of a stream: what is behind it on s may use it. Without a
 * pool, that of the opening is taken, or what s has kept of it. */
uint64_t triad_hip_alloc_on(triad_hip_stream *s, hipMemPool_t pool, size_t size, hipError_t *code) {
    void *p = 0;
    *code = TRIAD_HIP_IN(s->dev, alloc_on(s, pool, size, &p));
    return *code == hipSuccess ? (uint64_t)(uintptr_t)p : 0;
}
