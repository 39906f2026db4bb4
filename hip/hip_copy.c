#include "triad_hip_c.h"

static hipError_t copy(hipStream_t s, uint64_t dst, uint64_t src, uint64_t n, uint32_t ends) {
    void *to = triad_hip_ptr(dst), *from = triad_hip_ptr(src);
    switch (ends) {
    case 0: return triad_hip.hipMemcpyDtoDAsync(to, from, n, s);
    case TRIAD_HIP_FROM_HOST: return triad_hip.hipMemcpyHtoDAsync(to, from, n, s);
    case TRIAD_HIP_TO_HOST: return triad_hip.hipMemcpyDtoHAsync(to, from, n, s);
    }
    return triad_hip.hipMemcpyAsync(to, from, n, hipMemcpyDefault, s);
}

/* A copy between device memory and page-locked host memory; ends says which are
 * host memory. */
hipError_t triad_hip_copy(triad_hip_stream *s, uint64_t dst, uint64_t src, uint64_t n, uint32_t ends) {
    return triad_hip_submitted(s, TRIAD_HIP_IN(s->dev, copy(s->s, dst, src, n, ends)));
}

static hipError_t upload(hipStream_t s, uint64_t dst, const void *src, uint64_t n) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    hipError_t code = triad_hip.hipStreamIsCapturing(s, &status);
    if (code != hipSuccess) return code;
    if (status != hipStreamCaptureStatusNone) return hipErrorStreamCaptureUnsupported;
    return triad_hip.hipMemcpyHtoDAsync(triad_hip_ptr(dst), src, n, s);
}

/* A copy from staging memory that is used again once the stream is past it. Captured,
 * it would read that when the graph runs. */
hipError_t triad_hip_upload(triad_hip_stream *s, uint64_t dst, const void *src, uint64_t n) {
    return triad_hip_submitted(s, TRIAD_HIP_IN(s->dev, upload(s->s, dst, src, n)));
}

/* The runtime finds out by the addresses which ends are host memory. The calls of the
 * HIP runtime are used rather than hipDrvMemcpy3DAsync, whose struct has changed. */
hipError_t triad_hip_copy_rect(triad_hip_stream *s, uint64_t dst, triad_hip_rect dr, uint64_t src, triad_hip_rect sr, uint64_t bytes,
                               uint64_t rows, uint64_t slices) {
    void *to = triad_hip_ptr(dst + dr.offset), *from = triad_hip_ptr(src + sr.offset);
    if (slices == 1)
        return triad_hip_submitted(
            s, TRIAD_HIP_IN(s->dev, triad_hip.hipMemcpy2DAsync(to, dr.row, from, sr.row, bytes, rows, hipMemcpyDefault, s->s)));
    hipMemcpy3DParms c = {.srcPtr = {from, sr.row, bytes, sr.slice / sr.row},
                          .dstPtr = {to, dr.row, bytes, dr.slice / dr.row},
                          .extent = {bytes, rows, slices},
                          .kind = hipMemcpyDefault};
    return triad_hip_submitted(s, TRIAD_HIP_IN(s->dev, triad_hip.hipMemcpy3DAsync(&c, s->s)));
}

/* Fills with a pattern of 8 or 16 bytes, for HIP knows patterns of up to 4 bytes: one
 * column of 4-byte words at a time. Before HIP 7.0 there are no columns: the pattern is
 * written once, and what there is of it copied behind itself until all is full. */
static hipError_t fill_wide(triad_hip_stream *s, uint64_t dst, size_t n, const uint32_t *words, uint32_t len) {
    int columns = triad_hip.hipMemsetD2D32Async != 0;
    for (uint32_t i = 0; i < len / 4; i++) {
        void *at = triad_hip_ptr(dst + 4 * i);
        hipError_t code = triad_hip_submitted(s, columns ? triad_hip.hipMemsetD2D32Async(at, len, words[i], 1, n / len, s->s)
                                                         : triad_hip.hipMemsetD32Async(at, (int)words[i], 1, s->s));
        if (code != hipSuccess) return code;
    }
    if (columns) return hipSuccess;
    for (size_t have = len; have < n; have *= 2) {
        size_t more = have < n - have ? have : n - have;
        hipError_t code =
            triad_hip_submitted(s, triad_hip.hipMemcpyDtoDAsync(triad_hip_ptr(dst + have), triad_hip_ptr(dst), more, s->s));
        if (code != hipSuccess) return code;
    }
    return hipSuccess;
}

static hipError_t fill(triad_hip_stream *s, uint64_t dst, size_t n, const uint32_t *words, uint32_t len) {
    int same = 1;
    void *at = triad_hip_ptr(dst);
    for (uint32_t i = 1; i < len / 4; i++) same &= words[i] == words[0];
    if (len > 4 && !same) return fill_wide(s, dst, n, words, len);
    switch (len) {
    case 1: return triad_hip_submitted(s, triad_hip.hipMemsetD8Async(at, (unsigned char)words[0], n, s->s));
    case 2: return triad_hip_submitted(s, triad_hip.hipMemsetD16Async(at, (unsigned short)words[0], n / 2, s->s));
    }
    return triad_hip_submitted(s, triad_hip.hipMemsetD32Async(at, (int)words[0], n / 4, s->s));
}

hipError_t triad_hip_fill(triad_hip_stream *s, uint64_t dst, uint64_t n, uint64_t lo, uint64_t hi, uint32_t len) {
    uint32_t words[4] = {(uint32_t)lo, (uint32_t)(lo >> 32), (uint32_t)hi, (uint32_t)(hi >> 32)};
    return TRIAD_HIP_IN(s->dev, fill(s, dst, n, words, len));
}
