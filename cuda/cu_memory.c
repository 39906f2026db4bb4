#include "triad_cuda_memory.h"

#include <stdlib.h>

static CUresult alloc(triad_cu_device *d, size_t size, CUdeviceptr *p) {
    if (!d->pool) return triad_cu.cuMemAlloc_v2(p, size);
    CUresult code = triad_cu.cuMemAllocFromPoolAsync(p, size, d->pool, d->side);
    if (code == CUDA_ERROR_OUT_OF_MEMORY && triad_cu_give_back(d))
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

/* Asked for attributes in the plural, CUDA doesn't call it a failure if it doesn't know the
 * memory, which tools would tell of. */
CUresult triad_cu_knows_host(uint64_t p, int *known) {
    CUpointer_attribute which = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    uint64_t type = 0;
    void *where = &type;
    CUresult code = triad_cu.cuPointerGetAttributes(1, &which, &where, p);
    *known = code == CUDA_SUCCESS && type == CU_MEMORYTYPE_HOST;
    return code;
}

int triad_cu_is_pinned(triad_cu_device *d, uint64_t p) {
    int known = 0;
    return TRIAD_CU_CALM(d, triad_cu_knows_host(p, &known)) == CUDA_SUCCESS && known;
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

/* Keeps p with its home, where all that may use it is enqueued: others are known to be
 * idle. No driver is asked, so home may be one that is being captured: it is allocated
 * from when that has ended. d->lock is held, and nothing waits to be freed. */
static int kept_at_home(triad_cu_device *d, CUdeviceptr p, triad_cu_stream *home, size_t keep) {
    int there = 0;
    if (!keep || !home) return 0;
    for (triad_cu_stream *s = d->streams; s; s = s->next) {
        if (s == home) there = 1;
        else if (!triad_cu_idle(s)) return 0;
    }
    return there && triad_spares_put(&home->spares, p, keep);
}

/* Keeps p with its home, in the place of what is there longest. */
static int kept_instead(triad_cu_device *d, triad_cu_stream *home, CUdeviceptr p, size_t keep) {
    if (!keep || keep > TRIAD_SPARE_BYTES) return 0;
    while (!triad_spares_put(&home->spares, p, keep)) {
        CUdeviceptr oldest = triad_spares_oldest(&home->spares);
        if (!oldest) return 0;
        TRIAD_CU_IN(d, triad_cu.cuMemFreeAsync(oldest, home->s)); /* a call that need not be made again */
    }
    return 1;
}

/* Frees p behind everything that the device's streams have been given. With one stream
 * that is busy, no event is needed; with none, the stream that it was allocated on, if
 * that is there still, can have it again at once, and it keeps p, of keep bytes, not 0,
 * for its next allocation. A stream that is being captured can't be waited for, and what
 * has a stream wait may fail: then *tried stays 0, and p is to be kept for a later free.
 * d->lock is held. */
static CUresult free_behind(triad_cu_device *d, CUdeviceptr p, triad_cu_stream *home, size_t keep, int *tried) {
    triad_cu_stream *at = 0;
    int busy = 0;
    for (triad_cu_stream *s = d->streams; s; s = s->next) {
        int one;
        CUresult code = under_way(s, &one);
        if (code != CUDA_SUCCESS) return code;
        if (one || (s == home && !busy)) at = s;
        busy += one;
    }
    if (at && !busy && capturing(at)) at = 0; /* which would capture the free */
    /* The free doesn't count as one of the stream's commands: nobody waits for it, and
     * whoever waited for the stream just now finds it idle still. */
    if (busy <= 1) {
        *tried = 1;
        if (at && at == home && kept_instead(d, home, p, keep)) return CUDA_SUCCESS;
        return triad_cu.cuMemFreeAsync(p, at ? at->s : d->side);
    }
    for (triad_cu_stream *s = d->streams; s; s = s->next) {
        if (triad_cu_idle(s)) continue;
        CUresult code = TRIAD_CU_IN(d, wait_behind(d, s)); /* events aren't made without a context */
        if (code != CUDA_SUCCESS) return code;
    }
    *tried = 1;
    return triad_cu.cuMemFreeAsync(p, d->behind);
}

/* Frees what had to be put off, as far as that can be done. d->lock is held. */
CUresult triad_cu_free_late(triad_cu_device *d) {
    while (d->late) {
        triad_cu_late *late = d->late;
        int tried;
        CUresult code = free_behind(d, late->p, 0, 0, &tried);
        if (code != CUDA_SUCCESS) return code;
        d->late = late->next;
        free(late);
    }
    return CUDA_SUCCESS;
}

static int put_off(triad_cu_device *d, CUdeviceptr p) {
    triad_cu_late *late = malloc(sizeof *late);
    if (!late) return 0;
    *late = (triad_cu_late){p, d->late};
    d->late = late;
    return 1;
}

static CUresult free_in_order(triad_cu_device *d, CUdeviceptr p, triad_cu_stream *home, size_t keep) {
    int tried = 0;
    triad_cu_free_late(d);
    CUresult code = free_behind(d, p, home, keep, &tried);
    if (code != CUDA_SUCCESS && !tried && put_off(d, p)) code = CUDA_SUCCESS; /* p must not come here again: see TRIAD_CU_ON */
    return code;
}

static CUresult free_ordered(triad_cu_device *d, CUdeviceptr p, triad_cu_stream *home, size_t keep) {
    CUresult code = CUDA_SUCCESS;
    pthread_mutex_lock(&d->lock);
    if (d->late || !kept_at_home(d, p, home, keep)) {
        int mode;
        triad_cu_calm(&mode);
        code = free_in_order(d, p, home, keep);
        triad_cu_uncalm(&mode);
    }
    pthread_mutex_unlock(&d->lock);
    return code;
}

/* Frees memory of a pool in stream order; home is the stream that it was allocated on,
 * 0 or gone by now, and may keep it if keep, its size, is not 0. */
CUresult triad_cu_free(triad_cu_device *d, CUdeviceptr p, triad_cu_stream *home, size_t keep) {
    return TRIAD_CU_ON(d, free_ordered(d, p, home, keep));
}

/* Frees what s keeps, which is not being captured. d->lock is held. */
void triad_cu_spares_free(triad_cu_stream *s) {
    for (CUdeviceptr p; (p = triad_spares_oldest(&s->spares));) triad_cu.cuMemFreeAsync(p, s->s);
}

static CUresult spares_end(triad_cu_stream *s) {
    pthread_mutex_lock(&s->dev->lock);
    if (capturing(s))
        for (CUdeviceptr p; (p = triad_spares_oldest(&s->spares));) put_off(s->dev, p);
    triad_cu_spares_free(s);
    pthread_mutex_unlock(&s->dev->lock);
    return CUDA_SUCCESS;
}

/* Gives up what s keeps, which nobody allocates from any more. If it is being captured,
 * what it keeps is freed along with the next memory that is. */
void triad_cu_spares_end(triad_cu_stream *s) {
    if (triad_spares_bytes(&s->spares)) TRIAD_CU_CALM(s->dev, spares_end(s));
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
