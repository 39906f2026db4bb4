#include "face.h"

/* The properties and the numbers of attributes are CUDA's. */
_Static_assert(sizeof(hipMemPoolProps) == sizeof(CUmemPoolProps) && sizeof(hipMemAccessDesc) == sizeof(CUmemAccessDesc), "layout");

static CUmemoryPool pool(hipMemPool_t p) { return (CUmemoryPool)p; }

hipError_t hipMallocAsync(void **p, size_t bytes, hipStream_t s) { return ON(cuMemAllocAsync((CUdeviceptr *)p, bytes, stream(s))); }

hipError_t hipMallocFromPoolAsync(void **p, size_t bytes, hipMemPool_t from, hipStream_t s) {
    return ON(cuMemAllocFromPoolAsync((CUdeviceptr *)p, bytes, pool(from), stream(s)));
}

hipError_t hipFreeAsync(void *p, hipStream_t s) { return ON(cuMemFreeAsync(at(p), stream(s))); }

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *p, int device) { return ON(cuDeviceGetDefaultMemPool((CUmemoryPool *)p, device)); }
hipError_t hipDeviceGetMemPool(hipMemPool_t *p, int device) { return ON(cuDeviceGetMemPool((CUmemoryPool *)p, device)); }
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t p) { return ON(cuDeviceSetMemPool(device, pool(p))); }

hipError_t hipMemPoolCreate(hipMemPool_t *p, const hipMemPoolProps *props) {
    CUmemPoolProps c;
    memcpy(&c, props, sizeof c);
    return ON(cuMemPoolCreate((CUmemoryPool *)p, &c));
}

hipError_t hipMemPoolDestroy(hipMemPool_t p) { return ON(cuMemPoolDestroy(pool(p))); }

hipError_t hipMemPoolSetAttribute(hipMemPool_t p, hipMemPoolAttr which, void *value) {
    return ON(cuMemPoolSetAttribute(pool(p), which, value));
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t p, hipMemPoolAttr which, void *value) {
    return ON(cuMemPoolGetAttribute(pool(p), which, value));
}

hipError_t hipMemPoolTrimTo(hipMemPool_t p, size_t keep) { return ON(cuMemPoolTrimTo(pool(p), keep)); }

hipError_t hipMemPoolSetAccess(hipMemPool_t p, const hipMemAccessDesc *list, size_t n) {
    return ON(cuMemPoolSetAccess(pool(p), (const CUmemAccessDesc *)list, n));
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t p, hipMemLocation *l) {
    return ON(cuMemPoolGetAccess(flags, pool(p), (CUmemLocation *)l));
}

hipError_t hipMemPoolExportToShareableHandle(void *handle, hipMemPool_t p, hipMemAllocationHandleType type, unsigned int flags) {
    return ON(cuMemPoolExportToShareableHandle(handle, pool(p), type, flags));
}

hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t *p, void *handle, hipMemAllocationHandleType type, unsigned int flags) {
    return ON(cuMemPoolImportFromShareableHandle((CUmemoryPool *)p, handle, type, flags));
}

hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData *data, void *p) {
    return ON(cuMemPoolExportPointer((CUmemPoolPtrExportData *)data, at(p)));
}

hipError_t hipMemPoolImportPointer(void **p, hipMemPool_t from, hipMemPoolPtrExportData *data) {
    return ON(cuMemPoolImportPointer((CUdeviceptr *)p, pool(from), (CUmemPoolPtrExportData *)data));
}
