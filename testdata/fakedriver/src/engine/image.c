/* image.c: kernel images. An image comes as an address without a size, so its size
 * is read off its header, and what isn't an image is told from one without reading
 * further than needed. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fake_control.h"
#include "fk_internal.h"
#include "image_sum.h"

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE
#endif

enum { MOST = FK_IMAGE_MOST, MOST_KERNELS = 1 << 16 };

/* Where the system has no call for it, as where it is emulated. */
static int fetch_by_pipe(char *to, const char *from, size_t n) {
    enum { ROOM = 4096 };
    int ends[2], ok = 1;
    if (pipe2(ends, O_CLOEXEC)) return 0;
    for (size_t i = 0; i < n && ok; i += ROOM) {
        ssize_t part = (ssize_t)(n - i < ROOM ? n - i : ROOM);
        ok = write(ends[1], from + i, (size_t)part) == part && read(ends[0], to + i, (size_t)part) == part;
    }
    close(ends[0]);
    close(ends[1]);
    return ok;
}

/* Copies memory that may not be there. */
int fk_fetch(void *to, const void *from, size_t n) {
    struct iovec local = {to, n}, remote = {(void *)(uintptr_t)from, n};
    ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    return got < 0 && errno == ENOSYS ? fetch_by_pipe(to, from, n) : got == (ssize_t)n;
}

static int is_ptx(const char *p, const char *end) {
    for (;;) {
        while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) p++;
        if (end - p < 2 || p[0] != '/' || p[1] != '/') break;
        while (p < end && *p && *p != '\n') p++;
    }
    return end - p >= 8 && !strncmp(p, ".version", 8);
}

/* The bytes of an ELF file, from its headers; 0: it makes no sense. */
static size_t extent(const Elf64_Ehdr *h, const char *image, size_t room) {
    uint64_t size = h->e_shoff + (uint64_t)h->e_shnum * h->e_shentsize;
    if (h->e_phentsize != sizeof(Elf64_Phdr) || h->e_phnum > 64 || h->e_shoff > MOST || h->e_phoff > MOST) return 0;
    if (h->e_phoff + h->e_phnum * sizeof(Elf64_Phdr) > room) return 0;
    for (int i = 0; i < h->e_phnum; i++) {
        Elf64_Phdr p;
        if (!fk_fetch(&p, image + h->e_phoff + (size_t)i * sizeof p, sizeof p) || p.p_offset > MOST || p.p_filesz > MOST) return 0;
        if (p.p_offset + p.p_filesz > size) size = p.p_offset + p.p_filesz;
    }
    return size > sizeof *h && size <= room ? size : 0;
}

enum { FATBIN_HEADER = 16 };

/* A fat binary is for others, unless it holds a text of ours. */
static int copy_fatbin(const char *p, size_t room, void **copy, size_t *size) {
    uint64_t header = (unsigned char)p[6] | (uint64_t)(unsigned char)p[7] << 8, n;
    const size_t begin = strlen(FAKE_CALLED);
    char start[sizeof FAKE_CALLED];
    if (header != FATBIN_HEADER || !fk_fetch(&n, p + 8, sizeof n) || n < begin || n > MOST) return FK_NO_BINARY;
    if (header + n > room) return FK_INVALID_IMAGE;
    if (!fk_fetch(start, p + header, begin) || memcmp(start, FAKE_CALLED, begin)) return FK_NO_BINARY;
    *size = header + n;
    char *c = malloc(*size + 1);
    if (!c) return FK_OUT_OF_MEMORY;
    if (!fk_fetch(c, p, *size)) {
        free(c);
        return FK_INVALID_IMAGE;
    }
    c[*size] = 0;
    *copy = c;
    return FK_OK;
}

int fk_image_copy(const void *bytes, size_t room, void **copy, size_t *size) {
    const char *p = bytes;
    Elf64_Ehdr h;
    if (!p) return FK_INVALID_VALUE;
    if (room < FATBIN_HEADER) return FK_INVALID_IMAGE;
    if (p[0] == 0x50 && p[1] == (char)0xed && p[2] == 0x55 && p[3] == (char)0xba) return copy_fatbin(p, room, copy, size);
    if (p[0] != 0x7f || p[1] != 'E' || p[2] != 'L' || p[3] != 'F') return is_ptx(p, p + room) ? FK_INVALID_PTX : FK_INVALID_IMAGE;
    if (room < sizeof h || !fk_fetch(&h, p, sizeof h) || h.e_ident[EI_CLASS] != ELFCLASS64) return FK_INVALID_IMAGE;
    if (h.e_machine != MACHINE) return FK_NO_BINARY;
    *size = h.e_type == ET_DYN ? extent(&h, p, room) : 0;
    if (!*size) return FK_INVALID_IMAGE;
    unsigned char *c = malloc(*size);
    if (!c) return FK_OUT_OF_MEMORY;
    if (!fk_fetch(c, p, *size) || (h.e_flags && image_sum(c, *size) != h.e_flags)) {
        free(c);
        return FK_INVALID_IMAGE;
    }
    *copy = c;
    return FK_OK;
}

static int suits(const fake_image *t, int device) {
    const fk_model *m = fk_device_model(device);
    uint32_t have = (uint32_t)(m->major * 10 + m->minor);
    if (!t->arch) return 1;
    if (m->arch) return t->arch == have;
    return t->flags & FAKE_IMAGE_VIRTUAL ? t->arch <= have : t->arch / 10 == have / 10 && t->arch <= have;
}

static int sensible(const fake_image *t, const char **why) {
    *why = "the image exports no fake_image_table";
    if (!t) return 0;
    *why = "the image is of another version of the fake driver";
    if (t->version != FAKE_IMAGE_VERSION) return 0;
    *why = "the image's table is not complete";
    if (t->n_kernels > MOST_KERNELS || (t->n_kernels && !t->kernels) || !t->self || !t->services) return 0;
    for (uint32_t i = 0; i < t->n_kernels; i++) {
        const fake_kernel *k = &t->kernels[i];
        if (!k->invoke || (k->n_params && !k->params) || k->n_params > 1024 || !(k->name || k->function)) return 0;
        for (uint32_t j = 0; j < k->n_params; j++)
            if (k->params[j].offset > 65536 || k->params[j].size > 65536) return 0;
    }
    return 1;
}

/* Opens a file of memory as a library. Its path holds the file's number, and the
 * linker takes equal paths for the same library, so the file stays open as long
 * as the library does. */
static void *open_file(int fd, const void *bytes, size_t size, char *why, size_t room) {
    char path[64];
    size_t at = 0;
    while (at < size) {
        ssize_t n = write(fd, (const char *)bytes + at, size - at);
        if (n <= 0) {
            snprintf(why, room, "writing the image failed");
            return 0;
        }
        at += (size_t)n;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *e = lib ? 0 : dlerror();
    if (!lib) snprintf(why, room, "%s", e ? e : "dlopen failed");
    return lib;
}

static int name_kernels(fk_image *image, const char **why) {
    image->n = image->table->n_kernels;
    image->names = calloc(image->n + 1, sizeof *image->names);
    if (!image->names) return FK_OUT_OF_MEMORY;
    for (unsigned i = 0; i < image->n; i++) {
        Dl_info info = {0};
        const fake_kernel *k = &image->table->kernels[i];
        image->names[i] = k->name;
        if (!k->name && dladdr(k->function, &info) && info.dli_saddr == k->function) image->names[i] = info.dli_sname;
        *why = "a kernel of the image has no name";
        if (!image->names[i]) return FK_INVALID_IMAGE;
    }
    return FK_OK;
}

static int open_called(char *copy, fk_image **out, char *why, size_t room) {
    fake_image *table = 0;
    const char *reason = "the text of the image makes no sense";
    int status = fk_called_parse(copy + FATBIN_HEADER, &table);
    free(copy);
    fk_image *image = status ? 0 : calloc(1, sizeof *image);
    if (!status && !image) status = FK_OUT_OF_MEMORY;
    if (image) {
        *image = (fk_image){.refs = 1, .fd = -1, .table = table};
        status = sensible(table, &reason) ? name_kernels(image, &reason) : FK_INVALID_IMAGE;
    } else if (table) {
        fk_called_free(table);
    }
    if (status) {
        snprintf(why, room, "%s", reason);
        if (image) fk_image_drop(image);
        return status;
    }
    *table->services = &fk_services;
    *out = image;
    return FK_OK;
}

int fk_image_open(const void *bytes, int device, fk_image **out, char *why, size_t room) {
    void *copy = 0;
    size_t size = 0, most = FK_IMAGE_MOST;
    const char *reason = "";
    int status = fk_bundle_part(&bytes, &most, device);
    if (!status) status = fk_code_object_part(&bytes, &most, device);
    if (!status) status = fk_image_copy(bytes, most, &copy, &size);
    if (status) {
        if (status == FK_INVALID_PTX) snprintf(why, room, "the fake driver has no PTX compiler");
        return status;
    }
    if (memcmp(copy, ELFMAG, SELFMAG)) return open_called(copy, out, why, room);
    ((Elf64_Ehdr *)copy)->e_flags = 0;
    fk_image *image = calloc(1, sizeof *image);
    int fd = image ? memfd_create("fake-image", MFD_CLOEXEC) : -1;
    void *lib = fd < 0 ? 0 : open_file(fd, copy, size, why, room);
    free(copy);
    if (!lib) {
        if (fd >= 0) close(fd);
        free(image);
        return fd < 0 ? FK_OUT_OF_MEMORY : FK_INVALID_IMAGE;
    }
    *image = (fk_image){.refs = 1, .fd = fd, .lib = lib, .table = dlsym(lib, "fake_image_table")};
    status = FK_INVALID_IMAGE;
    if (sensible(image->table, &reason)) {
        status = suits(image->table, device) ? FK_OK : FK_NO_BINARY;
        reason = "the image is for another architecture";
    }
    if (!status) status = name_kernels(image, &reason);
    if (status) {
        snprintf(why, room, "%s", reason);
        fk_image_drop(image);
        return status;
    }
    *image->table->services = &fk_services;
    *out = image;
    return FK_OK;
}

void fk_image_drop(fk_image *image) {
    if (--image->refs) return;
    if (!image->lib) {
        fk_called_free((fake_image *)image->table);
        free(image->names);
        free(image);
        return;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", image->fd);
    dlclose(image->lib);
    void *still = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (still) dlclose(still); /* a library that can't be unloaded keeps its number */
    else close(image->fd);
    free(image->names);
    free(image);
}
