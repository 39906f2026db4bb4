/* function.c: what is known of a kernel, and what may be set. */
#include "fk_internal.h"

int fk_function_get(fk_handle h, fk_function **f) {
    return fk_find_used(h, FK_FUNCTION, (fk_object **)f);
}

enum { REGISTERS = 24 }; /* of a kernel that doesn't say */

int fk_function_info_of(fk_handle h, fk_function_info *info) {
    fk_function *f;
    int status = fk_function_get(h, &f);
    if (status) return status;
    const fake_kernel *k = f->kernel;
    const fk_model *m = fk_device_model(f->o.ctx->device);
    *info = (fk_function_info){
        .name = f->name, .n_params = k->n_params, .max_threads = k->max_threads ? k->max_threads : (unsigned)m->max_threads,
        .registers = k->registers ? k->registers : REGISTERS, .static_shared = k->static_shared, .local_bytes = k->local_bytes,
        .const_bytes = k->const_bytes, .arch = f->image->table->arch ? f->image->table->arch : (unsigned)(m->major * 10 + m->minor),
        .max_dynamic = f->max_dynamic, .carveout = f->carveout, .non_portable_cluster = f->non_portable, .cluster_policy = f->policy,
    };
    memcpy(info->required_block, k->required_block, sizeof info->required_block);
    return FK_OK;
}

int fk_function_set(fk_handle h, int what, int value) {
    fk_function *f;
    int status = fk_function_get(h, &f);
    if (status) return status;
    const fk_model *m = fk_device_model(f->o.ctx->device);
    switch (what) {
    case FK_FUNC_MAX_DYNAMIC:
        if (value < 0 || (unsigned)value + f->kernel->static_shared > (unsigned)m->shared_optin) return FK_INVALID_VALUE;
        f->max_dynamic = (unsigned)value;
        return FK_OK;
    case FK_FUNC_CARVEOUT:
        if (value < -1 || value > 100) return FK_INVALID_VALUE;
        f->carveout = value;
        return FK_OK;
    case FK_FUNC_NON_PORTABLE:
        f->non_portable = value != 0;
        return FK_OK;
    case FK_FUNC_CLUSTER_POLICY:
        f->policy = value;
        return FK_OK;
    }
    return FK_INVALID_VALUE;
}

int fk_function_param(fk_handle h, size_t i, size_t *offset, size_t *size) {
    fk_function *f;
    int status = fk_function_get(h, &f);
    if (status) return status;
    if (i >= f->kernel->n_params) return FK_INVALID_VALUE;
    *offset = f->kernel->params[i].offset;
    *size = f->kernel->params[i].size;
    return FK_OK;
}

static int least(int a, int b) { return a < b ? a : b; }

int fk_function_blocks(fk_handle h, int threads, size_t dynamic, int *blocks) {
    fk_function_info info;
    fk_function *f;
    int status = fk_function_get(h, &f);
    if (!status) status = fk_function_info_of(h, &info);
    if (status) return status;
    const fk_model *m = fk_device_model(f->o.ctx->device);
    if (threads < 1) return FK_INVALID_VALUE;
    *blocks = 0;
    if ((unsigned)threads > info.max_threads || dynamic > (size_t)m->shared_optin) return FK_OK;
    int warps = (threads + m->warp - 1) / m->warp * m->warp;
    int n = least(m->blocks_processor, m->threads_processor / warps);
    n = least(n, m->registers / (warps * (int)info.registers));
    int shared = (int)dynamic + (int)info.static_shared + m->shared_reserved;
    if (shared) n = least(n, m->shared_processor / shared);
    *blocks = n;
    return FK_OK;
}
