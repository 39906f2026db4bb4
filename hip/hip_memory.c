#include "triad_hip_c.h"

#include <stdlib.h>

static hipError_t alloc(triad_hip_device *d, size_t size, void **p) {
    if (!d->pool) return triad_hip.hipMalloc(p, size);
    hipError_t code = triad_hip.hipMallocFromPoolAsync(p, size, d->pool, d->side);
    if (code == hipErrorOutOfMemory && triad_hip_trimmed(d->pool))
        code = triad_hip.hipMallocFromPoolAsync(p, size, d->pool, d->side);
    if (code != hipSuccess) return code;
    /* Any stream may use it from now on, so it must be there. Nothing that could
     * take long is ever on this stream. */
    code = triad_hip.hipStreamSynchronize(d->side);
    if (code != hipSuccess) triad_hip.hipFreeAsync(*p, d->side);
    return code;
}

uint64_t triad_hip_alloc(triad_hip_device *d, size_t size, hipError_t *code) {
    void *p = 0;
    *code = TRIAD_HIP_CALM(d, alloc(d, size, &p));
    return *code == hipSuccess ? (uint64_t)(uintptr_t)p : 0;
}

static hipError_t alloc_plain(size_t size, uint32_t flags, void **p) {
    if (flags == hipDeviceMallocDefault) return triad_hip.hipMalloc(p, size);
    if (!triad_hip.hipExtMallocWithFlags) return hipErrorNotSupported;
    return triad_hip.hipExtMallocWithFlags(p, size, flags);
}

uint64_t triad_hip_alloc_plain(triad_hip_device *d, size_t size, uint32_t flags, hipError_t *code) {
    void *p = 0;
    *code = TRIAD_HIP_ALLOC(d, alloc_plain(size, flags, &p));
    return *code == hipSuccess ? (uint64_t)(uintptr_t)p : 0;
}

static int capturing(triad_hip_stream *s) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    return triad_hip_checked(triad_hip.hipStreamIsCapturing(s->s, &status)) == hipSuccess && status != hipStreamCaptureStatusNone;
}

/* Has the stream of frees wait for s. */
static hipError_t wait_behind(triad_hip_device *d, triad_hip_stream *s) {
    hipEvent_t ev;
    hipError_t code = triad_hip.hipEventCreateWithFlags(&ev, hipEventDisableTiming);
    if (code != hipSuccess) return code;
    code = triad_hip.hipEventRecord(ev, s->s);
    if (code == hipSuccess) code = triad_hip.hipStreamWaitEvent(d->behind, ev, 0);
    triad_hip_checked(triad_hip.hipEventDestroy(ev)); /* goes once it has been reached */
    return code;
}

/* Whether s may have something under way. Others may enqueue on a stream that they
 * share with us, so of that one the runtime is asked. */
static hipError_t under_way(triad_hip_stream *s, int *busy) {
    *busy = 0;
    if (triad_hip_idle(s)) return hipSuccess;
    if (capturing(s)) return hipErrorStreamCaptureUnsupported;
    int shared = s->borrowed || atomic_load_explicit(&s->shared, memory_order_relaxed);
    *busy = !shared || triad_hip_checked(triad_hip.hipStreamQuery(s->s)) == hipErrorNotReady;
    return hipSuccess;
}

/* Frees p behind everything that the device's streams have been given. With one stream
 * that is busy, no event is needed; with none, the stream that it was allocated on, if
 * that is there still, can have it again at once. A stream that is being captured
 * can't be waited for, and what has a stream wait may fail: then *tried stays 0, and p
 * is to be kept for a later free. d->lock is held. */
static hipError_t free_behind(triad_hip_device *d, uint64_t p, triad_hip_stream *home, int *tried) {
    hipStream_t at = d->side;
    int busy = 0;
    for (triad_hip_stream *s = d->streams; s; s = s->next) {
        int one;
        hipError_t code = under_way(s, &one);
        if (code != hipSuccess) return code;
        if (one || (s == home && !busy)) at = s->s;
        busy += one;
    }
    /* The free doesn't count as one of the stream's commands: nobody waits for it, and
     * whoever waited for the stream just now finds it idle still. */
    if (busy <= 1) {
        *tried = 1;
        return triad_hip.hipFreeAsync(triad_hip_ptr(p), at);
    }
    for (triad_hip_stream *s = d->streams; s; s = s->next) {
        if (triad_hip_idle(s)) continue;
        hipError_t code = wait_behind(d, s);
        if (code != hipSuccess) return code;
    }
    *tried = 1;
    return triad_hip.hipFreeAsync(triad_hip_ptr(p), d->behind);
}

static hipError_t free_late(triad_hip_device *d) {
    while (d->late) {
        triad_hip_late *late = d->late;
        int tried;
        hipError_t code = free_behind(d, late->p, 0, &tried);
        if (code != hipSuccess) return code;
        d->late = late->next;
        free(late);
    }
    return hipSuccess;
}

static hipError_t free_ordered(triad_hip_device *d, uint64_t p, triad_hip_stream *home) {
    pthread_mutex_lock(&d->lock);
    triad_hip_checked(free_late(d));
    int tried = 0;
    hipError_t code = free_behind(d, p, home, &tried);
    if (code != hipSuccess && !tried) {
        triad_hip_late *late = malloc(sizeof *late);
        if (late) {
            *late = (triad_hip_late){p, d->late};
            d->late = late;
            code = hipSuccess; /* it is freed later */
        }
    }
    pthread_mutex_unlock(&d->lock);
    return code;
}

/* Frees memory of a pool in stream order; home is the stream that it was allocated on,
 * 0 or gone by now. */
hipError_t triad_hip_free(triad_hip_device *d, uint64_t p, triad_hip_stream *home) {
    return TRIAD_HIP_CALM(d, free_ordered(d, p, home));
}

/* Frees memory of hipMalloc. Before HIP 7.0 the call waits for everything on the device;
 * since then it waits for nothing, and what runs must be done with the memory before. */
hipError_t triad_hip_free_plain(triad_hip_device *d, uint64_t p) { return TRIAD_HIP_CALM(d, triad_hip.hipFree(triad_hip_ptr(p))); }

/* Whether a stream has something under way. One that failed has not, and says so again
 * when it is asked once more; else only the call failed. */
static int stream_busy(triad_hip_stream *s) {
    if (triad_hip_idle(s)) return 0;
    hipError_t code = triad_hip_stream_query(s);
    if (code != hipSuccess && code != hipErrorNotReady) code = triad_hip_stream_query(s);
    return code == hipErrorNotReady;
}

/* Whether any stream has something under way. The runtime is asked, of streams that are
 * not known to be idle. */
int triad_hip_device_busy(triad_hip_device *d) {
    int busy = 0;
    pthread_mutex_lock(&d->lock);
    for (triad_hip_stream *s = d->streams; s && !busy; s = s->next) busy = stream_busy(s);
    pthread_mutex_unlock(&d->lock);
    return busy;
}

static hipError_t host_alloc(size_t size, uint32_t flags, void **p, void **at) {
    hipError_t code = triad_hip.hipHostMalloc(p, size, flags);
    return code == hipSuccess ? triad_hip.hipHostGetDevicePointer(at, *p, 0) : code;
}

/* Page-locked host memory; *at is where the device sees it, 0 if it doesn't. After a
 * failure there may be some, to be freed when that does not wait for the device. */
void *triad_hip_host_alloc(triad_hip_device *d, size_t size, uint32_t flags, uint64_t *at, hipError_t *code) {
    void *p = 0, *seen = 0;
    *code = TRIAD_HIP_CALM(d, host_alloc(size, flags, &p, &seen));
    *at = (uint64_t)(uintptr_t)seen;
    return p;
}

hipError_t triad_hip_host_free(triad_hip_device *d, void *p) { return TRIAD_HIP_CALM(d, triad_hip.hipHostFree(p)); }
