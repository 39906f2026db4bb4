/* event.c: events, and the waits of streams for them. */
#include <unistd.h>

#include "fk_internal.h"

/* mark is the last record; 0 before the first. */
typedef struct {
    fk_object o;
    unsigned flags;
    fk_mark *mark;
    uint64_t capture; /* the id of the capture that has the last record */
    uint64_t seen[FK_CAPTURE_STREAMS];
} event;

static void release(fk_object *o) {
    event *e = (event *)o;
    fk_mark_drop(e->mark);
    free(e);
}

int fk_event_create(unsigned flags, fk_handle *h) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    event *e = calloc(1, sizeof *e);
    if (!e) return FK_OUT_OF_MEMORY;
    status = fk_object_add(&e->o, FK_EVENT, ctx, fk_object_remove, release);
    if (status) {
        free(e);
        return status;
    }
    e->flags = flags;
    *h = e->o.handle;
    return FK_OK;
}

int fk_event_destroy(fk_handle h) {
    fk_object *e;
    int status = fk_find_used(h, FK_EVENT, &e);
    if (!status) fk_object_remove(e);
    return status;
}

typedef struct {
    fk_command c;
    fk_mark *mark;
} record;

static void done_record(fk_command *c) { ((record *)c)->mark->when = fk_now(); }
static void drop_record(fk_command *c) { fk_mark_drop(((record *)c)->mark); }

int fk_event_record(fk_handle h, fk_handle stream) {
    event *e;
    fk_stream *s;
    int status = fk_stream_get(stream, &s);
    if (!status) status = fk_find_used(h, FK_EVENT, (fk_object **)&e);
    if (status) return status;
    if (e->o.ctx != s->o.ctx) return FK_INVALID_HANDLE;
    if (s->capture) {
        if (s->capture->invalid) return FK_CAPTURE_INVALIDATED;
        e->capture = s->capture->id;
        memcpy(e->seen, s->seen, sizeof e->seen);
        return FK_OK;
    }
    record *r = fk_command_new(sizeof *r, 0, drop_record);
    fk_mark *m = r ? fk_mark_new(s, 0) : 0;
    if (!m) {
        free(r);
        return FK_OUT_OF_MEMORY;
    }
    r->c.done = done_record;
    r->mark = m;
    m->refs++;
    status = fk_submit(s, &r->c);
    if (status) {
        fk_mark_drop(m);
        return status;
    }
    m->upto = s->submitted;
    fk_mark_drop(e->mark);
    e->mark = m;
    e->capture = 0;
    return FK_OK;
}

static int find(fk_handle h, event **e) {
    int status = fk_find_used(h, FK_EVENT, (fk_object **)e);
    if (status) return status;
    fk_capture *c = (*e)->capture ? fk_capture_find((*e)->capture) : 0;
    if ((*e)->capture) {
        if (c) fk_capture_invalidate(c);
        return FK_CAPTURED_EVENT;
    }
    return fk_capture_unsafe();
}

int fk_event_query(fk_handle h) {
    event *e;
    int status = find(h, &e);
    if (status) return status;
    return !e->mark || fk_mark_reached(e->mark) ? FK_OK : FK_NOT_READY;
}

int fk_event_sync(fk_handle h) {
    event *e;
    int status = find(h, &e);
    if (status || !e->mark) return status;
    fk_mark *m = e->mark;
    m->refs++;
    status = fk_stream_finish(m->stream, m->upto);
    fk_mark_drop(m);
    return status;
}

int fk_event_elapsed(fk_handle start, fk_handle end, float *ms) {
    event *a, *b;
    int status = fk_find_used(start, FK_EVENT, (fk_object **)&a);
    if (!status) status = fk_find_used(end, FK_EVENT, (fk_object **)&b);
    if (status) return status;
    if (a->capture || b->capture) return FK_CAPTURED_EVENT;
    if (a->o.ctx != b->o.ctx || !a->mark || !b->mark || (a->flags | b->flags) & FK_EVENT_NO_TIMING) return FK_INVALID_HANDLE;
    if (!fk_mark_reached(a->mark) || !fk_mark_reached(b->mark)) return FK_NOT_READY;
    *ms = (float)((double)((int64_t)b->mark->when - (int64_t)a->mark->when) / 1e6);
    return FK_OK;
}

int fk_stream_wait(fk_handle stream, fk_handle h, int external) {
    fk_stream *s;
    event *e;
    int status = fk_stream_get(stream, &s);
    if (status) return status;
    e = (event *)fk_find(h, FK_EVENT); /* may be of another context */
    if (!e) return FK_INVALID_HANDLE;
    fk_capture *c = e->capture ? fk_capture_find(e->capture) : 0;
    if (e->capture && !external) {
        if (!c) return FK_CAPTURE_ISOLATION;
        if (c->invalid) return FK_CAPTURE_INVALIDATED;
        if (s->special == FK_STREAM_LEGACY) return FK_CAPTURE_IMPLICIT;
        if (s->capture && s->capture != c) {
            fk_capture_invalidate(s->capture);
            fk_capture_invalidate(c);
            return FK_CAPTURE_MERGE;
        }
        return fk_capture_join(c, s, e->seen);
    }
    if (s->capture && !external) {
        if (s->capture->invalid) return FK_CAPTURE_INVALIDATED;
        if (!e->mark) return FK_OK;
        fk_capture_invalidate(s->capture);
        return FK_CAPTURE_ISOLATION;
    }
    if (!e->mark || (fk_mark_reached(e->mark) && !s->capture)) return s->o.ctx->fault ? FK_RAW_CODE(s->o.ctx->fault) : FK_OK;
    fk_command *w = fk_command_new(sizeof *w, 0, 0);
    if (!w) return FK_OUT_OF_MEMORY;
    w->wait = e->mark;
    e->mark->refs++;
    return fk_submit(s, w);
}

/* An event for other processes is known in this one only: the bytes hold the
 * process and the handle. */
int fk_event_export(fk_handle h, char out[64]) {
    event *e;
    int status = fk_find_used(h, FK_EVENT, (fk_object **)&e);
    if (status) return status;
    if (!(e->flags & FK_EVENT_IPC)) return FK_INVALID_VALUE;
    uint64_t words[8] = {0x746e657665, (uint64_t)getpid(), h};
    memcpy(out, words, sizeof words);
    return FK_OK;
}

int fk_event_import(const char in[64], fk_handle *h) {
    uint64_t words[8];
    memcpy(words, in, sizeof words);
    event *e = words[0] == 0x746e657665 && words[1] == (uint64_t)getpid() ? (event *)fk_find(words[2], FK_EVENT) : 0;
    if (!e) return FK_INVALID_VALUE;
    fk_handle made;
    int status = fk_event_create(FK_EVENT_NO_TIMING, &made);
    if (status) return status;
    event *copy = (event *)fk_find(made, FK_EVENT);
    copy->mark = e->mark;
    if (copy->mark) copy->mark->refs++;
    *h = made;
    return FK_OK;
}
