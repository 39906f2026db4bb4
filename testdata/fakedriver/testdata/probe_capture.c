/* probe_capture.c: questions about streams that capture. */
#include "probe.h"

enum { GLOBAL = CU_STREAM_CAPTURE_MODE_GLOBAL, THREAD = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, RELAXED = CU_STREAM_CAPTURE_MODE_RELAXED };

/* Asks a question while a stream captures, then how the capture stands, and ends it. */
static CUstream capturing;
static CUgraph graph;
static void capture(CUstream s, int mode) {
    capturing = s;
    NEED(cuStreamBeginCapture_v2(s, mode));
}
static void then(const char *label, int code) {
    int state = -1, status = cu.cuStreamIsCapturing(capturing, &state);
    graph = 0;
    int end = cu.cuStreamEndCapture(capturing, &graph);
    printf("  %s: %d, state %d (%d), end %d%s\n", label, code, state, status, end, graph ? ", a graph" : "");
    if (graph) cu.cuGraphDestroy(graph);
}
#define DURING(s, mode, label, call) \
    do { \
        capture(s, mode); \
        then(label, cu.call); \
    } while (0)

static void nothing(void *user) { (void)user; }

static void streams(void) {
    int state;
    begin();
    CUstream s = stream(1), other = stream(1), blocking = stream(0), made;
    CUevent e = event(0), waited = event(0), fresh;
    CUdeviceptr m = memory(1 << 20), p;
    static char host[128 << 10];
    void *h;
    CUfunction f = function("nothing");
    CUmodule module;
    size_t size;
    void *image = image_of(0, &size);
    NEED(cuEventRecord(waited, other));
    NEED(cuStreamSynchronize(other));
    ASK("end without a beginning", cuStreamEndCapture(s, &graph));
    ASK("begin on the legacy stream", cuStreamBeginCapture_v2(0, GLOBAL));
    ASK("begin in no mode", cuStreamBeginCapture_v2(s, 9));
    DURING(s, GLOBAL, "begin again", cuStreamBeginCapture_v2(s, GLOBAL));
    DURING(s, GLOBAL, "query", cuStreamQuery(s));
    DURING(s, RELAXED, "query, relaxed", cuStreamQuery(s));
    DURING(s, GLOBAL, "synchronize", cuStreamSynchronize(s));
    capture(s, GLOBAL);
    cu.cuStreamQuery(s);
    then("launch after a query", cu.cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0, 0));
    capture(s, GLOBAL);
    cu.cuStreamQuery(s);
    then("query after a query", cu.cuStreamQuery(s));
    DURING(s, GLOBAL, "launch", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, 0, 0));
    DURING(s, GLOBAL, "word", cuStreamWriteValue32_v2(s, m, 1, 0));
    DURING(s, GLOBAL, "host function", cuLaunchHostFunc(s, nothing, 0));
    DURING(s, GLOBAL, "fill", cuMemsetD8Async(m, 1, 64, s));
    DURING(s, GLOBAL, "HtoD, pageable", cuMemcpyHtoDAsync_v2(m, host, 64, s));
    DURING(s, GLOBAL, "HtoD, pageable, much", cuMemcpyHtoDAsync_v2(m, host, sizeof host, s));
    DURING(s, GLOBAL, "DtoH, pageable", cuMemcpyDtoHAsync_v2(host, m, 64, s));
    DURING(s, GLOBAL, "query another stream", cuStreamQuery(other));
    DURING(s, GLOBAL, "synchronize another stream", cuStreamSynchronize(other));
    DURING(s, GLOBAL, "query the legacy stream", cuStreamQuery(0));
    DURING(s, GLOBAL, "query another event", cuEventQuery(waited));
    DURING(s, THREAD, "query another event, thread local", cuEventQuery(waited));
    DURING(s, RELAXED, "query another event, relaxed", cuEventQuery(waited));
    DURING(s, GLOBAL, "synchronize another event", cuEventSynchronize(waited));
    DURING(s, GLOBAL, "synchronize the context", cuCtxSynchronize());
    DURING(s, RELAXED, "synchronize the context, relaxed", cuCtxSynchronize());
    DURING(s, GLOBAL, "cuMemAlloc", cuMemAlloc_v2(&p, 64));
    DURING(s, RELAXED, "cuMemAlloc, relaxed", cuMemAlloc_v2(&p, 64));
    DURING(s, GLOBAL, "cuMemFree", cuMemFree_v2(p));
    DURING(s, GLOBAL, "cuMemHostAlloc", cuMemHostAlloc(&h, 64, 0));
    DURING(s, GLOBAL, "cuMemHostRegister", cuMemHostRegister_v2(host, 4096, 0));
    DURING(s, GLOBAL, "cuMemAllocManaged", cuMemAllocManaged(&p, 64, 1));
    DURING(s, GLOBAL, "cuModuleLoadDataEx", cuModuleLoadDataEx(&module, image, 0, 0, 0));
    DURING(s, GLOBAL, "cuEventCreate", cuEventCreate(&fresh, 0));
    DURING(s, GLOBAL, "cuEventDestroy", cuEventDestroy_v2(fresh));
    DURING(s, GLOBAL, "cuStreamCreate", cuStreamCreateWithPriority(&made, 0, 0));
    DURING(s, GLOBAL, "cuStreamDestroy of another", cuStreamDestroy_v2(made));
    DURING(s, GLOBAL, "cuMemGetInfo", cuMemGetInfo_v2(&size, &size));
    DURING(s, GLOBAL, "record another stream", cuEventRecord(e, other));
    DURING(s, GLOBAL, "record", cuEventRecord(e, s));
    ASK("query an event of a capture that ended", cuEventQuery(e));
    ASK("synchronize it", cuEventSynchronize(e));
    ASK("wait for it", cuStreamWaitEvent(other, e, 0));
    NEED(cuEventRecord(e, other));
    capture(s, GLOBAL);
    NEED(cuEventRecord(e, s));
    then("query a captured event", cu.cuEventQuery(e));
    capture(s, GLOBAL);
    NEED(cuEventRecord(e, s));
    then("fork, not joined", cu.cuStreamWaitEvent(other, e, 0));
    capture(s, GLOBAL);
    NEED(cuEventRecord(e, s));
    NEED(cuStreamWaitEvent(other, e, 0));
    NEED(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, other, 0, 0));
    then("fork with work, not joined", 0);
    capture(s, GLOBAL);
    NEED(cuEventRecord(e, s));
    NEED(cuStreamWaitEvent(other, e, 0));
    NEED(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, other, 0, 0));
    NEED(cuEventRecord(e, other));
    then("fork and join", cu.cuStreamWaitEvent(s, e, 0));
    capture(s, GLOBAL);
    NEED(cuEventRecord(e, s));
    NEED(cuStreamWaitEvent(other, e, 0));
    then("end the fork", cu.cuStreamEndCapture(other, &graph));
    DURING(s, GLOBAL, "wait for an event from outside", cuStreamWaitEvent(s, waited, 0));
    DURING(s, GLOBAL, "wait for an event never recorded", cuStreamWaitEvent(s, event(0), 0));
    DURING(s, GLOBAL, "cuMemAllocAsync", cuMemAllocAsync(&p, 64, s));
    DURING(blocking, GLOBAL, "fill on the legacy stream", cuMemsetD8Async(m, 1, 64, 0));
    DURING(blocking, RELAXED, "fill on the legacy stream, relaxed", cuMemsetD8Async(m, 1, 64, 0));
    DURING(blocking, GLOBAL, "whether the legacy stream captures", cuStreamIsCapturing(0, &state));
    DURING(blocking, GLOBAL, "record the legacy stream", cuEventRecord(event(0), 0));
    DURING(blocking, GLOBAL, "query the legacy stream, blocking", cuStreamQuery(0));
}

static void end_elsewhere(void *s) { ASK("end on another thread", cuStreamEndCapture(s, &graph)); }
static void alloc_elsewhere(void *ctx) {
    CUdeviceptr p;
    NEED(cuCtxSetCurrent(ctx));
    ASK("cuMemAlloc on another thread", cuMemAlloc_v2(&p, 64));
}
static void relaxed_alloc_elsewhere(void *ctx) {
    CUdeviceptr p;
    int mode = RELAXED;
    NEED(cuCtxSetCurrent(ctx));
    NEED(cuThreadExchangeStreamCaptureMode(&mode));
    ASK("cuMemAlloc on another thread, relaxed there", cuMemAlloc_v2(&p, 64));
}
static void end_with_context(void *ctx) {
    NEED(cuCtxSetCurrent(ctx));
    end_elsewhere(capturing);
}

static void threads(void) {
    CUcontext ctx = begin();
    CUstream s = stream(1);
    capture(s, GLOBAL);
    in_thread(alloc_elsewhere, ctx);
    then("global", 0);
    capture(s, GLOBAL);
    in_thread(relaxed_alloc_elsewhere, ctx);
    then("global", 0);
    capture(s, THREAD);
    in_thread(alloc_elsewhere, ctx);
    then("thread local", 0);
    capture(s, THREAD);
    in_thread(end_with_context, ctx);
    then("thread local", 0);
    capture(s, RELAXED);
    in_thread(end_with_context, ctx);
}

static void destroy(void) {
    begin();
    CUstream s = stream(1);
    capture(s, GLOBAL);
    ASK("destroy a stream that captures", cuStreamDestroy_v2(s));
}

const group capture_groups[] = {{"capture", streams}, {"capture and threads", threads}, {"capture and destruction", destroy}, {0, 0}};
