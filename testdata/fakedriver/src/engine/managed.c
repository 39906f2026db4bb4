/* managed.c: memory that a real driver moves between host and devices. Here it
 * stays where it is; only what is asked of it is checked. */
#include "fk_internal.h"

int fk_managed_alloc(uint64_t size, unsigned flags, uint64_t *addr) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (!status) status = fk_capture_unsafe();
    if (status) return status;
    fk_mem *m = fk_mem_new(FK_MEM_MANAGED, ctx, ctx->device, size, &status);
    if (!m) return status;
    m->flags = flags;
    status = fk_mem_add(m);
    if (!status) *addr = m->base;
    return status;
}

int fk_managed_check(uint64_t addr, uint64_t size) {
    fk_mem *m = fk_mem_at(addr);
    if (!m || m->type != FK_MEM_MANAGED || !size || size > m->size - (addr - m->base)) return FK_INVALID_VALUE;
    return FK_OK;
}

static int command(fk_handle stream) {
    fk_stream *s;
    int status = fk_stream_get(stream, &s);
    if (!status) status = fk_capture_beside(s);
    return status ? status : fk_stream_nothing(stream);
}

int fk_managed_attach(fk_handle stream, uint64_t addr, uint64_t size) {
    fk_mem *m = fk_mem_at(addr);
    if (!m || m->type != FK_MEM_MANAGED || m->base != addr || (size && size != m->size)) return FK_INVALID_VALUE;
    return command(stream);
}

int fk_managed_prefetch(fk_handle stream, uint64_t addr, uint64_t size) {
    int status = fk_managed_check(addr, size);
    return status ? status : command(stream);
}
