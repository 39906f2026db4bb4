#include "triad_opencl.h"

#include <stdlib.h>
#include <string.h>

cl_mem triad_cl_buffer_new(triad_cl_device *dev, uint64_t flags, size_t size, void *host, cl_int *code) {
    return triad_cl.clCreateBuffer(dev->ctx, flags, size, host, code);
}

cl_mem triad_cl_buffer_sub(cl_mem parent, size_t origin, size_t size, cl_int *code) {
    const cl_buffer_region region = {origin, size};
    return triad_cl.clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, code);
}

/* OpenCL frees a buffer when the commands that use it have finished. */
cl_int triad_cl_buffer_free(cl_mem m) { return triad_cl.clReleaseMemObject(m); }

/* NVIDIA's driver (580) loses track of shared virtual memory when threads
 * allocate and free it at the same time: allocations fail, and copies of others
 * take its addresses for the host's and crash. So these calls, none of which waits
 * for a command, go one at a time. */
static pthread_mutex_t svm = PTHREAD_MUTEX_INITIALIZER;

void *triad_cl_svm_new(triad_cl_device *dev, size_t size, uint32_t align) {
    pthread_mutex_lock(&svm);
    void *p = triad_cl.clSVMAlloc(dev->ctx, CL_MEM_READ_WRITE, size, align);
    pthread_mutex_unlock(&svm);
    return p;
}

/* Starts command, given the queue and a wait list, on the device's own queue
 * behind everything that is pending on the device. With nothing pending, idle is
 * done instead, if there is one. */
static cl_int behind_pending(triad_cl_device *dev, cl_int (*command)(cl_command_queue, cl_uint, const cl_event *, void *),
                             void (*idle)(triad_cl_device *, void *), void *what) {
    cl_event *events;
    int n;
    cl_int code = CL_SUCCESS;
    pthread_mutex_lock(&dev->lock);
    int ok = triad_cl_device_pending(dev, &events, &n);
    if (ok && (n || !idle) && !dev->freeq) {
        dev->freeq = triad_cl.clCreateCommandQueue ? triad_cl.clCreateCommandQueue(dev->ctx, dev->id, 0, &code) : 0;
        if (!dev->freeq && triad_cl.clCreateCommandQueueWithProperties)
            dev->freeq = triad_cl.clCreateCommandQueueWithProperties(dev->ctx, dev->id, 0, &code);
    }
    pthread_mutex_unlock(&dev->lock);
    if (!ok) return CL_OUT_OF_HOST_MEMORY;
    if (n == 0 && idle) {
        idle(dev, what);
    } else if (dev->freeq) {
        code = command(dev->freeq, n, n ? events : 0, what);
        triad_cl.clFlush(dev->freeq);
    }
    for (int i = 0; i < n; i++) triad_cl.clReleaseEvent(events[i]);
    free(events);
    return code;
}

static cl_int enqueue_svm_free(cl_command_queue q, cl_uint n, const cl_event *events, void *p) {
    pthread_mutex_lock(&svm);
    cl_int code = triad_cl.clEnqueueSVMFree(q, 1, &p, 0, 0, n, events, 0);
    pthread_mutex_unlock(&svm);
    return code;
}

static void svm_free_now(triad_cl_device *dev, void *p) {
    pthread_mutex_lock(&svm);
    triad_cl.clSVMFree(dev->ctx, p);
    pthread_mutex_unlock(&svm);
}

/* Frees shared virtual memory in stream order: behind everything enqueued on the
 * device so far, since any of it may use an address. cover, if any, is the
 * buffer that was laid over it. */
cl_int triad_cl_svm_free(triad_cl_device *dev, void *p, cl_mem cover) {
    if (cover) triad_cl.clReleaseMemObject(cover);
    return behind_pending(dev, enqueue_svm_free, svm_free_now, p);
}

/* Page-locked host memory: a buffer that the driver allocates on the host,
 * mapped for its whole life. */
cl_mem triad_cl_host_new(triad_cl_device *dev, size_t size, void **p, cl_int *code) {
    cl_command_queue q = 0;
    cl_mem m = triad_cl.clCreateBuffer(dev->ctx, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, 0, code);
    if (!m) return 0;
    q = triad_cl.clCreateCommandQueue ? triad_cl.clCreateCommandQueue(dev->ctx, dev->id, 0, code)
                                      : triad_cl.clCreateCommandQueueWithProperties(dev->ctx, dev->id, 0, code);
    *p = q ? triad_cl.clEnqueueMapBuffer(q, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, 0, 0, code) : 0;
    if (q) triad_cl.clReleaseCommandQueue(q);
    if (!*p) {
        triad_cl.clReleaseMemObject(m);
        return 0;
    }
    return m;
}

struct host_free {
    cl_mem m;
    void *p;
};

static cl_int enqueue_unmap(cl_command_queue q, cl_uint n, const cl_event *events, void *what) {
    struct host_free *h = what;
    return triad_cl.clEnqueueUnmapMemObject(q, h->m, h->p, n, events, 0);
}

cl_int triad_cl_host_free(triad_cl_device *dev, cl_mem m, void *p) {
    struct host_free h = {m, p};
    cl_int code = behind_pending(dev, enqueue_unmap, 0, &h);
    cl_int released = triad_cl.clReleaseMemObject(m);
    return code != CL_SUCCESS ? code : released;
}

static int is_pointer(triad_cl_loc l) { return l.at != TRIAD_CL_AT_BUFFER; }

static void *pointer(triad_cl_loc l) { return (void *)(uintptr_t)(l.addr + l.offset); }

/* Copies from host memory to host memory, by way of a buffer of its own. The
 * buffers of page-locked memory are of no use here: while they are mapped, what
 * the device has of them need not be what the host has, and PoCL 3.1 takes a copy
 * between two places of one such buffer for one that need not be made. OpenCL
 * keeps the buffer until both commands have finished. */
static cl_int host_to_host(triad_cl_stream *s, void *dst, const void *src, size_t n, cl_event *ev) {
    cl_int code;
    cl_event first = 0;
    cl_mem m = triad_cl.clCreateBuffer(s->dev->ctx, CL_MEM_READ_WRITE, n, 0, &code);
    if (!m) return code;
    code = triad_cl.clEnqueueWriteBuffer(s->q, m, CL_FALSE, 0, n, src, 0, 0, &first);
    if (code == CL_SUCCESS) {
        code = triad_cl.clEnqueueReadBuffer(s->q, m, CL_FALSE, 0, n, dst, 1, &first, ev);
        triad_cl.clReleaseEvent(first);
    }
    triad_cl.clReleaseMemObject(m);
    return code;
}

/* Enqueues a copy by the road that fits its two ends. ev may be 0. */
cl_int triad_cl_copy(triad_cl_stream *s, triad_cl_loc dst, triad_cl_loc src, size_t n, cl_event *ev) {
    if (dst.at == TRIAD_CL_AT_HOST && src.at == TRIAD_CL_AT_HOST) return host_to_host(s, pointer(dst), pointer(src), n, ev);
    if (dst.at == TRIAD_CL_AT_SVM || src.at == TRIAD_CL_AT_SVM) {
        if (is_pointer(dst) && is_pointer(src))
            return triad_cl.clEnqueueSVMMemcpy(s->q, CL_FALSE, pointer(dst), pointer(src), n, 0, 0, ev);
    }
    if (src.at == TRIAD_CL_AT_HOST && dst.buffer)
        return triad_cl.clEnqueueWriteBuffer(s->q, triad_cl_buffer(dst), CL_FALSE, dst.offset, n, pointer(src), 0, 0, ev);
    if (dst.at == TRIAD_CL_AT_HOST && src.buffer)
        return triad_cl.clEnqueueReadBuffer(s->q, triad_cl_buffer(src), CL_FALSE, src.offset, n, pointer(dst), 0, 0, ev);
    if (!dst.buffer || !src.buffer) return CL_INVALID_MEM_OBJECT;
    return triad_cl.clEnqueueCopyBuffer(s->q, triad_cl_buffer(src), triad_cl_buffer(dst), src.offset, dst.offset, n, 0, 0, ev);
}

cl_int triad_cl_copy_async(triad_cl_stream *s, triad_cl_loc dst, triad_cl_loc src, size_t n) {
    cl_int code = triad_cl_copy(s, dst, src, n, 0);
    if (code == CL_SUCCESS) triad_cl_submitted(s);
    return code;
}

/* Enqueues a fill with the first len bytes of lo and hi. */
cl_int triad_cl_fill(triad_cl_stream *s, triad_cl_loc dst, size_t n, uint64_t lo, uint64_t hi, uint32_t len) {
    unsigned char pattern[16];
    memcpy(pattern, &lo, 8);
    memcpy(pattern + 8, &hi, 8);
    cl_int code;
    if (dst.at == TRIAD_CL_AT_SVM)
        code = triad_cl.clEnqueueSVMMemFill(s->q, pointer(dst), pattern, len, n, 0, 0, 0);
    else
        code = triad_cl.clEnqueueFillBuffer(s->q, triad_cl_buffer(dst), pattern, len, dst.offset, n, 0, 0, 0);
    if (code == CL_SUCCESS) triad_cl_submitted(s);
    return code;
}
