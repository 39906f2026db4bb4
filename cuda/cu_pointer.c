#include "triad_cuda_memory.h"

/* What the driver knows of an address. It leaves out what it can't tell, and writes
 * up to 8 bytes of each; an address that it doesn't know has the type 0. */
CUresult triad_cu_pointer(triad_cu_device *d, uint64_t p, triad_cu_pointer_facts *f) {
    CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,      CU_POINTER_ATTRIBUTE_CONTEXT,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,   CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                   CU_POINTER_ATTRIBUTE_HOST_POINTER,     CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                   CU_POINTER_ATTRIBUTE_RANGE_SIZE,       CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                   CU_POINTER_ATTRIBUTE_MAPPED,           CU_POINTER_ATTRIBUTE_BUFFER_ID,
                                   CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE};
    void *where[] = {&f->type, &f->context, &f->ordinal, &f->device, &f->host, &f->base, &f->size, &f->managed, &f->mapped, &f->id, &f->ipc};
    _Static_assert(sizeof which / sizeof *which == sizeof where / sizeof *where, "one place for each attribute");
    *f = (triad_cu_pointer_facts){.ordinal = -2};
    return TRIAD_CU_CALM(d, triad_cu.cuPointerGetAttributes(sizeof which / sizeof *which, which, where, p));
}

CUresult triad_cu_ipc_export(triad_cu_device *d, uint64_t p, uint8_t handle[64]) {
    return TRIAD_CU_CALM(d, triad_cu.cuIpcGetMemHandle((CUipcMemHandle *)handle, p));
}

/* Opens another process's memory; *size is how much of it lies behind the address
 * that is returned, 0 where the driver doesn't tell. */
static CUresult ipc_open(const uint8_t *handle, CUdeviceptr *p, uint64_t *size) {
    CUipcMemHandle h;
    __builtin_memcpy(&h, handle, sizeof h);
    CUresult code = triad_cu.cuIpcOpenMemHandle_v2(p, h, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    if (code != CUDA_SUCCESS) return code;
    CUdeviceptr base = 0;
    size_t n = 0;
    if (triad_cu.cuMemGetAddressRange_v2(&base, &n, *p) == CUDA_SUCCESS) *size = base + n - *p;
    return CUDA_SUCCESS;
}

CUdeviceptr triad_cu_ipc_open(triad_cu_device *d, const uint8_t handle[64], uint64_t *size, CUresult *code) {
    CUdeviceptr p = 0;
    *size = 0;
    *code = TRIAD_CU_CALM(d, ipc_open(handle, &p, size));
    return *code == CUDA_SUCCESS ? p : 0;
}

CUresult triad_cu_ipc_close(triad_cu_device *d, uint64_t p) { return TRIAD_CU_CALM(d, triad_cu.cuIpcCloseMemHandle(p)); }
