#include "triad_hip_c.h"

static hipError_t global(hipModule_t m, const char *name, uint64_t *at, size_t *size) {
    void *p = 0;
    hipError_t code = triad_hip.hipModuleGetGlobal(&p, size, m, name);
    *at = (uint64_t)(uintptr_t)p;
    return code;
}

/* Where a variable of a module lies. */
hipError_t triad_hip_module_global(triad_hip_device *d, hipModule_t m, const char *name, uint64_t *at, size_t *size) {
    return TRIAD_HIP_CALM(d, global(m, name, at, size));
}

hipError_t triad_hip_occupancy(triad_hip_device *d, hipFunction_t f, int threads, size_t shared, int *blocks) {
    return TRIAD_HIP_CALM(d, triad_hip.hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, shared));
}

hipError_t triad_hip_block_size(triad_hip_device *d, hipFunction_t f, size_t shared, int *threads) {
    int grid = 0;
    return TRIAD_HIP_CALM(d, triad_hip.hipModuleOccupancyMaxPotentialBlockSize(&grid, threads, f, shared, 0));
}
