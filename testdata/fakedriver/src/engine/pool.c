/* pool.c: pools, and memory that is allocated and freed in the order of a stream.
 * Memory can be used from the call on, and is gone once the stream has come to its
 * free. */
#include <time.h>

#include "fk_internal.h"

static void release(fk_object *o) { free(o); }

static void drop_pool(fk_object *o) {
    fk_pool *p = (fk_pool *)o;
    fk_device *d = &fk.devices[p->device];
    if (d->pool == p) d->pool = d->default_pool;
    fk_object_remove(o);
}

int fk_pool_create(int device, uint64_t max, int shareable, fk_handle *h) {
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    if (!fk_device_model(device)->pools) return FK_NOT_SUPPORTED;
    fk_pool *p = calloc(1, sizeof *p);
    if (!p) return FK_OUT_OF_MEMORY;
    int status = fk_object_add(&p->o, FK_POOL, 0, drop_pool, release);
    if (status) {
        free(p);
        return status;
    }
    p->device = device;
    p->max = max;
    p->shareable = shareable;
    p->attrs[FK_POOL_FOLLOW] = p->attrs[FK_POOL_OPPORTUNISTIC] = p->attrs[FK_POOL_INTERNAL] = 1;
    p->access[device] = 3;
    *h = p->o.handle;
    return FK_OK;
}

static int find(fk_handle h, fk_pool **p) {
    *p = (fk_pool *)fk_find(h, FK_POOL);
    return *p ? FK_OK : FK_INVALID_VALUE;
}

int fk_pool_destroy(fk_handle h) {
    fk_pool *p;
    int status = find(h, &p);
    if (status) return status;
    if (fk.devices[p->device].default_pool == p) return FK_INVALID_VALUE;
    drop_pool(&p->o);
    return FK_OK;
}

/* Pools are the device's, not a context's: they end when that is reset. */
void fk_pools_end(int device) {
    uint32_t at = 0;
    for (fk_object *o; (o = fk_object_next(FK_POOL, &at));)
        if (((fk_pool *)o)->device == device && !o->hidden) o->close(o);
}

int fk_pool_of_device(int device, int fresh, fk_handle *h) {
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    fk_device *d = &fk.devices[device];
    if (!d->pool) return FK_NOT_SUPPORTED;
    *h = (fresh ? d->default_pool : d->pool)->o.handle;
    return FK_OK;
}

int fk_pool_use(int device, fk_handle h) {
    fk_pool *p;
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    if (!fk.devices[device].pool) return FK_NOT_SUPPORTED;
    int status = find(h, &p);
    if (status) return status;
    if (p->device != device) return FK_INVALID_VALUE;
    fk.devices[device].pool = p;
    return FK_OK;
}

int fk_pool_attr(fk_handle h, int attr, uint64_t *value, int set) {
    fk_pool *p;
    int status = find(h, &p);
    if (status) return status;
    if (attr < 0 || attr >= FK_POOL_ATTRS) return FK_INVALID_VALUE;
    if (!set) {
        *value = p->attrs[attr];
        return FK_OK;
    }
    int high = attr == FK_POOL_RESERVED_HIGH || attr == FK_POOL_USED_HIGH;
    if (attr == FK_POOL_RESERVED || attr == FK_POOL_USED || (high && *value)) return FK_INVALID_VALUE;
    p->attrs[attr] = high ? p->attrs[attr - 1] : *value;
    return FK_OK;
}

static void grow(uint64_t *now, uint64_t *high, uint64_t by) {
    *now += by;
    if (*now > *high) *high = *now;
}

/* What is kept is a matter of counting: the memory itself is the system's again. As with
 * CUDA's driver, what was freed since anybody waited for a stream is kept in any case. */
static void give_back(fk_pool *p, uint64_t keep) {
    uint64_t reserved = p->attrs[FK_POOL_RESERVED], most = p->kept - p->unseen;
    uint64_t give = reserved > keep ? reserved - keep : 0;
    if (give > most) give = most;
    p->kept -= give;
    p->attrs[FK_POOL_RESERVED] -= give;
}

int fk_pool_trim(fk_handle h, uint64_t keep) {
    fk_pool *p;
    int status = find(h, &p);
    if (!status) give_back(p, keep);
    return status;
}

void fk_pools_seen(void) {
    uint32_t at = 0;
    for (fk_object *o; (o = fk_object_next(FK_POOL, &at));) {
        fk_pool *p = (fk_pool *)o;
        p->unseen = 0;
        give_back(p, p->attrs[FK_POOL_USED] + p->attrs[FK_POOL_THRESHOLD]);
    }
}

/* Takes from what is kept, then from the system. */
static void reserve(fk_pool *p, uint64_t size) {
    uint64_t again = size < p->kept ? size : p->kept;
    p->kept -= again;
    if (p->unseen > p->kept) p->unseen = p->kept;
    grow(&p->attrs[FK_POOL_RESERVED], &p->attrs[FK_POOL_RESERVED_HIGH], size - again);
}

int fk_pool_access(fk_handle h, int device, int *flags, int set) {
    fk_pool *p;
    int status = find(h, &p);
    if (status) return status;
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    if (!set) *flags = p->access[device];
    else if (device == p->device && *flags != 3) return FK_INVALID_VALUE;
    else p->access[device] = *flags;
    return FK_OK;
}

int fk_pool_shareable(fk_handle h, int *device) {
    fk_pool *p;
    int status = find(h, &p);
    if (status) return status;
    *device = p->device;
    return p->shareable ? FK_OK : FK_INVALID_VALUE;
}

/* Memory that is given back in stream order, and whose streams have not come to it. */
static int leaving[FK_MAX_DEVICES];
static uint64_t left; /* how often some was */

/* Where memory has run out a driver waits for what is about to come back. This one
 * has no idea how long that takes, and gives it a moment. */
static int wait_for_some(int device) {
    uint64_t before = left, end = fk_now() + 50000000;
    struct timespec t = {(time_t)(end / 1000000000u), (long)(end % 1000000000u)};
    while (leaving[device] && left == before && fk_now() < end) pthread_cond_timedwait(&fk.changed, &fk.lock, &t);
    return left != before;
}

void fk_pool_settle(void) {
    for (int i = 0; i < FK_MAX_DEVICES; i++)
        while (leaving[i] && wait_for_some(i)) {
        }
}

int fk_pool_alloc(fk_handle h, uint64_t size, fk_handle stream, uint64_t *addr) {
    fk_stream *s;
    fk_pool *p;
    int status = fk_stream_get(stream, &s);
    if (!status) status = fk_capture_beside(s);
    if (status) return status;
    p = fk.devices[s->o.ctx->device].pool;
    if (!p) return FK_NOT_SUPPORTED;
    if (h && (status = find(h, &p))) return status;
    if (p->max && (size > p->max || p->attrs[FK_POOL_USED] > p->max - size)) return FK_OUT_OF_MEMORY;
    fk_context *ctx = s->o.ctx;
    int device = p->device;
    fk_mem *m;
    fk_object_ref(&ctx->o);
    fk_object_ref(&p->o);
    while (!(m = fk_mem_new(FK_MEM_DEVICE, ctx, device, size, &status)) && status == FK_OUT_OF_MEMORY && wait_for_some(device)) {
    }
    fk_object_unref(&ctx->o);
    fk_object_unref(&p->o);
    if (!m) return status;
    /* While it waited others may have closed what it is for. */
    status = fk_stream_get(stream, &s);
    if (!status && h) status = find(h, &p);
    if (status) {
        fk_mem_drop(m);
        return status;
    }
    status = fk_mem_add(m);
    if (status) return status;
    m->pool = p;
    fk_object_ref(&p->o);
    grow(&p->attrs[FK_POOL_USED], &p->attrs[FK_POOL_USED_HIGH], size);
    reserve(p, size);
    *addr = m->base;
    fk_command *c = fk_command_new(sizeof *c, 0, 0);
    status = c ? fk_submit(s, c) : FK_OUT_OF_MEMORY;
    if (status) fk_mem_remove(m);
    return status;
}

void fk_pool_freed(fk_pool *p, uint64_t size) {
    p->attrs[FK_POOL_USED] -= size;
    p->kept += size;
    p->unseen += size;
    fk_object_unref(&p->o);
}

typedef struct {
    fk_command c;
    fk_mem *mem;
    int device;
} free_command;

static void drop_free(fk_command *c) {
    free_command *f = (free_command *)c;
    leaving[f->device]--;
    left++;
    fk_mem_remove(f->mem);
    fk_mem_drop(f->mem);
    pthread_cond_broadcast(&fk.changed);
}

int fk_pool_free(uint64_t addr, fk_handle stream) {
    fk_stream *s;
    int status = fk_stream_get(stream, &s);
    if (status) return status;
    fk_mem *m = fk_mem_at(addr);
    if (!m || m->base != addr || m->type != FK_MEM_DEVICE) return FK_INVALID_VALUE;
    if (s->capture && s->capture->invalid) return FK_CAPTURE_INVALIDATED;
    free_command *f = fk_command_new(sizeof *f, 0, drop_free);
    if (!f) return FK_OUT_OF_MEMORY;
    if (s->o.ctx->fault) {
        free(f);
        return FK_RAW_CODE(s->o.ctx->fault);
    }
    f->mem = m;
    f->device = m->device;
    leaving[m->device]++;
    m->refs++;
    m->dead = 1;
    return fk_submit(s, &f->c);
}
