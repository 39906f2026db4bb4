#include "triad_hip_c.h"

#include <stdlib.h>
#include <string.h>

triad_hip_kernel *triad_hip_kernel_new(triad_hip_device *d, hipFunction_t f, uint32_t nparams, uint32_t nlocals) {
    triad_hip_kernel *k = calloc(1, sizeof *k + (nparams + nlocals) * sizeof k->params[0]);
    if (!k) return 0;
    k->dev = d;
    k->f = f;
    k->nparams = nparams;
    k->nlocals = nlocals;
    return k;
}

void triad_hip_kernel_free(triad_hip_kernel *k) { free(k); }

static uint64_t word_at(const uint8_t *args, uint32_t offset) {
    uint64_t v;
    memcpy(&v, args + offset, sizeof v);
    return v;
}

static int64_t refused(uint32_t param, hipError_t code) { return (int64_t)(param + 1) << 32 | (uint32_t)code; }

/* No HIP address has this bit: such a pointer is of memory that was closed, or a
 * buffer of OpenCL's. */
enum { HANDLE_BIT = 63 };

/* Finds the arguments, and adds the sizes of local memory to *shared. Not 0, and
 * the result of the launch, when an argument is refused. */
int64_t triad_hip_arguments(const triad_hip_kernel *k, const uint8_t *args, void **params, uint32_t *shared) {
    uint64_t sum = *shared;
    for (uint32_t i = 0; i < k->nparams; i++) {
        const triad_hip_param *p = &k->params[i];
        params[i] = (void *)(args + p->offset);
        if (p->kind == TRIAD_HIP_ARG_POINTER && word_at(args, p->offset) >> HANDLE_BIT) return refused(i, hipErrorInvalidValue);
    }
    for (uint32_t i = k->nparams; i < k->nparams + k->nlocals; i++) {
        uint64_t bytes = word_at(args, k->params[i].offset);
        sum = (sum + 15) / 16 * 16;
        if (bytes > UINT32_MAX || sum + bytes > UINT32_MAX || bytes == 0) return refused(i, hipErrorInvalidValue);
        sum += bytes;
    }
    *shared = (uint32_t)sum;
    return 0;
}

int64_t triad_hip_launch(triad_hip_launch_shape l, const uint8_t *args) {
    triad_hip_stream *s = (triad_hip_stream *)l.stream;
    const triad_hip_kernel *k = (const triad_hip_kernel *)l.kernel;
    void *params[k->nparams + 1];
    int64_t bad = triad_hip_arguments(k, args, params, &l.shared);
    if (bad) return bad;
    return (uint32_t)triad_hip_submitted(
        s, TRIAD_HIP_IN(k->dev, triad_hip.hipModuleLaunchKernel(k->f, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2],
                                                        l.shared, s->s, params, 0)));
}
