#include "face.h"

hipError_t hipMemGetInfo(size_t *available, size_t *total) { return ON(cuMemGetInfo_v2(available, total)); }

hipError_t hipMalloc(void **p, size_t bytes) {
    *p = 0;
    return bytes == 0 ? hipSuccess : ON(cuMemAlloc_v2((CUdeviceptr *)p, bytes));
}

hipError_t hipExtMallocWithFlags(void **p, size_t bytes, unsigned int flags) {
    if (flags & ~(unsigned)(hipDeviceMallocFinegrained | hipMallocSignalMemory)) return face_refuse(hipErrorInvalidValue);
    return hipMalloc(p, bytes);
}

hipError_t hipMemAllocPitch(hipDeviceptr_t *p, size_t *pitch, size_t width, size_t height, unsigned int element) {
    return ON(cuMemAllocPitch_v2((CUdeviceptr *)p, pitch, width, height, element));
}

hipError_t hipFree(void *p) { return p ? ON(cuMemFree_v2(at(p))) : face_ready(); }

hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *bytes, hipDeviceptr_t p) {
    return ON(cuMemGetAddressRange_v2((CUdeviceptr *)base, bytes, at(p)));
}

/* In HIP all host memory is for all devices, and mapped. */
enum { HOST = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP };

hipError_t hipHostMalloc(void **p, size_t bytes, unsigned int flags) {
    *p = 0;
    if (bytes == 0) return hipSuccess;
    return ON(cuMemHostAlloc(p, bytes, HOST | (flags & hipHostMallocWriteCombined)));
}

hipError_t hipHostFree(void *p) { return p ? ON(cuMemFreeHost(p)) : face_ready(); }

hipError_t hipHostGetDevicePointer(void **device, void *host, unsigned int flags) {
    return ON(cuMemHostGetDevicePointer_v2((CUdeviceptr *)device, host, flags));
}

hipError_t hipHostRegister(void *p, size_t bytes, unsigned int flags) {
    return ON(cuMemHostRegister_v2(p, bytes, HOST | (flags & hipHostRegisterIoMemory)));
}

hipError_t hipHostUnregister(void *p) { return ON(cuMemHostUnregister(p)); }

static int memory_type_now(CUmemorytype type, int managed) {
    if (managed) return hipMemoryTypeManaged;
    switch (type) {
    case CU_MEMORYTYPE_HOST: return hipMemoryTypeHost;
    case CU_MEMORYTYPE_DEVICE: return hipMemoryTypeDevice;
    case CU_MEMORYTYPE_ARRAY: return hipMemoryTypeArray;
    case CU_MEMORYTYPE_UNIFIED: return hipMemoryTypeManaged;
    }
    return hipMemoryTypeUnregistered;
}

static int memory_type(CUmemorytype type, int managed) { return face_type_out(memory_type_now(type, managed)); }

/* CUDA answers with zeros for memory that it does not know, and so does HIP since 6.0. */
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *a, const void *p) {
    CUmemorytype type = 0;
    CUdeviceptr device = 0;
    void *host = 0;
    unsigned int managed = 0;
    int ordinal = 0;
    CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                   CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void *to[] = {&type, &device, &host, &managed, &ordinal};
    hipError_t code = ON(cuPointerGetAttributes(5, which, to, at(p)));
    if (code == hipSuccess && !type && face_is_old()) code = face_refuse(hipErrorInvalidValue);
    if (code != hipSuccess) return code;
    *a = (hipPointerAttribute_t){.type = memory_type(type, managed != 0),
                                 .device = type ? ordinal : hipInvalidDeviceId,
                                 .devicePointer = (void *)(uintptr_t)device,
                                 .hostPointer = host,
                                 .isManaged = managed != 0};
    return hipSuccess;
}

/* The attributes have CUDA's numbers. */
hipError_t hipPointerGetAttribute(void *to, hipPointer_attribute which, hipDeviceptr_t p) {
    if (which != HIP_POINTER_ATTRIBUTE_MEMORY_TYPE) return ON(cuPointerGetAttribute(to, which, at(p)));
    CUmemorytype type = 0;
    hipError_t code = ON(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at(p)));
    if (code == hipSuccess) *(hipMemoryType *)to = memory_type(type, 0);
    return code;
}

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *p) { return ON(cuIpcGetMemHandle((CUipcMemHandle *)handle, at(p))); }

hipError_t hipIpcOpenMemHandle(void **p, hipIpcMemHandle_t handle, unsigned int flags) {
    CUipcMemHandle h;
    memcpy(&h, &handle, sizeof h);
    return ON(cuIpcOpenMemHandle_v2((CUdeviceptr *)p, h, face_ipc_flags(flags)));
}

hipError_t hipIpcCloseMemHandle(void *p) { return ON(cuIpcCloseMemHandle(at(p))); }

hipError_t hipMallocManaged(void **p, size_t bytes, unsigned int flags) {
    return ON(cuMemAllocManaged((CUdeviceptr *)p, bytes, flags));
}

static CUmemLocation location(int device) {
    return device == hipCpuDeviceId ? (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0} : (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device};
}

static CUmemLocation location_of(hipMemLocation l) { return (CUmemLocation){l.type, l.id}; }

hipError_t hipMemAdvise_v2(const void *p, size_t bytes, hipMemoryAdvise advice, hipMemLocation l) {
    if (advice >= hipMemAdviseSetCoarseGrain) return face_refuse(hipErrorInvalidValue);
    return ON_OPTIONAL(cuMemAdvise_v2, at(p), bytes, advice, location_of(l));
}

hipError_t hipMemAdvise(const void *p, size_t bytes, hipMemoryAdvise advice, int device) {
    if (advice >= hipMemAdviseSetCoarseGrain) return face_refuse(hipErrorInvalidValue);
    if (cu.cuMemAdvise_v2) return ON(cuMemAdvise_v2(at(p), bytes, advice, location(device)));
    return ON_OPTIONAL(cuMemAdvise, at(p), bytes, advice, device);
}

hipError_t hipMemPrefetchAsync_v2(const void *p, size_t bytes, hipMemLocation l, unsigned int flags, hipStream_t s) {
    return ON_OPTIONAL(cuMemPrefetchAsync_v2, at(p), bytes, location_of(l), flags, stream(s));
}

hipError_t hipMemPrefetchAsync(const void *p, size_t bytes, int device, hipStream_t s) {
    if (cu.cuMemPrefetchAsync_v2) return ON(cuMemPrefetchAsync_v2(at(p), bytes, location(device), 0, stream(s)));
    return ON_OPTIONAL(cuMemPrefetchAsync, at(p), bytes, device, stream(s));
}

hipError_t hipMemRangeGetAttribute(void *to, size_t size, hipMemRangeAttribute which, const void *p, size_t bytes) {
    if (which > hipMemRangeAttributeLastPrefetchLocation) return face_refuse(hipErrorInvalidValue);
    return ON(cuMemRangeGetAttribute(to, size, which, at(p), bytes));
}
