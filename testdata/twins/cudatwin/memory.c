#include "api.h"

static inline CUresult fill(const cutwin *t, const cutwin_job *j, long i) {
    return cutwin_cu.cuMemsetD32Async(t->x, 1, j->bytes / 4, t->stream[0]);
}

int64_t cutwin_memset(cutwin *t, const cutwin_job *j) { return cutwin_calls(t, j, fill); }

/* Copies enqueue, but for those to pageable memory, which are waited for. */
static CUresult copy(const cutwin *t, const cutwin_job *j, long i) {
    CUstream s = t->stream[0];
    CUresult code;
    switch (j->how) {
    case CUTWIN_PINNED_TO_DEVICE: return cutwin_cu.cuMemcpyHtoDAsync_v2(t->x, t->pinned, j->bytes, s);
    case CUTWIN_DEVICE_TO_PINNED: return cutwin_cu.cuMemcpyDtoHAsync_v2(t->pinned, t->y, j->bytes, s);
    case CUTWIN_PAGEABLE_TO_DEVICE: return cutwin_cu.cuMemcpyHtoDAsync_v2(t->x, t->pageable, j->bytes, s);
    case CUTWIN_DEVICE_TO_PAGEABLE:
        code = cutwin_cu.cuMemcpyDtoHAsync_v2(t->pageable, t->y, j->bytes, s);
        return code == CUDA_SUCCESS ? cutwin_cu.cuStreamSynchronize(s) : code;
    }
    return cutwin_cu.cuMemcpyDtoDAsync_v2(t->x, t->y, j->bytes, s);
}

static int fits(const cutwin_job *j) { return j->how < CUTWIN_PAGEABLE_TO_DEVICE || j->bytes <= CUTWIN_PAGEABLE; }

int64_t cutwin_copy(cutwin *t, const cutwin_job *j) {
    if (!fits(j)) return -CUDA_ERROR_INVALID_VALUE;
    return cutwin_calls(t, j, copy);
}

int64_t cutwin_bulk(cutwin *t, const cutwin_job *j) {
    if (!fits(j)) return -CUDA_ERROR_INVALID_VALUE;
    int64_t begin = cutwin_now();
    for (long i = 1; i <= j->n; i++) {
        TRY(copy(t, j, i));
        if (i % j->every == 0) TRY(cutwin_cu.cuStreamSynchronize(t->stream[0]));
    }
    TRY(cutwin_cu.cuStreamSynchronize(t->stream[0]));
    return cutwin_now() - begin;
}

static inline CUresult alloc_free(const cutwin *t, const cutwin_job *j, long i) {
    CUdeviceptr p;
    CUresult code = cutwin_cu.cuMemAllocAsync(&p, j->bytes, t->stream[0]);
    return code == CUDA_SUCCESS ? cutwin_cu.cuMemFreeAsync(p, t->stream[0]) : code;
}

int64_t cutwin_alloc(cutwin *t, const cutwin_job *j) { return cutwin_calls(t, j, alloc_free); }
