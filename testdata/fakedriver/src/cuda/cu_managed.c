/* cu_managed.c: memory that the driver moves. */
#include "cu.h"

CUresult cuMemAllocManaged(CUdeviceptr *at, size_t size, unsigned flags) {
    ENTER(cuMemAllocManaged);
    uint64_t addr;
    LEAVE_IF(!at || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST), FK_INVALID_VALUE);
    int status = fk_managed_alloc(size, flags, &addr);
    if (!status) *at = addr;
    LEAVE(status);
}

/* Whether a place is a device's or the host's. */
static int place(int type, int id) {
    if (type == CU_MEM_LOCATION_TYPE_DEVICE) return fk_device_model(id) ? FK_OK : FK_INVALID_DEVICE;
    return type == CU_MEM_LOCATION_TYPE_HOST || type == CU_MEM_LOCATION_TYPE_HOST_NUMA || type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT ? FK_OK : FK_INVALID_VALUE;
}

static int device_place(CUdevice device) { return device == -1 ? FK_OK : place(CU_MEM_LOCATION_TYPE_DEVICE, device); }

static int advise(uint64_t at, size_t size, CUmem_advise advice, int place_status) {
    int status = fk_managed_check(at, size);
    if (status) return status;
    if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY) return FK_INVALID_VALUE;
    return advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice >= CU_MEM_ADVISE_SET_ACCESSED_BY ? place_status : FK_OK;
}

CUresult cuMemAdvise(CUdeviceptr at, size_t size, CUmem_advise advice, CUdevice device) {
    ENTER(cuMemAdvise);
    LEAVE(advise(at, size, advice, device_place(device)));
}

CUresult cuMemAdvise_v2(CUdeviceptr at, size_t size, CUmem_advise advice, CUmemLocation where) {
    ENTER(cuMemAdvise_v2);
    LEAVE(advise(at, size, advice, place(where.type, where.id)));
}

CUresult cuMemPrefetchAsync(CUdeviceptr at, size_t size, CUdevice device, CUstream stream) {
    ENTER_ON(cuMemPrefetchAsync, stream);
    int status = device_place(device);
    LEAVE(status ? status : fk_managed_prefetch(H(stream), at, size));
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr at, size_t size, CUmemLocation where, unsigned flags, CUstream stream) {
    ENTER_ON(cuMemPrefetchAsync_v2, stream);
    LEAVE_IF(flags, FK_INVALID_VALUE);
    int status = place(where.type, where.id);
    LEAVE(status ? status : fk_managed_prefetch(H(stream), at, size));
}

/* Advice isn't kept, so the answers are those before any. */
CUresult cuMemRangeGetAttribute(void *out, size_t room, CUmem_range_attribute attr, CUdeviceptr at, size_t size) {
    ENTER(cuMemRangeGetAttribute);
    int status = fk_managed_check(at, size);
    LEAVE_IF(status, status);
    LEAVE_IF(!out || attr < 1 || attr > CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID, FK_INVALID_VALUE);
    if (attr == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY) {
        LEAVE_IF(!room || room % 4, FK_INVALID_VALUE);
        for (size_t i = 0; i < room / 4; i++) memcpy((char *)out + 4 * i, &(int){-2}, 4);
        LEAVE(FK_OK);
    }
    LEAVE_IF(room != 4, FK_INVALID_VALUE);
    int value = attr == CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION || attr == CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION ? -2 : 0;
    memcpy(out, &value, 4);
    LEAVE(FK_OK);
}
