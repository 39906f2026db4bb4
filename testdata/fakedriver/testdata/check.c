/* check.c: check LIBCUDA LIBNVRTC KERNELS: the check's frame. */
#include <dlfcn.h>
#include <pthread.h>

#include "check.h"

struct api cu;
struct control ctl;
int failures;
const char *doing = "";
CUcontext primary;
void *image;
size_t image_size;
const char *scale_name;
static CUmodule module;

void expect(const char *file, int line, const char *what, long long have, long long want) {
    if (have == want) return;
    failures++;
    printf("%s:%d: %s: %s is %lld, want %lld\n", file, line, doing, what, have, want);
}

static void *find(void *lib, const char *name) {
    void *f = dlsym(lib, name);
    if (!f) {
        printf("no %s\n", name);
        exit(1);
    }
    return f;
}

static void compile(const char *path, const char *file) {
    static char source[1 << 16], log[1 << 16];
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL), *program;
    FILE *f = fopen(file, "r");
    if (!lib || !f) exit((printf("%s or %s: not there\n", path, file), 1));
    source[fread(source, 1, sizeof source - 1, f)] = 0;
    fclose(f);
    const char *options[] = {"--gpu-architecture=sm_90", "-default-device"}, *expression = "deep::scale<double, 3>", *lowered;
#define NVRTC(name, ...) ((int (*)())find(lib, "nvrtc" #name))(__VA_ARGS__)
    EXPECT(NVRTC(CreateProgram, &program, source, file, 0, 0, 0), 0);
    EXPECT(NVRTC(AddNameExpression, program, expression), 0);
    int result = NVRTC(CompileProgram, program, 2, options);
    EXPECT(NVRTC(GetProgramLog, program, log), 0);
    if (result || *log) printf("compiling: %d\n%s", result, log);
    EXPECT(result, 0);
    if (result) exit(1);
    EXPECT(NVRTC(GetLoweredName, program, expression, &lowered), 0);
    scale_name = strdup(lowered);
    EXPECT(NVRTC(GetCUBINSize, program, &image_size), 0);
    image = malloc(image_size);
    EXPECT(NVRTC(GetCUBIN, program, image), 0);
    EXPECT(NVRTC(DestroyProgram, &program), 0);
}

CUfunction function(const char *name) {
    CUfunction f = 0;
    OK(cuModuleGetFunction(&f, module, name));
    return f;
}

CUstream stream(unsigned flags) {
    CUstream s = 0;
    OK(cuStreamCreateWithPriority(&s, flags, 0));
    return s;
}

CUdeviceptr memory(size_t bytes) {
    CUdeviceptr at = 0;
    OK(cuMemAlloc_v2(&at, bytes));
    return at;
}

void launch(CUfunction f, unsigned grid, unsigned block, unsigned shared, CUstream s, void **params) {
    OK(cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, s, params, 0));
}

void *parallel(void *(*fn)(void *), void *arg) {
    pthread_t t;
    if (pthread_create(&t, 0, fn, arg)) abort();
    return (void *)t;
}

void join(void *thread) { pthread_join((pthread_t)thread, 0); }

/* Everything of one check is gone after it. */
static void run(const char *name, void (*check)(void)) {
    doing = name;
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    OK(cuCtxSetCurrent(primary));
    OK(cuModuleLoadDataEx(&module, image, 0, 0, 0));
    int64_t live = ctl.fake_live("*");
    check();
    ctl.fake_reset();
    EXPECT(ctl.fake_live("*"), live);
    OK(cuModuleUnload(module));
    OK(cuCtxSetCurrent(0));
    OK(cuDevicePrimaryCtxRelease_v2(0));
    EXPECT(ctl.fake_live("*"), 0);
    EXPECT(ctl.fake_bytes("*"), 0);
}

int main(int argc, char **argv) {
    setvbuf(stdout, 0, _IOLBF, 0);
    if (argc != 4) return 2;
    void *lib = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!lib) return printf("%s\n", dlerror()), 1;
#define FIND(kind, version, result, symbol, name, params) *(void **)&cu.symbol = find(lib, #symbol);
    TRIAD_CU_FUNCTIONS(FIND)
#define FIND_CONTROL(result, name, params) *(void **)&ctl.name = find(lib, #name);
    CONTROL(FIND_CONTROL)
    compile(argv[2], argv[3]);
    OK(cuInit(0));
    run("kernels", check_kernels);
    run("streams", check_streams);
    run("memory", check_memory);
    run("maps", check_maps);
    run("control", check_control);
    check_devices();
    free(image);
    free((void *)scale_name);
    printf("%d failures\n", failures);
    return failures != 0;
}
