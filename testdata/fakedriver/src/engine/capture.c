/* capture.c: streams whose commands are recorded rather than run. */
#include "fk_internal.h"

static __thread int thread_mode = FK_CAPTURE_GLOBAL;

typedef struct {
    fk_object o;
    fk_command *first;
} graph;

static void drop_commands(fk_command *c) {
    while (c) {
        fk_command *next = c->next;
        fk_mark_drop(c->wait);
        if (c->drop) c->drop(c);
        free(c);
        c = next;
    }
}

static void release_graph(fk_object *o) {
    drop_commands(((graph *)o)->first);
    free(o);
}

void fk_capture_invalidate(fk_capture *c) { c->invalid = 1; }

void fk_capture_record(fk_stream *s, fk_command *cmd) {
    fk_capture *c = s->capture;
    *c->last = cmd;
    c->last = &cmd->next;
    s->seen[s->member] = ++c->captured[s->member];
}

int fk_capture_join(fk_capture *c, fk_stream *s, const uint64_t *seen) {
    if (!s->capture) {
        if (c->members == FK_CAPTURE_STREAMS) return FK_OUT_OF_RESOURCES;
        memset(s->seen, 0, sizeof s->seen);
        s->member = c->members++;
        s->capture = c;
        c->streams++;
    }
    for (int i = 0; seen && i < FK_CAPTURE_STREAMS; i++)
        if (seen[i] > s->seen[i]) s->seen[i] = seen[i];
    return FK_OK;
}

/* The last stream to leave ends the capture. */
void fk_capture_leave(fk_stream *s) {
    fk_capture *c = s->capture;
    s->capture = 0;
    if (c->origin == s) c->origin = 0;
    if (--c->streams) return;
    for (fk_capture **at = &fk.captures; *at; at = &(*at)->next)
        if (*at == c) {
            *at = c->next;
            break;
        }
    drop_commands(c->first);
    free(c);
}

fk_capture *fk_capture_find(uint64_t id) {
    for (fk_capture *c = fk.captures; c; c = c->next)
        if (c->id == id) return c;
    return 0;
}

int fk_capture_begin(fk_handle stream, int mode) {
    fk_stream *s;
    int status = fk_stream_get(stream, &s);
    if (status) return status;
    if (mode < FK_CAPTURE_GLOBAL || mode > FK_CAPTURE_RELAXED) return FK_INVALID_VALUE;
    if (s->special == FK_STREAM_LEGACY) return FK_CAPTURE_UNSUPPORTED;
    if (s->capture) return FK_ILLEGAL_STATE;
    fk_capture *c = calloc(1, sizeof *c);
    if (!c) return FK_OUT_OF_MEMORY;
    c->mode = mode;
    c->id = ++fk.next_id;
    c->thread = pthread_self();
    c->origin = s;
    c->last = &c->first;
    c->next = fk.captures;
    fk.captures = c;
    return fk_capture_join(c, s, 0);
}

int fk_capture_end(fk_handle stream, fk_handle *h) {
    fk_stream *s;
    *h = 0;
    int status = fk_stream_get(stream, &s);
    if (status) return status;
    fk_capture *c = s->capture;
    if (!c) return FK_ILLEGAL_STATE;
    if (c->mode != FK_CAPTURE_RELAXED && !pthread_equal(c->thread, pthread_self())) return FK_CAPTURE_WRONG_THREAD;
    if (c->origin != s) {
        fk_capture_invalidate(c);
        return FK_CAPTURE_UNMATCHED;
    }
    int streams = c->streams;
    if (c->invalid) status = FK_CAPTURE_INVALIDATED;
    for (int i = 0; !status && i < c->members; i++)
        if (s->seen[i] < c->captured[i]) status = FK_CAPTURE_UNJOINED;
    graph *g = status ? 0 : calloc(1, sizeof *g);
    if (!status && !g) status = FK_OUT_OF_MEMORY;
    if (g && !(status = fk_object_add(&g->o, FK_GRAPH, s->o.ctx, fk_object_remove, release_graph))) {
        g->first = c->first;
        c->first = 0;
        *h = g->o.handle;
    } else {
        free(g);
    }
    for (fk_stream *o = fk.streams; streams && o; o = o->after)
        if (o->capture == c) {
            streams--;
            fk_capture_leave(o);
        }
    return status;
}

int fk_capture_status(fk_handle stream, int *state) {
    fk_stream *s;
    int status = fk_stream_get(stream, &s);
    if (status) return status;
    if (s->special == FK_STREAM_LEGACY && (status = fk_capture_implicit(s->o.ctx))) return status;
    *state = !s->capture ? 0 : s->capture->invalid ? 2 : 1;
    return FK_OK;
}

int fk_capture_exchange(int *mode) {
    if (*mode < FK_CAPTURE_GLOBAL || *mode > FK_CAPTURE_RELAXED) return FK_INVALID_VALUE;
    int before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return FK_OK;
}

int fk_capture_check(fk_stream *s) {
    if (!s->capture) return FK_OK;
    if (s->capture->invalid) return FK_CAPTURE_INVALIDATED;
    fk_capture_invalidate(s->capture);
    return FK_CAPTURE_UNSUPPORTED;
}

/* A global capture forbids unsafe calls to every thread, one of a thread's to that
 * thread; a thread in relaxed mode may do everything. */
int fk_capture_unsafe(void) {
    int status = FK_OK;
    if (thread_mode == FK_CAPTURE_RELAXED) return FK_OK;
    for (fk_capture *c = fk.captures; c; c = c->next) {
        int mine = pthread_equal(c->thread, pthread_self());
        if (c->invalid || c->mode == FK_CAPTURE_RELAXED) continue;
        if (mine || (c->mode == FK_CAPTURE_GLOBAL && thread_mode == FK_CAPTURE_GLOBAL)) {
            fk_capture_invalidate(c);
            status = FK_CAPTURE_UNSUPPORTED;
        }
    }
    return status;
}

int fk_capture_beside(const fk_stream *s) { return s->capture ? FK_OK : fk_capture_unsafe(); }

/* Using the legacy stream would make blocking streams that capture depend on it. */
int fk_capture_implicit(fk_context *ctx) {
    int status = FK_OK;
    for (fk_stream *s = fk.streams; s; s = s->after)
        if (s->o.ctx == ctx && s->capture && !(s->flags & FK_STREAM_NON_BLOCKING)) {
            fk_capture_invalidate(s->capture);
            status = FK_CAPTURE_IMPLICIT;
        }
    return status;
}

int fk_graph_destroy(fk_handle h) {
    fk_object *g = fk_find(h, FK_GRAPH);
    if (!g) return FK_INVALID_HANDLE;
    fk_object_remove(g);
    return FK_OK;
}
