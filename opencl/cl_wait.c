#include "triad_opencl.h"

#include <stdlib.h>

/* The callback member of a wait. A completion callback may come after a poll
 * has already found the operation finished and the wait was given back; such a
 * wait is not used again but freed by its callback.
 *
 *   NONE --subscribe--> ARMED --callback--> FIRED    wait may be used again
 *                       ARMED --given back--> LEFT --callback--> freed
 */
enum { NONE, ARMED, FIRED, LEFT };

triad_cl_wait *triad_cl_wait_new(void) { return calloc(1, sizeof(triad_cl_wait)); }

void triad_cl_wait_free(triad_cl_wait *w) { free(w); }

/* Starts what w is to wait for. Returns 1, with the outcome in *result, when
 * that is known already. */
static int start(triad_cl_wait *w, int64_t *result) {
    triad_cl_stream *s = w->stream;
    cl_int code = CL_SUCCESS;
    w->started = 1;
    w->upto = 0;
    w->ev = 0;
    switch (w->what) {
    case TRIAD_CL_WAIT_EVENT:
        w->ev = triad_cl_event_get(w->event);
        if (w->ev) return 0;
        *result = CL_COMPLETE;
        return 1;
    case TRIAD_CL_WAIT_COPY:
        w->upto = atomic_load(&s->submitted);
        code = triad_cl_copy(s, w->dst, w->src, w->bytes, &w->ev);
        /* On an in-order queue the copy's end is the end of all before it, and of
         * the copy itself if nobody else has counted in between. */
        if (code == CL_SUCCESS && triad_cl_submitted(s) == w->upto) w->upto++;
        if (!s->in_order) w->upto = 0;
        break;
    default:
        w->upto = atomic_load(&s->submitted);
        if (atomic_load(&s->done) >= w->upto) {
            *result = CL_COMPLETE;
            return 1;
        }
        code = triad_cl.clEnqueueMarkerWithWaitList(s->q, 0, 0, &w->ev);
    }
    if (code == CL_SUCCESS) code = triad_cl.clFlush(s->q);
    if (code == CL_SUCCESS) return 0;
    *result = TRIAD_CL_ENQUEUE_FAILED | (uint32_t)code;
    return 1;
}

/* The outcome of an event that has ended: a status, of which a negative one is
 * an error. */
static int ended(triad_cl_wait *w, int64_t *result) {
    cl_int status;
    if (!triad_cl_reached(w->ev, &status)) return 0;
    *result = status;
    return 1;
}

int triad_cl_wait_poll(void *object, int64_t *result) {
    triad_cl_wait *w = object;
    if (!w->started && start(w, result)) return 1;
    return ended(w, result);
}

int64_t triad_cl_wait_block(void *object) {
    triad_cl_wait *w = object;
    int64_t result;
    if (!w->started && start(w, &result)) return result;
    cl_int code = triad_cl.clWaitForEvents(1, &w->ev);
    if (ended(w, &result)) return result;
    return code;
}

/* Callbacks that are arranged and have not come. Drivers keep them in a list that
 * they walk under a lock for each new one: with ten thousand waits on one event
 * that holds up whoever calls, and Go starts a thread for each. Beyond the bound
 * waits take another road. */
enum { MAX_CALLBACKS = 256 };
static _Atomic int callbacks;

static void on_complete(cl_event ev, cl_int status, void *user) {
    (void)ev;
    triad_cl_wait *w = user;
    triad_signal *signal = w->signal;
    if (atomic_exchange(&w->callback, FIRED) == LEFT) {
        triad_cl.clReleaseEvent(w->ev);
        free(w);
    } else {
        atomic_fetch_sub(&callbacks, 1);
    }
    /* From here on w may be somebody else's. */
    triad_signal_fire(signal, status);
}

int triad_cl_wait_subscribe(void *object, triad_signal *signal) {
    triad_cl_wait *w = object;
    if (!w->started || !w->ev) return -1;
    if (atomic_fetch_add(&callbacks, 1) >= MAX_CALLBACKS) {
        atomic_fetch_sub(&callbacks, 1);
        return -1;
    }
    w->signal = signal;
    atomic_store(&w->callback, ARMED);
    if (triad_cl.clSetEventCallback(w->ev, CL_COMPLETE, on_complete, w) == CL_SUCCESS) return 0;
    atomic_store(&w->callback, NONE);
    atomic_fetch_sub(&callbacks, 1);
    return -1;
}

/* Gives w back after the operation has ended. A failure that its waiter was not
 * told of, having left before, is kept for the next one. Returns 0 when w is
 * still its callback's and must be forgotten. */
int triad_cl_wait_done(triad_cl_wait *w, int told) {
    cl_int status;
    if (!told && w->ev && w->stream && triad_cl_reached(w->ev, &status) && status < 0)
        atomic_store(&w->stream->failed, status);
    if (w->ev && w->upto) triad_cl_finished(w->stream, w->upto);
    uint32_t armed = ARMED;
    if (atomic_compare_exchange_strong(&w->callback, &armed, LEFT)) {
        atomic_fetch_sub(&callbacks, 1); /* it may never come: PoCL's don't for commands that fail */
        return 0;
    }
    if (w->ev) triad_cl.clReleaseEvent(w->ev);
    w->ev = 0;
    w->started = 0;
    atomic_store(&w->callback, NONE);
    return 1;
}
