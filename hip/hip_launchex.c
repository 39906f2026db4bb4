#include "triad_hip_c.h"

/* The attributes that are set, in order. */
static unsigned int attributes(const triad_hip_launch_extra *x, hipLaunchAttribute *list) {
    unsigned int n = 0;
    if (x->set & TRIAD_HIP_EX_COOPERATIVE) {
        list[n] = (hipLaunchAttribute){.id = hipLaunchAttributeCooperative};
        list[n++].value.cooperative = 1;
    }
    if (x->set & TRIAD_HIP_EX_PRIORITY) {
        list[n] = (hipLaunchAttribute){.id = hipLaunchAttributePriority};
        list[n++].value.priority = x->priority;
    }
    return n;
}

/* Before HIP 7.0 a call of its own launches cooperative grids, and nothing else can be
 * asked. */
static hipError_t launch(const triad_hip_launch_shape *l, const triad_hip_launch_extra *x, const triad_hip_kernel *k, hipStream_t s,
                         void **params) {
    if (triad_hip.hipDrvLaunchKernelEx) {
        hipLaunchAttribute list[TRIAD_HIP_EX_KINDS];
        HIP_LAUNCH_CONFIG c = {.gridDimX = l->grid[0],
                               .gridDimY = l->grid[1],
                               .gridDimZ = l->grid[2],
                               .blockDimX = l->block[0],
                               .blockDimY = l->block[1],
                               .blockDimZ = l->block[2],
                               .sharedMemBytes = l->shared,
                               .hStream = s,
                               .attrs = list,
                               .numAttrs = attributes(x, list)};
        return triad_hip.hipDrvLaunchKernelEx(&c, k->f, params, 0);
    }
    if (x->set == 0)
        return triad_hip.hipModuleLaunchKernel(k->f, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                                               l->shared, s, params, 0);
    if (x->set != TRIAD_HIP_EX_COOPERATIVE || !triad_hip.hipModuleLaunchCooperativeKernel) return hipErrorNotSupported;
    return triad_hip.hipModuleLaunchCooperativeKernel(k->f, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                                                      l->shared, s, params);
}

/* triad_hip_launch, with attributes. */
int64_t triad_hip_launch_ex(triad_hip_launch_shape l, triad_hip_launch_extra x, const uint8_t *args) {
    triad_hip_stream *s = (triad_hip_stream *)l.stream;
    const triad_hip_kernel *k = (const triad_hip_kernel *)l.kernel;
    void *params[k->nparams + 1];
    int64_t bad = triad_hip_arguments(k, args, params, &l.shared);
    if (bad) return bad;
    return (uint32_t)triad_hip_submitted(s, TRIAD_HIP_IN(k->dev, launch(&l, &x, k, s->s, params)));
}

/* The dynamic shared memory that a launch asks for, its Local parameters'
 * included; 0 if those are refused. */
uint32_t triad_hip_launch_shared(triad_hip_launch_shape l, const uint8_t *args) {
    const triad_hip_kernel *k = (const triad_hip_kernel *)l.kernel;
    void *params[k->nparams + 1];
    return triad_hip_arguments(k, args, params, &l.shared) ? 0 : l.shared;
}
