#include "triad_cuda.h"

/* Where a variable of a module lies. */
CUresult triad_cu_module_global(triad_cu_device *d, CUmodule m, const char *name, CUdeviceptr *at, size_t *size) {
    return TRIAD_CU_CALM(d, triad_cu.cuModuleGetGlobal_v2(at, size, m, name));
}

CUresult triad_cu_loading_mode(int *mode) {
    if (!triad_cu.cuModuleGetLoadingMode) return CUDA_ERROR_NOT_SUPPORTED;
    return triad_cu.cuModuleGetLoadingMode(mode);
}

/* Loads a function now rather than with its first launch. Older drivers do so when
 * they are asked for an attribute that stands in the code. */
CUresult triad_cu_function_load(triad_cu_device *d, CUfunction f) {
    int registers;
    if (!triad_cu.cuFuncLoad) return TRIAD_CU_CALM(d, triad_cu.cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
    return TRIAD_CU_CALM(d, triad_cu.cuFuncLoad(f));
}

CUresult triad_cu_function_loaded(triad_cu_device *d, CUfunction f, int *state) {
    if (!triad_cu.cuFuncIsLoaded) return CUDA_ERROR_NOT_SUPPORTED;
    return TRIAD_CU_CALM(d, triad_cu.cuFuncIsLoaded(state, f));
}

CUresult triad_cu_function_cache(triad_cu_device *d, CUfunction f, int config) {
    return TRIAD_CU_CALM(d, triad_cu.cuFuncSetCacheConfig(f, config));
}

CUresult triad_cu_occupancy(triad_cu_device *d, CUfunction f, int threads, size_t shared, int *blocks) {
    return TRIAD_CU_CALM(d, triad_cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, shared));
}

CUresult triad_cu_block_size(triad_cu_device *d, CUfunction f, size_t shared, int *threads) {
    int grid = 0;
    return TRIAD_CU_CALM(d, triad_cu.cuOccupancyMaxPotentialBlockSize(&grid, threads, f, 0, shared, 0));
}

CUresult triad_cu_shared_left(triad_cu_device *d, CUfunction f, int blocks, int threads, size_t *bytes) {
    return TRIAD_CU_CALM(d, triad_cu.cuOccupancyAvailableDynamicSMemPerBlock(bytes, f, blocks, threads));
}

static CUlaunchConfig config(const triad_cu_launch_shape *l) {
    return (CUlaunchConfig){.gridDimX = l->grid[0],
                            .gridDimY = l->grid[1],
                            .gridDimZ = l->grid[2],
                            .blockDimX = l->block[0],
                            .blockDimY = l->block[1],
                            .blockDimZ = l->block[2],
                            .sharedMemBytes = l->shared};
}

CUresult triad_cu_clusters(triad_cu_launch_shape l, const uint32_t cluster[3], int *count) {
    const triad_cu_kernel *k = (const triad_cu_kernel *)l.kernel;
    CUlaunchConfig c = config(&l);
    CUlaunchAttribute a = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    if (!triad_cu.cuOccupancyMaxActiveClusters) return CUDA_ERROR_NOT_SUPPORTED;
    a.value.clusterDim.x = cluster[0];
    a.value.clusterDim.y = cluster[1];
    a.value.clusterDim.z = cluster[2];
    c.attrs = &a;
    c.numAttrs = 1;
    return TRIAD_CU_CALM(k->dev, triad_cu.cuOccupancyMaxActiveClusters(count, k->f, &c));
}

CUresult triad_cu_cluster_size(triad_cu_launch_shape l, int *size) {
    const triad_cu_kernel *k = (const triad_cu_kernel *)l.kernel;
    CUlaunchConfig c = config(&l);
    if (!triad_cu.cuOccupancyMaxPotentialClusterSize) return CUDA_ERROR_NOT_SUPPORTED;
    return TRIAD_CU_CALM(k->dev, triad_cu.cuOccupancyMaxPotentialClusterSize(size, k->f, &c));
}
