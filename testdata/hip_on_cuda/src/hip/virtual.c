#include "face.h"

/* CUDA's properties end in four bytes more. */
static CUmemAllocationProp prop(const hipMemAllocationProp *p) {
    CUmemAllocationProp c = {0};
    c.type = p->type;
    c.requestedHandleTypes = p->requestedHandleType;
    c.location = (CUmemLocation){p->location.type, p->location.id};
    c.win32HandleMetaData = p->win32HandleMetaData;
    c.allocFlags.compressionType = p->allocFlags.compressionType;
    c.allocFlags.gpuDirectRDMACapable = p->allocFlags.gpuDirectRDMACapable;
    c.allocFlags.usage = p->allocFlags.usage;
    return c;
}

static CUmemGenericAllocationHandle handle(hipMemGenericAllocationHandle_t h) { return (CUmemGenericAllocationHandle)(uintptr_t)h; }

hipError_t hipMemAddressReserve(void **p, size_t bytes, size_t align, void *where, unsigned long long flags) {
    return ON(cuMemAddressReserve((CUdeviceptr *)p, bytes, align, at(where), flags));
}

hipError_t hipMemAddressFree(void *p, size_t bytes) { return ON(cuMemAddressFree(at(p), bytes)); }

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *h, size_t bytes, const hipMemAllocationProp *p, unsigned long long flags) {
    CUmemAllocationProp c = prop(p);
    return ON(cuMemCreate((CUmemGenericAllocationHandle *)h, bytes, &c, flags));
}

hipError_t hipMemRelease(hipMemGenericAllocationHandle_t h) { return ON(cuMemRelease(handle(h))); }

hipError_t hipMemMap(void *p, size_t bytes, size_t offset, hipMemGenericAllocationHandle_t h, unsigned long long flags) {
    return ON(cuMemMap(at(p), bytes, offset, handle(h), flags));
}

hipError_t hipMemUnmap(void *p, size_t bytes) { return ON(cuMemUnmap(at(p), bytes)); }

hipError_t hipMemSetAccess(void *p, size_t bytes, const hipMemAccessDesc *list, size_t n) {
    return ON(cuMemSetAccess(at(p), bytes, (const CUmemAccessDesc *)list, n));
}

hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *l, void *p) {
    return ON(cuMemGetAccess(flags, (const CUmemLocation *)l, at(p)));
}

hipError_t hipMemGetAllocationGranularity(size_t *bytes, const hipMemAllocationProp *p, hipMemAllocationGranularity_flags how) {
    CUmemAllocationProp c = prop(p);
    return ON(cuMemGetAllocationGranularity(bytes, &c, how));
}

hipError_t hipMemExportToShareableHandle(void *to, hipMemGenericAllocationHandle_t h, hipMemAllocationHandleType type, unsigned long long flags) {
    return ON(cuMemExportToShareableHandle(to, handle(h), type, flags));
}

hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *h, void *from, hipMemAllocationHandleType type) {
    return ON(cuMemImportFromShareableHandle((CUmemGenericAllocationHandle *)h, from, type));
}
