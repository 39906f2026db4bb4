#define _GNU_SOURCE
#include "twin.h"

#include <stdlib.h>
#include <time.h>

#include "api.h"
#include "triad_dl.h"

struct twin_api twin_cl;

int twin_load(const char *path, char *text, size_t room) {
    static const struct {
        const char *name;
        size_t at;
    } rows[] = {
#define ROW(kind, version, result, name, params) {#name, offsetof(struct twin_api, name)},
        TRIAD_CL_FUNCTIONS(ROW)
#undef ROW
    };
    static int loaded;
    if (loaded) return 0;
    void *lib = triad_dl_open(path, text, room);
    if (!lib) return -1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        /* What an older library lacks stays 0; nothing here calls it then. */
        void *sym = triad_dl_sym(lib, rows[i].name, text, room);
        memcpy((char *)&twin_cl + rows[i].at, &sym, sizeof sym);
    }
    if (!twin_cl.clEnqueueNDRangeKernel || !twin_cl.clCreateCommandQueue) {
        snprintf(text, room, "%s lacks OpenCL's functions", path);
        return -1;
    }
    loaded = 1;
    return 0;
}

int64_t twin_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

cl_int twin_lane_open(twin *t, twin_lane *lane) {
    static const char *const names[TWIN_KERNELS] = {"empty0", "empty4", "empty16"};
    cl_int code;
    memset(lane, 0, sizeof *lane);
    lane->q = twin_cl.clCreateCommandQueue(t->ctx, t->device, 0, &code);
    for (int i = 0; i < TWIN_KERNELS && code == CL_SUCCESS; i++)
        lane->empty[i] = twin_cl.clCreateKernel(t->program, names[i], &code);
    return code;
}

void twin_lane_close(twin_lane *lane) {
    for (int i = 0; i < TWIN_KERNELS; i++)
        if (lane->empty[i]) twin_cl.clReleaseKernel(lane->empty[i]);
    if (lane->q) twin_cl.clReleaseCommandQueue(lane->q);
}

static cl_int allocate(twin *t) {
    cl_int code = CL_SUCCESS;
    t->host = malloc(t->size);
    if (!t->host) return CL_OUT_OF_HOST_MEMORY;
    memset(t->host, 1, t->size);
    for (int i = 0; i < 2 && code == CL_SUCCESS; i++) {
        if (!t->svm)
            t->buffer[i] = twin_cl.clCreateBuffer(t->ctx, CL_MEM_READ_WRITE, t->size, 0, &code);
        else if (!(t->shared[i] = twin_cl.clSVMAlloc(t->ctx, CL_MEM_READ_WRITE, t->size, 0)))
            code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    }
    return code;
}

twin *twin_open(cl_device_id device, cl_context ctx, cl_program program, int svm, size_t size, cl_int *code) {
    twin *t = calloc(1, sizeof *t);
    if (!t) {
        *code = CL_OUT_OF_HOST_MEMORY;
        return 0;
    }
    t->device = device;
    t->ctx = ctx;
    t->program = program;
    t->svm = svm;
    t->size = size;
    *code = allocate(t);
    if (*code == CL_SUCCESS) *code = twin_lane_open(t, &t->lane);
    if (*code == CL_SUCCESS) return t;
    twin_close(t);
    return 0;
}

void twin_close(twin *t) {
    twin_lane_close(&t->lane);
    for (int i = 0; i < 2; i++) {
        if (t->shared[i]) twin_cl.clSVMFree(t->ctx, t->shared[i]);
        if (t->buffer[i]) twin_cl.clReleaseMemObject(t->buffer[i]);
    }
    free(t->host);
    free(t);
}
