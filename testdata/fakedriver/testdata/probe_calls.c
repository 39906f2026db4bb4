/* probe_calls.c: questions about contexts, handles, memory, launches and images. */
#include "probe.h"

static void before_init(void) {
    int n, v;
    CUcontext c;
    ASK("cuDeviceGetCount", cuDeviceGetCount(&n));
    ASK("cuCtxGetCurrent", cuCtxGetCurrent(&c));
    ASK("cuCtxSetCurrent none", cuCtxSetCurrent(0));
    ASK("cuStreamQuery", cuStreamQuery(0));
    ASK("cuDriverGetVersion", cuDriverGetVersion(&v));
    ASK("cuInit with flags", cuInit(1));
}

static void no_context(void) {
    CUdevice d;
    CUdeviceptr p;
    CUevent e;
    CUstream s;
    CUcontext c;
    CUmodule m;
    void *h;
    size_t a, b;
    unsigned u;
    int i;
    CUmemoryPool pool;
    begin();
    e = event(0), s = stream(0), p = memory(64);
    CUfunction f = function("nothing");
    size_t size;
    void *image = image_of(0, &size);
    NEED(cuCtxSetCurrent(0));
    ASK("cuCtxGetCurrent", cuCtxGetCurrent(&c));
    ASK("cuCtxGetDevice", cuCtxGetDevice(&d));
    ASK("cuCtxGetFlags", cuCtxGetFlags(&u));
    ASK("cuCtxSynchronize", cuCtxSynchronize());
    ASK("cuCtxPopCurrent", cuCtxPopCurrent_v2(&c));
    ASK("cuCtxSetCurrent none", cuCtxSetCurrent(0));
    ASK("cuCtxGetStreamPriorityRange", cuCtxGetStreamPriorityRange(&i, &i));
    ASK("cuMemAlloc", cuMemAlloc_v2(&p, 64));
    ASK("cuMemFree of nothing", cuMemFree_v2(0));
    ASK("cuMemGetInfo", cuMemGetInfo_v2(&a, &b));
    ASK("cuMemHostAlloc", cuMemHostAlloc(&h, 64, 0));
    ASK("cuStreamCreate", cuStreamCreateWithPriority(&s, 0, 0));
    ASK("cuEventCreate", cuEventCreate(&e, 0));
    ASK("cuStreamQuery", cuStreamQuery(s));
    ASK("cuStreamQuery legacy", cuStreamQuery(0));
    ASK("cuStreamSynchronize", cuStreamSynchronize(s));
    ASK("cuStreamGetCtx", cuStreamGetCtx(s, &c));
    ASK("cuEventQuery", cuEventQuery(e));
    ASK("cuEventRecord", cuEventRecord(e, s));
    ASK("cuStreamWaitEvent", cuStreamWaitEvent(s, e, 0));
    ASK("cuLaunchKernel", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0, 0));
    ASK("cuFuncGetAttribute", cuFuncGetAttribute(&i, 0, f));
    ASK("cuMemsetD8Async", cuMemsetD8Async(p, 0, 64, s));
    ASK("cuPointerGetAttribute", cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    ASK("cuMemGetAddressRange", cuMemGetAddressRange_v2(&p, &a, p));
    ASK("cuModuleLoadDataEx", cuModuleLoadDataEx(&m, image, 0, 0, 0));
    ASK("cuDeviceGetDefaultMemPool", cuDeviceGetDefaultMemPool(&pool, 0));
    ASK("cuEventDestroy", cuEventDestroy_v2(e));
    ASK("cuMemFree", cuMemFree_v2(p));
    ASK("cuStreamDestroy", cuStreamDestroy_v2(s));
}

static void contexts(void) {
    unsigned flags;
    int active;
    CUcontext again, own, c;
    CUdeviceptr p;
    CUcontext ctx = begin();
    CUstream s = stream(0);
    ASK("cuCtxDestroy of a primary one", cuCtxDestroy_v2(ctx));
    ASK("cuCtxEnablePeerAccess to itself", cuCtxEnablePeerAccess(ctx, 0));
    ASK("cuDevicePrimaryCtxSetFlags while active", cuDevicePrimaryCtxSetFlags_v2(0, CU_CTX_SCHED_BLOCKING_SYNC));
    ASK("cuCtxCreate", cuCtxCreate_v2(&own, 0, 0));
    ASK("cuStreamQuery of another context's", cuStreamQuery(s));
    ASK("cuEventRecord of another context's stream", cuEventRecord(event(0), s));
    ASK("cuMemsetD8Async on another context's stream", cuMemsetD8Async(memory(64), 0, 64, s));
    ASK("cuLaunchHostFunc on another context's stream", cuLaunchHostFunc(s, (CUhostFn)free, 0));
    ASK("cuCtxDestroy", cuCtxDestroy_v2(own));
    NEED(cuCtxGetCurrent(&c));
    say("the primary one is current again", c == ctx);
    NEED(cuDevicePrimaryCtxRetain(&again, 0));
    ASK("cuDevicePrimaryCtxReset, retained twice", cuDevicePrimaryCtxReset_v2(0));
    NEED(cuDevicePrimaryCtxGetState(0, &flags, &active));
    say("active then", active);
    ASK("cuMemAlloc then", cuMemAlloc_v2(&p, 64));
    ASK("cuCtxGetDevice then", cuCtxGetDevice(&active));
    ASK("cuCtxSetCurrent then", cuCtxSetCurrent(ctx));
    NEED(cuDevicePrimaryCtxRetain(&again, 0));
    say("the same handle after that", again == ctx);
    ASK("cuMemAlloc after that", cuMemAlloc_v2(&p, 64));
    ASK("first release", cuDevicePrimaryCtxRelease_v2(0));
    ASK("second release", cuDevicePrimaryCtxRelease_v2(0));
    ASK("third release", cuDevicePrimaryCtxRelease_v2(0));
    ASK("fourth release", cuDevicePrimaryCtxRelease_v2(0));
}

static void released(void) {
    CUdeviceptr p;
    CUcontext ctx = begin();
    CUdevice d;
    NEED(cuDevicePrimaryCtxRelease_v2(0));
    ASK("cuMemAlloc", cuMemAlloc_v2(&p, 64));
    ASK("cuCtxGetDevice", cuCtxGetDevice(&d));
    ASK("cuStreamQuery", cuStreamQuery(0));
    ASK("cuCtxSetCurrent", cuCtxSetCurrent(ctx));
    ASK("cuCtxPushCurrent", cuCtxPushCurrent_v2(ctx));
    ASK("release again", cuDevicePrimaryCtxRelease_v2(0));
}

static void destroyed_stream(void) {
    begin();
    CUstream s = stream(0);
    NEED(cuStreamDestroy_v2(s));
    ASK("cuStreamQuery", cuStreamQuery(s));
}

static void destroyed_event(void) {
    begin();
    CUevent e = event(0);
    NEED(cuEventDestroy_v2(e));
    ASK("cuEventQuery", cuEventQuery(e));
}

static void memories(void) {
    CUdeviceptr p, q;
    size_t n;
    void *h;
    static char page[8192];
    begin();
    CUstream s = stream(0);
    CUdeviceptr m = memory(1000);
    ASK("cuMemAlloc 0", cuMemAlloc_v2(&p, 0));
    ASK("cuMemAlloc too much", cuMemAlloc_v2(&p, (size_t)1 << 50));
    ASK("cuMemAlloc to nowhere", cuMemAlloc_v2(0, 64));
    ASK("cuMemAllocPitch of 3", cuMemAllocPitch_v2(&p, &n, 10, 10, 3));
    ASK("cuMemFree inside", cuMemFree_v2(m + 256));
    ASK("cuMemFree of the host's", cuMemFree_v2((uintptr_t)page));
    ASK("cuMemFree of nothing", cuMemFree_v2(0));
    ASK("cuMemGetAddressRange", cuMemGetAddressRange_v2(&p, &n, m + 999));
    ASK("cuMemGetAddressRange elsewhere", cuMemGetAddressRange_v2(&p, &n, 4096));
    ASK("cuMemHostAlloc 0", cuMemHostAlloc(&h, 0, 0));
    ASK("cuMemHostAlloc with flags", cuMemHostAlloc(&h, 64, 64));
    ASK("cuMemHostAlloc", cuMemHostAlloc(&h, 64, 0));
    ASK("cuMemHostGetDevicePointer elsewhere", cuMemHostGetDevicePointer_v2(&q, page, 0));
    ASK("cuMemHostRegister of allocated", cuMemHostRegister_v2(h, 64, 0));
    ASK("cuMemFreeHost", cuMemFreeHost(h));
    ASK("cuMemFreeHost again", cuMemFreeHost(h));
    ASK("cuMemFreeHost of nothing", cuMemFreeHost(0));
    ASK("cuMemHostRegister 0", cuMemHostRegister_v2(page, 0, 0));
    ASK("cuMemHostRegister of nothing", cuMemHostRegister_v2(0, 64, 0));
    ASK("cuMemHostRegister", cuMemHostRegister_v2(page, 8192, 0));
    ASK("cuMemHostRegister again", cuMemHostRegister_v2(page, 8192, 0));
    ASK("cuMemHostUnregister inside", cuMemHostUnregister(page + 64));
    ASK("cuMemHostUnregister", cuMemHostUnregister(page));
    ASK("cuMemHostUnregister again", cuMemHostUnregister(page));
    ASK("cuMemHostUnregister of nothing", cuMemHostUnregister(0));
    ASK("cuMemAllocManaged 0", cuMemAllocManaged(&p, 0, 1));
    ASK("cuMemAllocManaged without flags", cuMemAllocManaged(&p, 64, 0));
    ASK("cuMemAllocAsync 0", cuMemAllocAsync(&p, 0, s));
    ASK("cuMemAllocAsync too much", cuMemAllocAsync(&p, (size_t)1 << 50, s));
    ASK("cuMemFreeAsync of cuMemAlloc's", cuMemFreeAsync(m, s));
    ASK("cuMemAllocAsync", cuMemAllocAsync(&p, 64, s));
    ASK("cuMemFree of it", cuMemFree_v2(p));
    ASK("cuMemFreeAsync of nothing", cuMemFreeAsync(0, s));
    NEED(cuCtxSynchronize());
    q = memory(64);
    NEED(cuMemFree_v2(q));
    ASK("cuMemFree twice", cuMemFree_v2(q));
}

static void copies(void) {
    static char host[4 << 20];
    begin();
    CUstream s = stream(0);
    CUdeviceptr a = memory(2 << 20), b = memory(2 << 20);
    size_t over = (4 << 20) + 1;
    (void)b;
    ASK("HtoD beyond", cuMemcpyHtoDAsync_v2(a, host, over, s));
    ASK("DtoH beyond", cuMemcpyDtoHAsync_v2(host, a, over, s));
    ASK("HtoD to the host", cuMemcpyHtoDAsync_v2((uintptr_t)host, host + 64, 64, s));
    ASK("HtoD of 0 to nowhere", cuMemcpyHtoDAsync_v2(0, host, 0, s));
    ASK("HtoD from nowhere", cuMemcpyHtoDAsync_v2(a, 0, 64, s));
    ASK("HtoD to nowhere", cuMemcpyHtoDAsync_v2(0, host, 64, s));
    ASK("any, host to host", cuMemcpyAsync((uintptr_t)host, (uintptr_t)host + 64, 64, s));
    ASK("fill beyond", cuMemsetD8Async(a, 0, over, s));
    ASK("fill of nothing", cuMemsetD8Async(a, 0, 0, s));
    ASK("fill misaligned", cuMemsetD32Async(a + 2, 0, 4, s));
    ASK("fill 2D, pitch too small", cuMemsetD2D8Async(a, 4, 0, 8, 2, s));
    ASK("fill 2D, one row, pitch too small", cuMemsetD2D8Async(a, 4, 0, 8, 1, s));
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST, .srcHost = host, .srcPitch = 4, .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = a, .dstPitch = 64, .WidthInBytes = 8, .Height = 2};
    ASK("2D, pitch too small", cuMemcpy2DAsync_v2(&c, s));
    c.srcPitch = 64, c.srcMemoryType = 9;
    ASK("2D, no such memory", cuMemcpy2DAsync_v2(&c, s));
    c.srcMemoryType = CU_MEMORYTYPE_HOST, c.Height = 0;
    ASK("2D, no rows", cuMemcpy2DAsync_v2(&c, s));
    CUdeviceptr word = memory(64);
    ASK("word", cuStreamWriteValue32_v2(s, word, 1, 0));
    ASK("word without a barrier", cuStreamWriteValue32_v2(s, word, 1, 1));
    ASK("word with other flags", cuStreamWriteValue32_v2(s, word, 1, 2));
    ASK("word misaligned", cuStreamWriteValue32_v2(s, word + 2, 1, 0));
    ASK("word to pageable memory", cuStreamWriteValue32_v2(s, (uintptr_t)host, 1, 0));
    ASK("word to nowhere", cuStreamWriteValue32_v2(s, 0, 1, 0));
    ASK("synchronize", cuStreamSynchronize(s));
}

static void pointers(void) {
    CUcontext c;
    unsigned u;
    int i;
    CUdeviceptr p;
    static char host[64];
    begin();
    CUdeviceptr m = memory(64), h = (uintptr_t)host;
    ASK("context", cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, m));
    ASK("host pointer of the device's", cuPointerGetAttribute(&p, CU_POINTER_ATTRIBUTE_HOST_POINTER, m));
    ASK("no such attribute", cuPointerGetAttribute(&u, 99, m));
    ASK("context of pageable", cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, h));
    ASK("type of pageable", cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, h));
    ASK("managed of pageable", cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_IS_MANAGED, h));
    ASK("device of pageable", cuPointerGetAttribute(&i, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, h));
    ASK("mapped of pageable", cuPointerGetAttribute(&u, CU_POINTER_ATTRIBUTE_MAPPED, h));
    CUpointer_attribute list[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_IS_MANAGED};
    unsigned type = 77, managed = 77;
    int device = 77;
    void *out[] = {&type, &device, &managed};
    ASK("several of pageable", cuPointerGetAttributes(3, list, out, h));
    say("type", (int)type), say("device", device), say("managed", (int)managed);
}

static void events(void) {
    float ms;
    CUevent e;
    CUstream s;
    begin();
    s = stream(0);
    CUevent a = event(0), b = event(0), untimed = event(CU_EVENT_DISABLE_TIMING);
    ASK("flags 8", cuEventCreate(&e, 8));
    ASK("interprocess, timed", cuEventCreate(&e, CU_EVENT_INTERPROCESS));
    ASK("stream flags 2", cuStreamCreateWithPriority(&s, 2, 0));
    ASK("stream priority 99", cuStreamCreateWithPriority(&s, 0, 99));
    ASK("destroy the legacy stream", cuStreamDestroy_v2(0));
    ASK("query unrecorded", cuEventQuery(a));
    ASK("synchronize unrecorded", cuEventSynchronize(a));
    ASK("wait for unrecorded", cuStreamWaitEvent(s, a, 0));
    ASK("elapsed unrecorded", cuEventElapsedTime(&ms, a, b));
    NEED(cuEventRecord(a, s));
    ASK("elapsed half recorded", cuEventElapsedTime(&ms, a, b));
    NEED(cuEventRecord(untimed, s));
    NEED(cuStreamSynchronize(s));
    ASK("elapsed untimed", cuEventElapsedTime(&ms, a, untimed));
    unsigned *none = 0;
    long long ticks = 1000000000;
    void *params[] = {&ticks, &none};
    NEED(cuLaunchKernel(function("slow"), 1, 1, 1, 1, 1, 1, 0, s, params, 0));
    NEED(cuEventRecord(b, s));
    ASK("query pending", cuEventQuery(b));
    ASK("elapsed pending", cuEventElapsedTime(&ms, a, b));
    ASK("stream pending", cuStreamQuery(s));
    ASK("legacy stream pending", cuStreamQuery(0));
    ASK("destroy pending", cuEventDestroy_v2(b));
    ASK("destroy busy stream", cuStreamDestroy_v2(s));
    ASK("wait with flags 2", cuStreamWaitEvent(0, a, 2));
}

static void launches(void) {
    CUfunction f = (begin(), function("two")), bound = function("bound"), g;
    CUdeviceptr at;
    CUstream s = stream(0);
    unsigned a = 1, *none = 0;
    void *params[] = {&a, &none}, *one[] = {&none};
    size_t size, o;
    size = 16;
    char packed[16] = {0};
    void *extra[] = {(void *)1, packed, (void *)2, &size, 0};
    ASK("grid 0", cuLaunchKernel(f, 0, 1, 1, 1, 1, 1, 0, s, params, 0));
    ASK("block 0", cuLaunchKernel(f, 1, 1, 1, 1, 0, 1, 0, s, params, 0));
    ASK("block 1025", cuLaunchKernel(f, 1, 1, 1, 1025, 1, 1, 0, s, params, 0));
    ASK("block 1024 x 2", cuLaunchKernel(f, 1, 1, 1, 1024, 2, 1, 0, s, params, 0));
    ASK("block 1 x 1 x 65", cuLaunchKernel(f, 1, 1, 1, 1, 1, 65, 0, s, params, 0));
    ASK("grid 1 x 65536", cuLaunchKernel(f, 1, 65536, 1, 1, 1, 1, 0, s, params, 0));
    ASK("grid 2^31", cuLaunchKernel(f, 2147483648u, 1, 1, 1, 1, 1, 0, s, params, 0));
    ASK("shared 49153", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 49153, s, params, 0));
    ASK("shared 300000", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 300000, s, params, 0));
    ASK("above its bounds", cuLaunchKernel(bound, 1, 1, 1, 65, 1, 1, 0, s, one, 0));
    ASK("no parameters", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0, 0));
    ASK("packed", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0, extra));
    ASK("packed and not", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, params, extra));
    size = 4;
    ASK("packed, too few bytes", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0, extra));
    ASK("no function", cuLaunchKernel(0, 1, 1, 1, 1, 1, 1, 0, s, params, 0));
    ASK("shared memory 232448", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448));
    ASK("shared memory 232449", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232449));
    ASK("setting registers", cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NUM_REGS, 8));
    ASK("parameter 2 of 2", cuFuncGetParamInfo(f, 2, &o, &size));
    CUmodule m;
    void *image = image_of(0, &size);
    NEED(cuModuleLoadDataEx(&m, image, 0, 0, 0));
    ASK("no such function", cuModuleGetFunction(&g, m, "other"));
    ASK("function without a name", cuModuleGetFunction(&g, m, ""));
    ASK("no such variable", cuModuleGetGlobal_v2(&at, &size, m, "other"));
    ASK("a function is no variable", cuModuleGetGlobal_v2(&at, &size, m, "two"));
    ASK("variable", cuModuleGetGlobal_v2(&at, &size, m, "counter"));
    say("its bytes", (int)size);
    CUlaunchAttribute attr[1] = {{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION}};
    CUlaunchConfig c = {.gridDimX = 6, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 1, .blockDimY = 1, .blockDimZ = 1, .hStream = s, .attrs = attr, .numAttrs = 1};
    attr->value.clusterDim.x = 4, attr->value.clusterDim.y = attr->value.clusterDim.z = 1;
    ASK("cluster of 4 in a grid of 6", cuLaunchKernelEx(&c, f, params, 0));
    attr->value.clusterDim.x = 32, c.gridDimX = 32;
    ASK("cluster of 32", cuLaunchKernelEx(&c, f, params, 0));
    attr->value.clusterDim.x = 16;
    ASK("cluster of 16", cuLaunchKernelEx(&c, f, params, 0));
    attr->id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    memset(&attr->value, 0, sizeof attr->value);
    attr->value.cooperative = 1, c.gridDimX = 1 << 20;
    ASK("cooperative, too large", cuLaunchKernelEx(&c, f, params, 0));
    attr->id = 999;
    ASK("no such attribute", cuLaunchKernelEx(&c, f, params, 0));
    ASK("synchronize", cuStreamSynchronize(s));
}

static void images(void) {
    CUmodule m;
    static char junk[1000], elf[256] = "\177ELF";
    unsigned seed = 1;
    for (size_t i = 0; i < sizeof junk; i++) junk[i] = (char)((seed = seed * 1664525 + 1013904223) >> 24);
    begin();
    size_t size;
    ASK("nothing", cuModuleLoadDataEx(&m, 0, 0, 0, 0));
    ASK("empty", cuModuleLoadDataEx(&m, "", 0, 0, 0));
    ASK("text", cuModuleLoadDataEx(&m, "hello, world", 0, 0, 0));
    ASK("PTX that is none", cuModuleLoadDataEx(&m, ".version 8.0\n.target sm_90\nhello", 0, 0, 0));
    ASK("junk", cuModuleLoadDataEx(&m, junk, 0, 0, 0));
    ASK("ELF that is none", cuModuleLoadDataEx(&m, elf, 0, 0, 0));
    ASK("another architecture", cuModuleLoadDataEx(&m, image_of(1, &size), 0, 0, 0));
    char *image = image_of(0, &size);
    memset(image + size / 2, 0, size / 2);
    ASK("second half lost", cuModuleLoadDataEx(&m, image, 0, 0, 0));
}

const group calls_groups[] = {
    {"before initialization", before_init}, {"without a context", no_context}, {"contexts", contexts},
    {"released primary context", released}, {"destroyed stream", destroyed_stream}, {"destroyed event", destroyed_event},
    {"memory", memories}, {"copies", copies}, {"pointers", pointers}, {"events", events}, {"launches", launches}, {"images", images}, {0, 0}};
