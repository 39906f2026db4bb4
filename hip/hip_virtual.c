#include "triad_hip_c.h"

uint64_t triad_hip_reserve(triad_hip_device *d, uint64_t size, uint64_t align, uint64_t near, hipError_t *code) {
    void *p = 0;
    *code = hipErrorNotSupported;
    if (!triad_hip.hipMemAddressFree) return 0;
    *code = TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemAddressReserve, &p, size, align, triad_hip_ptr(near), 0));
    return *code == hipSuccess ? (uint64_t)(uintptr_t)p : 0;
}

hipError_t triad_hip_unreserve(triad_hip_device *d, uint64_t at, uint64_t size) {
    return TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemAddressFree, triad_hip_ptr(at), size));
}

/* The struct has its layout since HIP 6.0; before that, package hip refuses. */
static hipMemAllocationProp properties(triad_hip_physical_kind k) {
    return (hipMemAllocationProp){.type = hipMemAllocationTypePinned,
                                  .requestedHandleType = k.shareable ? hipMemHandleTypePosixFileDescriptor : hipMemHandleTypeNone,
                                  .location = {k.at.type, k.at.id}};
}

hipError_t triad_hip_granularity(triad_hip_device *d, triad_hip_physical_kind k, int recommended, uint64_t *bytes) {
    hipMemAllocationProp p = properties(k);
    size_t g = 0;
    hipError_t code = TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemGetAllocationGranularity, &g, &p, recommended ? hipMemAllocationGranularityRecommended : hipMemAllocationGranularityMinimum));
    *bytes = g;
    return code;
}

hipError_t triad_hip_physical_new(triad_hip_device *d, triad_hip_physical_kind k, uint64_t size, uint64_t *h) {
    hipMemAllocationProp p = properties(k);
    hipMemGenericAllocationHandle_t got = 0;
    *h = 0;
    if (!triad_hip.hipMemRelease) return hipErrorNotSupported;
    hipError_t code = TRIAD_HIP_ALLOC(d, TRIAD_HIP_MAYBE(hipMemCreate, &got, size, &p, 0));
    *h = (uint64_t)(uintptr_t)got;
    return code;
}

hipError_t triad_hip_physical_release(triad_hip_device *d, uint64_t h) { return TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemRelease, triad_hip_ptr(h))); }

hipError_t triad_hip_physical_export(triad_hip_device *d, uint64_t h, int *fd) {
    return TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemExportToShareableHandle, fd, triad_hip_ptr(h), hipMemHandleTypePosixFileDescriptor, 0));
}

hipError_t triad_hip_physical_import(triad_hip_device *d, int fd, uint64_t *h) {
    hipMemGenericAllocationHandle_t got = 0;
    hipError_t code = TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemImportFromShareableHandle, &got, (void *)(intptr_t)fd, hipMemHandleTypePosixFileDescriptor));
    *h = (uint64_t)(uintptr_t)got;
    return code;
}

static hipError_t set_access(uint64_t at, uint64_t size, triad_hip_place who, int access) {
    hipMemAccessDesc desc = {{who.type, who.id}, access};
    return TRIAD_HIP_MAYBE(hipMemSetAccess, triad_hip_ptr(at), size, &desc, 1);
}

static hipError_t map(triad_hip_device *d, uint64_t at, uint64_t size, uint64_t h) {
    if (!triad_hip.hipMemUnmap || !triad_hip.hipMemSetAccess) return hipErrorNotSupported;
    hipError_t code = TRIAD_HIP_MAYBE(hipMemMap, triad_hip_ptr(at), size, 0, triad_hip_ptr(h), 0); /* the driver takes no other offset */
    if (code != hipSuccess) return code;
    code = set_access(at, size, (triad_hip_place){hipMemLocationTypeDevice, d->id}, hipMemAccessFlagsProtReadWrite);
    if (code != hipSuccess) TRIAD_HIP_MAYBE(hipMemUnmap, triad_hip_ptr(at), size);
    return code;
}

/* Maps physical memory from its beginning on, and lets the device read and write
 * it. */
hipError_t triad_hip_map(triad_hip_device *d, uint64_t at, uint64_t size, uint64_t h) {
    return TRIAD_HIP_CALM(d, map(d, at, size, h));
}

hipError_t triad_hip_unmap(triad_hip_device *d, uint64_t at, uint64_t size) { return TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemUnmap, triad_hip_ptr(at), size)); }

hipError_t triad_hip_set_access(triad_hip_device *d, uint64_t at, uint64_t size, triad_hip_place who, int access) {
    return TRIAD_HIP_CALM(d, set_access(at, size, who, access));
}

hipError_t triad_hip_get_access(triad_hip_device *d, uint64_t at, triad_hip_place who, int *access) {
    hipMemLocation where = {who.type, who.id};
    unsigned long long flags = 0;
    hipError_t code = TRIAD_HIP_CALM(d, TRIAD_HIP_MAYBE(hipMemGetAccess, &flags, &where, triad_hip_ptr(at)));
    *access = (int)flags;
    return code;
}
