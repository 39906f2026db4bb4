#include "triad_hip_c.h"

#include <string.h>

hipError_t triad_hip_device_count(int *n) { return triad_hip_checked(triad_hip.hipGetDeviceCount(n)); }
hipError_t triad_hip_device_get(int ordinal, int *id) { return triad_hip_checked(triad_hip.hipDeviceGet(id, ordinal)); }
hipError_t triad_hip_device_name(int id, char *name, int room) { return triad_hip_checked(triad_hip.hipDeviceGetName(name, room, id)); }
hipError_t triad_hip_device_pci(int id, char *text, int room) { return triad_hip_checked(triad_hip.hipDeviceGetPCIBusId(text, room, id)); }
hipError_t triad_hip_device_by_pci(const char *text, int *id) { return triad_hip_checked(triad_hip.hipDeviceGetByPCIBusId(id, text)); }
hipError_t triad_hip_device_memory(int id, size_t *bytes) { return triad_hip_checked(triad_hip.hipDeviceTotalMem(bytes, id)); }
hipError_t triad_hip_device_attribute(int id, int attribute, int *value) {
    return triad_hip_checked(triad_hip.hipDeviceGetAttribute(value, attribute, id));
}

/* The architecture's name, such as "gfx90a:sramecc+:xnack-", and two facts that
 * attributes give as well, to be compared: whoever reads properties in the layout of
 * another runtime gets nonsense. A runtime from 6.0 on fills in the new layout by the
 * call of that name, and the old one by the names of both old calls. */
hipError_t triad_hip_device_arch(int id, char *name, int room, int *warp, int *units) {
    if (triad_hip.hipGetDevicePropertiesR0600) {
        hipDeviceProp_tR0600 p;
        memset(&p, 0, sizeof p);
        hipError_t code = triad_hip.hipGetDevicePropertiesR0600(&p, id);
        if (code != hipSuccess) return triad_hip_checked(code);
        strncpy(name, p.gcnArchName, (size_t)room - 1);
        *warp = p.warpSize;
        *units = p.multiProcessorCount;
        return hipSuccess;
    }
    hipError_t (*old)(hipDeviceProp_tR0000 *, int) = triad_hip.hipGetDevicePropertiesR0000;
    if (!old) old = triad_hip.hipGetDeviceProperties;
    if (!old) return hipErrorNotSupported;
    hipDeviceProp_tR0000 p;
    memset(&p, 0, sizeof p);
    hipError_t code = old(&p, id);
    if (code != hipSuccess) return triad_hip_checked(code);
    strncpy(name, p.gcnArchName, (size_t)room - 1);
    *warp = p.warpSize;
    *units = p.multiProcessorCount;
    return hipSuccess;
}

hipError_t triad_hip_device_uuid(int id, uint8_t uuid[16]) {
    hipUUID u = {{0}};
    hipError_t code = hipErrorNotSupported;
    if (triad_hip.hipDeviceGetUuid) code = triad_hip_checked(triad_hip.hipDeviceGetUuid(&u, id));
    memcpy(uuid, u.bytes, sizeof u.bytes);
    return code;
}

hipError_t triad_hip_mem_info(triad_hip_device *d, size_t *free_bytes, size_t *total) {
    return TRIAD_HIP_CALM(d, triad_hip.hipMemGetInfo(free_bytes, total));
}
