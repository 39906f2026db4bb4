/* compile.c: from a program's text to an image. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_control.h"
#include "image_sum.h"
#include "nv.h"
#include "own.h"

/* The files that every compilation needs, inside of this library. */
#define FILE_INSIDE(symbol, name) \
    __asm__(".section .rodata\n" #symbol ":\n.incbin \"" name "\"\n" #symbol "_end:\n.byte 0\n.previous\n"); \
    extern const char symbol[] __attribute__((visibility("hidden"))), symbol##_end[] __attribute__((visibility("hidden")))
FILE_INSIDE(nv_prelude, "prelude.h");
FILE_INSIDE(nv_defs, "defs.h");
FILE_INSIDE(nv_kernel_header, "fake_kernel.h");

static const char *compiler(void) {
    const char *named = getenv("TRIAD_FAKE_CXX");
    return named && *named ? named : "g++";
}

static int write_all(program *p, const char *folder) {
    text source = {0};
    text_format(&source, "#line 1 \"");
    for (const char *c = p->name; *c; c++) text_format(&source, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    text_format(&source, "\"\n%s\n", p->source);
    int bad = source.failed || nv_write(folder, "fake/input.cu", source.at, source.used) ||
              nv_write(folder, "fake/prelude.h", nv_prelude, (size_t)(nv_prelude_end - nv_prelude)) ||
              nv_write(folder, "fake/defs.h", nv_defs, (size_t)(nv_defs_end - nv_defs)) ||
              nv_write(folder, "fake/fake_kernel.h", nv_kernel_header, (size_t)(nv_kernel_header_end - nv_kernel_header));
    text_free(&source);
    for (int i = 0; !bad && i < p->n_headers; i++) bad = nv_write(folder, p->header_names[i], p->headers[i], strlen(p->headers[i]));
    return bad;
}

/* Runs a step: the compiler, the step's own arguments, and the caller's. */
static int step(const char *folder, const char *const *own, const text *args) {
    const char *argv[512];
    int n = 0;
    argv[n++] = compiler();
    argv[n++] = "-fdiagnostics-color=never";
    argv[n++] = "-fno-diagnostics-show-caret";
    argv[n++] = "-fno-diagnostics-show-option";
    for (; *own; own++) argv[n++] = *own;
    for (const char *a = args->at, *end = a + args->used; a && a < end && n < 500; a += strlen(a) + 1) argv[n++] = a;
    argv[n] = 0;
    return nv_run(folder, (char *const *)argv, "said");
}

/* The table of kernels, as lines at the end of the program. Messages about it name
 * it, and not the program. */
static void trailer(program *p, const found *f, text *out) {
    text_format(out, "\n# 1 \"" NV_TABLE "\"\n");
    int n = f->n + p->n_names;
    text_format(out, "static fake_described fake_described_kernels[%d];\nstatic fake_kernel fake_kernels[%d];\n", n + 1, n + 1);
    text_format(out, "static const fake_thread **fake_self_place() { return &fake_self; }\n");
    text_format(out, "extern \"C\" {\n__attribute__((visibility(\"default\"), used)) fake_image fake_image_table = {%d, %d, %s, %d, fake_kernels, fake_self_place, &fake_service};\n",
                FAKE_IMAGE_VERSION, p->arch, p->is_virtual ? f->barriers ? "3" : "2" : f->barriers ? "1" : "0", f->n);
    text_format(out, "__attribute__((visibility(\"default\"), used)) const void *fake_names[%d] = {};\n}\n", p->n_names + 1);
    text_format(out, "template <class T> static void fake_add(int i, T *v) { fake_names[i] = fake_address(v); }\n");
    text_format(out, "template <class... P> static void fake_add(int i, void (*f)(P...)) {\n"
                     "    fake_kernel *k = &fake_kernels[fake_image_table.n_kernels];\n"
                     "    fake_names[i] = (const void *)f;\n"
                     "    for (unsigned j = 0; j < fake_image_table.n_kernels; j++) if (fake_kernels[j].function == (void *)f) return;\n"
                     "    fake_describe(k, &fake_described_kernels[fake_image_table.n_kernels], f);\n"
                     "    fake_image_table.n_kernels++;\n}\n");
    text_format(out, "__attribute__((constructor)) static void fake_fill() {\n");
    for (int i = 0; i < f->n; i++) {
        text_format(out, "    fake_describe(&fake_kernels[%d], &fake_described_kernels[%d], &%s);\n", i, i, f->list[i].name);
        if (f->list[i].bounds) text_format(out, "    fake_bounds(&fake_kernels[%d], %s);\n", i, f->list[i].bounds);
        if (f->list[i].size) text_format(out, "    fake_block_size(&fake_kernels[%d], %s);\n", i, f->list[i].size);
    }
    for (int i = 0; i < p->n_names; i++) {
        const char *name = p->names[i];
        while (*name == ' ' || *name == '&') name++;
        text_format(out, "    fake_add(%d, &%s);\n", i, name);
    }
    text_format(out, "}\n");
}

/* The names of expressions are those of the symbols that they stand for. */
static int lower(program *p, void *lib) {
    const void **names = dlsym(lib, "fake_names");
    int result = names ? NV_SUCCESS : NV_INTERNAL_ERROR;
    for (int i = 0; !result && i < p->n_names; i++) {
        Dl_info info = {0};
        free(p->lowered[i]);
        p->lowered[i] = dladdr(names[i], &info) && info.dli_saddr == names[i] && info.dli_sname ? strdup(info.dli_sname) : 0;
        if (!p->lowered[i]) result = NV_NAME_EXPRESSION_NOT_VALID;
    }
    return result;
}

/* What is known only when the image is open, as the driver will open it. */
static int finish(program *p, const char *folder) {
    char *path;
    if (!p->n_names && !p->amd) return NV_SUCCESS;
    if (asprintf(&path, "%s/fake/image.so", folder) < 0) return NV_OUT_OF_MEMORY;
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    free(path);
    int result = lib ? lower(p, lib) : NV_INTERNAL_ERROR;
    if (!result && p->amd) result = nv_amd_object(p, lib);
    if (lib) dlclose(lib);
    return result;
}

/* AMD's had wavefronts of 64 until gfx10. */
int nv_warp(const program *p) { return fk_own.behind && p->arch < 100 ? 64 : 32; }

static int compile_in(program *p, const char *folder, const text *args) {
    char arch[32], warp[32];
    text expanded = {0}, scanned = {0}, said = {0};
    found f = {0};
    int result = NV_INTERNAL_ERROR;
    snprintf(arch, sizeof arch, "-DFAKE_ARCH=%d", p->arch);
    snprintf(warp, sizeof warp, "-DFAKE_WARP=%d", nv_warp(p));
    const char *const expand[] = {"-E", "-x", "c++", "-std=c++17", arch, warp, "-Ifake", "-I.", "-include", "fake/prelude.h", "fake/input.cu", "-o", "fake/expanded", 0};
    const char *const build[] = {"-x", "c++", "-std=c++17", "-O1", "-fPIC", "-shared", "-fno-gnu-unique", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics",
                                 "-fno-strict-aliasing", "-fsigned-char", "-Wno-psabi", "-include", "fake/defs.h", "fake/whole", "-nodefaultlibs", "-lm", "-lc", "-lgcc", "-o", "fake/image.so", 0};
    if (write_all(p, folder)) goto out;
    int status = step(folder, expand, args);
    if (status < 0) {
        text_format(&p->log, "nvrtc: error: the C++ compiler %s cannot be run\n", compiler());
        goto out;
    }
    if (status == 0) {
        if (nv_read(folder, "fake/expanded", &expanded) || nv_scan(expanded.at, &scanned, &f)) goto out;
        trailer(p, &f, &scanned);
        if (scanned.failed || nv_write(folder, "fake/whole", scanned.at, scanned.used)) goto out;
        status = step(folder, build, args);
    }
    if (nv_read(folder, "said", &said)) goto out;
    nv_log(p, said.at, status != 0);
    result = NV_COMPILATION;
    if (status) goto out;
    result = NV_INTERNAL_ERROR;
    if (nv_read(folder, "fake/image.so", &p->image)) goto out;
    uint32_t sum = image_sum((unsigned char *)p->image.at, p->image.used);
    memcpy(p->image.at + offsetof(Elf64_Ehdr, e_flags), &sum, sizeof sum);
    result = finish(p, folder);
    if (result) text_free(&p->image);
out:
    text_free(&expanded);
    text_free(&scanned);
    text_free(&said);
    nv_found_free(&f);
    return result;
}

/* A bundle (engine/bundle.c) of one image that follows. */
static void bundle(program *p, uint64_t size) {
    char name[64];
    int n = snprintf(name, sizeof name, "hipv4-amdgcn-amd-amdhsa--%s", p->target);
    uint64_t words[] = {1, 24 + 4 * 8 + (uint64_t)n, size, (uint64_t)n};
    text_add(&p->image, "__CLANG_OFFLOAD_BUNDLE__", 24);
    text_add(&p->image, (const char *)words, sizeof words);
    text_add(&p->image, name, (size_t)n);
}

/* Kernels that are functions of the program (engine/called.c) need no compiler:
 * the text goes into a fat binary's header. */
static int wrap(program *p, const char *called) {
    const unsigned char start[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    uint64_t size = strlen(called);
    if (fk_own.behind) bundle(p, size + 16);
    text_add(&p->image, (const char *)start, sizeof start);
    text_add(&p->image, (const char *)&size, sizeof size);
    text_add(&p->image, called, size);
    return p->image.failed ? NV_OUT_OF_MEMORY : NV_SUCCESS;
}

int nv_compile(program *p, const text *args) {
    /* hiprtc is told a program's name by a directive before it. */
    const char *called = strncmp(p->source, "#line", 5) ? p->source : strchr(p->source, '\n');
    if (called && *called == '\n') called++;
    if (called && !strncmp(called, FAKE_CALLED, strlen(FAKE_CALLED))) return wrap(p, called);
    char kept[4096];
    int keeps = !nv_kept_name(p, args, kept, sizeof kept);
    if (keeps && !nv_kept_find(p, kept)) return NV_SUCCESS;
    char *folder = nv_folder();
    if (!folder) return NV_INTERNAL_ERROR;
    int result = compile_in(p, folder, args);
    if (keeps && !result) nv_kept_add(p, kept);
    nv_folder_remove(folder);
    free(folder);
    return result;
}
