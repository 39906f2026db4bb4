#include "triad_hip_c.h"

#include <stdlib.h>
#include <time.h>

triad_hip_wait *triad_hip_wait_new(void) { return calloc(1, sizeof(triad_hip_wait)); }

void triad_hip_wait_free(triad_hip_wait *w) { free(w); }

/* Begins a wait for a stream: what it is to copy is enqueued, and the word is
 * written, if that can be. */
static hipError_t begin_stream(triad_hip_wait *w) {
    triad_hip_stream *s = w->stream;
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    hipError_t code = triad_hip.hipStreamIsCapturing(s->s, &status);
    if (code != hipSuccess) return code;
    if (status != hipStreamCaptureStatusNone) return hipErrorStreamCaptureUnsupported;
    if (w->bytes) {
        code = triad_hip_submitted(s, triad_hip.hipMemcpyAsync(triad_hip_ptr(w->dst), triad_hip_ptr(w->src), w->bytes, hipMemcpyDefault, s->s));
        if (code != hipSuccess) return code;
    }
    uint64_t upto = 0;
    code = w->no_word ? hipErrorNotReady : triad_hip_stream_word(s, &w->target, &upto);
    if (code == hipErrorNotReady) upto = atomic_load(&s->submitted);
    else if (code != hipSuccess) return code;
    __atomic_store_n(&w->upto, upto, __ATOMIC_RELEASE);
    __atomic_store_n(&w->has_word, code == hipSuccess, __ATOMIC_RELEASE);
    return hipSuccess;
}

static hipError_t ask(triad_hip_wait *w) {
    if (w->what == TRIAD_HIP_WAIT_EVENT) return triad_hip_event_query(w->event);
    return TRIAD_HIP_CALM(w->stream->dev, triad_hip.hipStreamQuery(w->stream->s));
}

static int ended(triad_hip_wait *w) {
    __atomic_store_n(&w->reached, 1, __ATOMIC_RELEASE);
    return 1;
}

/* A failure that is the stream's comes again when the driver is asked once more. If it
 * doesn't, only the call failed, and the commands go on, into memory that nobody else
 * may have yet: the wait ends with them, and reports the failure then. Tells whether
 * this is the first. */
static int first(triad_hip_wait *w, hipError_t code) {
    if (w->failed != hipSuccess) return 0;
    w->failed = code;
    return 1;
}

/* Looks whether the operation has ended. The first look begins it, so that a wait
 * that ends soon is one crossing.
 *
 * With a word, looking is a load. A stream that failed never writes it, so once the
 * wait has been handed over, which is when looks are rare, the driver is asked as
 * well. A copy is not made by looking at it: see triad_hip_wait_block. */
int triad_hip_wait_poll(void *object, int64_t *result) {
    triad_hip_wait *w = object;
    *result = 0;
    if (!w->started) {
        w->started = 1;
        if (w->what == TRIAD_HIP_WAIT_STREAM) {
            hipError_t code = TRIAD_HIP_IN(w->stream->dev, begin_stream(w));
            if (code != hipSuccess) {
                *result = TRIAD_HIP_ENQUEUE_FAILED | (int64_t)code;
                return 1;
            }
        }
    }
    if (w->has_word) {
        if (triad_hip_stream_reached(w->stream, w->target)) return ended(w);
        if (!w->watched) return 0;
    }
    hipError_t code = ask(w);
    if (code == hipErrorNotReady || (code != hipSuccess && first(w, code))) return 0;
    if (code == hipSuccess) ended(w);
    *result = (int64_t)(w->failed != hipSuccess ? w->failed : code);
    return 1;
}

/* Waits until the stream has come this far, in a thread that has nothing else to do.
 * The driver's own way of waiting burns a processor, as a rule. */
static hipError_t come_here(triad_hip_wait *w) {
    triad_hip_stream *s = w->stream;
    uint32_t target;
    uint64_t upto;
    hipError_t code = triad_hip_stream_word(s, &target, &upto);
    if (code != hipSuccess) return code == hipErrorNotReady ? hipSuccess : code;
    struct timespec nap = {0, 10000};
    for (unsigned i = 1; !triad_hip_stream_reached(s, target) && !__atomic_load_n(w->begin, __ATOMIC_RELAXED); i++) {
        clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, 0);
        if (i % 256) continue;
        code = triad_hip_checked(triad_hip.hipStreamQuery(s->s)); /* a stream that failed writes no word */
        if (code != hipSuccess && code != hipErrorNotReady) return code;
        if (nap.tv_nsec < 1000000) nap.tv_nsec *= 2;
    }
    return hipSuccess;
}

/* *begun tells whether the copy was enqueued. */
static hipError_t copy(triad_hip_wait *w, int *begun) {
    hipStream_t s = w->stream->s;
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    hipError_t code = triad_hip.hipStreamIsCapturing(s, &status);
    if (code != hipSuccess) return code;
    if (status != hipStreamCaptureStatusNone) return hipErrorStreamCaptureUnsupported;
    if ((code = come_here(w)) != hipSuccess) return code;
    uint32_t waiting = 0;
    if (!__atomic_compare_exchange_n(w->begin, &waiting, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return hipErrorNotReady; /* nobody hears of it */
    w->upto = atomic_load(&w->stream->submitted);
    code = triad_hip_submitted(w->stream, triad_hip.hipMemcpyAsync(triad_hip_ptr(w->dst), triad_hip_ptr(w->src), w->bytes, hipMemcpyDefault, s));
    *begun = code == hipSuccess;
    return *begun ? triad_hip.hipStreamSynchronize(s) : code;
}

/* After a failure: whether the commands end nevertheless, which is waited for; see
 * first. */
static int settle(triad_hip_wait *w) {
    struct timespec nap = {0, 100000};
    hipError_t code;
    while ((code = ask(w)) == hipErrorNotReady) clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, 0);
    return code == hipSuccess;
}

/* Blocks until the operation has ended. Copies between device memory and memory
 * that HIP has not pinned are made here: the driver's call may take as long as the
 * copy, and what the stream has before it. */
int64_t triad_hip_wait_block(void *object) {
    triad_hip_wait *w = object;
    hipError_t code;
    int begun = w->what != TRIAD_HIP_WAIT_COPY;
    switch (w->what) {
    case TRIAD_HIP_WAIT_COPY: code = TRIAD_HIP_CALM(w->stream->dev, copy(w, &begun)); break;
    case TRIAD_HIP_WAIT_EVENT: code = TRIAD_HIP_CALM(w->event->dev, triad_hip.hipEventSynchronize(w->event->ev)); break;
    default: code = TRIAD_HIP_CALM(w->stream->dev, triad_hip.hipStreamSynchronize(w->stream->s));
    }
    if (code == hipSuccess || (begun && settle(w))) ended(w);
    return (int64_t)(code == hipSuccess ? w->failed : code);
}
