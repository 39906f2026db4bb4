/* cu_kernel.c: functions, launches, occupancy. */
#include "cu.h"

enum { BUFFER_END = 0, BUFFER_POINTER = 1, BUFFER_SIZE = 2 };

/* The other way to pass parameters: pairs of a tag and a pointer. */
static int packed(void **extra, fk_launch_config *c) {
    for (int i = 0; extra && (uintptr_t)extra[i] != BUFFER_END; i += 2) {
        if (i >= 8) return FK_INVALID_VALUE;
        if ((uintptr_t)extra[i] == BUFFER_POINTER) c->buffer = extra[i + 1];
        else if ((uintptr_t)extra[i] == BUFFER_SIZE && extra[i + 1]) memcpy(&c->buffer_size, extra[i + 1], sizeof(size_t));
        else return FK_INVALID_VALUE;
    }
    return FK_OK;
}

CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params, void **extra) {
    ENTER_ON(cuLaunchKernel, stream);
    fk_launch_config c = {.grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared, .stream = H(stream), .params = params};
    LEAVE_IF(params && extra, FK_INVALID_VALUE);
    int status = packed(extra, &c);
    LEAVE(status ? status : fk_launch(H(function), &c));
}

static int attribute(const CUlaunchAttribute *a, fk_launch_config *c) {
    switch (a->id) {
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return FK_OK;
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: c->cooperative = a->value.cooperative; return FK_OK;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        c->cluster[0] = a->value.clusterDim.x;
        c->cluster[1] = a->value.clusterDim.y;
        c->cluster[2] = a->value.clusterDim.z;
        return FK_OK;
    }
    return FK_INVALID_VALUE;
}

static int config(const CUlaunchConfig *in, fk_launch_config *c) {
    if (!in || in->numAttrs > CU_MOST || (in->numAttrs && !in->attrs)) return FK_INVALID_VALUE;
    *c = (fk_launch_config){.grid = {in->gridDimX, in->gridDimY, in->gridDimZ}, .block = {in->blockDimX, in->blockDimY, in->blockDimZ},
                            .shared = in->sharedMemBytes, .stream = H(in->hStream)};
    int status = FK_OK;
    for (unsigned i = 0; !status && i < in->numAttrs; i++) status = attribute(&in->attrs[i], c);
    return status;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *in, CUfunction function, void **params, void **extra) {
    ENTER_ON(cuLaunchKernelEx, in ? in->hStream : 0);
    fk_launch_config c;
    int status = config(in, &c);
    LEAVE_IF(status, status);
    LEAVE_IF(params && extra, FK_INVALID_VALUE);
    c.params = params;
    status = packed(extra, &c);
    LEAVE(status ? status : fk_launch(H(function), &c));
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attr, CUfunction function) {
    ENTER(cuFuncGetAttribute);
    fk_function_info f;
    LEAVE_IF(!value, FK_INVALID_VALUE);
    int status = fk_function_info_of(H(function), &f);
    LEAVE_IF(status, status);
    switch (attr) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = (int)f.max_threads; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)f.static_shared; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)f.const_bytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)f.local_bytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = (int)f.registers; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = (int)f.arch; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = (int)f.max_dynamic; break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = f.carveout; break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: *value = f.non_portable_cluster; break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: *value = f.cluster_policy; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: *value = 0; break;
    default: LEAVE(FK_INVALID_VALUE);
    }
    LEAVE(FK_OK);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attr, int value) {
    ENTER(cuFuncSetAttribute);
    switch (attr) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: LEAVE(fk_function_set(H(function), FK_FUNC_MAX_DYNAMIC, value));
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: LEAVE(fk_function_set(H(function), FK_FUNC_CARVEOUT, value));
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: LEAVE(fk_function_set(H(function), FK_FUNC_NON_PORTABLE, value));
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: LEAVE(fk_function_set(H(function), FK_FUNC_CLUSTER_POLICY, value));
    }
    LEAVE(FK_INVALID_VALUE);
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache cache) {
    ENTER(cuFuncSetCacheConfig);
    fk_function_info f;
    LEAVE_IF(cache < CU_FUNC_CACHE_PREFER_NONE || cache > CU_FUNC_CACHE_PREFER_EQUAL, FK_INVALID_VALUE);
    LEAVE(fk_function_info_of(H(function), &f));
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
    ENTER(cuFuncGetName);
    fk_function_info f;
    LEAVE_IF(!name, FK_INVALID_VALUE);
    int status = fk_function_info_of(H(function), &f);
    if (!status) *name = f.name;
    LEAVE(status);
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
    ENTER(cuFuncGetParamInfo);
    size_t o, s;
    LEAVE_IF(!offset, FK_INVALID_VALUE);
    int status = fk_function_param(H(function), index, &o, &s);
    if (!status) *offset = o;
    if (!status && size) *size = s;
    LEAVE(status);
}

CUresult cuFuncLoad(CUfunction function) {
    ENTER(cuFuncLoad);
    fk_function_info f;
    LEAVE(fk_function_info_of(H(function), &f));
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function) {
    ENTER(cuFuncIsLoaded);
    fk_function_info f;
    LEAVE_IF(!state, FK_INVALID_VALUE);
    int status = fk_function_info_of(H(function), &f);
    if (!status) *state = 1;
    LEAVE(status);
}

/* --- occupancy --- */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t dynamic) {
    ENTER(cuOccupancyMaxActiveBlocksPerMultiprocessor);
    LEAVE_IF(!blocks, FK_INVALID_VALUE);
    LEAVE(fk_function_blocks(H(function), threads, dynamic, blocks));
}

/* The block size with the most threads at work, the largest of equals. */
static int potential(int *grid, int *block, CUfunction function, CUoccupancyB2DSize of_block, size_t dynamic, int limit) {
    fk_function_info f;
    int best = 0, device, status = fk_function_info_of(H(function), &f);
    if (!status) status = fk_context_device(&device);
    if (status) return status;
    if (!grid || !block || limit < 0) return FK_INVALID_VALUE;
    int most = !limit || (unsigned)limit > f.max_threads ? (int)f.max_threads : limit;
    for (int threads = most; threads > 0; threads -= threads % 32 ? threads % 32 : 32) {
        int blocks = 0;
        size_t bytes = of_block ? of_block(threads) : dynamic;
        status = fk_function_blocks(H(function), threads, bytes, &blocks);
        if (status) return status;
        if (blocks * threads <= best) continue;
        best = blocks * threads;
        *block = threads;
        *grid = blocks * fk_device_model(device)->processors;
    }
    return best ? FK_OK : FK_INVALID_VALUE;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize of_block, size_t dynamic, int limit) {
    ENTER(cuOccupancyMaxPotentialBlockSize);
    LEAVE(potential(grid, block, function, of_block, dynamic, limit));
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks, int threads) {
    ENTER(cuOccupancyAvailableDynamicSMemPerBlock);
    fk_function_info f;
    int device, status = fk_function_info_of(H(function), &f);
    if (!status) status = fk_context_device(&device);
    LEAVE_IF(status, status);
    LEAVE_IF(!bytes || blocks < 1 || threads < 1, FK_INVALID_VALUE);
    const fk_model *m = fk_device_model(device);
    long room = m->shared_processor / blocks - m->shared_reserved - (int)f.static_shared;
    long most = m->shared_optin - (int)f.static_shared;
    *bytes = (size_t)(room < 0 ? 0 : room > most ? most : room);
    LEAVE(FK_OK);
}

static int clusters(int *n, CUfunction function, const CUlaunchConfig *in, int active) {
    fk_launch_config c;
    fk_function_info f;
    int device, blocks, status = fk_function_info_of(H(function), &f);
    if (!status) status = fk_context_device(&device);
    if (!status && (!n || !in)) status = FK_INVALID_VALUE;
    if (!status) status = config(in, &c);
    if (status) return status;
    const fk_model *m = fk_device_model(device);
    if (!m->clusters) return FK_NOT_SUPPORTED;
    uint64_t threads = (uint64_t)c.block[0] * c.block[1] * c.block[2], size = (uint64_t)c.cluster[0] * c.cluster[1] * c.cluster[2];
    if (!threads || threads > (uint64_t)m->max_threads) return FK_INVALID_VALUE;
    status = fk_function_blocks(H(function), (int)threads, c.shared, &blocks);
    if (status) return status;
    if (!active) *n = blocks ? f.non_portable_cluster ? 16 : 8 : 0;
    else *n = (int)((uint64_t)blocks * (uint64_t)m->processors / (size ? size : 1));
    return FK_OK;
}

CUresult cuOccupancyMaxActiveClusters(int *n, CUfunction function, const CUlaunchConfig *in) {
    ENTER(cuOccupancyMaxActiveClusters);
    LEAVE(clusters(n, function, in, 1));
}

CUresult cuOccupancyMaxPotentialClusterSize(int *n, CUfunction function, const CUlaunchConfig *in) {
    ENTER(cuOccupancyMaxPotentialClusterSize);
    LEAVE(clusters(n, function, in, 0));
}
