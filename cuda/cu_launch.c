#include "triad_cuda.h"

#include <stdlib.h>
#include <string.h>

triad_cu_kernel *triad_cu_kernel_new(triad_cu_device *d, CUfunction f, uint32_t nparams, uint32_t nlocals, uint32_t packed) {
    triad_cu_kernel *k = calloc(1, sizeof *k + (nparams + nlocals) * sizeof k->params[0]);
    if (!k) return 0;
    k->dev = d;
    k->f = f;
    k->nparams = nparams;
    k->nlocals = nlocals;
    k->packed = packed;
    return k;
}

void triad_cu_kernel_free(triad_cu_kernel *k) { free(k); }

static uint64_t word_at(const uint8_t *args, uint32_t offset) {
    uint64_t v;
    memcpy(&v, args + offset, sizeof v);
    return v;
}

static int64_t refused(uint32_t param, CUresult code) { return (int64_t)(param + 1) << 32 | (uint32_t)code; }

/* No CUDA address has this bit: such a pointer is of memory that was closed, or a
 * buffer of OpenCL's. */
enum { HANDLE_BIT = 63 };

/* Not 0, and the result of the launch, when a pointer is refused. */
static int64_t pointers(const triad_cu_kernel *k, const uint8_t *args) {
    for (uint32_t i = 0; i < k->nparams; i++) {
        const triad_cu_param *p = &k->params[i];
        if (p->kind == TRIAD_CU_ARG_POINTER && word_at(args, p->offset) >> HANDLE_BIT) return refused(i, CUDA_ERROR_INVALID_VALUE);
    }
    return 0;
}

/* Finds the arguments, and adds the sizes of local memory to *shared. Not 0, and
 * the result of the launch, when an argument is refused. */
int64_t triad_cu_arguments(const triad_cu_kernel *k, const uint8_t *args, void **params, uint32_t *shared) {
    uint64_t sum = *shared;
    int64_t bad = pointers(k, args);
    if (bad) return bad;
    for (uint32_t i = 0; i < k->nparams; i++) params[i] = (void *)(args + k->params[i].offset);
    for (uint32_t i = k->nparams; i < k->nparams + k->nlocals; i++) {
        uint64_t bytes = word_at(args, k->params[i].offset);
        sum = (sum + 15) / 16 * 16;
        if (bytes > UINT32_MAX || sum + bytes > UINT32_MAX || bytes == 0) return refused(i, CUDA_ERROR_INVALID_VALUE);
        sum += bytes;
    }
    *shared = (uint32_t)sum;
    return 0;
}

static int64_t launch(const triad_cu_kernel *k, const triad_cu_launch_shape *l, void **params, void **extra) {
    triad_cu_stream *s = (triad_cu_stream *)l->stream;
    return (uint32_t)triad_cu_submitted(
        s, TRIAD_CU_ON(k->dev, triad_cu.cuLaunchKernel(k->f, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                                                        l->shared, s->s, params, extra)));
}

/* The keys of what cuLaunchKernel calls extra. */
enum { END = 0, BUFFER_POINTER, BUFFER_SIZE };

int64_t triad_cu_launch(triad_cu_launch_shape l, const uint8_t *args) {
    const triad_cu_kernel *k = (const triad_cu_kernel *)l.kernel;
    int64_t bad;
    if (k->packed) {
        if ((bad = pointers(k, args))) return bad;
        size_t size = k->packed;
        void *extra[] = {(void *)BUFFER_POINTER, (void *)args, (void *)BUFFER_SIZE, &size, (void *)END};
        return launch(k, &l, 0, extra);
    }
    void *params[k->nparams + 1];
    if ((bad = triad_cu_arguments(k, args, params, &l.shared))) return bad;
    return launch(k, &l, params, 0);
}
