/* queue.c: a stream's queue, and the thread that works through it. */
#include <signal.h>
#include <stdio.h>

#include "fk_internal.h"

fk_mark *fk_mark_new(fk_stream *s, uint64_t upto) {
    fk_mark *m = calloc(1, sizeof *m);
    if (!m) return 0;
    m->refs = 1;
    m->stream = s;
    m->upto = upto;
    fk_object_ref(&s->o);
    return m;
}

void fk_mark_drop(fk_mark *m) {
    if (!m || --m->refs) return;
    fk_object_unref(&m->stream->o);
    free(m);
}

int fk_mark_reached(const fk_mark *m) { return m->stream->completed >= m->upto; }

void *fk_command_new(size_t size, int (*run)(fk_command *), void (*drop)(fk_command *)) {
    fk_command *c = calloc(1, size);
    if (!c) return 0;
    c->run = run;
    c->drop = drop;
    return c;
}

static void drop(fk_command *c) {
    fk_mark_drop(c->wait);
    if (c->drop) c->drop(c);
    free(c);
}

/* Whether a stream's commands are to be thrown away: its context has ended or is
 * broken. */
static int broken(const fk_stream *s) { return s->o.ctx->ending || s->o.ctx->fault; }

static void execute(fk_stream *s, fk_command *c) {
    fk_context *ctx = s->o.ctx;
    while (fk.hold && !broken(s)) pthread_cond_wait(&fk.changed, &fk.lock);
    while (c->wait && !fk_mark_reached(c->wait) && !broken(s)) pthread_cond_wait(&c->wait->stream->done, &fk.lock);
    if (fk.fault_next && (c->run || c->done) && !broken(s)) {
        int code = fk.fault_next;
        fk.fault_next = 0;
        fk_context_fault(ctx, code);
    }
    if (broken(s)) return;
    if (c->run) {
        fk_unlock();
        int code = c->run(c);
        fk_lock();
        if (code) fk_context_fault(ctx, code);
    }
    if (c->done) c->done(c);
}

static void *work(void *arg) {
    fk_stream *s = arg;
    fk_lock();
    for (;;) {
        while (!s->head && !s->closing) pthread_cond_wait(&s->work, &fk.lock);
        fk_command *c = s->head;
        if (!c) break;
        s->head = c->next;
        if (!s->head) s->tail = &s->head;
        execute(s, c);
        drop(c);
        s->completed++;
        pthread_cond_broadcast(&s->done);
    }
    fk_fiber_end();
    fk_object_unref(&s->o);
    fk_unlock();
    return 0;
}

/* Signals are for the program's own threads. */
static int start(fk_stream *s) {
    sigset_t all, before;
    pthread_attr_t attr;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, 2 << 20);
    int failed = pthread_create(&thread, &attr, work, s);
    pthread_attr_destroy(&attr);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    if (failed) return FK_OUT_OF_MEMORY;
    fk_object_ref(&s->o);
    s->started = 1;
    return FK_OK;
}

static int enqueue(fk_stream *s, fk_command *c) {
    if (!s->started) {
        int status = start(s);
        if (status) {
            drop(c);
            return status;
        }
    }
    *s->tail = c;
    s->tail = &c->next;
    s->submitted++;
    pthread_cond_signal(&s->work);
    return FK_OK;
}

int fk_stream_idle(fk_stream *s) { return s->completed >= s->submitted; }

/* Puts a wait for what another stream has so far before the next command. */
static int wait_for(fk_stream *s, fk_stream *other) {
    if (other == s || fk_stream_idle(other)) return FK_OK;
    fk_command *c = fk_command_new(sizeof *c, 0, 0);
    if (!c) return FK_OUT_OF_MEMORY;
    c->wait = fk_mark_new(other, other->submitted);
    if (!c->wait) {
        free(c);
        return FK_OUT_OF_MEMORY;
    }
    return enqueue(s, c);
}

/* The legacy default stream and the blocking ones wait for each other. */
static int legacy_order(fk_stream *s) {
    fk_context *ctx = s->o.ctx;
    if (s->flags & FK_STREAM_NON_BLOCKING) return FK_OK;
    if (s != ctx->legacy) return ctx->legacy ? wait_for(s, ctx->legacy) : FK_OK;
    for (fk_stream *o = fk.streams; o; o = o->after) {
        if (o->o.ctx != ctx || o->flags & FK_STREAM_NON_BLOCKING) continue;
        int status = wait_for(s, o);
        if (status) return status;
    }
    return FK_OK;
}

int fk_submit(fk_stream *s, fk_command *c) {
    int status = FK_OK;
    if (s->o.ctx->fault) status = FK_RAW_CODE(s->o.ctx->fault);
    if (!status && s->capture) {
        if (!s->capture->invalid) {
            fk_capture_record(s, c);
            return FK_OK;
        }
        status = FK_CAPTURE_INVALIDATED;
    }
    if (!status && s == s->o.ctx->legacy) status = fk_capture_implicit(s->o.ctx);
    if (!status) status = legacy_order(s);
    if (status) {
        drop(c);
        return status;
    }
    return enqueue(s, c);
}

int fk_stream_finish(fk_stream *s, uint64_t upto) {
    fk_context *ctx = s->o.ctx;
    fk_object_ref(&s->o);
    fk_object_ref(&ctx->o);
    while (s->completed < upto && !ctx->fault) pthread_cond_wait(&s->done, &fk.lock);
    int code = ctx->fault;
    fk_object_unref(&s->o);
    fk_object_unref(&ctx->o);
    fk_pools_seen();
    return code ? FK_RAW_CODE(code) : FK_OK;
}

void fk_stream_drain(fk_stream *s) {
    fk_object_ref(&s->o);
    while (!fk_stream_idle(s)) pthread_cond_wait(&s->done, &fk.lock);
    fk_object_unref(&s->o);
}

void fk_wake_all(void) {
    pthread_cond_broadcast(&fk.changed);
    for (fk_stream *s = fk.streams; s; s = s->after) {
        pthread_cond_broadcast(&s->work);
        pthread_cond_broadcast(&s->done);
    }
}
