/* stream.c: streams, and the commands that need nothing but one. */
#include "fk_internal.h"

static void release(fk_object *o) {
    fk_stream *s = (fk_stream *)o;
    for (fk_stream **at = &fk.streams; *at; at = &(*at)->after)
        if (*at == s) {
            *at = s->after;
            break;
        }
    pthread_cond_destroy(&s->work);
    pthread_cond_destroy(&s->done);
    fk_object_unref(&s->o.ctx->o);
    free(s);
}

/* What was enqueued is still done; the thread ends after it. */
static void close_stream(fk_object *o) {
    fk_stream *s = (fk_stream *)o;
    if (s->capture) {
        fk_capture_invalidate(s->capture);
        fk_capture_leave(s);
    }
    s->closing = 1;
    pthread_cond_signal(&s->work);
    if (s->o.ctx->legacy == s) s->o.ctx->legacy = 0;
    fk_object_remove(o);
}

fk_stream *fk_stream_new(fk_context *ctx, unsigned flags, int priority, int special) {
    fk_stream *s = calloc(1, sizeof *s);
    if (!s) return 0;
    s->o.hidden = special != 0;
    if (fk_object_add(&s->o, FK_STREAM, ctx, close_stream, release)) {
        free(s);
        return 0;
    }
    s->flags = flags;
    s->priority = priority;
    s->special = special;
    s->id = ++fk.next_id;
    s->tail = &s->head;
    pthread_cond_init(&s->work, 0);
    pthread_cond_init(&s->done, 0);
    fk_object_ref(&ctx->o); /* past its end, for what still waits on this stream */
    s->after = fk.streams;
    fk.streams = s;
    return s;
}

/* The default streams of threads: those of the contexts that a thread used last. */
enum { DEFAULTS = 8 };
static __thread fk_handle defaults[DEFAULTS];
static __thread unsigned next_default;

static int of_thread(fk_context *ctx, fk_stream **out) {
    for (int i = 0; i < DEFAULTS; i++) {
        fk_stream *s = (fk_stream *)fk_find(defaults[i], FK_STREAM);
        if (s && s->o.ctx == ctx) {
            *out = s;
            return FK_OK;
        }
    }
    *out = fk_stream_new(ctx, 0, 0, FK_STREAM_THREAD);
    if (!*out) return FK_OUT_OF_MEMORY;
    defaults[next_default++ % DEFAULTS] = (*out)->o.handle;
    return FK_OK;
}

int fk_stream_get(fk_handle h, fk_stream **out) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    if (h == FK_STREAM_THREAD) return of_thread(ctx, out);
    if (h == 0 || h == FK_STREAM_LEGACY) {
        if (!ctx->legacy) ctx->legacy = fk_stream_new(ctx, 0, 0, FK_STREAM_LEGACY);
        *out = ctx->legacy;
        return *out ? FK_OK : FK_OUT_OF_MEMORY;
    }
    return fk_find_used(h, FK_STREAM, (fk_object **)out);
}

int fk_stream_create(unsigned flags, int priority, fk_handle *h) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    if (flags & ~(unsigned)FK_STREAM_NON_BLOCKING) return FK_INVALID_VALUE;
    fk_stream *s = fk_stream_new(ctx, flags, priority < -5 ? -5 : priority > 0 ? 0 : priority, 0);
    if (!s) return FK_OUT_OF_MEMORY;
    *h = s->o.handle;
    return FK_OK;
}

int fk_stream_destroy(fk_handle h) {
    fk_object *s;
    if (h <= FK_STREAM_THREAD) return FK_INVALID_HANDLE;
    int status = fk_find_used(h, FK_STREAM, &s);
    if (status) return status;
    close_stream(s);
    return FK_OK;
}

/* For a legacy stream: whether a blocking one is at work, for which it waits. */
static fk_stream *ahead(fk_stream *s) {
    if (s != s->o.ctx->legacy) return 0;
    for (fk_stream *o = fk.streams; o; o = o->after)
        if (o->o.ctx == s->o.ctx && o != s && !(o->flags & FK_STREAM_NON_BLOCKING) && !fk_stream_idle(o)) return o;
    return 0;
}

int fk_stream_query(fk_handle h) {
    fk_stream *s;
    int status = fk_stream_get(h, &s);
    if (!status) status = fk_capture_check(s);
    if (!status && s == s->o.ctx->legacy) status = fk_capture_implicit(s->o.ctx);
    if (status) return status;
    return fk_stream_idle(s) && !ahead(s) ? FK_OK : FK_NOT_READY;
}

int fk_stream_sync(fk_handle h) {
    fk_stream *s, *other;
    int status = fk_stream_get(h, &s);
    if (!status) status = fk_capture_check(s);
    if (!status && s == s->o.ctx->legacy) status = fk_capture_implicit(s->o.ctx);
    if (status) return status;
    fk_object_ref(&s->o);
    while (!status && (other = ahead(s))) status = fk_stream_finish(other, other->submitted);
    if (!status) status = fk_stream_finish(s, s->submitted);
    fk_object_unref(&s->o);
    return status;
}

int fk_stream_info(fk_handle h, fk_handle *ctx, unsigned *flags, int *priority, uint64_t *id) {
    fk_stream *s;
    int status = fk_stream_get(h, &s);
    if (status) return status;
    if (ctx) *ctx = s->o.ctx->o.handle;
    if (flags) *flags = s->flags;
    if (priority) *priority = s->priority;
    if (id) *id = s->id;
    return FK_OK;
}

int fk_stream_attr(fk_handle h, int attr, void *value, int set) {
    fk_stream *s;
    int status = fk_stream_get(h, &s);
    if (status) return status;
    if (attr < 0 || attr >= FK_STREAM_ATTRS) return FK_INVALID_VALUE;
    if (set) memcpy(s->attrs[attr], value, FK_STREAM_ATTR_BYTES);
    else memcpy(value, s->attrs[attr], FK_STREAM_ATTR_BYTES);
    return FK_OK;
}

int fk_stream_attr_copy(fk_handle dst, fk_handle src) {
    fk_stream *d, *s;
    int status = fk_stream_get(dst, &d);
    if (!status) status = fk_stream_get(src, &s);
    if (!status) memmove(d->attrs, s->attrs, sizeof d->attrs);
    return status;
}

int fk_stream_nothing(fk_handle h) {
    fk_stream *s;
    int status = fk_stream_get(h, &s);
    if (status) return status;
    fk_command *c = fk_command_new(sizeof *c, 0, 0);
    return c ? fk_submit(s, c) : FK_OUT_OF_MEMORY;
}

/* --- host functions --- */

typedef struct {
    fk_command c;
    void (*fn)(void *);
    void *user;
} host_command;

enum { LOST = 1, DOUBLED, EARLY };

static int run_host(fk_command *c) {
    host_command *h = (host_command *)c;
    if (fk.callbacks == LOST || fk.callbacks == EARLY) return 0;
    h->fn(h->user);
    if (fk.callbacks == DOUBLED) h->fn(h->user);
    return 0;
}

int fk_stream_host(fk_handle stream, void (*fn)(void *), void *user) {
    fk_stream *s;
    if (!fn) return FK_INVALID_VALUE;
    int status = fk_stream_get(stream, &s);
    if (status) return status;
    host_command *h = fk_command_new(sizeof *h, run_host, 0);
    if (!h) return FK_OUT_OF_MEMORY;
    h->fn = fn;
    h->user = user;
    fk_object_ref(&s->o);
    if (fk.callbacks == EARLY && !s->capture) {
        fk_unlock();
        fn(user);
        fk_lock();
    }
    status = fk_submit(s, &h->c);
    fk_object_unref(&s->o);
    return status;
}

/* --- words --- */

typedef struct {
    fk_command c;
    uint32_t *at, value;
    fk_mem *mem;
} word_command;

static int run_word(fk_command *c) {
    word_command *w = (word_command *)c;
    if (!fk.lose_words) __atomic_store_n(w->at, w->value, __ATOMIC_SEQ_CST);
    return 0;
}

static void drop_word(fk_command *c) { fk_mem_drop(((word_command *)c)->mem); }

int fk_stream_write32(fk_handle stream, uint64_t addr, uint32_t value) {
    fk_stream *s;
    fk_mem *m;
    int status = fk_stream_get(stream, &s);
    if (status) return status;
    if (!fk.devices[s->o.ctx->device].model.words) return FK_NOT_SUPPORTED;
    if (addr & 3) return FK_INVALID_VALUE;
    status = fk_mem_span(addr, 4, FK_AT_DEVICE, &m);
    if (status) return status;
    word_command *w = fk_command_new(sizeof *w, run_word, drop_word);
    if (!w) return FK_OUT_OF_MEMORY;
    w->at = (uint32_t *)(uintptr_t)addr;
    w->value = value;
    w->mem = m;
    m->refs++;
    return fk_submit(s, &w->c);
}
