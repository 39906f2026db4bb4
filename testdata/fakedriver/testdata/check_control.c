/* check_control.c: what tests ask for happens; several devices. */
#include <unistd.h>

#include "check.h"

static void failing(void) {
    CUdeviceptr p;
    int failed = 0;
    EXPECT(ctl.fake_fail("cuMemAlloc", 2, FAKE_ONCE, 0), -1); /* not its full name */
    EXPECT(ctl.fake_fail("cuMemGetInfo_v2", 999, FAKE_ONCE, 0), 0);
    GIVES(999, cuMemGetInfo_v2(&(size_t){0}, &(size_t){0}));
    OK(cuMemGetInfo_v2(&(size_t){0}, &(size_t){0}));
    ctl.fake_fail("cuMemAlloc_v2", 2, FAKE_NTH, 3);
    for (int i = 0; i < 2; i++) OK(cuMemFree_v2(memory(1)));
    GIVES(2, cuMemAlloc_v2(&p, 1));
    OK(cuMemFree_v2(memory(1)));
    ctl.fake_fail("*", 46, FAKE_ALWAYS, 0);
    GIVES(46, cuCtxSynchronize());
    GIVES(46, cuStreamQuery(0));
    ctl.fake_fail("*", 0, FAKE_NEVER, 0);
    ctl.fake_seed(5);
    ctl.fake_fail("cuCtxSynchronize", 700, FAKE_RANDOM, 300000);
    for (int i = 0; i < 1000; i++) failed += cu.cuCtxSynchronize() != 0;
    EXPECT(failed > 200 && failed < 400, 1);
    ctl.fake_reset();
    ctl.fake_reset_counts();
    OK(cuCtxSynchronize());
    EXPECT(ctl.fake_calls("cuCtxSynchronize"), 1);
    EXPECT(ctl.fake_calls("*"), 1);
    EXPECT(ctl.fake_calls("cuNothing"), -1);
}

static void *query(void *s) {
    OK(cuCtxSetCurrent(primary));
    OK(cuStreamQuery(s));
    return 0;
}

static void blocking(CUstream s) {
    ctl.fake_block("cuStreamQuery");
    void *t = parallel(query, s);
    while (ctl.fake_blocked("cuStreamQuery") < 1) usleep(100);
    OK(cuStreamSynchronize(s)); /* other calls go on */
    ctl.fake_release("cuStreamQuery");
    join(t);
    EXPECT(ctl.fake_blocked("cuStreamQuery"), 0);
}

static volatile int called;
static void count(void *user) {
    (void)user;
    called++;
}

static void losing(CUstream s) {
    uint32_t *word;
    OK(cuMemHostAlloc((void **)&word, 64, 0));
    *word = 1;
    ctl.fake_lose_words(1);
    OK(cuStreamWriteValue32_v2(s, (uintptr_t)word, 2, 0));
    OK(cuStreamSynchronize(s));
    EXPECT(*word, 1);
    for (int how = 0; how < 4; how++) {
        called = 0;
        ctl.fake_callbacks(how);
        OK(cuLaunchHostFunc(s, count, 0));
        OK(cuStreamSynchronize(s));
        EXPECT(called, how == 0 ? 1 : how == 1 ? 0 : how == 2 ? 2 : 1);
    }
    ctl.fake_callbacks(0);
    OK(cuMemFreeHost(word));
}

static void wrong_contexts(CUstream s) {
    CUcontext own;
    CUdeviceptr m = memory(64);
    EXPECT(ctl.fake_wrong_context(), 0);
    OK(cuCtxCreate_v2(&own, 0, 0));
    OK(cuMemsetD8Async(m, 0, 64, s));
    EXPECT(ctl.fake_wrong_context(), 1);
    ctl.fake_refuse_wrong_context(1);
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuStreamQuery(s));
    OK(cuCtxDestroy_v2(own));
    GIVES(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSetCurrent(own));
    OK(cuMemFree_v2(m));
    OK(cuStreamQuery(s));
}

static void kernels(CUstream s) {
    CUdeviceptr m = memory(sizeof(int));
    void *params[] = {&m};
    CUfunction f = function("_ZN4deep2er5innerEPi");
    CUevent a, b;
    float ms = 0;
    OK(cuEventCreate(&a, 0));
    OK(cuEventCreate(&b, 0));
    ctl.fake_kernel_latency("*", 20000000);
    OK(cuEventRecord(a, s));
    launch(f, 1, 1, 0, s, params);
    OK(cuEventRecord(b, s));
    GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
    OK(cuEventSynchronize(b));
    OK(cuEventElapsedTime(&ms, a, b));
    EXPECT(ms >= 20, 1);
    EXPECT(ctl.fake_kernel_runs("_ZN4deep2er5innerEPi"), 1);
    OK(cuEventDestroy_v2(a));
    OK(cuEventDestroy_v2(b));
    OK(cuMemFree_v2(m));
}

static void faulting(void) {
    CUcontext own;
    OK(cuCtxCreate_v2(&own, 0, 0));
    CUstream s = stream(1);
    CUdeviceptr m = memory(64);
    ctl.fake_fault_next(CUDA_ERROR_ILLEGAL_ADDRESS);
    cu.cuMemsetD8Async(m, 0, 64, s);
    GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(s));
    GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemFree_v2(m));
    OK(cuCtxDestroy_v2(own));
}

static void *wait_lost(void *s) {
    OK(cuCtxSetCurrent(primary));
    GIVES(CUDA_ERROR_DEVICE_UNAVAILABLE, cuStreamSynchronize(s));
    return 0;
}

void check_control(void) {
    CUstream s = stream(1);
    failing();
    blocking(s);
    losing(s);
    wrong_contexts(s);
    kernels(s);
    faulting();
    OK(cuStreamDestroy_v2(s));
}

/* The library has two devices, of 1 GiB each. */
void check_devices(void) {
    CUcontext a, b, again;
    CUdeviceptr x, y, p;
    CUdevice d;
    int n, can;
    char id[32], bytes[64], back[64];
    doing = "devices";
    OK(cuDeviceGetCount(&n));
    EXPECT(n, 2);
    OK(cuDeviceGetPCIBusId(id, sizeof id, 1));
    OK(cuDeviceGetByPCIBusId(&d, id));
    EXPECT(d, 1);
    OK(cuDeviceCanAccessPeer(&can, 0, 1));
    EXPECT(can, 1);
    OK(cuDevicePrimaryCtxRetain(&b, 1));
    OK(cuCtxSetCurrent(b));
    y = memory(64);
    OK(cuDevicePrimaryCtxRetain(&a, 0));
    primary = a;
    OK(cuCtxSetCurrent(a));
    x = memory(64);
    CUstream s = stream(1);
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&p, (size_t)1 << 30));
    OK(cuCtxEnablePeerAccess(b, 0));
    GIVES(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(b, 0));
    memset(bytes, 3, sizeof bytes);
    OK(cuMemcpyHtoDAsync_v2(x, bytes, 64, s));
    OK(cuMemcpyPeerAsync(y, b, x, a, 64, s));
    OK(cuMemcpyDtoHAsync_v2(back, y, 64, s));
    EXPECT(memcmp(bytes, back, 64), 0);
    OK(cuCtxDisablePeerAccess(b));
    GIVES(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(b));
    /* The first device vanishes while somebody waits for it. */
    ctl.fake_hold(1);
    OK(cuLaunchHostFunc(s, count, 0));
    ctl.fake_reset_counts();
    void *t = parallel(wait_lost, s);
    while (ctl.fake_calls("cuStreamSynchronize") < 1) usleep(100);
    ctl.fake_lose_device(0, CUDA_ERROR_DEVICE_UNAVAILABLE);
    join(t);
    ctl.fake_hold(0);
    GIVES(CUDA_ERROR_DEVICE_UNAVAILABLE, cuMemAlloc_v2(&p, 64));
    GIVES(CUDA_ERROR_DEVICE_UNAVAILABLE, cuDevicePrimaryCtxRetain(&again, 0));
    OK(cuCtxSetCurrent(b));
    OK(cuCtxSynchronize());
    ctl.fake_lose_device(0, 0);
    OK(cuDevicePrimaryCtxReset_v2(0));
    OK(cuDevicePrimaryCtxRetain(&again, 0));
    EXPECT(again == a, 1);
    OK(cuCtxSetCurrent(again));
    OK(cuMemFree_v2(memory(64)));
    OK(cuCtxSetCurrent(0));
    OK(cuDevicePrimaryCtxRelease_v2(0));
    OK(cuDevicePrimaryCtxRelease_v2(1));
    EXPECT(ctl.fake_live("*"), 0);
    EXPECT(ctl.fake_bytes("*"), 0);
}
