#include "triad_opencl.h"

#include <sched.h>
#include <stdlib.h>

/* Whether an event has been reached; *status is negative if its command failed. */
int triad_cl_reached(cl_event ev, cl_int *status) {
    cl_int code = triad_cl.clGetEventInfo(ev, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof *status, status, 0);
    if (code != CL_SUCCESS) *status = code;
    return *status <= CL_COMPLETE;
}

/* Lets go of the events that have been reached, so that the list stays as long as
 * the work left. Returns the status of one whose command failed, else 0. */
cl_int triad_cl_events_reap(triad_cl_events *e) {
    cl_int status, failed = 0;
    int kept = 0;
    for (int i = 0; i < e->n; i++) {
        if (triad_cl_reached(e->list[i], &status)) {
            if (status < 0) failed = status;
            triad_cl.clReleaseEvent(e->list[i]);
        } else {
            e->list[kept++] = e->list[i];
        }
    }
    e->n = kept;
    return failed;
}

/* Takes over ev. Without memory it leaks, which is better than freeing it early. */
void triad_cl_events_add(triad_cl_events *e, cl_event ev) {
    if (e->n == e->room) {
        int room = e->room ? 2 * e->room : 8;
        cl_event *more = realloc(e->list, room * sizeof *more);
        if (!more) return;
        e->list = more;
        e->room = room;
    }
    e->list[e->n++] = ev;
}

void triad_cl_events_drop(triad_cl_events *e) {
    for (int i = 0; i < e->n; i++) triad_cl.clReleaseEvent(e->list[i]);
    free(e->list);
}

triad_cl_event *triad_cl_event_new(void) {
    triad_cl_event *e = calloc(1, sizeof *e);
    if (e) atomic_flag_clear(&e->lock);
    return e;
}

/* The lock is held for two instructions and one retain; whoever finds it taken
 * lets the holder run. */
static void lock(triad_cl_event *e) {
    while (atomic_flag_test_and_set_explicit(&e->lock, memory_order_acquire)) sched_yield();
}

static void unlock(triad_cl_event *e) { atomic_flag_clear_explicit(&e->lock, memory_order_release); }

/* What e stands for now, retained; 0 if it was never recorded. */
cl_event triad_cl_event_get(triad_cl_event *e) {
    lock(e);
    cl_event ev = e->ev;
    if (ev) triad_cl.clRetainEvent(ev);
    unlock(e);
    return ev;
}

/* What n events stand for now, each retained; returns how many stand for
 * anything. n is at most TRIAD_CL_MAX_EVENTS. */
uint32_t triad_cl_event_list(const uintptr_t *events, uint32_t n, cl_event *list) {
    uint32_t held = 0;
    for (uint32_t i = 0; i < n; i++) {
        list[held] = triad_cl_event_get((triad_cl_event *)events[i]);
        if (list[held]) held++;
    }
    return held;
}

/* Makes e stand for ev, whose reference it takes over. */
void triad_cl_event_set(triad_cl_event *e, cl_event ev) {
    lock(e);
    cl_event old = e->ev;
    e->ev = ev;
    unlock(e);
    if (old) triad_cl.clReleaseEvent(old);
}

void triad_cl_event_free(triad_cl_event *e) {
    if (e->ev) triad_cl.clReleaseEvent(e->ev);
    free(e);
}

cl_int triad_cl_event_record(triad_cl_stream *s, triad_cl_event *e) {
    return triad_cl_stream_barrier(s, 0, 0, 0, e);
}

cl_int triad_cl_event_wait(triad_cl_stream *s, triad_cl_event *e) {
    uintptr_t one = (uintptr_t)e;
    return triad_cl_stream_barrier(s, &one, 1, 1, 0);
}

int triad_cl_event_query(triad_cl_event *e, cl_int *code) {
    cl_int status = CL_COMPLETE;
    *code = CL_SUCCESS;
    cl_event ev = triad_cl_event_get(e);
    if (!ev) return 1;
    cl_int asked = triad_cl.clGetEventInfo(ev, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, 0);
    triad_cl.clReleaseEvent(ev);
    if (asked != CL_SUCCESS || status < 0) *code = asked != CL_SUCCESS ? asked : status;
    return *code == CL_SUCCESS && status == CL_COMPLETE;
}

cl_int triad_cl_event_times(triad_cl_event *e, uint64_t times[4]) {
    static const cl_profiling_info ask[4] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                             CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    cl_event ev = triad_cl_event_get(e);
    if (!ev) return CL_INVALID_EVENT;
    cl_int code = CL_SUCCESS;
    for (int i = 0; i < 4 && code == CL_SUCCESS; i++)
        code = triad_cl.clGetEventProfilingInfo(ev, ask[i], sizeof times[i], &times[i], 0);
    triad_cl.clReleaseEvent(ev);
    return code;
}

cl_int triad_cl_event_user(triad_cl_device *dev, triad_cl_event *e) {
    cl_int code;
    cl_event ev = triad_cl.clCreateUserEvent(dev->ctx, &code);
    if (ev) triad_cl_event_set(e, ev);
    return code;
}

cl_int triad_cl_event_complete(triad_cl_event *e, cl_int status) {
    cl_event ev = triad_cl_event_get(e);
    if (!ev) return CL_INVALID_EVENT;
    cl_int code = triad_cl.clSetUserEventStatus(ev, status);
    triad_cl.clReleaseEvent(ev);
    return code;
}
