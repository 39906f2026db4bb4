/* context.c: contexts. Which is current is a matter of the thread. */
#include "fk_internal.h"

/* The stack of current contexts; 0 is none. */
enum { DEPTH = 64 };
static __thread fk_handle stack[DEPTH];
static __thread int depth;

static void release(fk_object *o) { free(o); }

static void begin(fk_context *ctx) {
    ctx->active = 1;
    ctx->ending = ctx->fault = 0;
    ctx->id = ++fk.next_id;
    ctx->limits[0] = 1024;
    ctx->limits[1] = 7 << 20;
    ctx->limits[2] = 8 << 20;
    ctx->limits[3] = 2;
    ctx->limits[4] = 2048;
    ctx->limits[5] = 64;
    ctx->limits[6] = 0;
    ctx->cache = 0;
    memset(ctx->peers, 0, sizeof ctx->peers);
    ctx->fault = fk.devices[ctx->device].lost;
}

static int make(int device, unsigned flags, int primary, fk_context **out) {
    fk_context *ctx = calloc(1, sizeof *ctx);
    if (!ctx) return FK_OUT_OF_MEMORY;
    ctx->device = device;
    ctx->flags = flags;
    ctx->primary = primary;
    ctx->o.hidden = primary; /* counted while it is active */
    int status = fk_object_add(&ctx->o, FK_CONTEXT, 0, 0, release);
    if (status) {
        free(ctx);
        return status;
    }
    *out = ctx;
    return FK_OK;
}

/* A stream that has something to do, also one that was destroyed meanwhile. */
static fk_stream *busy(const fk_context *ctx) {
    for (fk_stream *s = fk.streams; s; s = s->after)
        if (s->o.ctx == ctx && !fk_stream_idle(s)) return s;
    return 0;
}

/* Functions end with their modules. */
static fk_object *first_of_its_own(const fk_context *ctx) {
    fk_object *o = ctx->first;
    while (o && o->kind == FK_FUNCTION) o = o->next;
    return o;
}

/* Ends what lives in a context, once its streams are idle. The lock is let go
 * meanwhile, so the context counts as ending from the beginning. */
static void end(fk_context *ctx) {
    ctx->active = 0;
    fk_context_idle(ctx);
    ctx->ending = 1;
    fk_wake_all();
    for (fk_stream *s; (s = busy(ctx));) fk_stream_drain(s);
    for (fk_object *o; (o = first_of_its_own(ctx));) o->close(o);
    ctx->legacy = 0;
    fk_mem_end(ctx);
}

void fk_context_idle(fk_context *ctx) {
    for (fk_stream *s; (s = busy(ctx));) {
        if (fk.hold && !ctx->active) return; /* it would wait for the one who holds */
        fk_stream_drain(s);
    }
}

void fk_context_fault(fk_context *ctx, int code) {
    if (!ctx->fault) ctx->fault = code;
    fk_wake_all();
}

static int find(fk_handle h, fk_context **ctx) {
    *ctx = (fk_context *)fk_find(h, FK_CONTEXT);
    if (!*ctx) return fk_dead(h, FK_CONTEXT) ? FK_CONTEXT_DESTROYED : FK_INVALID_CONTEXT;
    return (*ctx)->active ? FK_OK : FK_CONTEXT_DESTROYED;
}

int fk_context_current(fk_context **ctx) {
    if (!depth || !stack[depth - 1]) return FK_INVALID_CONTEXT;
    return find(stack[depth - 1], ctx);
}

int fk_context_lend(fk_handle on) {
    if (fk.strict || (depth && stack[depth - 1]) || depth == DEPTH) return 0;
    fk_object *o = fk_find(on, FK_STREAM);
    if (!o) o = fk_find(on, FK_EVENT);
    if (!o || !o->ctx) return 0;
    stack[depth++] = o->ctx->o.handle;
    return 1;
}

int fk_context_check(void) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    return ctx->fault ? FK_RAW_CODE(ctx->fault) : FK_OK;
}

int fk_primary_retain(int device, fk_handle *h) {
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    fk_device *d = &fk.devices[device];
    if (!d->primary) {
        int status = make(device, 0, 1, &d->primary);
        if (status) return status;
    }
    fk_context *ctx = d->primary;
    if (!ctx->active) {
        /* One that ends on another thread must have ended first. */
        if (ctx->first) return FK_CONTEXT_DESTROYED;
        begin(ctx);
        ctx->users = 0;
        fk.live[FK_CONTEXT]++;
    }
    ctx->users++;
    *h = ctx->o.handle;
    return FK_OK;
}

static void end_primary(fk_context *ctx) {
    ctx->users = 0;
    fk.live[FK_CONTEXT]--;
    end(ctx);
}

int fk_primary_release(int device) {
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    fk_context *ctx = fk.devices[device].primary;
    if (!ctx || !ctx->active) return FK_INVALID_CONTEXT;
    if (--ctx->users == 0) end_primary(ctx);
    return FK_OK;
}

int fk_primary_reset(int device) {
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    fk_context *ctx = fk.devices[device].primary;
    if (ctx && ctx->active) end_primary(ctx);
    fk_pools_end(device);
    return FK_OK;
}

int fk_primary_set_flags(int device, unsigned flags) {
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    fk_device *d = &fk.devices[device];
    if (!d->primary) {
        int status = make(device, flags, 1, &d->primary);
        if (status) return status;
    }
    d->primary->flags = flags;
    return FK_OK;
}

int fk_primary_state(int device, unsigned *flags, int *active) {
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    fk_context *ctx = fk.devices[device].primary;
    *flags = ctx ? ctx->flags : 0;
    *active = ctx && ctx->active;
    return FK_OK;
}

int fk_context_create(int device, unsigned flags, fk_handle *h) {
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    fk_context *ctx;
    if (depth == DEPTH) return FK_OUT_OF_MEMORY;
    int status = make(device, flags, 0, &ctx);
    if (status) return status;
    begin(ctx);
    stack[depth++] = *h = ctx->o.handle;
    return FK_OK;
}

int fk_context_destroy(fk_handle h) {
    fk_context *ctx;
    int status = find(h, &ctx);
    if (status) return status;
    if (ctx->primary) return FK_INVALID_CONTEXT;
    end(ctx);
    if (depth && stack[depth - 1] == h) depth--;
    fk_object_remove(&ctx->o);
    return FK_OK;
}

int fk_context_push(fk_handle h) {
    fk_context *ctx;
    int status = find(h, &ctx);
    if (status) return status;
    if (depth == DEPTH) return FK_OUT_OF_MEMORY;
    stack[depth++] = h;
    return FK_OK;
}

int fk_context_pop(fk_handle *h) {
    if (!depth) return FK_INVALID_CONTEXT;
    *h = stack[--depth];
    return FK_OK;
}

int fk_context_set(fk_handle h) {
    fk_context *ctx;
    if (!h) {
        if (depth) depth--;
        return FK_OK;
    }
    int status = find(h, &ctx);
    if (status) return status;
    if (depth) depth--;
    stack[depth++] = h;
    return FK_OK;
}

fk_handle fk_context_get(void) { return depth ? stack[depth - 1] : 0; }

int fk_context_device(int *device) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (!status) *device = ctx->device;
    return status;
}

int fk_context_sync(void) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    for (fk_object *o = ctx->first; o; o = o->next)
        if (o->kind == FK_STREAM && (status = fk_capture_check((fk_stream *)o))) return status;
    fk_object_ref(&ctx->o);
    fk_context_idle(ctx);
    fk_pools_seen();
    status = ctx->fault ? FK_RAW_CODE(ctx->fault) : FK_OK;
    fk_object_unref(&ctx->o);
    return status;
}

int fk_context_flags(unsigned *flags) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (!status) *flags = ctx->flags;
    return status;
}

int fk_context_set_flags(unsigned flags) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (!status) ctx->flags = flags;
    return status;
}

int fk_context_id(fk_handle h, uint64_t *id) {
    fk_context *ctx;
    int status = h ? find(h, &ctx) : fk_context_current(&ctx);
    if (!status) *id = ctx->id;
    return status;
}

int fk_context_limit(int limit, uint64_t *value, int set) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    if (limit < 0 || limit > 6) return FK_UNSUPPORTED_LIMIT;
    if (set) ctx->limits[limit] = *value;
    else *value = ctx->limits[limit];
    return FK_OK;
}

int fk_context_cache(int *value, int set) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (status) return status;
    if (set) ctx->cache = *value;
    else *value = ctx->cache;
    return FK_OK;
}

int fk_context_peer(fk_handle h, int enable) {
    fk_context *ctx, *peer;
    int status = fk_context_current(&ctx);
    if (status) return status;
    status = find(h, &peer);
    if (status) return status;
    if (peer == ctx) return FK_INVALID_CONTEXT;
    if (peer->device == ctx->device) return FK_PEER_UNSUPPORTED;
    int room = -1;
    for (int i = 0; i < FK_MAX_PEERS; i++) {
        if (ctx->peers[i] == h) {
            if (enable) return FK_PEER_ENABLED;
            ctx->peers[i] = 0;
            return FK_OK;
        }
        if (!ctx->peers[i] && room < 0) room = i;
    }
    if (!enable) return FK_PEER_NOT_ENABLED;
    if (room < 0) return FK_OUT_OF_RESOURCES;
    ctx->peers[room] = h;
    return FK_OK;
}
