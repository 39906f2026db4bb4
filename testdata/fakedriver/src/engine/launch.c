/* launch.c: launches. Parameters are copied at the call; the grid runs when its
 * stream comes to it. */
#include <time.h>

#include "fk_internal.h"

enum { ALIGN = 128 };

typedef struct {
    fk_command c;
    fk_stream *stream;
    fk_image *image;
    const char *name;
    fk_grid grid;
    void *storage;
} launch;

/* Waits as long as a test wants kernels of this name to take; returns whether the
 * kernel may still run. */
static int dawdle(launch *l) {
    uint64_t ns = fk_control_kernel_latency(l->name);
    if (!ns) return 1;
    fk_context *ctx = l->stream->o.ctx;
    uint64_t end = fk_now() + ns;
    struct timespec t = {(time_t)(end / 1000000000u), (long)(end % 1000000000u)};
    fk_lock();
    while (fk_now() < end && !ctx->fault && !ctx->ending) {
        if (end - fk_now() > 100000) pthread_cond_timedwait(&fk.changed, &fk.lock, &t);
    }
    int go = !ctx->fault && !ctx->ending;
    fk_unlock();
    return go;
}

static int run(fk_command *c) {
    launch *l = (launch *)c;
    if (!dawdle(l)) return 0;
    fk_control_kernel_ran(l->name);
    return fk_grid_run(&l->grid);
}

static void drop(fk_command *c) {
    launch *l = (launch *)c;
    fk_image_drop(l->image);
    fk_object_unref(&l->stream->o);
    free(l->storage);
}

/* Copies the parameters to their offsets in memory of their alignment; pointers to
 * each stand behind them. */
static int marshal(launch *l, const fake_kernel *k, const fk_launch_config *cfg) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < k->n_params; i++) {
        size_t end = (size_t)k->params[i].offset + k->params[i].size;
        if (end > bytes) bytes = end;
    }
    if (!cfg->params && cfg->buffer_size < bytes) return FK_INVALID_VALUE;
    size_t room = (bytes + ALIGN) / ALIGN * ALIGN;
    if (posix_memalign(&l->storage, ALIGN, room + (k->n_params + 1) * sizeof(void *))) {
        l->storage = 0;
        return FK_OUT_OF_MEMORY;
    }
    char *values = l->storage;
    l->grid.params = (void **)(values + room);
    for (uint32_t i = 0; i < k->n_params; i++) {
        const fake_param *p = &k->params[i];
        const void *from = cfg->params ? cfg->params[i] : (const char *)cfg->buffer + p->offset;
        if (!from) return FK_INVALID_VALUE;
        l->grid.params[i] = values + p->offset;
        memcpy(values + p->offset, from, p->size);
    }
    return FK_OK;
}

static int check_cluster(const fk_function *f, const fk_model *m, const fk_launch_config *cfg) {
    uint64_t n = 1;
    if (!cfg->cluster[0] && !cfg->cluster[1] && !cfg->cluster[2]) return FK_OK;
    if (!m->clusters) return FK_NOT_SUPPORTED;
    for (int i = 0; i < 3; i++) {
        if (!cfg->cluster[i] || cfg->grid[i] % cfg->cluster[i]) return FK_INVALID_VALUE;
        n *= cfg->cluster[i];
        if (n > 16) return FK_INVALID_CLUSTER;
    }
    return n > 8 && !f->non_portable ? FK_INVALID_CLUSTER : FK_OK;
}

static int check(const fk_function *f, const fk_launch_config *cfg) {
    const fk_model *m = fk_device_model(f->o.ctx->device);
    const fake_kernel *k = f->kernel;
    uint64_t threads = 1, blocks = 1;
    for (int i = 0; i < 3; i++) {
        if (!cfg->grid[i] || !cfg->block[i]) return FK_INVALID_VALUE;
        if (cfg->grid[i] > (unsigned)m->max_grid[i] || cfg->block[i] > (unsigned)m->max_block[i]) return FK_INVALID_VALUE;
        threads *= cfg->block[i];
        blocks *= cfg->grid[i];
        if (k->required_block[0] && cfg->block[i] != k->required_block[i]) return FK_INVALID_VALUE;
    }
    if (threads > (uint64_t)m->max_threads || (k->max_threads && threads > k->max_threads)) return FK_INVALID_VALUE;
    if (cfg->shared > f->max_dynamic) return FK_INVALID_VALUE;
    if (k->registers && threads * k->registers > (uint64_t)m->registers) return FK_OUT_OF_RESOURCES;
    int per = 0, status = check_cluster(f, m, cfg);
    if (status || !cfg->cooperative) return status;
    if (!m->cooperative) return FK_NOT_SUPPORTED;
    status = fk_function_blocks(f->o.handle, (int)threads, cfg->shared, &per);
    if (!status && blocks > (uint64_t)per * (uint64_t)m->processors) status = FK_COOPERATIVE_TOO_LARGE;
    return status;
}

int fk_launch(fk_handle function, const fk_launch_config *cfg) {
    fk_function *f;
    fk_stream *s;
    int status = fk_function_get(function, &f);
    if (!status) status = fk_stream_get(cfg->stream, &s);
    if (status) return status;
    if (f->o.ctx != s->o.ctx) return FK_INVALID_HANDLE;
    if (s->capture && s->capture->invalid) return FK_CAPTURE_INVALIDATED;
    status = check(f, cfg);
    if (!status && f->kernel->n_params && !cfg->params && !cfg->buffer) status = FK_INVALID_VALUE;
    if (status) return status;
    launch *l = fk_command_new(sizeof *l, run, drop);
    if (!l) return FK_OUT_OF_MEMORY;
    l->stream = s;
    l->image = f->image;
    l->name = f->name;
    l->grid = (fk_grid){.kernel = f->kernel, .table = f->image->table, .shared = cfg->shared,
                        .grid = {cfg->grid[0], cfg->grid[1], cfg->grid[2]}, .block = {cfg->block[0], cfg->block[1], cfg->block[2]}};
    status = marshal(l, f->kernel, cfg);
    if (status) {
        free(l->storage);
        free(l);
        return status;
    }
    f->image->refs++;
    fk_object_ref(&s->o);
    return fk_submit(s, &l->c);
}
