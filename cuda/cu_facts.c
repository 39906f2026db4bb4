#include "triad_cuda.h"

#include <string.h>

CUresult triad_cu_device_count(int *n) { return triad_cu.cuDeviceGetCount(n); }
CUresult triad_cu_device_get(int ordinal, CUdevice *id) { return triad_cu.cuDeviceGet(id, ordinal); }
CUresult triad_cu_device_name(CUdevice id, char *name, int room) { return triad_cu.cuDeviceGetName(name, room, id); }
CUresult triad_cu_device_pci(CUdevice id, char *text, int room) { return triad_cu.cuDeviceGetPCIBusId(text, room, id); }
CUresult triad_cu_device_by_pci(const char *text, CUdevice *id) { return triad_cu.cuDeviceGetByPCIBusId(id, text); }
CUresult triad_cu_device_memory(CUdevice id, size_t *bytes) { return triad_cu.cuDeviceTotalMem_v2(bytes, id); }
CUresult triad_cu_device_attribute(CUdevice id, int attribute, int *value) {
    return triad_cu.cuDeviceGetAttribute(value, attribute, id);
}

/* The older form gives the whole device's UUID also for a part of it. */
CUresult triad_cu_device_uuid(CUdevice id, uint8_t uuid[16]) {
    CUuuid u = {{0}};
    CUresult code = CUDA_ERROR_NOT_SUPPORTED;
    if (triad_cu.cuDeviceGetUuid_v2) code = triad_cu.cuDeviceGetUuid_v2(&u, id);
    else if (triad_cu.cuDeviceGetUuid) code = triad_cu.cuDeviceGetUuid(&u, id);
    memcpy(uuid, u.bytes, sizeof u.bytes);
    return code;
}

CUresult triad_cu_mem_info(triad_cu_device *d, size_t *free_bytes, size_t *total) {
    return TRIAD_CU_CALM(d, triad_cu.cuMemGetInfo_v2(free_bytes, total));
}
