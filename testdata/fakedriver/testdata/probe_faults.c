/* probe_faults.c: questions about contexts that a kernel has broken. */
#include "probe.h"

static volatile int called;
static void note(void *user) {
    (void)user;
    called++;
}

static void break_with(const char *kernel, void **params) {
    CUcontext ctx = begin(), c;
    CUdevice d;
    CUdeviceptr p;
    CUevent e = event(0), fresh;
    CUstream s = stream(1), other = stream(1), made;
    CUdeviceptr m = memory(64);
    CUfunction f = function(kernel);
    static char page[4096];
    void *h, *pinned;
    int i;
    size_t n;
    unsigned u;
    unsigned long long id;
    size_t size;
    void *image = image_of(0, &size);
    CUmodule module;
    NEED(cuMemHostAlloc(&pinned, 64, 0));
    NEED(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, params, 0));
    int host = cu.cuLaunchHostFunc(s, note, 0), word = cu.cuStreamWriteValue32_v2(s, (uintptr_t)pinned, 7, 0), record = cu.cuEventRecord(e, s);
    (void)host, (void)word, (void)record; /* the fault may have come before */
    ASK("cuStreamSynchronize", cuStreamSynchronize(s));
    say("host function called", called);
    say("word written", *(volatile int *)pinned == 7);
    ASK("cuStreamQuery", cuStreamQuery(s));
    ASK("cuStreamQuery of another", cuStreamQuery(other));
    ASK("cuEventQuery", cuEventQuery(e));
    ASK("cuEventSynchronize", cuEventSynchronize(e));
    ASK("cuEventRecord", cuEventRecord(e, other));
    ASK("cuLaunchKernel", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, other, params, 0));
    ASK("cuLaunchHostFunc", cuLaunchHostFunc(other, note, 0));
    ASK("cuMemAlloc", cuMemAlloc_v2(&p, 64));
    ASK("cuMemAllocAsync", cuMemAllocAsync(&p, 64, other));
    ASK("cuMemHostAlloc", cuMemHostAlloc(&h, 64, 0));
    ASK("cuMemHostRegister", cuMemHostRegister_v2(page, 4096, 0));
    ASK("cuMemcpyHtoDAsync", cuMemcpyHtoDAsync_v2(m, &u, 4, other));
    ASK("cuMemGetInfo", cuMemGetInfo_v2(&n, &n));
    ASK("cuMemGetAddressRange", cuMemGetAddressRange_v2(&p, &n, m));
    ASK("cuPointerGetAttribute", cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, m));
    ASK("cuModuleLoadDataEx", cuModuleLoadDataEx(&module, image, 0, 0, 0));
    ASK("cuFuncGetAttribute", cuFuncGetAttribute(&i, 0, f));
    ASK("cuStreamCreate", cuStreamCreateWithPriority(&made, 0, 0));
    ASK("cuStreamGetCtx", cuStreamGetCtx(other, &c));
    ASK("cuStreamIsCapturing", cuStreamIsCapturing(other, &i));
    ASK("cuEventCreate", cuEventCreate(&fresh, 0));
    ASK("cuCtxSynchronize", cuCtxSynchronize());
    ASK("cuCtxGetDevice", cuCtxGetDevice(&d));
    ASK("cuCtxGetFlags", cuCtxGetFlags(&u));
    ASK("cuCtxGetId", cuCtxGetId(ctx, &id));
    ASK("cuCtxGetCurrent", cuCtxGetCurrent(&c));
    ASK("cuCtxSetCurrent", cuCtxSetCurrent(ctx));
    ASK("cuCtxPushCurrent", cuCtxPushCurrent_v2(ctx));
    ASK("cuCtxPopCurrent", cuCtxPopCurrent_v2(&c));
    ASK("cuDeviceGetAttribute", cuDeviceGetAttribute(&i, 1, 0));
    ASK("cuDeviceTotalMem", cuDeviceTotalMem_v2(&n, 0));
    ASK("cuEventDestroy", cuEventDestroy_v2(e));
    ASK("cuStreamDestroy", cuStreamDestroy_v2(s));
    ASK("cuMemFree", cuMemFree_v2(m));
    ASK("cuMemFreeHost", cuMemFreeHost(pinned));
    ASK("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(&c, 0));
    ASK("cuDevicePrimaryCtxRelease", cuDevicePrimaryCtxRelease_v2(0));
    ASK("cuDevicePrimaryCtxReset", cuDevicePrimaryCtxReset_v2(0));
    ASK("cuMemAlloc after the reset", cuMemAlloc_v2(&p, 64));
    ASK("cuDevicePrimaryCtxRetain after the reset", cuDevicePrimaryCtxRetain(&c, 0));
    ASK("cuCtxSetCurrent after that", cuCtxSetCurrent(c));
    ASK("cuMemAlloc after that", cuMemAlloc_v2(&p, 64));
}

static void trap(void) { break_with("trap", 0); }

static void assertion(void) {
    int yes = 1;
    void *params[] = {&yes};
    freopen("/dev/null", "w", stderr);
    break_with("fails", params);
}

const group fault_groups[] = {{"trap", trap}, {"assertion", assertion}, {0, 0}};
