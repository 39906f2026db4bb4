#include "triad_hip_c.h"

#include <stdlib.h>

static hipError_t alloc(triad_hip_device *d, size_t size, void **p) {
    if (!d->pool) return triad_hip.hipMalloc(p, size);
    hipError_t code = triad_hip.hipMallocFromPoolAsync(p, size, d->pool, d->side);
    if (code == hipErrorOutOfMemory && triad_hip_give_back(d))
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

/* Keeps p with its home, where all that may use it is enqueued: others are known to be
 * idle. No runtime is asked, so home may be one that is being captured: it is allocated
 * from when that has ended. d->lock is held, and nothing waits to be freed. */
static int kept_at_home(triad_hip_device *d, uint64_t p, triad_hip_stream *home, size_t keep) {
    int there = 0;
    if (!keep || !home) return 0;
    for (triad_hip_stream *s = d->streams; s; s = s->next) {
        if (s == home) there = 1;
        else if (!triad_hip_idle(s)) return 0;
    }
    return there && triad_spares_put(&home->spares, p, keep);
}

/* Keeps p with its home, in the place of what is there longest. */
static int kept_instead(triad_hip_stream *home, uint64_t p, size_t keep) {
    if (!keep || keep > TRIAD_SPARE_BYTES) return 0;
    while (!triad_spares_put(&home->spares, p, keep)) {
        uint64_t oldest = triad_spares_oldest(&home->spares);
        if (!oldest) return 0;
        triad_hip_checked(triad_hip.hipFreeAsync(triad_hip_ptr(oldest), home->s));
    }
    return 1;
}

/* Frees p behind everything that the device's streams have been given. With one stream
 * that is busy, no event is needed; with none, the stream that it was allocated on, if
 * that is there still, can have it again at once, and it keeps p, of keep bytes, not 0,
 * for its next allocation. A stream that is being captured can't be waited for, and what
 * has a stream wait may fail: then *tried stays 0, and p is to be kept for a later free.
 * d->lock is held. */
static hipError_t free_behind(triad_hip_device *d, uint64_t p, triad_hip_stream *home, size_t keep, int *tried) {
    triad_hip_stream *at = 0;
    int busy = 0;
    for (triad_hip_stream *s = d->streams; s; s = s->next) {
        int one;
        hipError_t code = under_way(s, &one);
        if (code != hipSuccess) return code;
        if (one || (s == home && !busy)) at = s;
        busy += one;
    }
    if (at && !busy && capturing(at)) at = 0; /* which would capture the free */
    /* The free doesn't count as one of the stream's commands: nobody waits for it, and
     * whoever waited for the stream just now finds it idle still. */
    if (busy <= 1) {
        *tried = 1;
        if (at && at == home && kept_instead(home, p, keep)) return hipSuccess;
        return triad_hip.hipFreeAsync(triad_hip_ptr(p), at ? at->s : d->side);
    }
    for (triad_hip_stream *s = d->streams; s; s = s->next) {
        if (triad_hip_idle(s)) continue;
        hipError_t code = wait_behind(d, s);
        if (code != hipSuccess) return code;
    }
    *tried = 1;
    return triad_hip.hipFreeAsync(triad_hip_ptr(p), d->behind);
}

/* Frees what had to be put off, as far as that can be done. d->lock is held. */
hipError_t triad_hip_free_late(triad_hip_device *d) {
    while (d->late) {
        triad_hip_late *late = d->late;
        int tried;
        hipError_t code = free_behind(d, late->p, 0, 0, &tried);
        if (code != hipSuccess) return code;
        d->late = late->next;
        free(late);
    }
    return hipSuccess;
}

static int put_off(triad_hip_device *d, uint64_t p) {
    triad_hip_late *late = malloc(sizeof *late);
    if (!late) return 0;
    *late = (triad_hip_late){p, d->late};
    d->late = late;
    return 1;
}

static hipError_t free_in_order(triad_hip_device *d, uint64_t p, triad_hip_stream *home, size_t keep) {
    int tried = 0;
    triad_hip_checked(triad_hip_free_late(d));
    hipError_t code = free_behind(d, p, home, keep, &tried);
    if (code != hipSuccess && !tried && put_off(d, p)) code = hipSuccess; /* it is freed later */
    return code;
}

static hipError_t free_ordered(triad_hip_device *d, uint64_t p, triad_hip_stream *home, size_t keep) {
    hipError_t code = hipSuccess;
    pthread_mutex_lock(&d->lock);
    if (d->late || !kept_at_home(d, p, home, keep)) {
        hipStreamCaptureMode mode;
        triad_hip_calm(&mode);
        code = free_in_order(d, p, home, keep);
        triad_hip_uncalm(&mode);
    }
    pthread_mutex_unlock(&d->lock);
    return code;
}

/* Frees memory of a pool in stream order; home is the stream that it was allocated on,
 * 0 or gone by now, and may keep it if keep, its size, is not 0. */
hipError_t triad_hip_free(triad_hip_device *d, uint64_t p, triad_hip_stream *home, size_t keep) {
    return TRIAD_HIP_IN(d, free_ordered(d, p, home, keep));
}

/* Frees what s keeps, which is not being captured. d->lock is held. */
void triad_hip_spares_free(triad_hip_stream *s) {
    for (uint64_t p; (p = triad_spares_oldest(&s->spares));) triad_hip_checked(triad_hip.hipFreeAsync(triad_hip_ptr(p), s->s));
}

static hipError_t spares_end(triad_hip_stream *s) {
    pthread_mutex_lock(&s->dev->lock);
    if (capturing(s))
        for (uint64_t p; (p = triad_spares_oldest(&s->spares));) put_off(s->dev, p);
    triad_hip_spares_free(s);
    pthread_mutex_unlock(&s->dev->lock);
    return hipSuccess;
}

/* Gives up what s keeps, which nobody allocates from any more. If it is being captured,
 * what it keeps is freed along with the next memory that is. */
void triad_hip_spares_end(triad_hip_stream *s) {
    if (triad_spares_bytes(&s->spares)) TRIAD_HIP_CALM(s->dev, spares_end(s));
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
