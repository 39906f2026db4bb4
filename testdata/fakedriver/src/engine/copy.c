/* copy.c: copies and fills. Bounds are checked at the call; the memory stays until
 * the command has run, whatever is freed meanwhile. */
#include "fk_internal.h"

/* From how many bytes on a copy from pageable memory is not staged. */
enum { STAGED = 64 << 10 };

/* One end of a copy: rows of a plane, planes of a box. */
typedef struct {
    char *at;
    uint64_t pitch, plane;
    fk_mem *mem; /* 0: pageable memory of the host */
} end;

typedef struct {
    fk_command c;
    end dst, src;
    uint64_t width, height, depth;
    uint32_t value, unit; /* for a fill: unit bytes of value */
    void *staged;
} copy;

static int run_copy(fk_command *c) {
    copy *k = (copy *)c;
    for (uint64_t z = 0; z < k->depth; z++)
        for (uint64_t y = 0; y < k->height; y++)
            memmove(k->dst.at + z * k->dst.plane + y * k->dst.pitch, k->src.at + z * k->src.plane + y * k->src.pitch, k->width);
    return 0;
}

static int run_fill(fk_command *c) {
    copy *k = (copy *)c;
    for (uint64_t y = 0; y < k->height; y++) {
        char *row = k->dst.at + y * k->dst.pitch;
        if (k->unit == 1) memset(row, (int)k->value, k->width);
        else
            for (uint64_t x = 0; x < k->width; x += k->unit) memcpy(row + x, &k->value, k->unit);
    }
    return 0;
}

static void drop_copy(fk_command *c) {
    copy *k = (copy *)c;
    fk_mem_drop(k->dst.mem);
    fk_mem_drop(k->src.mem);
    free(k->staged);
}

static copy *new_copy(int (*run)(fk_command *), end dst, end src, uint64_t width, uint64_t height, uint64_t depth) {
    copy *k = fk_command_new(sizeof *k, run, drop_copy);
    if (!k) return 0;
    k->dst = dst;
    k->src = src;
    k->width = width;
    k->height = height;
    k->depth = depth;
    if (dst.mem) dst.mem->refs++;
    if (src.mem) src.mem->refs++;
    return k;
}

static int pageable(const end *e) { return !e->mem; }

/* Enqueues a copy. Pageable memory: as the source it is read before the call
 * returns, as the destination it has been written then. */
static int submit(fk_stream *s, copy *k) {
    int wait = pageable(&k->dst);
    if (!wait && pageable(&k->src) && !s->capture) {
        uint64_t bytes = k->width * k->height * k->depth;
        wait = bytes > STAGED;
        if (!wait && bytes) {
            k->staged = malloc(bytes);
            if (!k->staged) {
                drop_copy(&k->c);
                free(k);
                return FK_OUT_OF_MEMORY;
            }
            char *to = k->staged;
            for (uint64_t z = 0; z < k->depth; z++)
                for (uint64_t y = 0; y < k->height; y++, to += k->width)
                    memcpy(to, k->src.at + z * k->src.plane + y * k->src.pitch, k->width);
            k->src.at = k->staged;
            k->src.pitch = k->width;
            k->src.plane = k->width * k->height;
        }
    }
    int captures = s->capture != 0;
    int status = fk_submit(s, &k->c);
    if (!status && wait && !captures) status = fk_stream_finish(s, s->submitted);
    return status;
}

static int linear(uint64_t addr, enum fk_place place, uint64_t n, end *e) {
    *e = (end){.at = (char *)(uintptr_t)addr, .pitch = n, .plane = n};
    return fk_mem_span(addr, n, place, &e->mem);
}

int fk_copy(fk_handle stream, uint64_t dst, enum fk_place dplace, uint64_t src, enum fk_place splace, uint64_t n) {
    fk_stream *s;
    end d, f;
    int status = fk_stream_get(stream, &s);
    if (status) return status;
    if (!n) return FK_OK;
    status = linear(dst, dplace, n, &d);
    if (!status) status = linear(src, splace, n, &f);
    if (status) return status;
    if (d.mem && d.mem->type == FK_MEM_MAPPED && d.mem->access != 3) return FK_INVALID_VALUE;
    copy *k = new_copy(run_copy, d, f, n, 1, 1);
    return k ? submit(s, k) : FK_OUT_OF_MEMORY;
}

/* Sums of products that don't fit are no extent of any memory. */
static int extent(const fk_region *r, uint64_t width, uint64_t height, uint64_t depth, uint64_t *first, uint64_t *bytes) {
    uint64_t plane, z, y, end;
    if (__builtin_mul_overflow(r->pitch, r->height, &plane) || __builtin_mul_overflow(plane, r->z, &z) ||
        __builtin_mul_overflow(r->pitch, r->y, &y) || __builtin_add_overflow(z, y, first) || __builtin_add_overflow(*first, r->x, first))
        return FK_INVALID_VALUE;
    if (__builtin_mul_overflow(plane, depth - 1, &z) || __builtin_mul_overflow(r->pitch, height - 1, &y) ||
        __builtin_add_overflow(z, y, bytes) || __builtin_add_overflow(*bytes, width, bytes) || __builtin_add_overflow(*first, *bytes, &end))
        return FK_INVALID_VALUE;
    return FK_OK;
}

static int region(const fk_region *in, uint64_t width, uint64_t height, uint64_t depth, end *e) {
    fk_region r = *in;
    uint64_t first, bytes;
    int status;
    if (r.place == FK_AT_ARRAY) {
        fk_array *a;
        status = fk_find_used(r.array, FK_ARRAY, (fk_object **)&a);
        if (status) return status;
        r.addr = a->mem->base;
        r.pitch = a->d.width * (uint64_t)a->d.element;
        r.height = a->d.height ? a->d.height : 1;
        uint64_t planes = a->d.depth ? a->d.depth : 1;
        if (r.x > r.pitch || width > r.pitch - r.x || r.y > r.height || height > r.height - r.y || r.z > planes || depth > planes - r.z)
            return FK_INVALID_VALUE;
        r.place = FK_AT_DEVICE;
    }
    if (!r.pitch) r.pitch = width;
    if (!r.height) r.height = height;
    if ((height > 1 || depth > 1) && r.pitch < width) return FK_INVALID_VALUE;
    if (depth > 1 && r.height < height) return FK_INVALID_VALUE;
    status = extent(&r, width, height, depth, &first, &bytes);
    if (status) return status;
    if (first + r.addr < first) return FK_INVALID_VALUE;
    *e = (end){.at = (char *)(uintptr_t)(r.addr + first), .pitch = r.pitch, .plane = r.pitch * r.height};
    return fk_mem_span(r.addr + first, bytes, r.place, &e->mem);
}

int fk_copy_region(fk_handle stream, const fk_region *dst, const fk_region *src, uint64_t width, uint64_t height, uint64_t depth) {
    fk_stream *s;
    end d, f;
    int status = fk_stream_get(stream, &s);
    if (status) return status;
    if (dst->place == FK_AT_ARRAY || src->place == FK_AT_ARRAY) status = fk_capture_beside(s);
    if (status) return status;
    if (!width || !height || !depth) return FK_OK;
    status = region(dst, width, height, depth, &d);
    if (!status) status = region(src, width, height, depth, &f);
    if (status) return status;
    copy *k = new_copy(run_copy, d, f, width, height, depth);
    return k ? submit(s, k) : FK_OUT_OF_MEMORY;
}

int fk_fill(fk_handle stream, uint64_t dst, uint64_t pitch, uint32_t value, int bytes, uint64_t width, uint64_t height) {
    fk_stream *s;
    end d;
    int status = fk_stream_get(stream, &s);
    if (status) return status;
    if (dst % (uint64_t)bytes || width > UINT64_MAX / 8) return FK_INVALID_VALUE;
    if (height > 1 && (status = fk_capture_beside(s))) return status;
    if (!width || !height) return FK_OK;
    fk_region r = {.place = FK_AT_DEVICE, .addr = dst, .pitch = pitch};
    if (height > 1 && pitch % (uint64_t)bytes) return FK_INVALID_VALUE;
    status = region(&r, width * (uint64_t)bytes, height, 1, &d);
    if (status) return status;
    copy *k = new_copy(run_fill, d, (end){0}, width * (uint64_t)bytes, height, 1);
    if (!k) return FK_OUT_OF_MEMORY;
    k->value = value;
    k->unit = (uint32_t)bytes;
    return fk_submit(s, &k->c);
}
