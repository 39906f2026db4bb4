#include "triad_cuda_memory.h"

CUdeviceptr triad_cu_reserve(triad_cu_device *d, uint64_t size, uint64_t align, uint64_t near, CUresult *code) {
    CUdeviceptr p = 0;
    *code = TRIAD_CU_CALM(d, triad_cu.cuMemAddressReserve(&p, size, align, near, 0));
    return *code == CUDA_SUCCESS ? p : 0;
}

CUresult triad_cu_unreserve(triad_cu_device *d, uint64_t at, uint64_t size) {
    return TRIAD_CU_CALM(d, triad_cu.cuMemAddressFree(at, size));
}

static CUmemAllocationProp properties(triad_cu_physical_kind k) {
    return (CUmemAllocationProp){
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .requestedHandleTypes = k.shareable ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE,
        .location = {k.at.type, k.at.id},
        .allocFlags = {.compressionType = k.compressible ? CU_MEM_ALLOCATION_COMP_GENERIC : 0, .gpuDirectRDMACapable = k.rdma != 0}};
}

CUresult triad_cu_granularity(triad_cu_device *d, triad_cu_physical_kind k, int recommended, uint64_t *bytes) {
    CUmemAllocationProp p = properties(k);
    size_t g = 0;
    CUresult code = TRIAD_CU_CALM(d, triad_cu.cuMemGetAllocationGranularity(
                                         &g, &p, recommended ? CU_MEM_ALLOC_GRANULARITY_RECOMMENDED : CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    *bytes = g;
    return code;
}

CUresult triad_cu_physical_new(triad_cu_device *d, triad_cu_physical_kind k, uint64_t size, uint64_t *h) {
    CUmemAllocationProp p = properties(k);
    CUmemGenericAllocationHandle got = 0;
    CUresult code = TRIAD_CU_ALLOC(d, triad_cu.cuMemCreate(&got, size, &p, 0));
    *h = got;
    return code;
}

CUresult triad_cu_physical_release(triad_cu_device *d, uint64_t h) { return TRIAD_CU_CALM(d, triad_cu.cuMemRelease(h)); }

CUresult triad_cu_physical_export(triad_cu_device *d, uint64_t h, int *fd) {
    return TRIAD_CU_CALM(d, triad_cu.cuMemExportToShareableHandle(fd, h, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
}

CUresult triad_cu_physical_import(triad_cu_device *d, int fd, uint64_t *h) {
    CUmemGenericAllocationHandle got = 0;
    CUresult code = TRIAD_CU_CALM(d, triad_cu.cuMemImportFromShareableHandle(&got, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    *h = got;
    return code;
}

static CUresult set_access(uint64_t at, uint64_t size, triad_cu_place who, int access) {
    CUmemAccessDesc desc = {{who.type, who.id}, access};
    return triad_cu.cuMemSetAccess(at, size, &desc, 1);
}

static CUresult map(triad_cu_device *d, uint64_t at, uint64_t size, uint64_t h) {
    CUresult code = triad_cu.cuMemMap(at, size, 0, h, 0); /* the driver takes no other offset */
    if (code != CUDA_SUCCESS) return code;
    code = set_access(at, size, (triad_cu_place){CU_MEM_LOCATION_TYPE_DEVICE, d->id}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    if (code != CUDA_SUCCESS) triad_cu.cuMemUnmap(at, size);
    return code;
}

/* Maps physical memory from its beginning on, and lets the device read and write
 * it. */
CUresult triad_cu_map(triad_cu_device *d, uint64_t at, uint64_t size, uint64_t h) {
    return TRIAD_CU_CALM(d, map(d, at, size, h));
}

CUresult triad_cu_unmap(triad_cu_device *d, uint64_t at, uint64_t size) { return TRIAD_CU_CALM(d, triad_cu.cuMemUnmap(at, size)); }

CUresult triad_cu_set_access(triad_cu_device *d, uint64_t at, uint64_t size, triad_cu_place who, int access) {
    return TRIAD_CU_CALM(d, set_access(at, size, who, access));
}

CUresult triad_cu_get_access(triad_cu_device *d, uint64_t at, triad_cu_place who, int *access) {
    CUmemLocation where = {who.type, who.id};
    unsigned long long flags = 0;
    CUresult code = TRIAD_CU_CALM(d, triad_cu.cuMemGetAccess(&flags, &where, at));
    *access = (int)flags;
    return code;
}
