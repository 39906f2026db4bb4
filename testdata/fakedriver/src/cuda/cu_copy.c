/* cu_copy.c: copies and fills. */
#include "cu.h"

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream) {
    ENTER_ON(cuMemcpyAsync, stream);
    LEAVE(fk_copy(H(stream), dst, FK_AT_ANY, src, FK_AT_ANY, n));
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void *src, size_t n, CUstream stream) {
    ENTER_ON(cuMemcpyHtoDAsync_v2, stream);
    LEAVE(fk_copy(H(stream), dst, FK_AT_DEVICE, H(src), FK_AT_HOST, n));
}

CUresult cuMemcpyDtoHAsync_v2(void *dst, CUdeviceptr src, size_t n, CUstream stream) {
    ENTER_ON(cuMemcpyDtoHAsync_v2, stream);
    LEAVE(fk_copy(H(stream), H(dst), FK_AT_HOST, src, FK_AT_DEVICE, n));
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t n, CUstream stream) {
    ENTER_ON(cuMemcpyDtoDAsync_v2, stream);
    LEAVE(fk_copy(H(stream), dst, FK_AT_DEVICE, src, FK_AT_DEVICE, n));
}

static int is_context(CUcontext ctx) {
    uint64_t id;
    return ctx && !fk_context_id(H(ctx), &id);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from, size_t n, CUstream stream) {
    ENTER_ON(cuMemcpyPeerAsync, stream);
    LEAVE_IF(!is_context(to) || !is_context(from), FK_INVALID_CONTEXT);
    LEAVE(fk_copy(H(stream), dst, FK_AT_DEVICE, src, FK_AT_DEVICE, n));
}

static int region(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array, fk_region *r) {
    switch (type) {
    case CU_MEMORYTYPE_HOST: r->place = FK_AT_HOST; r->addr = H(host); return FK_OK;
    case CU_MEMORYTYPE_DEVICE: r->place = FK_AT_DEVICE; r->addr = device; return FK_OK;
    case CU_MEMORYTYPE_UNIFIED: r->place = FK_AT_ANY; r->addr = device; return FK_OK;
    case CU_MEMORYTYPE_ARRAY: r->place = FK_AT_ARRAY; r->array = H(array); return FK_OK;
    }
    return FK_INVALID_VALUE;
}

/* Rows that overlap are refused, as for a box. */
static int too_narrow(size_t pitch, size_t x, size_t width, CUmemorytype type) {
    return type != CU_MEMORYTYPE_ARRAY && pitch && (x > pitch || width > pitch - x);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *c, CUstream stream) {
    ENTER_ON(cuMemcpy2DAsync_v2, stream);
    LEAVE_IF(!c, FK_INVALID_VALUE);
    LEAVE_IF(too_narrow(c->srcPitch, c->srcXInBytes, c->WidthInBytes, c->srcMemoryType), FK_INVALID_VALUE);
    LEAVE_IF(too_narrow(c->dstPitch, c->dstXInBytes, c->WidthInBytes, c->dstMemoryType), FK_INVALID_VALUE);
    fk_region dst = {.x = c->dstXInBytes, .y = c->dstY, .pitch = c->dstPitch}, src = {.x = c->srcXInBytes, .y = c->srcY, .pitch = c->srcPitch};
    int status = region(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, &dst);
    if (!status) status = region(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, &src);
    LEAVE(status ? status : fk_copy_region(H(stream), &dst, &src, c->WidthInBytes, c->Height, 1));
}

/* The two structures for boxes differ only in the contexts. */
#define BOX(c) \
    do { \
        fk_region dst = {.x = (c)->dstXInBytes, .y = (c)->dstY, .z = (c)->dstZ, .pitch = (c)->dstPitch, .height = (c)->dstHeight}; \
        fk_region src = {.x = (c)->srcXInBytes, .y = (c)->srcY, .z = (c)->srcZ, .pitch = (c)->srcPitch, .height = (c)->srcHeight}; \
        LEAVE_IF((c)->srcLOD || (c)->dstLOD, FK_INVALID_VALUE); \
        LEAVE_IF(too_narrow((c)->srcPitch, (c)->srcXInBytes, (c)->WidthInBytes, (c)->srcMemoryType), FK_INVALID_VALUE); \
        LEAVE_IF(too_narrow((c)->dstPitch, (c)->dstXInBytes, (c)->WidthInBytes, (c)->dstMemoryType), FK_INVALID_VALUE); \
        int status = region((c)->dstMemoryType, (c)->dstHost, (c)->dstDevice, (c)->dstArray, &dst); \
        if (!status) status = region((c)->srcMemoryType, (c)->srcHost, (c)->srcDevice, (c)->srcArray, &src); \
        LEAVE(status ? status : fk_copy_region(H(stream), &dst, &src, (c)->WidthInBytes, (c)->Height, (c)->Depth)); \
    } while (0)

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *c, CUstream stream) {
    ENTER_ON(cuMemcpy3DAsync_v2, stream);
    LEAVE_IF(!c, FK_INVALID_VALUE);
    BOX(c);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *c, CUstream stream) {
    ENTER_ON(cuMemcpy3DPeerAsync, stream);
    LEAVE_IF(!c, FK_INVALID_VALUE);
    LEAVE_IF(!is_context(c->srcContext) || !is_context(c->dstContext), FK_INVALID_CONTEXT);
    BOX(c);
}

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, size_t n, CUstream stream) {
    ENTER_ON(cuMemsetD8Async, stream);
    LEAVE(fk_fill(H(stream), at, 0, value, 1, n, 1));
}

CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, size_t n, CUstream stream) {
    ENTER_ON(cuMemsetD16Async, stream);
    LEAVE(fk_fill(H(stream), at, 0, value, 2, n, 1));
}

CUresult cuMemsetD32Async(CUdeviceptr at, unsigned value, size_t n, CUstream stream) {
    ENTER_ON(cuMemsetD32Async, stream);
    LEAVE(fk_fill(H(stream), at, 0, value, 4, n, 1));
}

CUresult cuMemsetD2D8Async(CUdeviceptr at, size_t pitch, unsigned char value, size_t width, size_t height, CUstream stream) {
    ENTER_ON(cuMemsetD2D8Async, stream);
    LEAVE(fk_fill(H(stream), at, pitch, value, 1, width, height));
}

CUresult cuMemsetD2D16Async(CUdeviceptr at, size_t pitch, unsigned short value, size_t width, size_t height, CUstream stream) {
    ENTER_ON(cuMemsetD2D16Async, stream);
    LEAVE(fk_fill(H(stream), at, pitch, value, 2, width, height));
}

CUresult cuMemsetD2D32Async(CUdeviceptr at, size_t pitch, unsigned value, size_t width, size_t height, CUstream stream) {
    ENTER_ON(cuMemsetD2D32Async, stream);
    LEAVE(fk_fill(H(stream), at, pitch, value, 4, width, height));
}
