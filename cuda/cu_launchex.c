#include "triad_cuda.h"

/* The attributes that are set, in order. */
static unsigned int attributes(const triad_cu_launch_extra *x, CUlaunchAttribute *list) {
    unsigned int n = 0;
    if (x->set & TRIAD_CU_EX_CLUSTER) {
        list[n].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        list[n].value.clusterDim.x = x->cluster[0];
        list[n].value.clusterDim.y = x->cluster[1];
        list[n++].value.clusterDim.z = x->cluster[2];
    }
    if (x->set & TRIAD_CU_EX_POLICY) {
        list[n].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE;
        list[n++].value.clusterSchedulingPolicyPreference = x->policy;
    }
    if (x->set & TRIAD_CU_EX_COOPERATIVE) {
        list[n].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        list[n++].value.cooperative = 1;
    }
    if (x->set & TRIAD_CU_EX_PROGRAMMATIC) {
        list[n].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        list[n++].value.programmaticStreamSerializationAllowed = 1;
    }
    if (x->set & TRIAD_CU_EX_PRIORITY) {
        list[n].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
        list[n++].value.priority = x->priority;
    }
    if (x->set & TRIAD_CU_EX_DOMAIN) {
        list[n].id = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
        list[n++].value.memSyncDomain = x->domain;
    }
    if (x->set & TRIAD_CU_EX_CARVEOUT) {
        list[n].id = CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
        list[n++].value.sharedMemCarveout = (unsigned int)x->carveout;
    }
    return n;
}

/* triad_cu_launch, with attributes. */
int64_t triad_cu_launch_ex(triad_cu_launch_shape l, triad_cu_launch_extra x, const uint8_t *args) {
    triad_cu_stream *s = (triad_cu_stream *)l.stream;
    const triad_cu_kernel *k = (const triad_cu_kernel *)l.kernel;
    void *params[k->nparams + 1];
    CUlaunchAttribute list[TRIAD_CU_EX_KINDS] = {{0}};
    if (!triad_cu.cuLaunchKernelEx) return CUDA_ERROR_NOT_SUPPORTED;
    int64_t bad = triad_cu_arguments(k, args, params, &l.shared);
    if (bad) return bad;
    CUlaunchConfig c = {.gridDimX = l.grid[0],
                        .gridDimY = l.grid[1],
                        .gridDimZ = l.grid[2],
                        .blockDimX = l.block[0],
                        .blockDimY = l.block[1],
                        .blockDimZ = l.block[2],
                        .sharedMemBytes = l.shared,
                        .hStream = s->s,
                        .attrs = list,
                        .numAttrs = attributes(&x, list)};
    return (uint32_t)triad_cu_submitted(s, TRIAD_CU_ON(k->dev, triad_cu.cuLaunchKernelEx(&c, k->f, params, 0)));
}

/* The dynamic shared memory that a launch asks for, its Local parameters'
 * included; 0 if those are refused. */
uint32_t triad_cu_launch_shared(triad_cu_launch_shape l, const uint8_t *args) {
    const triad_cu_kernel *k = (const triad_cu_kernel *)l.kernel;
    void *params[k->nparams + 1];
    return triad_cu_arguments(k, args, params, &l.shared) ? 0 : l.shared;
}
