/* handles.c: the table of handles. A handle is looked up, never followed, so that
 * one which is made up, of another kind, or of a thing that has ended is noticed.
 *
 * A handle's bits, from the top: a mark (8), the kind (8), the generation (24), the
 * slot (20), zeros (4). No such value is an address of a program, so whoever
 * follows one dies at once. */
#include "fk_internal.h"

enum { SLOT_BITS = 20, CHUNK = 1024, CHUNKS = (1 << SLOT_BITS) / CHUNK };
#define MARK 0x0full
#define GENERATIONS 0xffffffu

typedef struct {
    fk_object *object;
    uint32_t generation, kind, next;
} slot;

static slot *chunks[CHUNKS];
static uint32_t used, free_first, free_last; /* slot numbers plus 1; 0: none */

static slot *slot_at(uint32_t i) { return &chunks[i / CHUNK][i % CHUNK]; }

static fk_handle handle_of(uint32_t i, uint32_t kind, uint32_t generation) {
    return MARK << 56 | (fk_handle)kind << 48 | (fk_handle)generation << 24 | (fk_handle)i << 4;
}

int fk_object_add(fk_object *o, int kind, fk_context *ctx, void (*close)(fk_object *), void (*release)(fk_object *)) {
    uint32_t i;
    /* The slot that has been free longest, so that stale handles stay stale. */
    if (free_first && used > CHUNK) {
        i = free_first - 1;
        free_first = slot_at(i)->next;
        if (!free_first) free_last = 0;
    } else {
        i = used;
        if (i / CHUNK >= CHUNKS) return FK_OUT_OF_MEMORY;
        if (!chunks[i / CHUNK]) {
            chunks[i / CHUNK] = calloc(CHUNK, sizeof(slot));
            if (!chunks[i / CHUNK]) return FK_OUT_OF_MEMORY;
        }
        used++;
    }
    slot *s = slot_at(i);
    s->generation = (s->generation + 1) & GENERATIONS;
    s->object = o;
    s->kind = (uint32_t)kind;
    o->kind = kind;
    o->handle = handle_of(i, s->kind, s->generation);
    o->refs = 1;
    o->ctx = ctx;
    o->close = close;
    o->release = release;
    o->prev = o->next = 0;
    if (ctx) {
        o->next = ctx->first;
        if (ctx->first) ctx->first->prev = o;
        ctx->first = o;
    }
    if (!o->hidden) fk.live[kind]++;
    return FK_OK;
}

/* The things of a kind, one after another; at is the place to go on from. */
fk_object *fk_object_next(int kind, uint32_t *at) {
    while (*at < used) {
        slot *s = slot_at((*at)++);
        if (s->object && (int)s->kind == kind) return s->object;
    }
    return 0;
}

static uint32_t slot_of(fk_handle h) { return (uint32_t)(h >> 4) & ((1u << SLOT_BITS) - 1); }

void fk_object_remove(fk_object *o) {
    uint32_t i = slot_of(o->handle);
    slot *s = slot_at(i);
    if (s->object != o) return;
    s->object = 0;
    s->next = 0;
    if (free_last) slot_at(free_last - 1)->next = i + 1;
    else free_first = i + 1;
    free_last = i + 1;
    if (!o->hidden) fk.live[o->kind]--;
    if (o->ctx) {
        if (o->prev) o->prev->next = o->next;
        else o->ctx->first = o->next;
        if (o->next) o->next->prev = o->prev;
        o->prev = o->next = 0;
    }
    fk_object_unref(o);
}

void fk_object_ref(fk_object *o) { o->refs++; }

void fk_object_unref(fk_object *o) {
    if (--o->refs == 0) o->release(o);
}

/* The slot that a handle of this kind names; 0 when it can't be one. */
static slot *named(fk_handle h, int kind) {
    uint32_t i = slot_of(h);
    if (h >> 56 != MARK || ((h >> 48) & 0xff) != (fk_handle)kind || (h & 0xf) || i >= used) return 0;
    return slot_at(i);
}

fk_object *fk_find(fk_handle h, int kind) {
    slot *s = named(h, kind);
    if (!s || !s->object || s->object->handle != h) return 0;
    return s->object;
}

int fk_dead(fk_handle h, int kind) {
    slot *s = named(h, kind);
    uint32_t generation = (uint32_t)(h >> 24) & GENERATIONS;
    return s && generation && generation <= s->generation && !fk_find(h, kind);
}

int fk_find_used(fk_handle h, int kind, fk_object **o) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    *o = fk_find(h, kind);
    if (!*o) return FK_INVALID_HANDLE;
    if ((*o)->ctx && (*o)->ctx != ctx) {
        fk.wrong_context++;
        if (fk.refuse_wrong_context) return FK_INVALID_CONTEXT;
        if ((*o)->ctx->fault) return FK_RAW_CODE((*o)->ctx->fault);
    }
    return FK_OK;
}
