/* memory.c: what memory there is, by address, and memory of the device.
 *
 * Memory of the device is memory of this process: a device address is an address.
 * All that is allocated, registered or mapped stands in one table, sorted by
 * address, so that every access of a call is held to its bounds. */
#include <sys/mman.h>

#include "fk_internal.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

enum { PAGE = 4096, GUARDED = 8192 };

static fk_mem **table;
static size_t used, room;

/* The place of the first entry that ends after addr. */
static size_t place(uint64_t addr) {
    size_t lo = 0, hi = used;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (table[mid]->base + table[mid]->size <= addr) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

fk_mem *fk_mem_at(uint64_t addr) {
    size_t i = place(addr);
    return i < used && table[i]->base <= addr && !table[i]->dead ? table[i] : 0;
}

int fk_mem_overlaps(uint64_t addr, uint64_t size) {
    size_t i = place(addr);
    return i < used && table[i]->base < addr + size;
}

int fk_mem_add(fk_mem *m) {
    if (used == room) {
        size_t more = room ? 2 * room : 256;
        fk_mem **grown = realloc(table, more * sizeof *grown);
        if (!grown) {
            fk_mem_drop(m);
            return FK_OUT_OF_MEMORY;
        }
        table = grown;
        room = more;
    }
    size_t i = place(m->base);
    memmove(table + i + 1, table + i, (used - i) * sizeof *table);
    table[i] = m;
    used++;
    m->id = ++fk.next_id;
    fk.bytes[m->type] += (int64_t)m->size;
    fk.count[m->type]++;
    if (m->type == FK_MEM_DEVICE) fk.devices[m->device].used += m->size;
    return FK_OK;
}

void fk_mem_remove(fk_mem *m) {
    size_t i = place(m->base);
    if (i >= used || table[i] != m) return;
    memmove(table + i, table + i + 1, (used - i - 1) * sizeof *table);
    used--;
    fk.bytes[m->type] -= (int64_t)m->size;
    fk.count[m->type]--;
    if (m->type == FK_MEM_DEVICE) fk.devices[m->device].used -= m->size;
    if (m->pool) fk_pool_freed(m->pool, m->size);
    fk_mem_drop(m);
}

void fk_mem_drop(fk_mem *m) {
    if (!m || --m->refs) return;
    if (m->map) {
        ASAN_UNPOISON_MEMORY_REGION((char *)m->map + m->size, (size_t)(-m->size % PAGE));
        munmap(m->map, m->map_size);
    }
    if (m->physical) fk_object_unref(m->physical);
    free(m);
}

/* Memory that isn't in the table yet. While there is little of it, a page that
 * can't be touched follows each; a sanitizer watches the rest of the last page. */
fk_mem *fk_mem_new(enum fk_memory type, fk_context *ctx, int device, uint64_t size, int *status) {
    *status = FK_INVALID_VALUE;
    if (!size) return 0;
    *status = FK_OUT_OF_MEMORY;
    fk_device *d = &fk.devices[device];
    uint64_t limit = type == FK_MEM_DEVICE ? d->model.memory - (d->used < d->model.memory ? d->used : d->model.memory) : (uint64_t)1 << 40;
    if (size > limit) return 0;
    fk_mem *m = calloc(1, sizeof *m);
    if (!m) return 0;
    uint64_t rounded = (size + PAGE - 1) / PAGE * PAGE, guard = used < GUARDED ? PAGE : 0;
    void *p = mmap(0, rounded + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        free(m);
        return 0;
    }
    if (guard) mprotect((char *)p + rounded, guard, PROT_NONE);
    ASAN_POISON_MEMORY_REGION((char *)p + size, rounded - size);
    *m = (fk_mem){.base = (uintptr_t)p, .size = size, .type = type, .ctx = ctx, .map = p, .map_size = rounded + guard, .device = device, .refs = 1};
    *status = FK_OK;
    return m;
}

/* Whether there is memory of the caller's: not what lies between the end of ours
 * and the end of its pages, and not ranges without memory. */
static int pageable(uint64_t addr, uint64_t size) {
    uint64_t first = addr / PAGE * PAGE;
    size_t i = place(addr);
    const fk_mem *before = i ? table[i - 1] : 0;
    if (before && before->map && addr < (uintptr_t)before->map + before->map_size) return 0;
    if (fk_range_touches(addr, size)) return 0;
    return !msync((void *)(uintptr_t)first, addr + size - first, MS_ASYNC);
}

int fk_mem_span(uint64_t addr, uint64_t size, enum fk_place place, fk_mem **out) {
    fk_mem *m = fk_mem_at(addr);
    *out = m;
    if (!m) {
        /* Nothing of ours begins inside of what the caller calls its own. */
        if (place == FK_AT_DEVICE || !addr || addr + size < addr || fk_mem_overlaps(addr, size)) return FK_INVALID_VALUE;
        return pageable(addr, size) ? FK_OK : FK_INVALID_VALUE;
    }
    if (place == FK_AT_DEVICE && m->type == FK_MEM_REGISTERED && !size) return FK_OK;
    if (size > m->size - (addr - m->base)) {
        /* Mappings may lie side by side. */
        uint64_t covered = m->base + m->size;
        while (m->type == FK_MEM_MAPPED && covered < addr + size) {
            fk_mem *next = fk_mem_at(covered);
            if (!next || next->type != FK_MEM_MAPPED || !next->access) return FK_INVALID_VALUE;
            covered = next->base + next->size;
        }
        if (covered < addr + size) return FK_INVALID_VALUE;
    }
    if (m->type == FK_MEM_MAPPED && !m->access) return FK_INVALID_VALUE;
    return FK_OK;
}

int fk_mem_alloc(uint64_t size, uint64_t *addr) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (!status) status = fk_capture_unsafe();
    if (status) return status;
    fk_mem *m = fk_mem_new(FK_MEM_DEVICE, ctx, ctx->device, size, &status);
    if (!m) return status;
    status = fk_mem_add(m);
    if (!status) *addr = m->base;
    return status;
}

/* Waits for the device, as real drivers do. */
int fk_mem_free(uint64_t addr) {
    fk_context *ctx;
    int status = fk_context_current(&ctx);
    if (!status) status = fk_capture_unsafe();
    if (status || !addr) return status;
    fk_mem *m = fk_mem_at(addr);
    if (!m || m->base != addr || (m->type != FK_MEM_DEVICE && m->type != FK_MEM_MANAGED)) return FK_INVALID_VALUE;
    if (m->ctx != ctx) fk.wrong_context++;
    m->dead = 1; /* for other calls, from here on */
    m->refs++;
    fk_context *owner = m->ctx;
    fk_object_ref(&owner->o);
    fk_context_idle(owner);
    fk_object_unref(&owner->o);
    fk_mem_remove(m);
    fk_mem_drop(m);
    return FK_OK;
}

void fk_mem_end(fk_context *ctx) {
    for (size_t i = 0; i < used;) {
        if (table[i]->ctx == ctx) fk_mem_remove(table[i]);
        else i++;
    }
}

int fk_mem_info_at(uint64_t addr, fk_mem_info *info) {
    fk_mem *m = fk_mem_at(addr);
    if (!m) return FK_NOT_FOUND;
    *info = (fk_mem_info){
        .base = m->base, .size = m->size, .id = m->id, .type = m->type, .flags = m->flags,
        .ctx = m->ctx ? m->ctx->o.handle : 0, .pool = m->pool ? m->pool->o.handle : 0,
        .device = m->device,
    };
    if (m->type == FK_MEM_HOST || m->type == FK_MEM_REGISTERED || m->type == FK_MEM_MANAGED) info->host_base = m->base;
    return FK_OK;
}
