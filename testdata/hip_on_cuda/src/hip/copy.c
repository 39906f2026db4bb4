#include "face.h"

hipError_t hipMemcpyAsync(void *dst, const void *src, size_t n, hipMemcpyKind kind, hipStream_t s) {
    switch (kind) {
    case hipMemcpyHostToDevice: return ON(cuMemcpyHtoDAsync_v2(at(dst), src, n, stream(s)));
    case hipMemcpyDeviceToHost: return ON(cuMemcpyDtoHAsync_v2(dst, at(src), n, stream(s)));
    case hipMemcpyDeviceToDevice: return ON(cuMemcpyDtoDAsync_v2(at(dst), at(src), n, stream(s)));
    case hipMemcpyHostToHost:
    case hipMemcpyDefault: return ON(cuMemcpyAsync(at(dst), at(src), n, stream(s)));
    }
    return face_refuse(hipErrorInvalidMemcpyDirection);
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t n, hipStream_t s) {
    return ON(cuMemcpyDtoDAsync_v2(at(dst), at(src), n, stream(s)));
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void *src, size_t n, hipStream_t s) {
    return ON(cuMemcpyHtoDAsync_v2(at(dst), src, n, stream(s)));
}

hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t n, hipStream_t s) {
    return ON(cuMemcpyDtoHAsync_v2(dst, at(src), n, stream(s)));
}

/* Where the ends of a copy are: with the default, CUDA finds out by the addresses. */
static CUmemorytype source(hipMemcpyKind kind) {
    switch (kind) {
    case hipMemcpyHostToHost:
    case hipMemcpyHostToDevice: return CU_MEMORYTYPE_HOST;
    case hipMemcpyDeviceToHost:
    case hipMemcpyDeviceToDevice: return CU_MEMORYTYPE_DEVICE;
    }
    return CU_MEMORYTYPE_UNIFIED;
}

static CUmemorytype target(hipMemcpyKind kind) {
    switch (kind) {
    case hipMemcpyHostToHost:
    case hipMemcpyDeviceToHost: return CU_MEMORYTYPE_HOST;
    case hipMemcpyHostToDevice:
    case hipMemcpyDeviceToDevice: return CU_MEMORYTYPE_DEVICE;
    }
    return CU_MEMORYTYPE_UNIFIED;
}

hipError_t hipMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, hipMemcpyKind kind,
                            hipStream_t s) {
    CUDA_MEMCPY2D c = {.srcMemoryType = source(kind), .srcHost = src, .srcDevice = at(src), .srcPitch = spitch,
                       .dstMemoryType = target(kind), .dstHost = dst, .dstDevice = at(dst), .dstPitch = dpitch,
                       .WidthInBytes = width, .Height = height};
    return ON(cuMemcpy2DAsync_v2(&c, stream(s)));
}

/* Positions and widths in an array are counted in its elements, here in bytes. */
static hipError_t element(hipArray_t array, size_t *bytes) {
    CUDA_ARRAY3D_DESCRIPTOR d;
    hipError_t code = ON(cuArray3DGetDescriptor_v2(&d, (CUarray)array));
    if (code != hipSuccess) return code;
    size_t one = d.Format == CU_AD_FORMAT_UNSIGNED_INT8 || d.Format == CU_AD_FORMAT_SIGNED_INT8                                        ? 1
                 : d.Format == CU_AD_FORMAT_UNSIGNED_INT16 || d.Format == CU_AD_FORMAT_SIGNED_INT16 || d.Format == CU_AD_FORMAT_HALF ? 2
                                                                                                                                       : 4;
    *bytes = one * d.NumChannels;
    return hipSuccess;
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *p, hipStream_t s) {
    size_t unit = 1;
    hipError_t code = hipSuccess;
    if (p->srcArray || p->dstArray) code = element(p->srcArray ? p->srcArray : p->dstArray, &unit);
    if (code != hipSuccess) return code;
    CUDA_MEMCPY3D c = {.srcXInBytes = p->srcPos.x * (p->srcArray ? unit : 1), .srcY = p->srcPos.y, .srcZ = p->srcPos.z,
                       .srcMemoryType = p->srcArray ? CU_MEMORYTYPE_ARRAY : source(p->kind), .srcHost = p->srcPtr.ptr,
                       .srcDevice = at(p->srcPtr.ptr), .srcArray = (CUarray)p->srcArray, .srcPitch = p->srcPtr.pitch,
                       .srcHeight = p->srcPtr.ysize,
                       .dstXInBytes = p->dstPos.x * (p->dstArray ? unit : 1), .dstY = p->dstPos.y, .dstZ = p->dstPos.z,
                       .dstMemoryType = p->dstArray ? CU_MEMORYTYPE_ARRAY : target(p->kind), .dstHost = p->dstPtr.ptr,
                       .dstDevice = at(p->dstPtr.ptr), .dstArray = (CUarray)p->dstArray, .dstPitch = p->dstPtr.pitch,
                       .dstHeight = p->dstPtr.ysize,
                       .WidthInBytes = p->extent.width * unit, .Height = p->extent.height, .Depth = p->extent.depth};
    return ON(cuMemcpy3DAsync_v2(&c, stream(s)));
}

hipError_t hipMemcpyPeerAsync(void *dst, int to, const void *src, int from, size_t n, hipStream_t s) {
    CUcontext a, b;
    hipError_t code = face_context(to, &a);
    if (code == hipSuccess) code = face_context(from, &b);
    return code ? code : ON(cuMemcpyPeerAsync(at(dst), a, at(src), b, n, stream(s)));
}

hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms *p, hipStream_t s) {
    CUcontext a, b;
    if (p->srcArray || p->dstArray) return face_refuse(hipErrorNotSupported);
    hipError_t code = face_context(p->srcDevice, &a);
    if (code == hipSuccess) code = face_context(p->dstDevice, &b);
    if (code != hipSuccess) return code;
    CUDA_MEMCPY3D_PEER c = {.srcXInBytes = p->srcPos.x, .srcY = p->srcPos.y, .srcZ = p->srcPos.z, .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                            .srcDevice = at(p->srcPtr.ptr), .srcContext = a, .srcPitch = p->srcPtr.pitch, .srcHeight = p->srcPtr.ysize,
                            .dstXInBytes = p->dstPos.x, .dstY = p->dstPos.y, .dstZ = p->dstPos.z, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                            .dstDevice = at(p->dstPtr.ptr), .dstContext = b, .dstPitch = p->dstPtr.pitch, .dstHeight = p->dstPtr.ysize,
                            .WidthInBytes = p->extent.width, .Height = p->extent.height, .Depth = p->extent.depth};
    return ON(cuMemcpy3DPeerAsync(&c, stream(s)));
}

hipError_t hipMemsetD8Async(hipDeviceptr_t p, unsigned char value, size_t n, hipStream_t s) {
    return ON(cuMemsetD8Async(at(p), value, n, stream(s)));
}

hipError_t hipMemsetD16Async(hipDeviceptr_t p, unsigned short value, size_t n, hipStream_t s) {
    return ON(cuMemsetD16Async(at(p), value, n, stream(s)));
}

hipError_t hipMemsetD32Async(hipDeviceptr_t p, int value, size_t n, hipStream_t s) {
    return ON(cuMemsetD32Async(at(p), (unsigned)value, n, stream(s)));
}

hipError_t hipMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, hipStream_t s) {
    return ON(cuMemsetD2D8Async(at(p), pitch, (unsigned char)value, width, height, stream(s)));
}

hipError_t hipMemsetD2D16Async(hipDeviceptr_t p, size_t pitch, unsigned short value, size_t width, size_t height, hipStream_t s) {
    return ON(cuMemsetD2D16Async(at(p), pitch, value, width, height, stream(s)));
}

hipError_t hipMemsetD2D32Async(hipDeviceptr_t p, size_t pitch, unsigned int value, size_t width, size_t height, hipStream_t s) {
    return ON(cuMemsetD2D32Async(at(p), pitch, value, width, height, stream(s)));
}
