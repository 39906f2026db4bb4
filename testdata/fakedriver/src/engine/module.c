/* module.c: images loaded into a context, their kernels and variables. */
#include <dlfcn.h>
#include <link.h>

#include "fk_internal.h"

static void release_function(fk_object *o) {
    fk_image_drop(((fk_function *)o)->image);
    free(o);
}

static void release(fk_object *o) {
    fk_module *m = (fk_module *)o;
    fk_image_drop(m->image);
    free(m->functions);
    free(m->globals);
    free(m);
}

/* Commands that use the image hold it themselves. */
static void end(fk_object *o) {
    fk_module *m = (fk_module *)o;
    for (unsigned i = 0; i < m->image->n; i++)
        if (m->functions[i]) fk_object_remove(&m->functions[i]->o);
    for (int i = 0; i < m->n_globals; i++) fk_mem_remove(m->globals[i]);
    fk_object_remove(o);
}

int fk_module_of(fk_context *ctx, const void *bytes, fk_module **out, char *why, size_t room) {
    fk_module *m = calloc(1, sizeof *m);
    if (!m) return FK_OUT_OF_MEMORY;
    int status = fk_image_open(bytes, ctx->device, &m->image, why, room);
    if (status) {
        free(m);
        return status;
    }
    m->functions = calloc(m->image->n + 1, sizeof *m->functions);
    status = m->functions ? fk_object_add(&m->o, FK_MODULE, ctx, end, release) : FK_OUT_OF_MEMORY;
    if (status) release(&m->o);
    else *out = m;
    return status;
}

int fk_module_load(const void *bytes, fk_handle *h, char *why, size_t room) {
    fk_context *ctx;
    fk_module *m;
    int status = fk_context_current(&ctx);
    if (!status) status = fk_capture_unsafe();
    if (!status) status = fk_module_of(ctx, bytes, &m, why, room);
    if (!status) *h = m->o.handle;
    return status;
}

static int find(fk_handle h, fk_module **m) { return fk_find_used(h, FK_MODULE, (fk_object **)m); }

int fk_module_unload(fk_handle h) {
    fk_module *m;
    int status = find(h, &m);
    if (!status) status = fk_capture_unsafe();
    if (status) return status;
    fk_context_idle(m->o.ctx);
    m = (fk_module *)fk_find(h, FK_MODULE);
    if (m) end(&m->o);
    return FK_OK;
}

int fk_module_function_at(fk_module *m, unsigned i, fk_function **out) {
    if (!m->functions[i]) {
        fk_function *f = calloc(1, sizeof *f);
        if (!f) return FK_OUT_OF_MEMORY;
        f->o.hidden = 1; /* nobody destroys one */
        int status = fk_object_add(&f->o, FK_FUNCTION, m->o.ctx, 0, release_function);
        if (status) {
            free(f);
            return status;
        }
        const fk_model *model = fk_device_model(m->o.ctx->device);
        f->image = m->image;
        f->image->refs++;
        f->kernel = &m->image->table->kernels[i];
        f->name = m->image->names[i];
        f->carveout = -1;
        f->max_dynamic = (unsigned)model->shared_block > f->kernel->static_shared ? (unsigned)model->shared_block - f->kernel->static_shared : 0;
        m->functions[i] = f;
    }
    *out = m->functions[i];
    return FK_OK;
}

int fk_module_function(fk_handle h, const char *name, fk_handle *function) {
    fk_module *m;
    fk_function *f;
    int status = find(h, &m);
    if (status) return status;
    for (unsigned i = 0; i < m->image->n; i++) {
        if (strcmp(m->image->names[i], name)) continue;
        status = fk_module_function_at(m, i, &f);
        if (!status) *function = f->o.handle;
        return status;
    }
    return FK_NOT_FOUND;
}

/* The size of a variable is that of its symbol. */
int fk_module_global(fk_handle h, const char *name, uint64_t *addr, uint64_t *size) {
    fk_module *m;
    Dl_info info = {0}, own = {0};
    ElfW(Sym) *sym = 0;
    int status = find(h, &m);
    if (status) return status;
    void *at = m->image->lib ? dlsym(m->image->lib, name) : 0;
    if (!at || !dladdr1(at, &info, (void **)&sym, RTLD_DL_SYMENT) || !sym || !dladdr(m->image->table, &own)) return FK_NOT_FOUND;
    if (info.dli_fbase != own.dli_fbase || info.dli_saddr != at || ELF64_ST_TYPE(sym->st_info) != STT_OBJECT || !sym->st_size) return FK_NOT_FOUND;
    fk_mem *mem = fk_mem_at((uintptr_t)at);
    if (!mem) {
        fk_mem **grown = realloc(m->globals, (size_t)(m->n_globals + 1) * sizeof *grown);
        if (!grown) return FK_OUT_OF_MEMORY;
        m->globals = grown;
        mem = calloc(1, sizeof *mem);
        if (!mem) return FK_OUT_OF_MEMORY;
        *mem = (fk_mem){.base = (uintptr_t)at, .size = sym->st_size, .type = FK_MEM_GLOBAL, .device = m->o.ctx->device, .refs = 1};
        status = fk_mem_add(mem);
        if (status) return status;
        m->globals[m->n_globals++] = mem;
    }
    *addr = mem->base;
    *size = mem->size;
    return FK_OK;
}

int fk_module_count(fk_handle h, unsigned *n) {
    fk_module *m;
    int status = find(h, &m);
    if (!status) *n = m->image->n;
    return status;
}

int fk_module_list(fk_handle h, fk_handle *functions, unsigned room) {
    fk_module *m;
    fk_function *f;
    int status = find(h, &m);
    for (unsigned i = 0; !status && i < room && i < m->image->n; i++) {
        status = fk_module_function_at(m, i, &f);
        if (!status) functions[i] = f->o.handle;
    }
    return status;
}
