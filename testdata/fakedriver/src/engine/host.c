/* host.c: memory of the host that the device may use: allocated, and registered. */
#include "fk_internal.h"

int fk_host_alloc(uint64_t size, unsigned flags, uint64_t *addr) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (!status) status = fk_capture_unsafe();
    if (status) return status;
    fk_mem *m = fk_mem_new(FK_MEM_HOST, ctx, ctx->device, size, &status);
    if (!m) return status;
    m->flags = flags;
    status = fk_mem_add(m);
    if (!status) *addr = m->base;
    return status;
}

int fk_host_free(uint64_t addr) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (!status) status = fk_capture_unsafe();
    if (status || !addr) return status;
    fk_mem *m = fk_mem_at(addr);
    if (!m || m->base != addr || m->type != FK_MEM_HOST) return FK_INVALID_VALUE;
    m->dead = 1;
    m->refs++;
    fk_context_idle(ctx);
    fk_mem_remove(m);
    fk_mem_drop(m);
    return FK_OK;
}

int fk_host_register(uint64_t addr, uint64_t size, unsigned flags) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (!status) status = fk_capture_unsafe();
    if (status) return status;
    if (!addr || !size || addr + size < addr) return FK_INVALID_VALUE;
    if (fk_mem_overlaps(addr, size)) return FK_ALREADY_REGISTERED;
    fk_mem *m = calloc(1, sizeof *m);
    if (!m) return FK_OUT_OF_MEMORY;
    *m = (fk_mem){.base = addr, .size = size, .type = FK_MEM_REGISTERED, .ctx = ctx, .device = ctx->device, .refs = 1, .flags = flags};
    return fk_mem_add(m);
}

int fk_host_unregister(uint64_t addr) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (!status) status = fk_capture_unsafe();
    if (status) return status;
    fk_mem *m = addr ? fk_mem_at(addr) : 0;
    if (!addr) return FK_INVALID_VALUE;
    if (!m || m->base != addr || m->type != FK_MEM_REGISTERED) return FK_NOT_REGISTERED;
    m->dead = 1;
    m->refs++;
    fk_context_idle(ctx);
    fk_mem_remove(m);
    fk_mem_drop(m);
    return FK_OK;
}
