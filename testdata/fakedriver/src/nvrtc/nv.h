/* nv.h: the fake runtime compiler: what its files share. It compiles CUDA C++ with
 * the machine's C++ compiler, in two steps: macros are expanded, kernels are looked
 * for, and the result, with a table of the kernels added, becomes a shared object. */
#ifndef NV_H
#define NV_H

#include <stddef.h>
#include <stdint.h>

#include "fake_kernel.h"

/* The results of the interface. */
enum {
    NV_SUCCESS = 0,
    NV_OUT_OF_MEMORY = 1,
    NV_PROGRAM_CREATION_FAILURE = 2,
    NV_INVALID_INPUT = 3,
    NV_INVALID_PROGRAM = 4,
    NV_INVALID_OPTION = 5,
    NV_COMPILATION = 6,
    NV_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NV_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NV_NAME_EXPRESSION_NOT_VALID = 10,
    NV_INTERNAL_ERROR = 11,
};

/* A text that grows. It stays empty once memory has run out. */
typedef struct {
    char *at;
    size_t used, room;
    int failed;
} text;
void text_add(text *t, const char *bytes, size_t n);
void text_format(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(text *t);

enum { NV_ARCH_LEN = 32 };

typedef struct program program;
struct program {
    char *source, *name;
    int n_headers;
    char **headers, **header_names;
    int n_names;
    char **names, **lowered; /* name expressions */
    int compiled, arch, is_virtual;
    int amd; /* behind hiprtc's face: it is for AMD's */
    char target[NV_ARCH_LEN]; /* "gfx942:sramecc+:xnack-" */
    text log, image;
    program *next;
};

/* A program's kernels, as found in its text. */
typedef struct {
    char *name;         /* with its namespaces */
    char *bounds, *size; /* the arguments of __launch_bounds__ and __block_size__; 0: none */
} found_kernel;
typedef struct {
    found_kernel *list;
    int n, barriers;
} found;

/* scan.c: finds the kernels, and writes the text with its dynamic shared memory
 * declared as C++ can have it. */
int nv_scan(const char *source, text *out, found *f);
void nv_found_free(found *f);

/* options.c: translates options; the rest of the compiler's arguments in args. */
int nv_options(program *p, int n, const char *const *options, text *args);

/* compile.c; the table stands behind the program under a name of its own. */
#define NV_TABLE "the table of kernels"
int nv_compile(program *p, const text *args);
int nv_warp(const program *p); /* the threads of a warp or wavefront */

/* object.c: makes an AMD code object of a native image that is open as lib. */
int nv_amd_object(program *p, void *lib);
int nv_amd_version(void); /* of code objects, as compilers made them when this HIP was new: 4, or 5 since HIP 6 */

/* metadata.c: what such an object says of its kernels. */
int nv_metadata(const program *p, const fake_image *image, const char *const *names, text *out);

/* kept.c: images that were made before; -1: there is none. */
int nv_kept_name(const program *p, const text *args, char *name, size_t room);
int nv_kept_find(program *p, const char *name);
void nv_kept_add(const program *p, const char *name);

/* log.c: what the compiler said, in the form that CUDA's gives it. */
void nv_log(program *p, const char *said, int failed);

/* files.c: a folder for one compilation. */
char *nv_folder(void);
void nv_folder_remove(const char *folder);
int nv_write(const char *folder, const char *name, const char *bytes, size_t n);
int nv_read(const char *folder, const char *name, text *out);
int nv_run(const char *folder, char *const argv[], const char *said);

#endif
