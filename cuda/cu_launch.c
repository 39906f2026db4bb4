#include "triad_cuda.h"

#include <stdlib.h>
#include <string.h>

triad_cu_kernel *triad_cu_kernel_new(triad_cu_device *d, CUfunction f, uint32_t nparams, uint32_t nlocals) {
    triad_cu_kernel *k = calloc(1, sizeof *k + (nparams + nlocals) * sizeof k->params[0]);
    if (!k) return 0;
    k->dev = d;
    k->f = f;
    k->nparams = nparams;
    k->nlocals = nlocals;
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

/* Finds the arguments, and adds the sizes of local memory to *shared. Not 0, and
 * the result of the launch, when an argument is refused. */
int64_t triad_cu_arguments(const triad_cu_kernel *k, const uint8_t *args, void **params, uint32_t *shared) {
    uint64_t sum = *shared;
    for (uint32_t i = 0; i < k->nparams; i++) {
        const triad_cu_param *p = &k->params[i];
        params[i] = (void *)(args + p->offset);
        if (p->kind == TRIAD_CU_ARG_POINTER && word_at(args, p->offset) >> HANDLE_BIT) return refused(i, CUDA_ERROR_INVALID_VALUE);
    }
    for (uint32_t i = k->nparams; i < k->nparams + k->nlocals; i++) {
        uint64_t bytes = word_at(args, k->params[i].offset);
        sum = (sum + 15) / 16 * 16;
        if (bytes > UINT32_MAX || sum + bytes > UINT32_MAX || bytes == 0) return refused(i, CUDA_ERROR_INVALID_VALUE);
        sum += bytes;
    }
    *shared = (uint32_t)sum;
    return 0;
}

int64_t triad_cu_launch(triad_cu_launch_shape l, const uint8_t *args) {
    triad_cu_stream *s = (triad_cu_stream *)l.stream;
    const triad_cu_kernel *k = (const triad_cu_kernel *)l.kernel;
    void *params[k->nparams + 1];
    int64_t bad = triad_cu_arguments(k, args, params, &l.shared);
    if (bad) return bad;
    return (uint32_t)triad_cu_submitted(
        s, TRIAD_CU_ON(k->dev, triad_cu.cuLaunchKernel(k->f, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2],
                                                        l.shared, s->s, params, 0)));
}
