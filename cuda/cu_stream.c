#include "triad_cuda_memory.h"

#include <stdlib.h>
#include <unistd.h>

/* Adds a page of cells. */
static int slab_add(triad_cu_device *d) {
    triad_cu_slab *slab = calloc(1, sizeof *slab);
    if (!slab) return 0;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = TRIAD_CU_CELLS * sizeof(triad_cu_cell);
    slab->cells = triad_cu_pages_alloc(d, (size + page - 1) / page * page);
    if (!slab->cells) {
        free(slab);
        return 0;
    }
    for (int i = 0; i < TRIAD_CU_CELLS; i++) slab->cells[i].word = 0;
    slab->next = d->slabs;
    d->slabs = slab;
    return 1;
}

/* Finds out where the device sees a page, once. A page of which that can't be said stays:
 * to take it back would wait for the device. */
static CUresult slab_place(triad_cu_slab *slab) {
    if (slab->at) return CUDA_SUCCESS;
    return triad_cu.cuMemHostGetDevicePointer_v2(&slab->at, slab->cells, 0);
}

/* A page that has a cell to give; NULL if there can be none. */
static triad_cu_slab *slab_with_room(triad_cu_device *d) {
    triad_cu_slab *slab = d->slabs;
    while (slab && slab->taken == ~(uint64_t)0) slab = slab->next;
    if (!slab && slab_add(d)) slab = d->slabs;
    return slab && slab_place(slab) == CUDA_SUCCESS ? slab : 0;
}

/* Gives s a word, if there can be one: without it, waits ask the driver. */
static void take_cell(triad_cu_stream *s) {
    triad_cu_device *d = s->dev;
    if (!triad_cu.cuStreamWriteValue32_v2) return;
    pthread_mutex_lock(&d->lock);
    triad_cu_slab *slab = slab_with_room(d);
    if (slab) {
        int i = __builtin_ctzll(~slab->taken);
        slab->taken |= (uint64_t)1 << i;
        s->cell = &slab->cells[i];
        s->word_at = slab->at + (CUdeviceptr)i * sizeof(triad_cu_cell);
        s->written = __atomic_load_n(&s->cell->word, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&d->lock);
}

/* A cell is given back only if every write to it has arrived: one that never came
 * could still come, into another stream's word. */
static void leave_cell(triad_cu_stream *s) {
    triad_cu_device *d = s->dev;
    if (!s->cell || __atomic_load_n(&s->cell->word, __ATOMIC_ACQUIRE) != s->written) return;
    for (triad_cu_slab *slab = d->slabs; slab; slab = slab->next)
        if (s->cell >= slab->cells && s->cell < slab->cells + TRIAD_CU_CELLS)
            slab->taken &= ~((uint64_t)1 << (s->cell - slab->cells));
}

static triad_cu_stream *joined(triad_cu_stream *s) {
    triad_cu_device *d = s->dev;
    take_cell(s);
    pthread_mutex_lock(&d->lock);
    s->next = d->streams;
    if (s->next) s->next->prev = s;
    d->streams = s;
    pthread_mutex_unlock(&d->lock);
    return s;
}

static CUresult make(triad_cu_stream *s, uint32_t flags, int priority) {
    CUresult code = triad_cu.cuStreamCreateWithPriority(&s->s, flags, priority);
    if (code == CUDA_SUCCESS) joined(s);
    return code;
}

triad_cu_stream *triad_cu_stream_open(triad_cu_device *d, uint32_t flags, int priority, CUresult *code) {
    triad_cu_stream *s = calloc(1, sizeof *s);
    if (!s) {
        *code = CUDA_ERROR_OUT_OF_MEMORY;
        return 0;
    }
    s->dev = d;
    *code = TRIAD_CU_CALM(d, make(s, flags, priority));
    if (*code == CUDA_SUCCESS) return s;
    free(s);
    return 0;
}

static CUresult check_borrowed(triad_cu_stream *s) {
    CUcontext ctx = 0;
    CUresult code = triad_cu.cuStreamGetCtx(s->s, &ctx);
    if (code == CUDA_SUCCESS && ctx != s->dev->ctx) code = CUDA_ERROR_INVALID_CONTEXT;
    if (code == CUDA_SUCCESS) joined(s);
    return code;
}

/* A stream that is the user's, and stays so. */
triad_cu_stream *triad_cu_stream_borrow(triad_cu_device *d, CUstream native, CUresult *code) {
    triad_cu_stream *s = calloc(1, sizeof *s);
    if (!s) {
        *code = CUDA_ERROR_OUT_OF_MEMORY;
        return 0;
    }
    s->dev = d;
    s->s = native;
    s->borrowed = 1;
    *code = TRIAD_CU_CALM(d, check_borrowed(s));
    if (*code == CUDA_SUCCESS) return s;
    free(s);
    return 0;
}

/* Gives the stream up; its commands run to their end. */
CUresult triad_cu_stream_close(triad_cu_stream *s) {
    triad_cu_device *d = s->dev;
    pthread_mutex_lock(&d->lock);
    if (s->prev) s->prev->next = s->next;
    else d->streams = s->next;
    if (s->next) s->next->prev = s->prev;
    leave_cell(s);
    pthread_mutex_unlock(&d->lock);
    triad_cu_spares_end(s);
    CUresult code = CUDA_SUCCESS;
    if (!s->borrowed) code = TRIAD_CU_IN(d, triad_cu.cuStreamDestroy_v2(s->s));
    free(s);
    return code;
}

/* Whether the stream is being captured. A capture ends, invalid, when its stream
 * is asked whether it has finished, so this comes first. */
int triad_cu_stream_capturing(triad_cu_stream *s, CUresult *code) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    *code = TRIAD_CU_IN(s->dev, triad_cu.cuStreamIsCapturing(s->s, &status));
    return *code == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

static CUresult query(triad_cu_stream *s) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult code = triad_cu.cuStreamIsCapturing(s->s, &status);
    if (code != CUDA_SUCCESS) return code;
    if (status != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    uint64_t upto = atomic_load(&s->submitted);
    code = triad_cu.cuStreamQuery(s->s);
    if (code == CUDA_SUCCESS) triad_cu_finished(s, upto);
    return code;
}

/* CUDA_SUCCESS when everything enqueued so far has finished, CUDA_ERROR_NOT_READY
 * when it hasn't. */
CUresult triad_cu_stream_query(triad_cu_stream *s) { return TRIAD_CU_CALM_ON(s->dev, query(s)); }

int triad_cu_stream_reached(triad_cu_stream *s, uint32_t target) {
    return (int32_t)(__atomic_load_n(&s->cell->word, __ATOMIC_ACQUIRE) - target) >= 0;
}

/* Has the stream raise its word when it gets here; in the device's context. The
 * number to wait for goes to *target, what it covers to *upto. CUDA_ERROR_NOT_READY
 * when another thread is enqueueing a write at this moment: then the driver has to
 * be asked, since waiting for that thread could take as long as the queue is full. */
CUresult triad_cu_stream_word(triad_cu_stream *s, uint32_t *target, uint64_t *upto) {
    uint32_t no = 0;
    if (!s->word_at) return CUDA_ERROR_NOT_READY;
    if (!atomic_compare_exchange_strong_explicit(&s->writing, &no, 1, memory_order_acquire, memory_order_relaxed))
        return CUDA_ERROR_NOT_READY;
    CUresult code = CUDA_SUCCESS;
    *upto = atomic_load(&s->submitted);
    if (s->written_upto < *upto || s->written_upto == 0 || s->borrowed || atomic_load(&s->shared)) {
        /* Flag 0 keeps the memory barrier: the word must not overtake what the
         * kernels before it wrote. */
        code = triad_cu.cuStreamWriteValue32_v2(s->s, s->word_at, s->written + 1, 0);
        if (code == CUDA_SUCCESS) {
            s->written++;
            s->written_upto = *upto;
        }
        else code = CUDA_ERROR_NOT_READY; /* a device that writes no words, or a stream that failed, which says so when asked */
    }
    *target = s->written;
    atomic_store_explicit(&s->writing, 0, memory_order_release);
    return code;
}
