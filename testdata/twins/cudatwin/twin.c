#define _GNU_SOURCE
#include "twin.h"

#include <stdlib.h>

#include "api.h"
#include "triad_dl.h"

struct cutwin_api cutwin_cu;

enum { CUTWIN_OPTIONAL = 0, CUTWIN_REQUIRED = 1 };

static int load_cuda(const char *path, char *text, size_t room) {
    static const struct {
        const char *symbol;
        size_t at;
        int required;
    } rows[] = {
#define ROW(kind, version, result, symbol, name, params) {#symbol, offsetof(struct cutwin_api, symbol), CUTWIN_##kind},
        TRIAD_CU_FUNCTIONS(ROW)
#undef ROW
    };
    void *lib = triad_dl_open(path, text, room);
    if (!lib) return -1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        /* What an older library lacks stays 0; nothing here calls it. */
        void *sym = triad_dl_sym(lib, rows[i].symbol, text, room);
        if (!sym && rows[i].required) return -1;
        memcpy((char *)&cutwin_cu + rows[i].at, &sym, sizeof sym);
    }
    return 0;
}

int cutwin_load(const char *path, int hip, char *text, size_t room) {
    static int loaded; /* 1 for CUDA, 2 for HIP */
    if (loaded && loaded != 1 + hip) {
        snprintf(text, room, "this process has a twin on %s already", loaded == 1 ? "CUDA" : "HIP");
        return -1;
    }
    if (!loaded && (hip ? cutwin_load_hip(path, text, room) : load_cuda(path, text, room)) != 0) return -1;
    loaded = 1 + hip;
    return 0;
}

/* Makes the twin's context current on this thread, and says what was. */
static CUresult enter(const cutwin *t, CUcontext *before) {
    CUresult code = cutwin_cu.cuCtxGetCurrent(before);
    if (code != CUDA_SUCCESS || *before == t->ctx) return code;
    return cutwin_cu.cuCtxSetCurrent(t->ctx);
}

static void leave(const cutwin *t, CUcontext before) {
    if (before != t->ctx) cutwin_cu.cuCtxSetCurrent(before);
}

static CUresult make(cutwin *t) {
    CUresult code;
    CUdevice device;
    cuuint64_t all = UINT64_MAX;
    if ((code = cutwin_cu.cuEventCreate(&t->event, CU_EVENT_DISABLE_TIMING)) != CUDA_SUCCESS) return code;
    if ((code = cutwin_cu.cuEventCreate(&t->blocking, CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC)) != CUDA_SUCCESS) return code;
    if ((code = cutwin_cu.cuCtxGetDevice(&device)) != CUDA_SUCCESS) return code;
    if ((code = cutwin_cu.cuDeviceGetMemPool(&t->pool, device)) != CUDA_SUCCESS) return code;
    code = cutwin_cu.cuMemPoolGetAttribute(t->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &t->threshold);
    if (code == CUDA_SUCCESS) code = cutwin_cu.cuMemPoolSetAttribute(t->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all);
    if (code != CUDA_SUCCESS) t->pool = 0;
    return code;
}

CUresult cutwin_open(cutwin *t) {
    CUcontext before;
    t->pageable = malloc(CUTWIN_PAGEABLE);
    if (!t->pageable) return CUDA_ERROR_OUT_OF_MEMORY;
    memset(t->pageable, 1, CUTWIN_PAGEABLE);
    CUresult code = enter(t, &before);
    if (code != CUDA_SUCCESS) return code;
    code = make(t);
    leave(t, before);
    return code;
}

void cutwin_close(cutwin *t) {
    CUcontext before;
    if (enter(t, &before) == CUDA_SUCCESS) {
        if (t->event) cutwin_cu.cuEventDestroy_v2(t->event);
        if (t->blocking) cutwin_cu.cuEventDestroy_v2(t->blocking);
        if (t->pool) cutwin_cu.cuMemPoolSetAttribute(t->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &t->threshold);
        leave(t, before);
    }
    free(t->pageable);
    free(t->stream);
    free(t);
}

int64_t cutwin_do(cutwin *t, cutwin_job j) {
    static int64_t (*const jobs[CUTWIN_JOBS])(cutwin *, const cutwin_job *) = {
        cutwin_launch, cutwin_launch_threads, cutwin_launch_wait, cutwin_spin_threads, cutwin_idle_wait, cutwin_record,
        cutwin_query,  cutwin_memset,         cutwin_copy,        cutwin_bulk,         cutwin_alloc,     cutwin_nothings,
    };
    CUcontext before;
    if (j.bytes > t->size || j.threads > t->streams || j.n < 1) return -CUDA_ERROR_INVALID_VALUE;
    TRY(enter(t, &before));
    int64_t took = jobs[j.what](t, &j);
    leave(t, before);
    return took;
}
