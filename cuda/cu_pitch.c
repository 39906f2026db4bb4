#include "triad_cuda_memory.h"

CUdeviceptr triad_cu_alloc_pitch(triad_cu_device *d, size_t width, size_t rows, uint32_t element, size_t *pitch, CUresult *code) {
    CUdeviceptr p = 0;
    *code = TRIAD_CU_ALLOC(d, triad_cu.cuMemAllocPitch_v2(&p, pitch, width, rows, element));
    return *code == CUDA_SUCCESS ? p : 0;
}

static CUresult fill_rows(CUstream s, CUdeviceptr at, size_t pitch, uint32_t value, uint32_t len, size_t n, size_t rows) {
    switch (len) {
    case 1: return triad_cu.cuMemsetD2D8Async(at, pitch, (unsigned char)value, n, rows, s);
    case 2: return triad_cu.cuMemsetD2D16Async(at, pitch, (unsigned short)value, n, rows, s);
    }
    return triad_cu.cuMemsetD2D32Async(at, pitch, value, n, rows, s);
}

static CUresult fill_rect(triad_cu_stream *s, uint64_t at, triad_cu_rect r, uint32_t value, uint32_t len, uint64_t bytes, uint64_t rows,
                          uint64_t slices) {
    if (r.slice == r.row * rows) { /* slices without a gap are more rows */
        rows *= slices;
        slices = 1;
    }
    for (uint64_t i = 0; i < slices; i++) {
        CUresult code = triad_cu_submitted(s, fill_rows(s->s, at + r.offset + i * r.slice, r.row, value, len, bytes / len, rows));
        if (code != CUDA_SUCCESS) return code;
    }
    return CUDA_SUCCESS;
}

/* Fills rows with a pattern of 1, 2 or 4 bytes. */
CUresult triad_cu_fill_rect(triad_cu_stream *s, uint64_t at, triad_cu_rect r, uint32_t value, uint32_t len, uint64_t bytes, uint64_t rows,
                            uint64_t slices) {
    return TRIAD_CU_ON(s->dev, fill_rect(s, at, r, value, len, bytes, rows, slices));
}

/* A copy between memory of two contexts. */
CUresult triad_cu_copy_peer(triad_cu_stream *s, triad_cu_device *to, uint64_t dst, triad_cu_device *from, uint64_t src, uint64_t n) {
    return triad_cu_submitted(s, TRIAD_CU_IN(s->dev, triad_cu.cuMemcpyPeerAsync(dst, to->ctx, src, from->ctx, n, s->s)));
}

CUresult triad_cu_copy_peer_rect(triad_cu_stream *s, triad_cu_device *to, uint64_t dst, triad_cu_rect dr, triad_cu_device *from, uint64_t src,
                                 triad_cu_rect sr, uint64_t bytes, uint64_t rows, uint64_t slices) {
    CUDA_MEMCPY3D_PEER c = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                            .srcDevice = src + sr.offset,
                            .srcContext = from->ctx,
                            .srcPitch = sr.row,
                            .srcHeight = sr.slice / sr.row,
                            .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                            .dstDevice = dst + dr.offset,
                            .dstContext = to->ctx,
                            .dstPitch = dr.row,
                            .dstHeight = dr.slice / dr.row,
                            .WidthInBytes = bytes,
                            .Height = rows,
                            .Depth = slices};
    return triad_cu_submitted(s, TRIAD_CU_IN(s->dev, triad_cu.cuMemcpy3DPeerAsync(&c, s->s)));
}
