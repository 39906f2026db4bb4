/* vmm.c: ranges of addresses, physical memory, and the one mapped into the other.
 * Physical memory is a memory file, which may be mapped more than once. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fk_internal.h"

typedef struct {
    fk_object o;
    uint64_t size;
    int device, fd;
} physical;

typedef struct range range;
struct range {
    uint64_t base, size;
    range *next;
};
static range *ranges;

int fk_range_touches(uint64_t addr, uint64_t size) {
    for (const range *r = ranges; r; r = r->next)
        if (addr < r->base + r->size && r->base < addr + size) return 1;
    return 0;
}

static int aligned(uint64_t n) { return n && n % FK_GRANULARITY == 0; }

int fk_range_reserve(uint64_t size, uint64_t align, uint64_t *addr) {
    if (!aligned(size) || (align & (align - 1)) || size > (uint64_t)1 << 45) return FK_INVALID_VALUE;
    if (align < FK_GRANULARITY) align = FK_GRANULARITY;
    range *r = calloc(1, sizeof *r);
    if (!r) return FK_OUT_OF_MEMORY;
    char *p = mmap(0, size + align, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        free(r);
        return FK_OUT_OF_MEMORY;
    }
    uint64_t before = -(uint64_t)(uintptr_t)p & (align - 1);
    if (before) munmap(p, before);
    if (align - before) munmap(p + before + size, align - before);
    r->base = (uintptr_t)p + before;
    r->size = size;
    r->next = ranges;
    ranges = r;
    *addr = r->base;
    return FK_OK;
}

int fk_range_free(uint64_t addr, uint64_t size) {
    for (range **at = &ranges; *at; at = &(*at)->next) {
        range *r = *at;
        if (r->base != addr) continue;
        if (r->size != size || fk_mem_overlaps(addr, size)) return FK_INVALID_VALUE;
        munmap((void *)(uintptr_t)addr, size);
        *at = r->next;
        free(r);
        return FK_OK;
    }
    return FK_INVALID_VALUE;
}

static void release(fk_object *o) {
    physical *p = (physical *)o;
    close(p->fd);
    fk.devices[p->device].used -= p->size;
    free(p);
}

static int add(int fd, uint64_t size, int device, fk_handle *h) {
    physical *p = fd < 0 ? 0 : calloc(1, sizeof *p);
    if (!p || fk_object_add(&p->o, FK_PHYSICAL, 0, fk_object_remove, release)) {
        if (fd >= 0) close(fd);
        free(p);
        return FK_OUT_OF_MEMORY;
    }
    p->fd = fd;
    p->size = size;
    p->device = device;
    fk.devices[device].used += size;
    *h = p->o.handle;
    return FK_OK;
}

int fk_physical_create(uint64_t size, int device, fk_handle *h) {
    uint64_t left, total;
    int status = fk_device_memory(device, &left, &total);
    if (status) return status;
    if (!fk_device_model(device)->virtual_memory) return FK_NOT_SUPPORTED;
    if (!aligned(size)) return FK_INVALID_VALUE;
    if (size > left) return FK_OUT_OF_MEMORY;
    int fd = memfd_create("fake-physical", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)size)) {
        close(fd);
        fd = -1;
    }
    return add(fd, size, device, h);
}

int fk_physical_release(fk_handle h) {
    fk_object *p = fk_find(h, FK_PHYSICAL);
    if (!p) return FK_INVALID_VALUE;
    fk_object_remove(p); /* what is mapped stays until it is unmapped */
    return FK_OK;
}

int fk_physical_export(fk_handle h, int *fd) {
    physical *p = (physical *)fk_find(h, FK_PHYSICAL);
    if (!p) return FK_INVALID_VALUE;
    *fd = fcntl(p->fd, F_DUPFD_CLOEXEC, 3);
    return *fd < 0 ? FK_OUT_OF_MEMORY : FK_OK;
}

int fk_physical_import(int fd, int device, fk_handle *h) {
    struct stat st;
    if (!fk_device_model(device) || fstat(fd, &st) || !aligned((uint64_t)st.st_size)) return FK_INVALID_VALUE;
    return add(fcntl(fd, F_DUPFD_CLOEXEC, 3), (uint64_t)st.st_size, device, h);
}

int fk_range_map(uint64_t addr, uint64_t size, uint64_t offset, fk_handle h) {
    physical *p = (physical *)fk_find(h, FK_PHYSICAL);
    if (!p || !aligned(size) || addr % FK_GRANULARITY || offset % FK_GRANULARITY) return FK_INVALID_VALUE;
    if (offset > p->size || size > p->size - offset || fk_mem_overlaps(addr, size)) return FK_INVALID_VALUE;
    range *r = ranges;
    while (r && (addr < r->base || addr - r->base > r->size || size > r->size - (addr - r->base))) r = r->next;
    if (!r) return FK_INVALID_VALUE;
    fk_mem *m = calloc(1, sizeof *m);
    if (!m) return FK_OUT_OF_MEMORY;
    if (mmap((void *)(uintptr_t)addr, size, PROT_NONE, MAP_SHARED | MAP_FIXED, p->fd, (off_t)offset) == MAP_FAILED) {
        free(m);
        return FK_OUT_OF_MEMORY;
    }
    *m = (fk_mem){.base = addr, .size = size, .type = FK_MEM_MAPPED, .physical = &p->o, .device = p->device, .refs = 1};
    fk_object_ref(&p->o);
    return fk_mem_add(m);
}

/* What is mapped exactly there, piece by piece; a null fn only checks. */
static int each(uint64_t addr, uint64_t size, void (*fn)(fk_mem *, int), int arg) {
    uint64_t at = addr;
    while (at < addr + size) {
        fk_mem *m = fk_mem_at(at);
        if (!m || m->type != FK_MEM_MAPPED || m->base != at || m->size > addr + size - at) return FK_INVALID_VALUE;
        at += m->size;
        if (fn) fn(m, arg);
    }
    return FK_OK;
}

static void unmap(fk_mem *m, int arg) {
    (void)arg;
    void *p = mmap((void *)(uintptr_t)m->base, m->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    (void)p; /* where it fails, the old mapping stays, which does no harm */
    fk_mem_remove(m);
}

int fk_range_unmap(uint64_t addr, uint64_t size) {
    if (!aligned(size) || addr + size < addr || each(addr, size, 0, 0)) return FK_INVALID_VALUE;
    return each(addr, size, unmap, 0);
}

static void allow(fk_mem *m, int flags) {
    int prot = flags == 3 ? PROT_READ | PROT_WRITE : flags == 1 ? PROT_READ : PROT_NONE;
    if (mprotect((void *)(uintptr_t)m->base, m->size, prot) == 0) m->access = flags;
}

int fk_range_access(uint64_t addr, uint64_t size, int device, int *flags, int set) {
    if (!fk_device_model(device)) return FK_INVALID_DEVICE;
    if (!set) {
        fk_mem *m = fk_mem_at(addr);
        if (!m || m->type != FK_MEM_MAPPED) return FK_INVALID_VALUE;
        *flags = m->access;
        return FK_OK;
    }
    if (!aligned(size) || addr + size < addr || each(addr, size, 0, 0)) return FK_INVALID_VALUE;
    return each(addr, size, allow, *flags);
}
