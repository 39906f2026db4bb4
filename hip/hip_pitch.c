#include "triad_hip_c.h"

uint64_t triad_hip_alloc_pitch(triad_hip_device *d, size_t width, size_t rows, uint32_t element, size_t *pitch, hipError_t *code) {
    void *p = 0;
    *code = TRIAD_HIP_ALLOC(d, triad_hip.hipMemAllocPitch(&p, pitch, width, rows, element));
    return *code == hipSuccess ? (uint64_t)(uintptr_t)p : 0;
}

/* Before HIP 7.0 rows of 2- and 4-byte patterns are a command each. */
static hipError_t fill_rows(triad_hip_stream *s, uint64_t at, size_t pitch, uint32_t value, uint32_t len, size_t n, size_t rows) {
    void *p = triad_hip_ptr(at);
    if (len == 1) return triad_hip_submitted(s, triad_hip.hipMemset2DAsync(p, pitch, (int)value, n, rows, s->s));
    if (len == 2 && triad_hip.hipMemsetD2D16Async)
        return triad_hip_submitted(s, triad_hip.hipMemsetD2D16Async(p, pitch, (unsigned short)value, n, rows, s->s));
    if (len == 4 && triad_hip.hipMemsetD2D32Async)
        return triad_hip_submitted(s, triad_hip.hipMemsetD2D32Async(p, pitch, value, n, rows, s->s));
    for (size_t i = 0; i < rows; i++) {
        p = triad_hip_ptr(at + i * pitch);
        hipError_t code = triad_hip_submitted(s, len == 2 ? triad_hip.hipMemsetD16Async(p, (unsigned short)value, n, s->s)
                                                          : triad_hip.hipMemsetD32Async(p, (int)value, n, s->s));
        if (code != hipSuccess) return code;
    }
    return hipSuccess;
}

static hipError_t fill_rect(triad_hip_stream *s, uint64_t at, triad_hip_rect r, uint32_t value, uint32_t len, uint64_t bytes, uint64_t rows,
                            uint64_t slices) {
    if (r.slice == r.row * rows) { /* slices without a gap are more rows */
        rows *= slices;
        slices = 1;
    }
    for (uint64_t i = 0; i < slices; i++) {
        hipError_t code = fill_rows(s, at + r.offset + i * r.slice, r.row, value, len, bytes / len, rows);
        if (code != hipSuccess) return code;
    }
    return hipSuccess;
}

/* Fills rows with a pattern of 1, 2 or 4 bytes. */
hipError_t triad_hip_fill_rect(triad_hip_stream *s, uint64_t at, triad_hip_rect r, uint32_t value, uint32_t len, uint64_t bytes, uint64_t rows,
                               uint64_t slices) {
    return TRIAD_HIP_CALM(s->dev, fill_rect(s, at, r, value, len, bytes, rows, slices));
}

/* A copy between memory of two devices. */
hipError_t triad_hip_copy_peer(triad_hip_stream *s, triad_hip_device *to, uint64_t dst, triad_hip_device *from, uint64_t src, uint64_t n) {
    return triad_hip_submitted(
        s, TRIAD_HIP_CALM(s->dev, triad_hip.hipMemcpyPeerAsync(triad_hip_ptr(dst), to->id, triad_hip_ptr(src), from->id, n, s->s)));
}

/* Before HIP 7.1 there is no call of its own for this: all memory of a process has one
 * space of addresses, by which the runtime knows the devices. */
hipError_t triad_hip_copy_peer_rect(triad_hip_stream *s, triad_hip_device *to, uint64_t dst, triad_hip_rect dr, triad_hip_device *from, uint64_t src,
                                    triad_hip_rect sr, uint64_t bytes, uint64_t rows, uint64_t slices) {
    if (!triad_hip.hipMemcpy3DPeerAsync) return triad_hip_copy_rect(s, dst, dr, src, sr, bytes, rows, slices);
    hipMemcpy3DPeerParms c = {.srcPtr = {triad_hip_ptr(src + sr.offset), sr.row, bytes, sr.slice / sr.row},
                              .srcDevice = from->id,
                              .dstPtr = {triad_hip_ptr(dst + dr.offset), dr.row, bytes, dr.slice / dr.row},
                              .dstDevice = to->id,
                              .extent = {bytes, rows, slices}};
    return triad_hip_submitted(s, TRIAD_HIP_CALM(s->dev, triad_hip.hipMemcpy3DPeerAsync(&c, s->s)));
}
