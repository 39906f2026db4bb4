#include "triad_cuda.h"

#include <stdlib.h>
#include <time.h>

triad_cu_wait *triad_cu_wait_new(void) { return calloc(1, sizeof(triad_cu_wait)); }

void triad_cu_wait_free(triad_cu_wait *w) { free(w); }

/* Begins a wait for a stream: what it is to copy is enqueued, and the word is
 * written, if that can be. */
static CUresult begin_stream(triad_cu_wait *w) {
    triad_cu_stream *s = w->stream;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult code = triad_cu.cuStreamIsCapturing(s->s, &status);
    if (code != CUDA_SUCCESS) return code;
    if (status != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (w->bytes) {
        code = triad_cu_submitted(s, triad_cu.cuMemcpyAsync((CUdeviceptr)w->dst, (CUdeviceptr)w->src, w->bytes, s->s));
        if (code != CUDA_SUCCESS) return code;
    }
    uint64_t upto = 0;
    code = w->no_word ? CUDA_ERROR_NOT_READY : triad_cu_stream_word(s, &w->target, &upto);
    if (code == CUDA_ERROR_NOT_READY) upto = atomic_load(&s->submitted);
    else if (code != CUDA_SUCCESS) return code;
    __atomic_store_n(&w->upto, upto, __ATOMIC_RELEASE);
    __atomic_store_n(&w->has_word, code == CUDA_SUCCESS, __ATOMIC_RELEASE);
    return CUDA_SUCCESS;
}

static CUresult ask(triad_cu_wait *w) {
    if (w->what == TRIAD_CU_WAIT_EVENT) return triad_cu_event_query(w->event);
    return TRIAD_CU_CALM_ON(w->stream->dev, triad_cu.cuStreamQuery(w->stream->s));
}

static int ended(triad_cu_wait *w) {
    __atomic_store_n(&w->reached, 1, __ATOMIC_RELEASE);
    return 1;
}

/* A failure that is the stream's comes again when the driver is asked once more. If it
 * doesn't, only the call failed, and the commands go on, into memory that nobody else
 * may have yet: the wait ends with them, and reports the failure then. Tells whether
 * this is the first. */
static int first(triad_cu_wait *w, CUresult code) {
    if (w->failed != CUDA_SUCCESS) return 0;
    w->failed = code;
    return 1;
}

/* Looks whether the operation has ended. The first look begins it, so that a wait
 * that ends soon is one crossing.
 *
 * With a word, looking is a load. A stream that failed never writes it, so once the
 * wait has been handed over, which is when looks are rare, the driver is asked as
 * well. A copy is not made by looking at it: see triad_cu_wait_block. */
int triad_cu_wait_poll(void *object, int64_t *result) {
    triad_cu_wait *w = object;
    *result = 0;
    if (!w->started) {
        w->started = 1;
        if (w->what == TRIAD_CU_WAIT_STREAM) {
            CUresult code = TRIAD_CU_ON(w->stream->dev, begin_stream(w));
            if (code != CUDA_SUCCESS) {
                *result = TRIAD_CU_ENQUEUE_FAILED | (int64_t)code;
                return 1;
            }
        }
    }
    if (w->has_word) {
        if (triad_cu_stream_reached(w->stream, w->target)) return ended(w);
        if (!w->watched) return 0;
    }
    CUresult code = ask(w);
    if (code == CUDA_ERROR_NOT_READY || (code != CUDA_SUCCESS && first(w, code))) return 0;
    if (code == CUDA_SUCCESS) ended(w);
    *result = (int64_t)(w->failed != CUDA_SUCCESS ? w->failed : code);
    return 1;
}

/* Waits until the stream has come this far, in a thread that has nothing else to do.
 * The driver's own way of waiting burns a processor, as a rule. */
static CUresult come_here(triad_cu_wait *w) {
    triad_cu_stream *s = w->stream;
    uint32_t target;
    uint64_t upto;
    CUresult code = triad_cu_stream_word(s, &target, &upto);
    if (code != CUDA_SUCCESS) return code == CUDA_ERROR_NOT_READY ? CUDA_SUCCESS : code;
    struct timespec nap = {0, 10000};
    for (unsigned i = 1; !triad_cu_stream_reached(s, target) && !__atomic_load_n(w->begin, __ATOMIC_RELAXED); i++) {
        clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, 0);
        if (i % 256) continue;
        code = triad_cu.cuStreamQuery(s->s); /* a stream that failed writes no word */
        if (code != CUDA_SUCCESS && code != CUDA_ERROR_NOT_READY) return code;
        if (nap.tv_nsec < 1000000) nap.tv_nsec *= 2;
    }
    return CUDA_SUCCESS;
}

/* *begun tells whether the copy was enqueued. */
static CUresult copy(triad_cu_wait *w, int *begun) {
    CUstream s = w->stream->s;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult code = triad_cu.cuStreamIsCapturing(s, &status);
    if (code != CUDA_SUCCESS) return code;
    if (status != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if ((code = come_here(w)) != CUDA_SUCCESS) return code;
    uint32_t waiting = 0;
    if (!__atomic_compare_exchange_n(w->begin, &waiting, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return CUDA_ERROR_NOT_READY; /* nobody hears of it */
    w->upto = atomic_load(&w->stream->submitted);
    code = triad_cu_submitted(w->stream, triad_cu.cuMemcpyAsync((CUdeviceptr)w->dst, (CUdeviceptr)w->src, w->bytes, s));
    *begun = code == CUDA_SUCCESS;
    return *begun ? triad_cu.cuStreamSynchronize(s) : code;
}

/* After a failure: whether the commands end nevertheless, which is waited for; see
 * first. */
static int settle(triad_cu_wait *w) {
    struct timespec nap = {0, 100000};
    CUresult code;
    while ((code = ask(w)) == CUDA_ERROR_NOT_READY) clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, 0);
    return code == CUDA_SUCCESS;
}

/* Blocks until the operation has ended. Copies between device memory and memory
 * that CUDA has not pinned are made here: the driver's call may take as long as the
 * copy, and what the stream has before it. */
int64_t triad_cu_wait_block(void *object) {
    triad_cu_wait *w = object;
    CUresult code;
    int begun = w->what != TRIAD_CU_WAIT_COPY;
    switch (w->what) {
    case TRIAD_CU_WAIT_COPY: code = TRIAD_CU_CALM(w->stream->dev, copy(w, &begun)); break;
    case TRIAD_CU_WAIT_EVENT: code = TRIAD_CU_CALM(w->event->dev, triad_cu.cuEventSynchronize(w->event->ev)); break;
    default: code = TRIAD_CU_CALM(w->stream->dev, triad_cu.cuStreamSynchronize(w->stream->s));
    }
    if (code == CUDA_SUCCESS || (begun && settle(w))) ended(w);
    return (int64_t)(code == CUDA_SUCCESS ? w->failed : code);
}
