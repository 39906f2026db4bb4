#include "api.h"

static cl_int copy_shared(twin *t, int direction, size_t bytes) {
    void *from = t->shared[1], *to = t->shared[0];
    if (direction == TWIN_TO_DEVICE) from = t->host;
    if (direction == TWIN_TO_HOST) to = t->host;
    return twin_cl.clEnqueueSVMMemcpy(t->lane.q, direction != TWIN_ON_DEVICE, to, from, bytes, 0, 0, 0);
}

static cl_int copy_buffer(twin *t, int direction, size_t bytes) {
    cl_command_queue q = t->lane.q;
    switch (direction) {
    case TWIN_TO_DEVICE: return twin_cl.clEnqueueWriteBuffer(q, t->buffer[0], CL_TRUE, 0, bytes, t->host, 0, 0, 0);
    case TWIN_TO_HOST: return twin_cl.clEnqueueReadBuffer(q, t->buffer[1], CL_TRUE, 0, bytes, t->host, 0, 0, 0);
    }
    return twin_cl.clEnqueueCopyBuffer(q, t->buffer[1], t->buffer[0], 0, 0, bytes, 0, 0, 0);
}

int64_t twin_copy(twin *t, int direction, size_t bytes, long n, long every) {
    int64_t begin = twin_now();
    if (bytes > t->size) return CL_INVALID_VALUE;
    for (long i = 1; i <= n; i++) {
        TRY(t->svm ? copy_shared(t, direction, bytes) : copy_buffer(t, direction, bytes));
        if (direction == TWIN_ON_DEVICE && i % every == 0) TRY(twin_cl.clFinish(t->lane.q));
    }
    TRY(twin_cl.clFinish(t->lane.q));
    return twin_now() - begin;
}
