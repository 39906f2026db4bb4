#include "triad_cuda.h"

static CUresult copy(CUstream s, uint64_t dst, uint64_t src, uint64_t n, uint32_t ends) {
    switch (ends) {
    case 0: return triad_cu.cuMemcpyDtoDAsync_v2(dst, src, n, s);
    case TRIAD_CU_FROM_HOST: return triad_cu.cuMemcpyHtoDAsync_v2(dst, (const void *)(uintptr_t)src, n, s);
    case TRIAD_CU_TO_HOST: return triad_cu.cuMemcpyDtoHAsync_v2((void *)(uintptr_t)dst, src, n, s);
    }
    return triad_cu.cuMemcpyAsync(dst, src, n, s);
}

/* A copy between device memory and page-locked host memory; ends says which are
 * host memory. */
CUresult triad_cu_copy(triad_cu_stream *s, uint64_t dst, uint64_t src, uint64_t n, uint32_t ends) {
    return triad_cu_submitted(s, TRIAD_CU_ON(s->dev, copy(s->s, dst, src, n, ends)));
}

static CUresult upload(CUstream s, uint64_t dst, const void *src, uint64_t n, int ask, int *pinned) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult code = triad_cu.cuStreamIsCapturing(s, &status);
    if (code != CUDA_SUCCESS) return code;
    if (status != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (ask) triad_cu_knows_host((uintptr_t)src, pinned); /* what it can't tell of is taken for pageable */
    return *pinned ? CUDA_SUCCESS : triad_cu.cuMemcpyHtoDAsync_v2(dst, src, n, s);
}

/* A copy from host memory that isn't page-locked. Up to 64 KiB, which is all that
 * may be asked of it, the driver takes the bytes before it returns, and waits for
 * nothing. From page-locked memory it would copy later: if that is to be asked, and is
 * so, *pinned is set, and nothing was done. Captured, it would read the memory when
 * the graph runs. */
CUresult triad_cu_upload(triad_cu_stream *s, uint64_t dst, const void *src, uint64_t n, int ask, int *pinned) {
    *pinned = 0;
    CUresult code = TRIAD_CU_ON(s->dev, upload(s->s, dst, src, n, ask, pinned));
    return *pinned ? code : triad_cu_submitted(s, code);
}

CUresult triad_cu_copy_rect(triad_cu_stream *s, uint64_t dst, triad_cu_rect dr, uint64_t src, triad_cu_rect sr, uint64_t bytes,
                            uint64_t rows, uint64_t slices) {
    if (slices == 1) {
        CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .srcDevice = src + sr.offset,
                           .srcPitch = sr.row,
                           .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                           .dstDevice = dst + dr.offset,
                           .dstPitch = dr.row,
                           .WidthInBytes = bytes,
                           .Height = rows};
        return triad_cu_submitted(s, TRIAD_CU_ON(s->dev, triad_cu.cuMemcpy2DAsync_v2(&c, s->s)));
    }
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                       .srcDevice = src + sr.offset,
                       .srcPitch = sr.row,
                       .srcHeight = sr.slice / sr.row,
                       .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                       .dstDevice = dst + dr.offset,
                       .dstPitch = dr.row,
                       .dstHeight = dr.slice / dr.row,
                       .WidthInBytes = bytes,
                       .Height = rows,
                       .Depth = slices};
    return triad_cu_submitted(s, TRIAD_CU_ON(s->dev, triad_cu.cuMemcpy3DAsync_v2(&c, s->s)));
}

/* Fills with a pattern of 8 or 16 bytes: one column of 4-byte words at a time, for
 * CUDA knows patterns of up to 4 bytes. */
static CUresult fill_wide(triad_cu_stream *s, CUdeviceptr dst, size_t n, const uint32_t *words, uint32_t len) {
    for (uint32_t i = 0; i < len / 4; i++) {
        CUresult code = triad_cu_submitted(s, triad_cu.cuMemsetD2D32Async(dst + 4 * i, len, words[i], 1, n / len, s->s));
        if (code != CUDA_SUCCESS) return code;
    }
    return CUDA_SUCCESS;
}

static CUresult fill(triad_cu_stream *s, CUdeviceptr dst, size_t n, const uint32_t *words, uint32_t len) {
    int same = 1;
    for (uint32_t i = 1; i < len / 4; i++) same &= words[i] == words[0];
    if (len > 4 && !same) return fill_wide(s, dst, n, words, len);
    switch (len) {
    case 1: return triad_cu_submitted(s, triad_cu.cuMemsetD8Async(dst, (unsigned char)words[0], n, s->s));
    case 2: return triad_cu_submitted(s, triad_cu.cuMemsetD16Async(dst, (unsigned short)words[0], n / 2, s->s));
    }
    return triad_cu_submitted(s, triad_cu.cuMemsetD32Async(dst, words[0], n / 4, s->s));
}

CUresult triad_cu_fill(triad_cu_stream *s, uint64_t dst, uint64_t n, uint64_t lo, uint64_t hi, uint32_t len) {
    uint32_t words[4] = {(uint32_t)lo, (uint32_t)(lo >> 32), (uint32_t)hi, (uint32_t)(hi >> 32)};
    return TRIAD_CU_ON(s->dev, fill(s, dst, n, words, len));
}
