/* probe.c: the probe's frame: probe LIBCUDA LIBNVRTC [GROUP]. */
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

struct api cu;
static const char *compiler;
static CUmodule module;

void say(const char *label, int code) { printf("  %s: %d\n", label, code); }

void need(const char *what, int code) {
    if (!code) return;
    printf("  ! %s: %d\n", what, code);
    fflush(stdout);
    _exit(1);
}

static const char source[] =
    "extern \"C\" __global__ void nothing() {}\n"
    "extern \"C\" __global__ void two(unsigned a, unsigned *out) { if (out) *out = a; }\n"
    "extern \"C\" __global__ void __launch_bounds__(64) bound(unsigned *out) { if (out) *out = 1; }\n"
    "extern \"C\" __global__ void trap() { __trap(); }\n"
    "extern \"C\" __global__ void fails(int yes) { assert(!yes); }\n"
    "extern \"C\" __global__ void slow(long long n, unsigned *out) { long long until = clock64() + n; while (clock64() < until) {} if (out) *out = 1; }\n"
    "__device__ unsigned counter[4];\n";

static void *compile(const char *arch, size_t *size) {
    void *lib = dlopen(compiler, RTLD_NOW | RTLD_LOCAL), *program, *image;
    if (!lib) need("dlopen of the compiler", -1);
    int (*create)(void **, const char *, const char *, int, const char *const *, const char *const *) = dlsym(lib, "nvrtcCreateProgram");
    int (*build)(void *, int, const char *const *) = dlsym(lib, "nvrtcCompileProgram");
    int (*size_of)(void *, size_t *) = dlsym(lib, "nvrtcGetCUBINSize");
    int (*get)(void *, char *) = dlsym(lib, "nvrtcGetCUBIN");
    need("nvrtcCreateProgram", create(&program, source, "probe.cu", 0, 0, 0));
    need("nvrtcCompileProgram", build(program, 1, &arch));
    need("nvrtcGetCUBINSize", size_of(program, size));
    image = calloc(1, *size + 64);
    need("nvrtcGetCUBIN", get(program, image));
    return image;
}

/* Compiled before anything else, once for all groups. */
static struct {
    void *bytes;
    size_t size;
} images[2];

void *image_of(int other, size_t *size) {
    char *copy = malloc(images[other].size);
    if (!copy) need("malloc", -1);
    *size = images[other].size;
    return memcpy(copy, images[other].bytes, *size);
}

CUcontext begin(void) {
    CUcontext ctx;
    NEED(cuInit(0));
    NEED(cuDevicePrimaryCtxRetain(&ctx, 0));
    NEED(cuCtxSetCurrent(ctx));
    return ctx;
}

CUfunction function(const char *name) {
    CUfunction f;
    size_t size;
    if (!module) NEED(cuModuleLoadDataEx(&module, image_of(0, &size), 0, 0, 0));
    NEED(cuModuleGetFunction(&f, module, name));
    return f;
}

CUstream stream(unsigned flags) {
    CUstream s;
    NEED(cuStreamCreateWithPriority(&s, flags, 0));
    return s;
}

CUevent event(unsigned flags) {
    CUevent e;
    NEED(cuEventCreate(&e, flags));
    return e;
}

CUdeviceptr memory(size_t bytes) {
    CUdeviceptr at;
    NEED(cuMemAlloc_v2(&at, bytes));
    return at;
}

typedef struct {
    void (*fn)(void *);
    void *arg;
} job;

static void *run_job(void *arg) {
    job *j = arg;
    j->fn(j->arg);
    return 0;
}

void in_thread(void (*fn)(void *), void *arg) {
    pthread_t t;
    job j = {fn, arg};
    if (pthread_create(&t, 0, run_job, &j)) need("pthread_create", -1);
    pthread_join(t, 0);
}

static void ask(const group *g, const char *only) {
    for (; g->name; g++) {
        if (only && strcmp(only, g->name)) continue;
        printf("%s\n", g->name);
        fflush(stdout);
        pid_t child = fork();
        if (!child) {
            setvbuf(stdout, 0, _IOLBF, 0);
            alarm(60);
            g->ask();
            fflush(stdout);
            _exit(0);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child) need("fork", -1);
        if (WIFSIGNALED(status)) printf("  signal %d\n", WTERMSIG(status));
        else if (WEXITSTATUS(status)) printf("  exit %d\n", WEXITSTATUS(status));
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    void *lib = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!lib) {
        printf("%s\n", dlerror());
        return 1;
    }
#define FIND(kind, version, result, symbol, name, params) *(void **)&cu.symbol = dlsym(lib, #symbol);
    TRIAD_CU_FUNCTIONS(FIND)
    compiler = argv[2];
    images[0].bytes = compile("--gpu-architecture=sm_90", &images[0].size);
    images[1].bytes = compile("--gpu-architecture=sm_80", &images[1].size);
    ask(calls_groups, argv[3]);
    ask(capture_groups, argv[3]);
    ask(fault_groups, argv[3]);
    return 0;
}
