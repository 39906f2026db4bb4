#include "api.h"

static cl_int status_of(cl_event ev, cl_int *status) {
    return twin_cl.clGetEventInfo(ev, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof *status, status, 0);
}

static cl_int poll(cl_event ev) {
    cl_int status;
    do {
        TRY(status_of(ev, &status));
    } while (status > CL_COMPLETE);
    return status;
}

static cl_int launch_wait(const twin *t, int how, cl_uint n) {
    const twin_lane *lane = &t->lane;
    cl_event ev;
    switch (how) {
    case TWIN_FINISH:
        TRY(twin_launch4(t, lane, n, 0));
        return twin_cl.clFinish(lane->q);
    case TWIN_MARKER:
        TRY(twin_launch4(t, lane, n, 0));
        TRY(twin_cl.clEnqueueMarkerWithWaitList(lane->q, 0, 0, &ev));
        TRY(twin_cl.clWaitForEvents(1, &ev));
        break;
    case TWIN_WAIT_FOR_EVENTS:
        TRY(twin_launch4(t, lane, n, &ev));
        TRY(twin_cl.clWaitForEvents(1, &ev));
        break;
    default:
        TRY(twin_launch4(t, lane, n, &ev));
        TRY(twin_cl.clFlush(lane->q));
        TRY(poll(ev));
    }
    return twin_cl.clReleaseEvent(ev);
}

int64_t twin_launch_wait(twin *t, int how, long n) {
    int64_t begin = twin_now();
    for (long i = 0; i < n; i++) TRY(launch_wait(t, how, i));
    return twin_now() - begin;
}

/* A marker that has been reached. */
static cl_int reached(twin *t, cl_event *ev) {
    TRY(twin_cl.clEnqueueMarkerWithWaitList(t->lane.q, 0, 0, ev));
    return twin_cl.clWaitForEvents(1, ev);
}

int64_t twin_idle_wait(twin *t, int event, long n) {
    cl_event ev = 0;
    if (event)
        TRY(reached(t, &ev));
    else
        TRY(twin_cl.clFinish(t->lane.q));
    int64_t begin = twin_now();
    for (long i = 0; i < n; i++) {
        if (event)
            TRY(twin_cl.clWaitForEvents(1, &ev));
        else
            TRY(twin_cl.clFinish(t->lane.q));
    }
    int64_t took = twin_now() - begin;
    if (ev) TRY(twin_cl.clReleaseEvent(ev));
    return took;
}

int64_t twin_record(twin *t, long n, long every) {
    cl_event ev = 0;
    int64_t begin = twin_now();
    for (long i = 1; i <= n; i++) {
        if (ev) TRY(twin_cl.clReleaseEvent(ev));
        TRY(twin_cl.clEnqueueMarkerWithWaitList(t->lane.q, 0, 0, &ev));
        TRY(twin_cl.clFlush(t->lane.q));
        if (i % every == 0) TRY(twin_cl.clFinish(t->lane.q));
    }
    TRY(twin_cl.clFinish(t->lane.q));
    int64_t took = twin_now() - begin;
    if (ev) TRY(twin_cl.clReleaseEvent(ev));
    return took;
}

int64_t twin_query(twin *t, long n) {
    cl_event ev;
    cl_int status;
    TRY(reached(t, &ev));
    int64_t begin = twin_now();
    for (long i = 0; i < n; i++) {
        TRY(status_of(ev, &status));
        if (status != CL_COMPLETE) return CL_INVALID_EVENT;
    }
    int64_t took = twin_now() - begin;
    TRY(twin_cl.clReleaseEvent(ev));
    return took;
}
