/* cu_memory.c: memory of the device, of the host, and for other processes. */
#include "cu.h"

CUresult cuMemAlloc_v2(CUdeviceptr *at, size_t size) {
    ENTER(cuMemAlloc_v2);
    uint64_t addr;
    LEAVE_IF(!at, FK_INVALID_VALUE);
    int status = fk_mem_alloc(size, &addr);
    if (!status) *at = addr;
    LEAVE(status);
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *at, size_t *pitch, size_t width, size_t height, unsigned element) {
    ENTER(cuMemAllocPitch_v2);
    uint64_t addr, size;
    LEAVE_IF(!at || !pitch || (element != 4 && element != 8 && element != 16) || width > (size_t)1 << 40, FK_INVALID_VALUE);
    uint64_t row = (width + 511) / 512 * 512;
    LEAVE_IF(__builtin_mul_overflow(row, height, &size), FK_OUT_OF_MEMORY);
    int status = fk_mem_alloc(size, &addr);
    if (!status) *at = addr, *pitch = row;
    LEAVE(status);
}

CUresult cuMemFree_v2(CUdeviceptr at) {
    ENTER(cuMemFree_v2);
    LEAVE(fk_mem_free(at));
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr at) {
    ENTER(cuMemGetAddressRange_v2);
    fk_mem_info m;
    int status = fk_mem_info_at(at, &m);
    if (!status && base) *base = m.base;
    if (!status && size) *size = m.size;
    LEAVE(status);
}

CUresult cuMemHostAlloc(void **at, size_t size, unsigned flags) {
    ENTER(cuMemHostAlloc);
    uint64_t addr;
    LEAVE_IF(!at || flags > 7, FK_INVALID_VALUE);
    int status = fk_host_alloc(size, flags, &addr);
    if (!status) *at = OUT(void *, addr);
    LEAVE(status);
}

CUresult cuMemFreeHost(void *at) {
    ENTER(cuMemFreeHost);
    LEAVE(fk_host_free(H(at)));
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *at, void *host, unsigned flags) {
    ENTER(cuMemHostGetDevicePointer_v2);
    fk_mem_info m;
    LEAVE_IF(!at || flags || fk_mem_info_at(H(host), &m), FK_INVALID_VALUE);
    LEAVE_IF(m.type != FK_MEM_HOST && m.type != FK_MEM_REGISTERED, FK_INVALID_VALUE);
    *at = H(host);
    LEAVE(FK_OK);
}

CUresult cuMemHostRegister_v2(void *at, size_t size, unsigned flags) {
    ENTER(cuMemHostRegister_v2);
    LEAVE_IF(flags > 15, FK_INVALID_VALUE);
    LEAVE_IF(flags & CU_MEMHOSTREGISTER_IOMEMORY, FK_NOT_SUPPORTED);
    LEAVE(fk_host_register(H(at), size, flags));
}

CUresult cuMemHostUnregister(void *at) {
    ENTER(cuMemHostUnregister);
    LEAVE(fk_host_unregister(H(at)));
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr at) {
    ENTER(cuIpcGetMemHandle);
    LEAVE_IF(!handle, FK_INVALID_VALUE);
    LEAVE(fk_ipc_export(at, handle->reserved));
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *at, CUipcMemHandle handle, unsigned flags) {
    ENTER(cuIpcOpenMemHandle_v2);
    uint64_t addr;
    LEAVE_IF(!at || flags > CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS, FK_INVALID_VALUE);
    int status = fk_ipc_open(handle.reserved, &addr);
    if (!status) *at = addr;
    LEAVE(status);
}

CUresult cuIpcCloseMemHandle(CUdeviceptr at) {
    ENTER(cuIpcCloseMemHandle);
    LEAVE(fk_ipc_close(at));
}
