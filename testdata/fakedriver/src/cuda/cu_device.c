/* cu_device.c: devices and their attributes. */
#include <stdio.h>
#include <stdlib.h>

#include "cu.h"

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    ENTER_FREE(cuDeviceGet);
    LEAVE_IF(!device, FK_INVALID_VALUE);
    LEAVE_IF(!fk_device_model(ordinal), FK_INVALID_DEVICE);
    *device = ordinal;
    LEAVE(FK_OK);
}

CUresult cuDeviceGetCount(int *n) {
    ENTER_FREE(cuDeviceGetCount);
    LEAVE_IF(!n, FK_INVALID_VALUE);
    *n = fk_device_count();
    LEAVE(FK_OK);
}

CUresult cuDeviceGetName(char *name, int room, CUdevice device) {
    ENTER_FREE(cuDeviceGetName);
    LEAVE_IF(!name || room < 1, FK_INVALID_VALUE);
    LEAVE_IF(!fk_device_model(device), FK_INVALID_DEVICE);
    snprintf(name, (size_t)room, "%s", fk_device_model(device)->name);
    LEAVE(FK_OK);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    ENTER_FREE(cuDeviceTotalMem_v2);
    uint64_t left, total;
    LEAVE_IF(!bytes, FK_INVALID_VALUE);
    int status = fk_device_memory(device, &left, &total);
    if (!status) *bytes = total;
    LEAVE(status);
}

CUresult cuMemGetInfo_v2(size_t *left, size_t *total) {
    ENTER(cuMemGetInfo_v2);
    uint64_t l, t;
    int device, status = fk_context_device(&device);
    LEAVE_IF(!left || !total, FK_INVALID_VALUE);
    if (!status) status = fk_device_memory(device, &l, &t);
    if (!status) *left = l, *total = t;
    LEAVE(status);
}

static int bus(int device) { return 0x17 + 0x10 * device; }

CUresult cuDeviceGetPCIBusId(char *id, int room, CUdevice device) {
    ENTER_FREE(cuDeviceGetPCIBusId);
    LEAVE_IF(!id || room < 1, FK_INVALID_VALUE);
    LEAVE_IF(!fk_device_model(device), FK_INVALID_DEVICE);
    LEAVE(snprintf(id, (size_t)room, "0000:%02X:00.0", bus(device)) < room ? FK_OK : FK_INVALID_VALUE);
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
    ENTER_FREE(cuDeviceGetByPCIBusId);
    unsigned domain, number, slot, function;
    LEAVE_IF(!device || !id, FK_INVALID_VALUE);
    LEAVE_IF(sscanf(id, "%x:%x:%x.%x", &domain, &number, &slot, &function) != 4, FK_INVALID_VALUE);
    for (int i = 0; i < fk_device_count(); i++)
        if (!domain && (int)number == bus(i) && !slot && !function) {
            *device = i;
            LEAVE(FK_OK);
        }
    LEAVE(FK_INVALID_DEVICE);
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    ENTER_FREE(cuDeviceCanAccessPeer);
    LEAVE_IF(!can, FK_INVALID_VALUE);
    LEAVE_IF(!fk_device_model(device) || !fk_device_model(peer), FK_INVALID_DEVICE);
    *can = device != peer;
    LEAVE(FK_OK);
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attr, CUdevice device, CUdevice peer) {
    ENTER_FREE(cuDeviceGetP2PAttribute);
    LEAVE_IF(!value || attr < 1 || attr > CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED, FK_INVALID_VALUE);
    LEAVE_IF(!fk_device_model(device) || !fk_device_model(peer) || device == peer, FK_INVALID_DEVICE);
    *value = attr == CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED || attr == CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED ||
             attr == CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED;
    LEAVE(FK_OK);
}

static int uuid(CUuuid *out, CUdevice device) {
    if (!out) return FK_INVALID_VALUE;
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    memcpy(out->bytes, "fake-device-0000", 16);
    out->bytes[15] = (char)('0' + device);
    return FK_OK;
}

CUresult cuDeviceGetUuid(CUuuid *out, CUdevice device) {
    ENTER_FREE(cuDeviceGetUuid);
    LEAVE(uuid(out, device));
}

CUresult cuDeviceGetUuid_v2(CUuuid *out, CUdevice device) {
    ENTER_FREE(cuDeviceGetUuid_v2);
    LEAVE(uuid(out, device));
}

/* What every model has. */
static const int common[CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED + 1] = {
    [CU_DEVICE_ATTRIBUTE_MAX_PITCH] = 2147483647,
    [CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT] = 512,
    [CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT] = 32,
    [CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT] = 512,
    [CU_DEVICE_ATTRIBUTE_GPU_OVERLAP] = 1,
    [CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY] = 1,
    [CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS] = 1,
    [CU_DEVICE_ATTRIBUTE_ECC_ENABLED] = 1,
    [CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING] = 1,
    [CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED] = 1,
    [CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED] = 1,
    [CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED] = 1,
    [CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY] = 1,
    [CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED] = 1,
    [CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM] = 1,
    [CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED] = 1,
    [CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED] = 1,
    [CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS] = 1,
    [CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED] = 1,
    [CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO] = 2,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH] = 131072,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH] = 131072,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT] = 65536,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH] = 16384,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT] = 16384,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH] = 16384,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH] = 32768,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS] = 2048,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH] = 32768,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT] = 32768,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS] = 2048,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH] = 268435456,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH] = 131072,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT] = 65000,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH] = 2097120,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH] = 131072,
    [CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT] = 65536,
    [CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT] = 4,
    [CU_DEVICE_ATTRIBUTE_NUMA_ID] = -1,
    [CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID] = 0,
    [CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES] = 0,
};

static int value_of(const fk_model *m, int device, CUdevice_attribute attr) {
    switch (attr) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return m->max_threads;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X: return m->max_block[0];
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: return m->max_block[1];
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: return m->max_block[2];
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: return m->max_grid[0];
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y: return m->max_grid[1];
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: return m->max_grid[2];
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return m->shared_block;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: return m->shared_optin;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: return m->shared_processor;
    case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY: return m->constant_bytes;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: return m->warp;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK: return m->registers;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: return m->registers;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: return m->clock_khz;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: return m->memory_khz;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: return m->bus_bits;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: return m->l2_bytes;
    case CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE: return m->persisting_l2;
    case CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE: return m->persisting_l2 ? 134217728 : 0;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return m->processors;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: return m->threads_processor;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: return m->blocks_processor;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: return m->engines;
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: return bus(device);
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return m->major;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return m->minor;
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED: return m->pools;
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1: return m->words;
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS: return m->words;
    case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR: return m->words;
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS: return m->managed_concurrent;
    case CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH: return m->clusters;
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH: return m->cooperative;
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED: return m->virtual_memory;
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED: return m->virtual_memory;
    default: return common[attr];
    }
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attr, CUdevice device) {
    ENTER_FREE(cuDeviceGetAttribute);
    LEAVE_IF(!value || attr < 1 || attr > CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED, FK_INVALID_VALUE);
    LEAVE_IF(!fk_device_model(device), FK_INVALID_DEVICE);
    *value = value_of(fk_device_model(device), device, attr);
    LEAVE(FK_OK);
}
