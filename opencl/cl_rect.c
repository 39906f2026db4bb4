#include "triad_opencl.h"

/* Copies of regions. A region is given by the byte at which it begins and the
 * distances of its rows and slices; OpenCL wants to know the row and the slice in
 * which it begins. Where it begins so late in a row or slice that it goes on in
 * the next one, there is no such answer: PoCL takes it all the same, NVIDIA's
 * driver refuses it, and so its rows are copied one by one. */

typedef struct {
    triad_cl_loc loc;
    size_t origin[3], row, slice;
} corner;

/* Works out where a region begins; 0 if OpenCL can't be told. */
static int place(corner *c, triad_cl_loc loc, triad_cl_rect r, const size_t region[3]) {
    uint64_t offset = loc.offset + r.offset;
    c->loc = loc;
    c->row = r.row;
    c->slice = r.slice;
    if (region[2] == 1) { /* the slice is the region, and rows may be in front of it */
        c->slice = r.row * region[1];
        c->origin[2] = 0;
        c->origin[1] = offset / r.row;
        c->origin[0] = offset % r.row;
        return c->origin[0] + region[0] <= c->row;
    }
    c->origin[2] = offset / c->slice;
    c->origin[1] = offset % c->slice / c->row;
    c->origin[0] = offset % c->slice % c->row;
    return c->origin[0] + region[0] <= c->row && c->origin[1] + region[1] <= c->slice / c->row;
}

static void *host(const corner *c) { return (void *)(uintptr_t)c->loc.addr; }

static cl_int write_rect(triad_cl_stream *s, cl_mem m, const size_t to[3], size_t row, size_t slice, const corner *src,
                         const size_t region[3], cl_event *ev) {
    return triad_cl.clEnqueueWriteBufferRect(s->q, m, CL_FALSE, to, src->origin, region, row, slice, src->row, src->slice,
                                             host(src), 0, 0, ev);
}

static cl_int read_rect(triad_cl_stream *s, cl_mem m, const size_t from[3], size_t row, size_t slice, const corner *dst,
                        const size_t region[3], const cl_event *after) {
    return triad_cl.clEnqueueReadBufferRect(s->q, m, CL_FALSE, from, dst->origin, region, row, slice, dst->row, dst->slice,
                                            host(dst), after ? 1 : 0, after, 0);
}

/* Both ends are mapped buffers, which are copied by way of another one that
 * holds the region densely; see triad_cl_copy. */
static cl_int host_to_host(triad_cl_stream *s, const corner *dst, const corner *src, const size_t region[3]) {
    static const size_t zero[3] = {0, 0, 0};
    cl_int code;
    cl_event first = 0;
    cl_mem m = triad_cl.clCreateBuffer(s->dev->ctx, CL_MEM_READ_WRITE, region[0] * region[1] * region[2], 0, &code);
    if (!m) return code;
    code = write_rect(s, m, zero, 0, 0, src, region, &first);
    if (code == CL_SUCCESS) {
        code = read_rect(s, m, zero, 0, 0, dst, region, &first);
        triad_cl.clReleaseEvent(first);
    }
    triad_cl.clReleaseMemObject(m);
    return code;
}

static cl_int row_by_row(triad_cl_stream *s, triad_cl_loc dst, triad_cl_rect dr, triad_cl_loc src, triad_cl_rect sr,
                         const size_t region[3]) {
    cl_int code = CL_SUCCESS;
    for (size_t z = 0; z < region[2]; z++) {
        for (size_t y = 0; y < region[1] && code == CL_SUCCESS; y++) {
            triad_cl_loc to = dst, from = src;
            to.offset += dr.offset + z * dr.slice + y * dr.row;
            from.offset += sr.offset + z * sr.slice + y * sr.row;
            code = triad_cl_copy_async(s, to, from, region[0]);
        }
    }
    return code;
}

/* Enqueues a copy of rows rows of bytes bytes in slices slices. Both pitches of
 * both rectangles are set. Every end has a buffer or is host memory. */
cl_int triad_cl_copy_rect(triad_cl_stream *s, triad_cl_loc dst, triad_cl_rect dr, triad_cl_loc src, triad_cl_rect sr,
                          uint64_t bytes, uint64_t rows, uint64_t slices) {
    if (rows == 1) { /* slices of one row are rows */
        rows = slices;
        slices = 1;
        dr.row = dr.slice;
        sr.row = sr.slice;
    }
    const size_t region[3] = {bytes, rows, slices};
    corner to, from;
    int placed = place(&to, dst, dr, region);
    placed = place(&from, src, sr, region) && placed;
    /* Within one buffer OpenCL wants the same pitches at both ends. */
    int alike = dst.buffer != src.buffer || (to.row == from.row && to.slice == from.slice);
    if (!placed || !alike || rows * slices == 1) return row_by_row(s, dst, dr, src, sr, region);
    cl_int code;
    if (src.at == TRIAD_CL_AT_HOST && dst.at == TRIAD_CL_AT_HOST)
        code = host_to_host(s, &to, &from, region);
    else if (src.at == TRIAD_CL_AT_HOST)
        code = write_rect(s, triad_cl_buffer(dst), to.origin, to.row, to.slice, &from, region, 0);
    else if (dst.at == TRIAD_CL_AT_HOST)
        code = read_rect(s, triad_cl_buffer(src), from.origin, from.row, from.slice, &to, region, 0);
    else
        code = triad_cl.clEnqueueCopyBufferRect(s->q, triad_cl_buffer(src), triad_cl_buffer(dst), from.origin, to.origin, region, from.row,
                                                from.slice, to.row, to.slice, 0, 0, 0);
    /* NVIDIA's driver also wants the last row's padding to be in the memory. */
    if (code == CL_INVALID_VALUE) return row_by_row(s, dst, dr, src, sr, region);
    if (code == CL_SUCCESS) triad_cl_submitted(s);
    return code;
}
