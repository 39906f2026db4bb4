#include "triad_hip_c.h"

#include <stdlib.h>
#include <unistd.h>

/* Adds a page of cells. */
static int slab_add(triad_hip_device *d) {
    triad_hip_slab *slab = calloc(1, sizeof *slab);
    if (!slab) return 0;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = TRIAD_HIP_CELLS * sizeof(triad_hip_cell);
    slab->cells = triad_hip_pages_alloc(d, (size + page - 1) / page * page);
    if (!slab->cells) {
        free(slab);
        return 0;
    }
    for (int i = 0; i < TRIAD_HIP_CELLS; i++) slab->cells[i].word = 0;
    slab->next = d->slabs;
    d->slabs = slab;
    return 1;
}

/* Finds out where the device sees a page, once. A page of which that can't be said stays:
 * to take it back would wait for the device. */
static hipError_t slab_place(triad_hip_slab *slab) {
    if (slab->at) return hipSuccess;
    void *at = 0;
    hipError_t code = triad_hip.hipHostGetDevicePointer(&at, slab->cells, 0);
    slab->at = (uint64_t)(uintptr_t)at;
    return code;
}

/* A page that has a cell to give; NULL if there can be none. */
static triad_hip_slab *slab_with_room(triad_hip_device *d) {
    triad_hip_slab *slab = d->slabs;
    while (slab && slab->taken == ~(uint64_t)0) slab = slab->next;
    if (!slab && slab_add(d)) slab = d->slabs;
    return slab && triad_hip_checked(slab_place(slab)) == hipSuccess ? slab : 0;
}

/* Gives s a word, if there can be one: without it, waits ask the driver. */
static void take_cell(triad_hip_stream *s) {
    triad_hip_device *d = s->dev;
    if (!d->words) return;
    pthread_mutex_lock(&d->lock);
    triad_hip_slab *slab = slab_with_room(d);
    if (slab) {
        int i = __builtin_ctzll(~slab->taken);
        slab->taken |= (uint64_t)1 << i;
        s->cell = &slab->cells[i];
        s->word_at = slab->at + (uint64_t)i * sizeof(triad_hip_cell);
        s->written = __atomic_load_n(&s->cell->word, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&d->lock);
}

/* A cell is given back only if every write to it has arrived: one that never came
 * could still come, into another stream's word. */
static void leave_cell(triad_hip_stream *s) {
    triad_hip_device *d = s->dev;
    if (!s->cell || __atomic_load_n(&s->cell->word, __ATOMIC_ACQUIRE) != s->written) return;
    for (triad_hip_slab *slab = d->slabs; slab; slab = slab->next)
        if (s->cell >= slab->cells && s->cell < slab->cells + TRIAD_HIP_CELLS)
            slab->taken &= ~((uint64_t)1 << (s->cell - slab->cells));
}

static triad_hip_stream *joined(triad_hip_stream *s) {
    triad_hip_device *d = s->dev;
    take_cell(s);
    pthread_mutex_lock(&d->lock);
    s->next = d->streams;
    if (s->next) s->next->prev = s;
    d->streams = s;
    pthread_mutex_unlock(&d->lock);
    return s;
}

static hipError_t make(triad_hip_stream *s, uint32_t flags, int priority) {
    hipError_t code = triad_hip.hipStreamCreateWithPriority(&s->s, flags, priority);
    if (code == hipSuccess) joined(s);
    return code;
}

triad_hip_stream *triad_hip_stream_open(triad_hip_device *d, uint32_t flags, int priority, hipError_t *code) {
    triad_hip_stream *s = calloc(1, sizeof *s);
    if (!s) {
        *code = hipErrorOutOfMemory;
        return 0;
    }
    s->dev = d;
    *code = TRIAD_HIP_CALM(d, make(s, flags, priority));
    if (*code == hipSuccess) return s;
    free(s);
    return 0;
}

/* A stream whose kernels run on some of the device's compute units only: a bit for each
 * of them. */
static hipError_t make_masked(triad_hip_stream *s, const uint32_t *mask, uint32_t words) {
    hipError_t code = triad_hip.hipExtStreamCreateWithCUMask(&s->s, words, mask);
    if (code == hipSuccess) joined(s);
    return code;
}

triad_hip_stream *triad_hip_stream_masked(triad_hip_device *d, const uint32_t *mask, uint32_t words, hipError_t *code) {
    *code = triad_hip.hipExtStreamCreateWithCUMask ? hipErrorOutOfMemory : hipErrorNotSupported;
    if (!triad_hip.hipExtStreamCreateWithCUMask) return 0;
    triad_hip_stream *s = calloc(1, sizeof *s);
    if (!s) return 0;
    s->dev = d;
    *code = TRIAD_HIP_CALM(d, make_masked(s, mask, words));
    if (*code == hipSuccess) return s;
    free(s);
    return 0;
}

hipError_t triad_hip_stream_mask(triad_hip_stream *s, uint32_t *mask, uint32_t words) {
    if (!triad_hip.hipExtStreamGetCUMask) return hipErrorNotSupported;
    return TRIAD_HIP_CALM(s->dev, triad_hip.hipExtStreamGetCUMask(s->s, words, mask));
}

/* Before HIP 5.6 a stream's device can't be asked for. */
static hipError_t check_borrowed(triad_hip_stream *s) {
    hipDevice_t id = s->dev->id;
    hipError_t code = hipSuccess;
    if (triad_hip.hipStreamGetDevice && s->s) code = triad_hip.hipStreamGetDevice(s->s, &id);
    if (code == hipSuccess && id != s->dev->id) code = hipErrorInvalidContext;
    if (code == hipSuccess) joined(s);
    return code;
}

/* A stream that is the user's, and stays so. */
triad_hip_stream *triad_hip_stream_borrow(triad_hip_device *d, hipStream_t native, hipError_t *code) {
    triad_hip_stream *s = calloc(1, sizeof *s);
    if (!s) {
        *code = hipErrorOutOfMemory;
        return 0;
    }
    s->dev = d;
    s->s = native;
    s->borrowed = 1;
    *code = TRIAD_HIP_CALM(d, check_borrowed(s));
    if (*code == hipSuccess) return s;
    free(s);
    return 0;
}

/* Gives the stream up; its commands run to their end. */
hipError_t triad_hip_stream_close(triad_hip_stream *s) {
    triad_hip_device *d = s->dev;
    pthread_mutex_lock(&d->lock);
    if (s->prev) s->prev->next = s->next;
    else d->streams = s->next;
    if (s->next) s->next->prev = s->prev;
    leave_cell(s);
    pthread_mutex_unlock(&d->lock);
    triad_hip_spares_end(s);
    hipError_t code = hipSuccess;
    if (!s->borrowed) code = TRIAD_HIP_IN(d, triad_hip.hipStreamDestroy(s->s));
    free(s);
    return code;
}

/* Whether the stream is being captured. A capture ends, invalid, when its stream
 * is asked whether it has finished, so this comes first. */
int triad_hip_stream_capturing(triad_hip_stream *s, hipError_t *code) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    *code = TRIAD_HIP_IN(s->dev, triad_hip.hipStreamIsCapturing(s->s, &status));
    return *code == hipSuccess && status != hipStreamCaptureStatusNone;
}

static hipError_t query(triad_hip_stream *s) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    hipError_t code = triad_hip.hipStreamIsCapturing(s->s, &status);
    if (code != hipSuccess) return code;
    if (status != hipStreamCaptureStatusNone) return hipErrorStreamCaptureUnsupported;
    uint64_t upto = atomic_load(&s->submitted);
    code = triad_hip.hipStreamQuery(s->s);
    if (code == hipSuccess) triad_hip_finished(s, upto);
    return code;
}

/* hipSuccess when everything enqueued so far has finished, hipErrorNotReady
 * when it hasn't. */
hipError_t triad_hip_stream_query(triad_hip_stream *s) { return TRIAD_HIP_CALM(s->dev, query(s)); }

int triad_hip_stream_reached(triad_hip_stream *s, uint32_t target) {
    return (int32_t)(__atomic_load_n(&s->cell->word, __ATOMIC_ACQUIRE) - target) >= 0;
}

/* Has the stream raise its word when it gets here; in the device's context. The
 * number to wait for goes to *target, what it covers to *upto. hipErrorNotReady
 * when another thread is enqueueing a write at this moment: then the driver has to
 * be asked, since waiting for that thread could take as long as the queue is full. */
hipError_t triad_hip_stream_word(triad_hip_stream *s, uint32_t *target, uint64_t *upto) {
    uint32_t no = 0;
    if (!s->word_at) return hipErrorNotReady;
    if (!atomic_compare_exchange_strong_explicit(&s->writing, &no, 1, memory_order_acquire, memory_order_relaxed))
        return hipErrorNotReady;
    hipError_t code = hipSuccess;
    *upto = atomic_load(&s->submitted);
    if (s->written_upto < *upto || s->written_upto == 0 || s->borrowed || atomic_load(&s->shared)) {
        code = triad_hip.hipStreamWriteValue32(s->s, triad_hip_ptr(s->word_at), s->written + 1, 0);
        if (code == hipSuccess) {
            s->written++;
            s->written_upto = *upto;
        } else { /* a device that writes no words, or a stream that failed, which says so when asked */
            triad_hip_tidy(code);
            code = hipErrorNotReady;
        }
    }
    *target = s->written;
    atomic_store_explicit(&s->writing, 0, memory_order_release);
    return code;
}
