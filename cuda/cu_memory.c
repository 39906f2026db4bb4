#include "triad_cuda.h"

#include <stdlib.h>

static CUresult alloc(triad_cu_device *d, size_t size, CUdeviceptr *p) {
    if (!d->pool) return triad_cu.cuMemAlloc_v2(p, size);
    CUresult code = triad_cu.cuMemAllocFromPoolAsync(p, size, d->pool, d->side);
    if (code == CUDA_ERROR_OUT_OF_MEMORY && triad_cu.cuMemPoolTrimTo(d->pool, 0) == CUDA_SUCCESS)
        code = triad_cu.cuMemAllocFromPoolAsync(p, size, d->pool, d->side);
    if (code != CUDA_SUCCESS) return code;
    /* Any stream may use it from now on, so it must be there. Nothing that could
     * take long is ever on this stream. */
    code = triad_cu.cuStreamSynchronize(d->side);
    if (code != CUDA_SUCCESS) triad_cu.cuMemFreeAsync(*p, d->side);
    return code;
}

CUdeviceptr triad_cu_alloc(triad_cu_device *d, size_t size, CUresult *code) {
    CUdeviceptr p = 0;
    *code = TRIAD_CU_CALM(d, alloc(d, size, &p));
    return *code == CUDA_SUCCESS ? p : 0;
}

CUdeviceptr triad_cu_alloc_plain(triad_cu_device *d, size_t size, CUresult *code) {
    CUdeviceptr p = 0;
    *code = TRIAD_CU_ALLOC(d, triad_cu.cuMemAlloc_v2(&p, size));
    return *code == CUDA_SUCCESS ? p : 0;
}

/* Whether CUDA knows the memory at p: then it is page-locked, or managed. */
int triad_cu_is_pinned(triad_cu_device *d, uint64_t p) {
    unsigned int type = 0;
    CUresult code = TRIAD_CU_CALM(d, triad_cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    return code == CUDA_SUCCESS && type == CU_MEMORYTYPE_HOST;
}

static int capturing(triad_cu_stream *s) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    return triad_cu.cuStreamIsCapturing(s->s, &status) == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

/* Has the stream of frees wait for s. */
static CUresult wait_behind(triad_cu_device *d, triad_cu_stream *s) {
    CUevent ev;
    CUresult code = triad_cu.cuEventCreate(&ev, CU_EVENT_DISABLE_TIMING);
    if (code != CUDA_SUCCESS) return code;
    code = triad_cu.cuEventRecord(ev, s->s);
    if (code == CUDA_SUCCESS) code = triad_cu.cuStreamWaitEvent(d->behind, ev, CU_EVENT_WAIT_DEFAULT);
    triad_cu.cuEventDestroy_v2(ev); /* goes once it has been reached */
    return code;
}

/* Whether s may have something under way. Others may enqueue on a stream that they
 * share with us, so of that one the driver is asked. */
static CUresult under_way(triad_cu_stream *s, int *busy) {
    *busy = 0;
    if (triad_cu_idle(s)) return CUDA_SUCCESS;
    if (capturing(s)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    int shared = s->borrowed || atomic_load_explicit(&s->shared, memory_order_relaxed);
    *busy = !shared || triad_cu.cuStreamQuery(s->s) != CUDA_SUCCESS;
    return CUDA_SUCCESS;
}

/* Frees p behind everything that the device's streams have been given. With one stream
 * that is busy, no event is needed; with none, the stream that it was allocated on, if
 * that is there still, can have it again at once. A stream that is being captured
 * can't be waited for, and what has a stream wait may fail: then *tried stays 0, and p
 * is to be kept for a later free. d->lock is held. */
static CUresult free_behind(triad_cu_device *d, CUdeviceptr p, triad_cu_stream *home, int *tried) {
    CUstream at = d->side;
    int busy = 0;
    for (triad_cu_stream *s = d->streams; s; s = s->next) {
        int one;
        CUresult code = under_way(s, &one);
        if (code != CUDA_SUCCESS) return code;
        if (one || (s == home && !busy)) at = s->s;
        busy += one;
    }
    /* The free doesn't count as one of the stream's commands: nobody waits for it, and
     * whoever waited for the stream just now finds it idle still. */
    if (busy <= 1) {
        *tried = 1;
        return triad_cu.cuMemFreeAsync(p, at);
    }
    for (triad_cu_stream *s = d->streams; s; s = s->next) {
        if (triad_cu_idle(s)) continue;
        CUresult code = TRIAD_CU_IN(d, wait_behind(d, s)); /* events aren't made without a context */
        if (code != CUDA_SUCCESS) return code;
    }
    *tried = 1;
    return triad_cu.cuMemFreeAsync(p, d->behind);
}

static CUresult free_late(triad_cu_device *d) {
    while (d->late) {
        triad_cu_late *late = d->late;
        int tried;
        CUresult code = free_behind(d, late->p, 0, &tried);
        if (code != CUDA_SUCCESS) return code;
        d->late = late->next;
        free(late);
    }
    return CUDA_SUCCESS;
}

static CUresult free_ordered(triad_cu_device *d, CUdeviceptr p, triad_cu_stream *home) {
    pthread_mutex_lock(&d->lock);
    free_late(d);
    int tried = 0;
    CUresult code = free_behind(d, p, home, &tried);
    if (code != CUDA_SUCCESS && !tried) {
        triad_cu_late *late = malloc(sizeof *late);
        if (late) {
            *late = (triad_cu_late){p, d->late};
            d->late = late;
            code = CUDA_SUCCESS; /* p must not come here again: see TRIAD_CU_ON */
        }
    }
    pthread_mutex_unlock(&d->lock);
    return code;
}

/* Frees memory of a pool in stream order; home is the stream that it was allocated on,
 * 0 or gone by now. */
CUresult triad_cu_free(triad_cu_device *d, CUdeviceptr p, triad_cu_stream *home) {
    return TRIAD_CU_CALM_ON(d, free_ordered(d, p, home));
}

/* Frees memory of cuMemAlloc, which may wait for everything on the device. */
CUresult triad_cu_free_plain(triad_cu_device *d, CUdeviceptr p) { return TRIAD_CU_CALM(d, triad_cu.cuMemFree_v2(p)); }

/* Whether a stream has something under way. One that failed has not, and says so again
 * when it is asked once more; else only the call failed. */
static int stream_busy(triad_cu_stream *s) {
    if (triad_cu_idle(s)) return 0;
    CUresult code = triad_cu_stream_query(s);
    if (code != CUDA_SUCCESS && code != CUDA_ERROR_NOT_READY) code = triad_cu_stream_query(s);
    return code == CUDA_ERROR_NOT_READY;
}

/* Whether any stream has something under way. The driver is asked, of streams that are
 * not known to be idle. */
int triad_cu_device_busy(triad_cu_device *d) {
    int busy = 0;
    pthread_mutex_lock(&d->lock);
    for (triad_cu_stream *s = d->streams; s && !busy; s = s->next) busy = stream_busy(s);
    pthread_mutex_unlock(&d->lock);
    return busy;
}

static CUresult host_alloc(size_t size, uint32_t flags, void **p, CUdeviceptr *at) {
    CUresult code = triad_cu.cuMemHostAlloc(p, size, flags);
    return code == CUDA_SUCCESS ? triad_cu.cuMemHostGetDevicePointer_v2(at, *p, 0) : code;
}

/* Page-locked host memory; *at is where the device sees it. After a failure there may
 * be some, to be freed when that does not wait for the device. */
void *triad_cu_host_alloc(triad_cu_device *d, size_t size, uint32_t flags, CUdeviceptr *at, CUresult *code) {
    void *p = 0;
    *code = TRIAD_CU_CALM(d, host_alloc(size, flags, &p, at));
    return p;
}

CUresult triad_cu_host_free(triad_cu_device *d, void *p) { return TRIAD_CU_CALM(d, triad_cu.cuMemFreeHost(p)); }
