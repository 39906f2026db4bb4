/* mallocs.c: counts who allocates. Loaded before all others (LD_PRELOAD), it has the
 * allocator's names, and passes calls on to the C library's own.
 *
 * Whose an allocation is shows on the stack: the first caller that is not the C
 * library's belongs to the program itself, or to another library, such as a driver.
 * A driver's allocations thus count as its own whatever it was called by, and what
 * the C library allocates for the program as the program's. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unwind.h>

#define API __attribute__((visibility("default")))

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

typedef struct {
    uintptr_t from, to;
} range;

enum { MOST = 16 };
static range program, passed[MOST];
static int n_passed;
static atomic_int counting;
static _Atomic int64_t of_program, of_others;
static __thread int within __attribute__((tls_model("initial-exec")));

static int in(range r, uintptr_t at) { return at >= r.from && at < r.to; }

/* --- the libraries of the process --- */

static const char *const c_library[] = {"libc.so", "ld-linux", "libpthread.so", "libdl.so", "libm.so", "librt.so", "libgcc_s.so", "libstdc++.so"};

static int note(struct dl_phdr_info *info, size_t size, void *first) {
    (void)size;
    range r = {UINTPTR_MAX, 0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X)) continue;
        uintptr_t at = info->dlpi_addr + p->p_vaddr;
        if (at < r.from) r.from = at;
        if (at + p->p_memsz > r.to) r.to = at + p->p_memsz;
    }
    if (*(int *)first) {
        program = r;
        *(int *)first = 0;
        return 0;
    }
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
    int pass = in(r, (uintptr_t)note);
    for (size_t i = 0; i < sizeof c_library / sizeof *c_library; i++) pass |= !strncmp(name, c_library[i], strlen(c_library[i]));
    if (pass && n_passed < MOST) passed[n_passed++] = r;
    return 0;
}

/* --- whose an allocation is --- */

static _Unwind_Reason_Code look(struct _Unwind_Context *frame, void *ours) {
    uintptr_t at = _Unwind_GetIP(frame) - 1;
    for (int i = 0; i < n_passed; i++)
        if (in(passed[i], at)) return _URC_NO_REASON;
    *(int *)ours = in(program, at);
    return _URC_END_OF_STACK;
}

static void count(uintptr_t caller) {
    if (!atomic_load_explicit(&counting, memory_order_relaxed) || within) return;
    int ours = in(program, caller);
    if (!ours) {
        within = 1;
        _Unwind_Backtrace(look, &ours);
        within = 0;
    }
    atomic_fetch_add_explicit(ours ? &of_program : &of_others, 1, memory_order_relaxed);
}

#define COUNT() count((uintptr_t)__builtin_return_address(0))

/* --- the allocator --- */

API void *malloc(size_t n) {
    COUNT();
    return __libc_malloc(n);
}

API void *calloc(size_t n, size_t size) {
    COUNT();
    return __libc_calloc(n, size);
}

API void *realloc(void *p, size_t n) {
    COUNT();
    return __libc_realloc(p, n);
}

API void *reallocarray(void *p, size_t n, size_t size) {
    size_t bytes;
    COUNT();
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return 0;
    }
    return __libc_realloc(p, bytes);
}

API void *memalign(size_t align, size_t n) {
    COUNT();
    return __libc_memalign(align, n);
}

API void *aligned_alloc(size_t align, size_t n) {
    COUNT();
    return __libc_memalign(align, n);
}

API int posix_memalign(void **p, size_t align, size_t n) {
    COUNT();
    if (align % sizeof(void *) || align & (align - 1) || !align) return EINVAL;
    void *got = __libc_memalign(align, n);
    if (got) *p = got;
    return got ? 0 : ENOMEM;
}

/* --- what tests ask --- */

API void triad_mallocs_begin(void) {
    int first = 1;
    counting = 0;
    n_passed = 0;
    dl_iterate_phdr(note, &first);
    of_program = of_others = 0;
    counting = 1;
}

API void triad_mallocs_end(int64_t *ours, int64_t *others) {
    counting = 0;
    *ours = of_program;
    *others = of_others;
}
