/* cu_vmm.c: address ranges, and memory mapped there. */
#include "cu.h"

CUresult cuMemAddressReserve(CUdeviceptr *at, size_t size, size_t align, CUdeviceptr hint, unsigned long long flags) {
    ENTER_FREE(cuMemAddressReserve);
    uint64_t addr;
    (void)hint; /* only a wish */
    LEAVE_IF(!at || flags, FK_INVALID_VALUE);
    int status = fk_range_reserve(size, align, &addr);
    if (!status) *at = addr;
    LEAVE(status);
}

CUresult cuMemAddressFree(CUdeviceptr at, size_t size) {
    ENTER_FREE(cuMemAddressFree);
    LEAVE(fk_range_free(at, size));
}

static int check_prop(const CUmemAllocationProp *p) {
    if (!p || p->type != CU_MEM_ALLOCATION_TYPE_PINNED) return FK_INVALID_VALUE;
    if (p->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return FK_NOT_SUPPORTED;
    if (!fk_device_model(p->location.id)) return FK_INVALID_DEVICE;
    return p->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ? FK_NOT_SUPPORTED : FK_OK;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop, unsigned long long flags) {
    ENTER_FREE(cuMemCreate);
    fk_handle h;
    LEAVE_IF(!handle || flags, FK_INVALID_VALUE);
    int status = check_prop(prop);
    if (!status) status = fk_physical_create(size, prop->location.id, &h);
    if (!status) *handle = h;
    LEAVE(status);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    ENTER_FREE(cuMemRelease);
    LEAVE(fk_physical_release(handle));
}

CUresult cuMemMap(CUdeviceptr at, size_t size, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags) {
    ENTER_FREE(cuMemMap);
    LEAVE_IF(flags, FK_INVALID_VALUE);
    LEAVE(fk_range_map(at, size, offset, handle));
}

CUresult cuMemUnmap(CUdeviceptr at, size_t size) {
    ENTER_FREE(cuMemUnmap);
    LEAVE(fk_range_unmap(at, size));
}

CUresult cuMemSetAccess(CUdeviceptr at, size_t size, const CUmemAccessDesc *list, size_t n) {
    ENTER_FREE(cuMemSetAccess);
    int status = FK_OK;
    LEAVE_IF(!n || n > CU_MOST || !list, FK_INVALID_VALUE);
    for (size_t i = 0; !status && i < n; i++) {
        int flags = list[i].flags;
        LEAVE_IF(list[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || flags < 0 || flags > 3 || flags == 2, FK_INVALID_VALUE);
        status = fk_range_access(at, size, list[i].location.id, &flags, 1);
    }
    LEAVE(status);
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *where, CUdeviceptr at) {
    ENTER_FREE(cuMemGetAccess);
    int f;
    LEAVE_IF(!flags || !where || where->type != CU_MEM_LOCATION_TYPE_DEVICE, FK_INVALID_VALUE);
    int status = fk_range_access(at, 0, where->id, &f, 0);
    if (!status) *flags = (unsigned long long)f;
    LEAVE(status);
}

CUresult cuMemGetAllocationGranularity(size_t *size, const CUmemAllocationProp *prop, CUmemAllocationGranularity_flags which) {
    ENTER_FREE(cuMemGetAllocationGranularity);
    LEAVE_IF(!size || which < CU_MEM_ALLOC_GRANULARITY_MINIMUM || which > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED, FK_INVALID_VALUE);
    int status = check_prop(prop);
    if (!status) *size = FK_GRANULARITY;
    LEAVE(status);
}

CUresult cuMemExportToShareableHandle(void *out, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type, unsigned long long flags) {
    ENTER_FREE(cuMemExportToShareableHandle);
    int fd;
    LEAVE_IF(!out || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, FK_INVALID_VALUE);
    int status = fk_physical_export(handle, &fd);
    if (!status) memcpy(out, &fd, sizeof fd);
    LEAVE(status);
}

/* The handle itself comes in place of a pointer to it. */
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *in, CUmemAllocationHandleType type) {
    ENTER_FREE(cuMemImportFromShareableHandle);
    fk_handle h;
    LEAVE_IF(!handle || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, FK_INVALID_VALUE);
    int device = 0;
    fk_context_device(&device);
    int status = fk_physical_import((int)(intptr_t)in, device, &h);
    if (!status) *handle = h;
    LEAVE(status);
}
