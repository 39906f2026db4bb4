/* check_kernels.c: kernels get their arguments and their places in the grid. */
#include "check.h"

static void saxpy(CUstream s) {
    enum { N = 1000 };
    float x[N], y[N], a = 3;
    unsigned n = N;
    for (int i = 0; i < N; i++) x[i] = (float)i, y[i] = (float)(2 * i);
    CUdeviceptr dx = memory(sizeof x), dy = memory(sizeof y), kept = dx;
    OK(cuMemcpyHtoDAsync_v2(dx, x, sizeof x, s));
    OK(cuMemcpyHtoDAsync_v2(dy, y, sizeof y, s));
    memset(x, 0, sizeof x); /* it was read during the call */
    void *params[] = {&a, &dx, &dy, &n};
    launch(function("saxpy"), 4, 256, 0, s, params);
    a = 0, dx = 0, n = 0;
    OK(cuMemcpyDtoHAsync_v2(y, dy, sizeof y, s));
    for (int i = 0; i < N; i++) EXPECT(y[i], 5 * i);
    OK(cuMemFree_v2(dy));
    OK(cuMemFree_v2(kept));
}

static void barriers(CUstream s) {
    enum { N = 512 };
    unsigned x[N], total = 0, want = 0;
    for (unsigned i = 0; i < N; i++) x[i] = i, want += i;
    CUdeviceptr dx = memory(sizeof x), dt = memory(4);
    OK(cuMemcpyHtoDAsync_v2(dx, x, sizeof x, s));
    OK(cuMemsetD32Async(dt, 0, 1, s));
    void *params[] = {&dx, &dt};
    OK(cuLaunchKernel(function("sum"), 2, 1, 1, 64, 4, 1, 0, s, params, 0));
    launch(function("reverse"), 4, 128, 4 * 128, s, params);
    OK(cuMemcpyDtoHAsync_v2(x, dx, sizeof x, s));
    OK(cuMemcpyDtoHAsync_v2(&total, dt, 4, s));
    EXPECT(total, want);
    for (unsigned i = 0; i < N; i++) EXPECT(x[i], i / 128 * 128 + 127 - i % 128);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(function("reverse"), 1, 1, 1, 513, 1, 1, 4096, s, params, 0));
    OK(cuMemFree_v2(dx));
    OK(cuMemFree_v2(dt));
}

struct odd {
    char c;
    double d[2];
    short s;
};

static void arguments(CUstream s) {
    static const size_t places[][2] = {{0, 1}, {8, 32}, {48, 16}, {64, 2}, {66, 3}, {72, 8}, {80, 8}};
    double out[6] = {0};
    CUdeviceptr d = memory(sizeof out);
    signed char a = -5;
    struct odd b = {1, {2.5, 3}, 4};
    float c[4] = {1, 2, 3, 4.5f};
    short e = -300;
    unsigned char f[3] = {200, 201, 202};
    unsigned long long g = 1ull << 40;
    void *params[] = {&a, &b, c, &e, f, &g, &d};
    CUfunction mixed = function("mixed");
    for (size_t i = 0; i < 7; i++) {
        size_t offset = 0, size = 0;
        OK(cuFuncGetParamInfo(mixed, i, &offset, &size));
        EXPECT(offset, places[i][0]);
        EXPECT(size, places[i][1]);
    }
    GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(mixed, 7, &(size_t){0}, &(size_t){0}));
    launch(mixed, 1, 1, 0, s, params);
    OK(cuMemcpyDtoHAsync_v2(out, d, sizeof out, s));
    EXPECT(out[0], -5);
    EXPECT(out[1] * 10, 105);
    EXPECT(out[2] * 10, 105);
    EXPECT(out[3], -300);
    EXPECT(out[4], 603);
    EXPECT(out[5], 1ull << 40);
    /* The same as one block of bytes. */
    char bytes[88];
    for (size_t i = 0; i < 7; i++) memcpy(bytes + places[i][0], params[i], places[i][1]);
    size_t size = sizeof bytes;
    void *extra[] = {(void *)1, bytes, (void *)2, &size, 0};
    OK(cuMemsetD8Async(d, 0, sizeof out, s));
    OK(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, s, 0, extra));
    OK(cuMemcpyDtoHAsync_v2(out, d, sizeof out, s));
    EXPECT(out[4], 603);
    OK(cuMemFree_v2(d));
}

/* A parameter that is aligned to 128 bytes, and lies anywhere in the caller. */
static void aligned(CUstream s) {
    char a = 1, place[129];
    long b[16], out[16];
    size_t offset = 0, size = 0;
    CUdeviceptr d = memory(sizeof out);
    for (int i = 0; i < 16; i++) b[i] = i * 1000000007l;
    memcpy(place + 1, b, sizeof b);
    void *params[] = {&a, place + 1, &d};
    OK(cuFuncGetParamInfo(function("sixteen"), 1, &offset, &size));
    EXPECT(offset, 128);
    EXPECT(size, 128);
    launch(function("sixteen"), 1, 1, 0, s, params);
    OK(cuMemcpyDtoHAsync_v2(out, d, sizeof out, s));
    for (int i = 0; i < 16; i++) EXPECT(out[15 - i], b[i] + 1);
    OK(cuMemFree_v2(d));
}

static void grid(CUstream s) {
    enum { N = 6 * 6 * 2 };
    unsigned out[N];
    CUdeviceptr d = memory(sizeof out);
    void *params[] = {&d};
    OK(cuMemsetD32Async(d, 0, N, s));
    OK(cuLaunchKernel(function("places"), 2, 3, 1, 3, 2, 2, 0, s, params, 0));
    OK(cuMemcpyDtoHAsync_v2(out, d, sizeof out, s));
    for (unsigned i = 0; i < N; i++) EXPECT(out[i], 1 + i % 6 + 100 * (i / 6 % 6) + 10000 * (i / 36));
    OK(cuMemsetD32Async(d, 0, 1, s));
    OK(cuLaunchKernel(function("fixed"), 1, 1, 1, 4, 2, 1, 0, s, params, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(function("fixed"), 1, 1, 1, 8, 1, 1, 0, s, params, 0));
    OK(cuMemcpyDtoHAsync_v2(out, d, 4, s));
    EXPECT(out[0], 8);
    OK(cuMemFree_v2(d));
}

/* Names of C++, variables, and two copies of one image. */
static void modules(CUstream s) {
    CUmodule m, other;
    CUdeviceptr at, own;
    size_t size;
    int out[4], more[4] = {5, 6, 7, 8};
    double x[3] = {1, 2, 3}, by = 2;
    CUfunction f;
    CUdeviceptr d = memory(64);
    void *params[] = {&d, &by};
    OK(cuMemcpyHtoDAsync_v2(d, x, sizeof x, s));
    launch(function(scale_name), 1, 1, 0, s, params);
    OK(cuMemcpyDtoHAsync_v2(x, d, sizeof x, s));
    EXPECT(x[2], 6);
    launch(function("_ZN4deep2er5innerEPi"), 1, 1, 0, s, params);
    OK(cuMemcpyDtoHAsync_v2(out, d, 4, s));
    EXPECT(out[0], 7);
    OK(cuModuleLoadDataEx(&m, image, 0, 0, 0));
    OK(cuModuleLoadDataEx(&other, image, 0, 0, 0));
    OK(cuModuleGetGlobal_v2(&at, &size, m, "table"));
    EXPECT(size, 16);
    OK(cuModuleGetGlobal_v2(&own, &size, other, "table"));
    EXPECT(own != at, 1);
    OK(cuMemcpyHtoDAsync_v2(at, more, sizeof more, s));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoDAsync_v2(at + 4, more, sizeof more, s));
    OK(cuModuleGetFunction(&f, m, "lookup"));
    launch(f, 1, 4, 0, s, params);
    OK(cuMemcpyDtoHAsync_v2(out, d, sizeof out, s));
    EXPECT(out[3], 8);
    OK(cuModuleGetFunction(&f, other, "lookup"));
    launch(f, 1, 4, 0, s, params);
    OK(cuMemcpyDtoHAsync_v2(out, d, sizeof out, s));
    EXPECT(out[3], 4);
    OK(cuModuleUnload(other));
    OK(cuModuleGetFunction(&f, m, "lookup"));
    GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal_v2(&at, &size, m, "stdout"));
    OK(cuModuleUnload(m));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, params, 0));
    OK(cuMemFree_v2(d));
}

static void images(void) {
    CUmodule m;
    for (size_t part = 0; part < 7; part++) {
        char *cut = calloc(1, image_size);
        memcpy(cut, image, image_size * part / 7);
        EXPECT(cu.cuModuleLoadDataEx(&m, cut, 0, 0, 0) != 0, 1);
        free(cut);
    }
    char log[100] = "", small[8] = "before";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&m, "// c\n.version 8.0\n", 2, options, values));
    EXPECT(strlen(log) > 0 && (size_t)values[1] <= sizeof log, 1);
    values[0] = small, values[1] = (void *)4;
    GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&m, ".version 8.0\n", 2, options, values));
    EXPECT(small[4], 'r');
}

void check_kernels(void) {
    CUstream s = stream(1);
    saxpy(s);
    barriers(s);
    arguments(s);
    aligned(s);
    grid(s);
    modules(s);
    images();
    OK(cuStreamDestroy_v2(s));
}
