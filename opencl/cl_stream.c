#include "triad_opencl.h"

#include <stdlib.h>

triad_cl_device *triad_cl_device_open(cl_platform_id platform, cl_device_id id, cl_int *code) {
    triad_cl_device *dev = calloc(1, sizeof *dev);
    if (!dev) {
        *code = CL_OUT_OF_HOST_MEMORY;
        return 0;
    }
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    dev->id = id;
    triad_signals_save();
    dev->ctx = triad_cl.clCreateContext(properties, 1, &id, 0, 0, code);
    triad_signals_restore();
    if (!dev->ctx) {
        free(dev);
        return 0;
    }
    pthread_mutex_init(&dev->lock, 0);
    return dev;
}

void triad_cl_device_close(triad_cl_device *dev) {
    triad_cl_events_drop(&dev->left);
    if (dev->freeq) triad_cl.clReleaseCommandQueue(dev->freeq);
    triad_cl.clReleaseContext(dev->ctx);
    pthread_mutex_destroy(&dev->lock);
    free(dev);
}

static cl_command_queue make_queue(triad_cl_device *dev, uint64_t properties, uint32_t priority, cl_int *code) {
    if (!triad_cl.clCreateCommandQueueWithProperties)
        return triad_cl.clCreateCommandQueue(dev->ctx, dev->id, properties, code);
    cl_queue_properties list[5] = {CL_QUEUE_PROPERTIES, properties, 0};
    if (priority) {
        list[2] = CL_QUEUE_PRIORITY_KHR;
        list[3] = priority;
    }
    cl_command_queue q = triad_cl.clCreateCommandQueueWithProperties(dev->ctx, dev->id, list, code);
    /* The loader has the function, but this device's platform may be older. */
    if (!q && triad_cl.clCreateCommandQueue && !priority && *code != CL_OUT_OF_HOST_MEMORY) {
        cl_int older;
        q = triad_cl.clCreateCommandQueue(dev->ctx, dev->id, properties, &older);
        if (q) *code = CL_SUCCESS;
    }
    return q;
}

triad_cl_stream *triad_cl_stream_open(triad_cl_device *dev, uint64_t properties, uint32_t priority, cl_int *code) {
    triad_cl_stream *s = calloc(1, sizeof *s);
    if (!s) {
        *code = CL_OUT_OF_HOST_MEMORY;
        return 0;
    }
    s->dev = dev;
    s->in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    s->q = make_queue(dev, properties, priority, code);
    if (!s->q) {
        free(s);
        return 0;
    }
    pthread_mutex_init(&s->lock, 0);
    pthread_mutex_lock(&dev->lock);
    s->next = dev->streams;
    if (s->next) s->next->prev = s;
    dev->streams = s;
    pthread_mutex_unlock(&dev->lock);
    return s;
}

static int pending(triad_cl_stream *s) { return atomic_load(&s->done) < atomic_load(&s->submitted); }

void triad_cl_stream_close(triad_cl_stream *s) {
    triad_cl_device *dev = s->dev;
    cl_event ev = 0;
    if (pending(s) && triad_cl.clEnqueueMarkerWithWaitList(s->q, 0, 0, &ev) != CL_SUCCESS) ev = 0;
    triad_cl.clFlush(s->q);
    pthread_mutex_lock(&dev->lock);
    if (s->prev)
        s->prev->next = s->next;
    else
        dev->streams = s->next;
    if (s->next) s->next->prev = s->prev;
    if (ev) {
        triad_cl_events_reap(&dev->left);
        triad_cl_events_add(&dev->left, ev);
    }
    pthread_mutex_unlock(&dev->lock);
    if (s->query) triad_cl.clReleaseEvent(s->query);
    triad_cl_events_drop(&s->held);
    triad_cl.clReleaseCommandQueue(s->q);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

cl_int triad_cl_stream_flush(triad_cl_stream *s) { return triad_cl.clFlush(s->q); }

/* 1 when everything submitted has finished. A marker that is under way is asked
 * again rather than joined by another. */
int triad_cl_stream_query(triad_cl_stream *s, cl_int *code) {
    *code = CL_SUCCESS;
    if (!pending(s)) return 1;
    pthread_mutex_lock(&s->lock);
    if (s->query && s->query_upto <= atomic_load(&s->done)) {
        /* A wait has seen the end of what it stands for, and told of it. */
        triad_cl.clReleaseEvent(s->query);
        s->query = 0;
    }
    for (int round = 0; round < 2; round++) {
        if (!s->query) {
            s->query_upto = atomic_load(&s->submitted);
            *code = triad_cl.clEnqueueMarkerWithWaitList(s->q, 0, 0, &s->query);
            if (*code != CL_SUCCESS) {
                s->query = 0;
                break;
            }
            triad_cl.clFlush(s->q);
        }
        cl_int status;
        if (!triad_cl_reached(s->query, &status)) break;
        triad_cl_finished(s, s->query_upto);
        triad_cl.clReleaseEvent(s->query);
        s->query = 0;
        if (status < 0) {
            /* The commands held that failed with it are told of by this. */
            triad_cl_events_reap(&s->held);
            atomic_store(&s->holding, s->held.n != 0);
            atomic_store(&s->failed, 0);
            *code = status;
        }
        if (status < 0 || !pending(s)) break;
        /* More was submitted since that marker: look once more. */
    }
    pthread_mutex_unlock(&s->lock);
    return *code == CL_SUCCESS && !pending(s);
}

/* Holds the event of a command that waited for events, which it takes over, until
 * it has been reached. Such a command fails when one of those does; its event is
 * how that is noticed. Besides, PoCL 3.1 frees an event that nobody holds too
 * early when what it waits for fails, and then aborts the process. */
void triad_cl_stream_hold(triad_cl_stream *s, cl_event ev) {
    pthread_mutex_lock(&s->lock);
    cl_int failed = triad_cl_events_reap(&s->held);
    if (failed) atomic_store(&s->failed, failed);
    triad_cl_events_add(&s->held, ev);
    atomic_store(&s->holding, 1);
    pthread_mutex_unlock(&s->lock);
}

/* Takes the failure that nobody has been told of; 0 if there is none. */
int32_t triad_cl_stream_failure(triad_cl_stream *s) {
    pthread_mutex_lock(&s->lock);
    cl_int failed = triad_cl_events_reap(&s->held);
    atomic_store(&s->holding, s->held.n != 0);
    pthread_mutex_unlock(&s->lock);
    cl_int before = atomic_exchange(&s->failed, 0);
    return failed ? failed : before;
}

/* Enqueues a barrier or a marker behind the given events, or behind everything
 * when there are none. out, if any, comes to stand for it. */
cl_int triad_cl_stream_barrier(triad_cl_stream *s, const uintptr_t *events, uint32_t n, int barrier,
                               triad_cl_event *out) {
    cl_event list[TRIAD_CL_MAX_EVENTS], ev = 0;
    uint32_t held = triad_cl_event_list(events, n, list);
    cl_int code = CL_SUCCESS;
    if (n == 0 || held > 0 || out)
        code = barrier ? triad_cl.clEnqueueBarrierWithWaitList(s->q, held, held ? list : 0, &ev)
                       : triad_cl.clEnqueueMarkerWithWaitList(s->q, held, held ? list : 0, &ev);
    for (uint32_t i = 0; i < held; i++) triad_cl.clReleaseEvent(list[i]);
    if (code != CL_SUCCESS || !ev) return code;
    triad_cl_submitted(s);
    if (held) {
        if (out) triad_cl.clRetainEvent(ev);
        triad_cl_stream_hold(s, ev);
    } else if (!out) {
        triad_cl.clReleaseEvent(ev);
    }
    if (!out) return CL_SUCCESS;
    triad_cl_event_set(out, ev);
    return triad_cl.clFlush(s->q);
}

/* Has e stand for what a closed stream has left to do; 0 when nothing is left. */
int triad_cl_device_left(triad_cl_device *dev, triad_cl_event *e) {
    pthread_mutex_lock(&dev->lock);
    triad_cl_events_reap(&dev->left);
    int some = dev->left.n > 0;
    if (some) {
        triad_cl.clRetainEvent(dev->left.list[0]);
        triad_cl_event_set(e, dev->left.list[0]);
    }
    pthread_mutex_unlock(&dev->lock);
    return some;
}

/* Collects markers for everything that may be running on the device; with
 * dev->lock held. The caller frees the array and releases what is in it. Returns
 * 0 when there is no memory for that. */
int triad_cl_device_pending(triad_cl_device *dev, cl_event **events, int *n) {
    int room = dev->left.n;
    for (triad_cl_stream *s = dev->streams; s; s = s->next) room++;
    *n = 0;
    *events = 0;
    if (!room) return 1;
    cl_event *list = malloc(room * sizeof *list);
    if (!list) return 0;
    for (int i = 0; i < dev->left.n; i++) {
        triad_cl.clRetainEvent(dev->left.list[i]);
        list[(*n)++] = dev->left.list[i];
    }
    for (triad_cl_stream *s = dev->streams; s; s = s->next) {
        if (!pending(s)) continue;
        if (triad_cl.clEnqueueMarkerWithWaitList(s->q, 0, 0, &list[*n]) != CL_SUCCESS) continue;
        triad_cl.clFlush(s->q);
        (*n)++;
    }
    *events = list;
    return 1;
}
