/* check_maps.c: address ranges, memory of the host, managed memory, what is known
 * of pointers, memory for others. */
#include <unistd.h>

#include "check.h"

enum { M = 2 << 20 };

static void ranges(CUstream s) {
    CUdeviceptr at;
    CUmemGenericAllocationHandle a, b, again;
    int fd;
    unsigned long long flags;
    static char bytes[M], back[M];
    CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED, .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    OK(cuMemAddressReserve(&at, 4 * M, 0, 0, 0));
    OK(cuMemCreate(&a, M, &prop, 0));
    OK(cuMemCreate(&b, M, &prop, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&again, 4096, &prop, 0));
    OK(cuMemMap(at, M, 0, a, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(at, M, 0, b, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(at + 4 * M, M, 0, b, 0));
    OK(cuMemMap(at + M, M, 0, b, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8Async(at, 1, 64, s)); /* no access yet */
    OK(cuMemSetAccess(at, 2 * M, &access, 1));
    OK(cuMemGetAccess(&flags, &access.location, at));
    EXPECT(flags, 3);
    OK(cuMemsetD8Async(at + M - 8, 7, 16, s)); /* over the seam */
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8Async(at + 2 * M - 8, 7, 16, s));
    OK(cuMemExportToShareableHandle(&fd, a, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    OK(cuMemImportFromShareableHandle(&again, (void *)(intptr_t)fd, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(fd);
    OK(cuMemMap(at + 2 * M, M, 0, again, 0));
    OK(cuMemSetAccess(at + 2 * M, M, &access, 1));
    memset(bytes, 9, M);
    OK(cuMemcpyHtoDAsync_v2(at, bytes, M, s));
    OK(cuMemcpyDtoHAsync_v2(back, at + 2 * M, M, s)); /* the same memory */
    EXPECT(memcmp(bytes, back, M), 0);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(at, 4 * M));
    OK(cuMemRelease(a));
    OK(cuMemRelease(b));
    OK(cuMemRelease(again));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRelease(again));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(at, 4 * M));
    OK(cuMemUnmap(at, 3 * M));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8Async(at, 1, 64, s));
    OK(cuMemAddressFree(at, 4 * M));
}

static void host_memory(CUstream s) {
    static char page[3 * 4096];
    char *h;
    CUdeviceptr d, m;
    unsigned type;
    int device;
    OK(cuMemHostAlloc((void **)&h, 5000, CU_MEMHOSTALLOC_PORTABLE));
    OK(cuMemHostGetDevicePointer_v2(&d, h, 0));
    EXPECT(d, (uintptr_t)h);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d + 4999));
    EXPECT(type, CU_MEMORYTYPE_HOST);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d + 5000));
    OK(cuMemHostRegister_v2(page, sizeof page, 0));
    GIVES(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2(page + 4096, 4096, 0));
    m = memory(4096);
    /* Memory that the device can use isn't staged: it is read when its turn comes. */
    ctl.fake_hold(1);
    h[0] = 1;
    OK(cuMemcpyHtoDAsync_v2(m, h, 64, s));
    OK(cuMemcpyDtoHAsync_v2(page, m, 64, s));
    h[0] = 2;
    EXPECT(page[0], 0);
    ctl.fake_hold(0);
    OK(cuStreamSynchronize(s));
    EXPECT(page[0], 2);
    OK(cuMemHostUnregister(page));
    GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(page));
    OK(cuMemFreeHost(h));
    OK(cuMemFree_v2(m));
    OK(cuMemAllocManaged(&m, 4096, CU_MEM_ATTACH_GLOBAL));
    *(char *)(uintptr_t)m = 5;
    OK(cuMemPrefetchAsync(m, 4096, 0, s));
    OK(cuMemAdvise(m, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAdvise(m, 4097, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
    OK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, m));
    EXPECT(device, 0);
    OK(cuMemFree_v2(m));
}

static void for_others(void) {
    CUipcMemHandle handle;
    CUipcEventHandle event_handle;
    CUevent e, opened;
    CUdeviceptr m = memory(4096), same;
    OK(cuIpcGetMemHandle(&handle, m));
    OK(cuIpcOpenMemHandle_v2(&same, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    OK(cuIpcCloseMemHandle(same));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(same));
    memset(&handle, 1, sizeof handle);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcOpenMemHandle_v2(&same, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    OK(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
    OK(cuIpcGetEventHandle(&event_handle, e));
    OK(cuIpcOpenEventHandle(&opened, event_handle));
    OK(cuEventQuery(opened));
    OK(cuEventDestroy_v2(opened));
    OK(cuEventDestroy_v2(e));
    OK(cuMemFree_v2(m));
}

void check_maps(void) {
    CUstream s = stream(1);
    ranges(s);
    host_memory(s);
    for_others();
    OK(cuStreamDestroy_v2(s));
}
