/* array.c: arrays, mipmapped arrays, and what textures and surfaces are made of.
 * Arrays lie row by row; kernels don't sample them. */
#include "fk_internal.h"

typedef struct {
    fk_object o;
    unsigned n;
    fk_handle levels[32];
} mipmap;

typedef struct {
    fk_object o;
    size_t size;
    unsigned char desc[];
} sampler;

static void release(fk_object *o) {
    fk_array *a = (fk_array *)o;
    fk_mem_drop(a->mem);
    free(a);
}

static void end(fk_object *o) {
    fk_mem_remove(((fk_array *)o)->mem);
    fk_object_remove(o);
}

static uint64_t at_least_1(uint64_t n) { return n ? n : 1; }

static int make(const fk_array_desc *d, fk_object *parent, fk_array **out) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (!status) status = fk_capture_unsafe();
    if (status) return status;
    uint64_t most = 1 << 20;
    if (!d->width || d->width > most || d->height > most || d->depth > most || d->element < 1 || d->element > 16) return FK_INVALID_VALUE;
    fk_array *a = calloc(1, sizeof *a);
    if (!a) return FK_OUT_OF_MEMORY;
    a->d = *d;
    a->parent = parent;
    uint64_t rows = at_least_1(d->height) * at_least_1(d->depth);
    a->mem = fk_mem_new(FK_MEM_DEVICE, ctx, ctx->device, d->width * (uint64_t)d->element * rows, &status);
    if (a->mem) {
        a->mem->refs++;
        status = fk_mem_add(a->mem);
        if (status) fk_mem_drop(a->mem);
    }
    if (!status) {
        a->o.hidden = parent != 0;
        status = fk_object_add(&a->o, FK_ARRAY, ctx, end, release);
        if (status) {
            fk_mem_remove(a->mem);
            fk_mem_drop(a->mem);
        }
    }
    if (status) free(a);
    else *out = a;
    return status;
}

int fk_array_create(const fk_array_desc *d, fk_handle *h) {
    fk_array *a;
    int status = make(d, 0, &a);
    if (!status) *h = a->o.handle;
    return status;
}

int fk_array_destroy(fk_handle h) {
    fk_array *a;
    int status = fk_find_used(h, FK_ARRAY, (fk_object **)&a);
    if (status) return status;
    if (a->parent) return FK_INVALID_HANDLE;
    fk_object_ref(&a->o);
    fk_context_idle(a->o.ctx);
    if (fk_find(h, FK_ARRAY)) end(&a->o);
    fk_object_unref(&a->o);
    return FK_OK;
}

int fk_array_desc_of(fk_handle h, fk_array_desc *d) {
    fk_array *a;
    int status = fk_find_used(h, FK_ARRAY, (fk_object **)&a);
    if (!status) *d = a->d;
    return status;
}

static void release_mipmap(fk_object *o) { free(o); }

static void end_mipmap(fk_object *o) {
    mipmap *m = (mipmap *)o;
    for (unsigned i = 0; i < m->n; i++) {
        fk_object *a = fk_find(m->levels[i], FK_ARRAY);
        if (a) end(a);
    }
    fk_object_remove(o);
}

int fk_mipmap_create(const fk_array_desc *d, unsigned levels, fk_handle *h) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    if (!levels) return FK_INVALID_VALUE;
    mipmap *m = calloc(1, sizeof *m);
    if (!m) return FK_OUT_OF_MEMORY;
    status = fk_object_add(&m->o, FK_MIPMAP, ctx, end_mipmap, release_mipmap);
    if (status) {
        free(m);
        return status;
    }
    fk_array_desc at = *d;
    int layered = d->flags & 1; /* layers don't get fewer */
    while (!status && m->n < levels && m->n < 32) {
        fk_array *a;
        status = make(&at, &m->o, &a);
        if (status) break;
        m->levels[m->n++] = a->o.handle;
        if (at.width <= 1 && at.height <= 1 && (layered || at.depth <= 1)) break;
        at.width = at_least_1(at.width / 2);
        if (at.height) at.height = at_least_1(at.height / 2);
        if (at.depth && !layered) at.depth = at_least_1(at.depth / 2);
    }
    if (status) end_mipmap(&m->o);
    else *h = m->o.handle;
    return status;
}

int fk_mipmap_destroy(fk_handle h) {
    fk_object *m;
    int status = fk_find_used(h, FK_MIPMAP, &m);
    if (status) return status;
    fk_context_idle(m->ctx);
    m = fk_find(h, FK_MIPMAP);
    if (m) end_mipmap(m);
    return FK_OK;
}

int fk_mipmap_level(fk_handle h, unsigned level, fk_handle *array) {
    mipmap *m;
    int status = fk_find_used(h, FK_MIPMAP, (fk_object **)&m);
    if (status) return status;
    if (level >= m->n) return FK_INVALID_VALUE;
    *array = m->levels[level];
    return FK_OK;
}

static void release_sampler(fk_object *o) { free(o); }

int fk_sampler_create(enum fk_kind kind, const void *desc, size_t size, fk_handle *h) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    sampler *s = calloc(1, sizeof *s + size);
    if (!s) return FK_OUT_OF_MEMORY;
    s->size = size;
    memcpy(s->desc, desc, size);
    status = fk_object_add(&s->o, kind, ctx, fk_object_remove, release_sampler);
    if (status) free(s);
    else *h = s->o.handle;
    return status;
}

int fk_sampler_destroy(enum fk_kind kind, fk_handle h) {
    fk_object *s;
    int status = fk_find_used(h, kind, &s);
    if (!status) fk_object_remove(s);
    return status == FK_INVALID_HANDLE ? FK_INVALID_VALUE : status;
}
