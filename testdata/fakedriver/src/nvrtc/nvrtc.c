/* nvrtc.c: the interface of the runtime compiler. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "nv.h"
#include "own.h"

#define EXPORT __attribute__((visibility("default")))

#define FUNCTIONS(X) \
    X(nvrtcVersion, (int *major, int *minor)) \
    X(nvrtcGetNumSupportedArchs, (int *n)) \
    X(nvrtcGetSupportedArchs, (int *list)) \
    X(nvrtcCreateProgram, (program **out, const char *source, const char *name, int n, const char *const *headers, const char *const *names)) \
    X(nvrtcDestroyProgram, (program **p)) \
    X(nvrtcCompileProgram, (program *p, int n, const char *const *options)) \
    X(nvrtcGetPTXSize, (program *p, size_t *size)) \
    X(nvrtcGetPTX, (program *p, char *out)) \
    X(nvrtcGetCUBINSize, (program *p, size_t *size)) \
    X(nvrtcGetCUBIN, (program *p, char *out)) \
    X(nvrtcGetProgramLogSize, (program *p, size_t *size)) \
    X(nvrtcGetProgramLog, (program *p, char *out)) \
    X(nvrtcAddNameExpression, (program *p, const char *name)) \
    X(nvrtcGetLoweredName, (program *p, const char *name, const char **lowered))

#define DECLARE(name, params) EXPORT int name params;
#define ID(name, params) ID_##name,
#define NAME(name, params) #name,
FUNCTIONS(DECLARE)
enum { FUNCTIONS(ID) IDS };

EXPORT const char *nvrtcGetErrorString(int result);
int nv_archs(const int **list);
void fk_control_reset(void);

static const char *const names[] = {FUNCTIONS(NAME)};
static int asked(int id, int *code) { return !fk_own.behind && fk_control_enter(id, code); }

__attribute__((constructor)) static void begin(void) {
    if (!fk_own.behind) fk_control_symbols(names, IDS);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static program *programs;

EXPORT void fake_reset(void);
void fake_reset(void) { fk_control_reset(); }

/* Counts the call, and lets it fail where a test wants that. */
#define ENTER(name) \
    do { \
        int code; \
        fk_settings_now(); \
        if (asked(ID_##name, &code)) return code; \
    } while (0)

static int known(const program *p) {
    pthread_mutex_lock(&lock);
    const program *q = programs;
    while (q && q != p) q = q->next;
    pthread_mutex_unlock(&lock);
    return q != 0;
}

EXPORT int64_t fake_live(const char *kind);
int64_t fake_live(const char *kind) {
    int64_t n = 0;
    if (!kind || (strcmp(kind, "*") && strcmp(kind, "program"))) return -1;
    pthread_mutex_lock(&lock);
    for (program *p = programs; p; p = p->next) n++;
    pthread_mutex_unlock(&lock);
    return n;
}

const char *nvrtcGetErrorString(int result) {
    static const char *const texts[] = {
        "NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE", "NVRTC_ERROR_INVALID_INPUT",
        "NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION", "NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION", "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID", "NVRTC_ERROR_INTERNAL_ERROR", "NVRTC_ERROR_TIME_FILE_WRITE_FAILED"};
    return result >= 0 && result < (int)(sizeof texts / sizeof *texts) ? texts[result] : "NVRTC_ERROR unknown";
}

int nvrtcVersion(int *major, int *minor) {
    ENTER(nvrtcVersion);
    if (!major || !minor) return NV_INVALID_INPUT;
    *major = fk_settings_now()->nvrtc_major;
    *minor = fk_settings_now()->nvrtc_minor;
    return NV_SUCCESS;
}

int nvrtcGetNumSupportedArchs(int *n) {
    ENTER(nvrtcGetNumSupportedArchs);
    const int *list;
    if (!n) return NV_INVALID_INPUT;
    *n = nv_archs(&list);
    return NV_SUCCESS;
}

int nvrtcGetSupportedArchs(int *out) {
    ENTER(nvrtcGetSupportedArchs);
    const int *list;
    int n = nv_archs(&list);
    if (!out) return NV_INVALID_INPUT;
    memcpy(out, list, (size_t)n * sizeof *list);
    return NV_SUCCESS;
}

static void free_program(program *p) {
    for (int i = 0; p->headers && i < p->n_headers; i++) free(p->headers[i]);
    for (int i = 0; p->header_names && i < p->n_headers; i++) free(p->header_names[i]);
    for (int i = 0; i < p->n_names; i++) {
        free(p->names[i]);
        free(p->lowered[i]);
    }
    free(p->headers);
    free(p->header_names);
    free(p->names);
    free(p->lowered);
    free(p->source);
    free(p->name);
    text_free(&p->log);
    text_free(&p->image);
    free(p);
}

static int fill(program *p, const char *source, const char *name, int n, const char *const *headers, const char *const *header_names) {
    p->source = strdup(source);
    p->name = strdup(name && *name ? name : "default_program");
    p->headers = calloc((size_t)n + 1, sizeof *p->headers);
    p->header_names = calloc((size_t)n + 1, sizeof *p->header_names);
    if (!p->source || !p->name || !p->headers || !p->header_names) return NV_OUT_OF_MEMORY;
    p->n_headers = n;
    for (int i = 0; i < n; i++) {
        if (!headers[i] || !header_names[i]) return NV_INVALID_INPUT;
        p->headers[i] = strdup(headers[i]);
        p->header_names[i] = strdup(header_names[i]);
        if (!p->headers[i] || !p->header_names[i]) return NV_OUT_OF_MEMORY;
    }
    return NV_SUCCESS;
}

int nvrtcCreateProgram(program **out, const char *source, const char *name, int n, const char *const *headers, const char *const *header_names) {
    ENTER(nvrtcCreateProgram);
    if (!out || !source || n < 0 || (n && (!headers || !header_names))) return NV_INVALID_INPUT;
    program *p = calloc(1, sizeof *p);
    if (!p) return NV_OUT_OF_MEMORY;
    int result = fill(p, source, name, n, headers, header_names);
    if (result) {
        free_program(p);
        return result;
    }
    pthread_mutex_lock(&lock);
    p->next = programs;
    programs = p;
    pthread_mutex_unlock(&lock);
    *out = p;
    return NV_SUCCESS;
}

int nvrtcDestroyProgram(program **at) {
    ENTER(nvrtcDestroyProgram);
    if (!at || !known(*at)) return NV_INVALID_PROGRAM;
    pthread_mutex_lock(&lock);
    program **q = &programs;
    while (*q && *q != *at) q = &(*q)->next;
    program *p = *q;
    if (p) *q = p->next;
    pthread_mutex_unlock(&lock);
    if (p) free_program(p);
    *at = 0;
    return NV_SUCCESS;
}

int nvrtcAddNameExpression(program *p, const char *name) {
    ENTER(nvrtcAddNameExpression);
    if (!known(p)) return NV_INVALID_PROGRAM;
    if (!name) return NV_INVALID_INPUT;
    if (p->compiled) return NV_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    for (int i = 0; i < p->n_names; i++)
        if (!strcmp(p->names[i], name)) return NV_SUCCESS;
    size_t bytes = (size_t)(p->n_names + 1) * sizeof *p->names;
    char **grown = realloc(p->names, bytes), **lowered = realloc(p->lowered, bytes);
    if (grown) p->names = grown;
    if (lowered) p->lowered = lowered;
    char *copy = grown && lowered ? strdup(name) : 0;
    if (!copy) return NV_OUT_OF_MEMORY;
    p->names[p->n_names] = copy;
    p->lowered[p->n_names++] = 0;
    return NV_SUCCESS;
}

int nvrtcCompileProgram(program *p, int n, const char *const *options) {
    ENTER(nvrtcCompileProgram);
    if (!known(p)) return NV_INVALID_PROGRAM;
    if (n < 0 || (n && !options)) return NV_INVALID_INPUT;
    text args = {0};
    text_free(&p->log);
    text_free(&p->image);
    int result = nv_options(p, n, options, &args);
    if (!result) {
        p->compiled = 1;
        result = nv_compile(p, &args);
    }
    text_free(&args);
    return result;
}

int nvrtcGetLoweredName(program *p, const char *name, const char **lowered) {
    ENTER(nvrtcGetLoweredName);
    if (!known(p)) return NV_INVALID_PROGRAM;
    if (!name || !lowered) return NV_INVALID_INPUT;
    if (!p->image.used) return NV_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (int i = 0; i < p->n_names; i++)
        if (!strcmp(p->names[i], name) && p->lowered[i]) {
            *lowered = p->lowered[i];
            return NV_SUCCESS;
        }
    return NV_NAME_EXPRESSION_NOT_VALID;
}

/* The image stands for PTX and for machine code; there is none of the latter for a
 * virtual architecture. */
static int image_size(program *p, size_t *size, int cubin) {
    if (!known(p)) return NV_INVALID_PROGRAM;
    if (!size) return NV_INVALID_INPUT;
    if (!p->image.used) return NV_INVALID_PROGRAM;
    *size = cubin && p->is_virtual ? 0 : p->image.used;
    return NV_SUCCESS;
}

static int image(program *p, char *out, int cubin) {
    size_t size;
    int result = image_size(p, &size, cubin);
    if (!result && !out) result = NV_INVALID_INPUT;
    if (!result) memcpy(out, p->image.at, size);
    return result;
}

int nvrtcGetPTXSize(program *p, size_t *size) {
    ENTER(nvrtcGetPTXSize);
    return image_size(p, size, 0);
}

int nvrtcGetPTX(program *p, char *out) {
    ENTER(nvrtcGetPTX);
    return image(p, out, 0);
}

int nvrtcGetCUBINSize(program *p, size_t *size) {
    ENTER(nvrtcGetCUBINSize);
    return image_size(p, size, 1);
}

int nvrtcGetCUBIN(program *p, char *out) {
    ENTER(nvrtcGetCUBIN);
    return image(p, out, 1);
}

int nvrtcGetProgramLogSize(program *p, size_t *size) {
    ENTER(nvrtcGetProgramLogSize);
    if (!known(p)) return NV_INVALID_PROGRAM;
    if (!size) return NV_INVALID_INPUT;
    *size = p->log.used + 1;
    return NV_SUCCESS;
}

int nvrtcGetProgramLog(program *p, char *out) {
    ENTER(nvrtcGetProgramLog);
    if (!known(p)) return NV_INVALID_PROGRAM;
    if (!out) return NV_INVALID_INPUT;
    memcpy(out, p->log.used ? p->log.at : "", p->log.used + 1);
    return NV_SUCCESS;
}
