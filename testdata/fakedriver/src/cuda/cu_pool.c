/* cu_pool.c: memory in stream order. */
#include "cu.h"

CUresult cuMemAllocAsync(CUdeviceptr *at, size_t size, CUstream stream) {
    ENTER_ON(cuMemAllocAsync, stream);
    uint64_t addr;
    LEAVE_IF(!at, FK_INVALID_VALUE);
    int status = fk_pool_alloc(0, size, H(stream), &addr);
    if (!status) *at = addr;
    LEAVE(status);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *at, size_t size, CUmemoryPool pool, CUstream stream) {
    ENTER_ON(cuMemAllocFromPoolAsync, stream);
    uint64_t addr;
    LEAVE_IF(!at || !pool, FK_INVALID_VALUE);
    int status = fk_pool_alloc(H(pool), size, H(stream), &addr);
    if (!status) *at = addr;
    LEAVE(status);
}

CUresult cuMemFreeAsync(CUdeviceptr at, CUstream stream) {
    ENTER_ON(cuMemFreeAsync, stream);
    LEAVE(fk_pool_free(at, H(stream)));
}

static int of_device(CUmemoryPool *pool, CUdevice device, int fresh) {
    fk_handle h;
    if (!pool) return FK_INVALID_VALUE;
    int status = fk_pool_of_device(device, fresh, &h);
    if (!status) *pool = OUT(CUmemoryPool, h);
    return status;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
    ENTER_FREE(cuDeviceGetDefaultMemPool);
    LEAVE(of_device(pool, device, 1));
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
    ENTER_FREE(cuDeviceGetMemPool);
    LEAVE(of_device(pool, device, 0));
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
    ENTER_FREE(cuDeviceSetMemPool);
    LEAVE(fk_pool_use(device, H(pool)));
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *props) {
    ENTER_FREE(cuMemPoolCreate);
    fk_handle h;
    LEAVE_IF(!pool || !props || props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED, FK_INVALID_VALUE);
    LEAVE_IF(props->location.type != CU_MEM_LOCATION_TYPE_DEVICE, FK_NOT_SUPPORTED);
    LEAVE_IF(props->handleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, FK_NOT_SUPPORTED);
    int status = fk_pool_create(props->location.id, props->maxSize, props->handleTypes != 0, &h);
    if (!status) *pool = OUT(CUmemoryPool, h);
    LEAVE(status);
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
    ENTER_FREE(cuMemPoolDestroy);
    LEAVE(fk_pool_destroy(H(pool)));
}

/* The first three are ints of the caller, the others 64 bits. */
static int pool_attr(CUmemPool_attribute attr, int *own) {
    if (attr < CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES || attr > CU_MEMPOOL_ATTR_USED_MEM_HIGH) return 0;
    *own = FK_POOL_FOLLOW + attr - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES;
    return attr < CU_MEMPOOL_ATTR_RELEASE_THRESHOLD ? 4 : 8;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value) {
    ENTER_FREE(cuMemPoolSetAttribute);
    int own, size = pool_attr(attr, &own);
    uint64_t v = 0;
    LEAVE_IF(!value || !size, FK_INVALID_VALUE);
    memcpy(&v, value, (size_t)size);
    LEAVE(fk_pool_attr(H(pool), own, &v, 1));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value) {
    ENTER_FREE(cuMemPoolGetAttribute);
    int own, size = pool_attr(attr, &own);
    uint64_t v = 0;
    LEAVE_IF(!value || !size, FK_INVALID_VALUE);
    int status = fk_pool_attr(H(pool), own, &v, 0);
    if (!status) memcpy(value, &v, (size_t)size);
    LEAVE(status);
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep) {
    ENTER_FREE(cuMemPoolTrimTo);
    LEAVE(fk_pool_trim(H(pool), keep));
}

static int access_flags(int flags) {
    return flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || flags == CU_MEM_ACCESS_FLAGS_PROT_READ || flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *list, size_t n) {
    ENTER_FREE(cuMemPoolSetAccess);
    int status = FK_OK;
    LEAVE_IF(n > CU_MOST || (n && !list), FK_INVALID_VALUE);
    for (size_t i = 0; !status && i < n; i++) {
        LEAVE_IF(list[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || !access_flags(list[i].flags), FK_INVALID_VALUE);
        int flags = list[i].flags;
        status = fk_pool_access(H(pool), list[i].location.id, &flags, 1);
    }
    LEAVE(status);
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *where) {
    ENTER_FREE(cuMemPoolGetAccess);
    LEAVE_IF(!flags || !where || where->type != CU_MEM_LOCATION_TYPE_DEVICE, FK_INVALID_VALUE);
    LEAVE(fk_pool_access(H(pool), where->id, flags, 0));
}

/* Pools of other processes are what this driver does not have. */
CUresult cuMemPoolExportToShareableHandle(void *out, CUmemoryPool pool, CUmemAllocationHandleType type, unsigned long long flags) {
    ENTER_FREE(cuMemPoolExportToShareableHandle);
    int device;
    LEAVE_IF(!out || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, FK_INVALID_VALUE);
    int status = fk_pool_shareable(H(pool), &device);
    LEAVE(status ? status : FK_NOT_SUPPORTED);
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *in, CUmemAllocationHandleType type, unsigned long long flags) {
    ENTER_FREE(cuMemPoolImportFromShareableHandle);
    LEAVE_IF(!pool || !in || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, FK_INVALID_VALUE);
    LEAVE(FK_NOT_SUPPORTED);
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *out, CUdeviceptr at) {
    ENTER(cuMemPoolExportPointer);
    fk_mem_info m;
    LEAVE_IF(!out || fk_mem_info_at(at, &m) || !m.pool, FK_INVALID_VALUE);
    LEAVE(FK_NOT_SUPPORTED);
}

CUresult cuMemPoolImportPointer(CUdeviceptr *at, CUmemoryPool pool, CUmemPoolPtrExportData *in) {
    ENTER(cuMemPoolImportPointer);
    LEAVE_IF(!at || !pool || !in, FK_INVALID_VALUE);
    LEAVE(FK_NOT_SUPPORTED);
}
