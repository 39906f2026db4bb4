/* check_streams.c: the order of streams, events, host functions, words, captures. */
#include <unistd.h>

#include "check.h"

static volatile int order[16], used;

static void note(void *user) { order[__atomic_fetch_add(&used, 1, __ATOMIC_SEQ_CST) & 15] = (int)(intptr_t)user; }

static void held(void) {
    float ms = -1;
    CUstream s = stream(1), t = stream(1);
    CUevent a, b;
    uint32_t *word;
    OK(cuMemHostAlloc((void **)&word, 4096, 0));
    *word = 0;
    OK(cuEventCreate(&a, 0));
    OK(cuEventCreate(&b, 0));
    used = 0;
    ctl.fake_hold(1);
    OK(cuEventRecord(a, s));
    OK(cuLaunchHostFunc(s, note, (void *)1));
    OK(cuStreamWriteValue32_v2(s, (uintptr_t)word, 7, 0));
    OK(cuEventRecord(b, s));
    OK(cuStreamWaitEvent(t, b, 0));
    OK(cuLaunchHostFunc(t, note, (void *)2));
    GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
    GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(t));
    GIVES(CUDA_ERROR_NOT_READY, cuEventQuery(b));
    GIVES(CUDA_ERROR_NOT_READY, cuEventElapsedTime(&ms, a, b));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32_v2(s, (uintptr_t)word, 7, 1));
    EXPECT(used, 0);
    EXPECT(*word, 0);
    ctl.fake_hold(0);
    OK(cuStreamSynchronize(t));
    EXPECT(used, 2);
    EXPECT(order[0], 1);
    EXPECT(order[1], 2);
    EXPECT(*word, 7);
    OK(cuEventElapsedTime(&ms, a, b));
    EXPECT(ms >= 0 && ms < 60000, 1);
    OK(cuEventSynchronize(b));
    OK(cuEventDestroy_v2(a));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(a));
    /* What was enqueued is done after the stream's end. */
    ctl.fake_hold(1);
    OK(cuStreamWriteValue32_v2(s, (uintptr_t)word, 9, 0));
    OK(cuEventRecord(b, s));
    OK(cuStreamDestroy_v2(s));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamQuery(s));
    ctl.fake_hold(0);
    OK(cuEventSynchronize(b));
    EXPECT(*word, 9);
    OK(cuEventDestroy_v2(b));
    OK(cuStreamDestroy_v2(t));
    OK(cuMemFreeHost(word));
}

/* A stream waits for a word that the host or another stream writes. */
static void words(void) {
    static const struct {
        unsigned how;
        uint64_t word, value;
        int holds;
    } rows[] = {
        {CU_STREAM_WAIT_VALUE_GEQ, 5, 5, 1}, {CU_STREAM_WAIT_VALUE_GEQ, 4, 5, 0}, {CU_STREAM_WAIT_VALUE_GEQ, 1, UINT64_MAX, 1},
        {CU_STREAM_WAIT_VALUE_EQ, 7, 7, 1}, {CU_STREAM_WAIT_VALUE_EQ, 8, 7, 0}, {CU_STREAM_WAIT_VALUE_AND, 6, 3, 1},
        {CU_STREAM_WAIT_VALUE_AND, 4, 3, 0}, {CU_STREAM_WAIT_VALUE_NOR, 1, 2, 1}, {CU_STREAM_WAIT_VALUE_NOR, UINT64_MAX, 0, 0},
    };
    CUstream s = stream(1), t = stream(1);
    uint64_t *wide;
    OK(cuMemHostAlloc((void **)&wide, 4096, 0));
    uint32_t *word = (uint32_t *)(wide + 1);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int size = 4; size <= 8; size += 4) {
            CUdeviceptr at = size == 8 ? (uintptr_t)wide : (uintptr_t)word;
            __atomic_store_n(wide, rows[i].word, __ATOMIC_SEQ_CST);
            __atomic_store_n(word, (uint32_t)rows[i].word, __ATOMIC_SEQ_CST);
            if (size == 8) OK(cuStreamWaitValue64_v2(s, at, rows[i].value, rows[i].how));
            else OK(cuStreamWaitValue32_v2(s, at, (uint32_t)rows[i].value, rows[i].how));
            if (!rows[i].holds) {
                GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(s));
                /* Fulfils the comparison, whichever it is. */
                uint64_t then = rows[i].how == CU_STREAM_WAIT_VALUE_NOR ? 0 : rows[i].value;
                if (size == 8) OK(cuStreamWriteValue64_v2(t, at, then, 0));
                else OK(cuStreamWriteValue32_v2(t, at, (uint32_t)then, 0));
            }
            OK(cuStreamSynchronize(s));
        }
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32_v2(s, (uintptr_t)word, 1, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue64_v2(s, (uintptr_t)word - 4, 1, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue64_v2(s, (uintptr_t)word - 4, 1, 0));
    OK(cuStreamDestroy_v2(s));
    OK(cuStreamDestroy_v2(t));
    OK(cuMemFreeHost(wide));
}

/* The legacy stream and blocking ones wait for each other. */
static void legacy(void) {
    CUstream blocking = stream(0), apart = stream(1);
    used = 0;
    ctl.fake_kernel_latency("trap", 0);
    ctl.fake_hold(1);
    OK(cuLaunchHostFunc(blocking, note, (void *)1));
    OK(cuLaunchHostFunc(0, note, (void *)2));
    OK(cuLaunchHostFunc(blocking, note, (void *)3));
    OK(cuLaunchHostFunc((CUstream)2, note, (void *)4));
    GIVES(CUDA_ERROR_NOT_READY, cuStreamQuery(0));
    OK(cuStreamQuery(apart));
    ctl.fake_hold(0);
    OK(cuStreamSynchronize((CUstream)1));
    OK(cuStreamSynchronize((CUstream)2));
    EXPECT(used, 4);
    EXPECT(order[0], 1);
    EXPECT(order[1], 2);
    OK(cuStreamDestroy_v2(blocking));
    OK(cuStreamDestroy_v2(apart));
}

static void *wait_for(void *s) {
    OK(cuCtxSetCurrent(primary));
    OK(cuStreamSynchronize(s));
    return 0;
}

static void threads(void) {
    void *waiting[32];
    CUstream s = stream(1);
    ctl.fake_hold(1);
    OK(cuLaunchHostFunc(s, note, 0));
    for (int i = 0; i < 32; i++) waiting[i] = parallel(wait_for, s);
    while (ctl.fake_calls("cuStreamSynchronize") < 32) usleep(100);
    ctl.fake_hold(0);
    for (int i = 0; i < 32; i++) join(waiting[i]);
    OK(cuStreamDestroy_v2(s));
}

static void captured(void) {
    CUstream s = stream(1), t = stream(1);
    CUgraph g;
    CUevent e;
    int state;
    CUdeviceptr m = memory(64), p = 0;
    unsigned char bytes[64];
    OK(cuEventCreate(&e, 0));
    OK(cuMemsetD8Async(m, 1, 64, s));
    OK(cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuMemsetD8Async(m, 2, 64, s));
    OK(cuEventRecord(e, s));
    OK(cuStreamWaitEvent(t, e, 0));
    OK(cuMemsetD8Async(m, 3, 64, t));
    OK(cuStreamIsCapturing(t, &state));
    EXPECT(state, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    OK(cuEventRecord(e, t));
    OK(cuStreamWaitEvent(s, e, 0));
    OK(cuStreamEndCapture(s, &g));
    OK(cuGraphDestroy(g));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuGraphDestroy(g));
    OK(cuMemcpyDtoHAsync_v2(bytes, m, 64, s));
    EXPECT(bytes[0], 1); /* nothing was run */
    OK(cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    GIVES(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc_v2(&p, 64));
    GIVES(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuMemsetD8Async(m, 2, 64, s));
    GIVES(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &g));
    OK(cuStreamSynchronize(s));
    OK(cuEventDestroy_v2(e));
    OK(cuMemFree_v2(m));
    OK(cuStreamDestroy_v2(s));
    OK(cuStreamDestroy_v2(t));
}

/* Threads at a barrier, and one that fails there. */
static void faults(void) {
    static const struct {
        const char *kernel;
        int code;
    } cases[] = {{"trap", CUDA_ERROR_LAUNCH_FAILED}, {"fails", CUDA_ERROR_ASSERT}};
    for (int i = 0; i < 2; i++) {
        CUcontext own;
        CUmodule m;
        CUfunction f;
        int yes = 1;
        void *params[] = {&yes};
        OK(cuCtxCreate_v2(&own, 0, 0));
        OK(cuModuleLoadDataEx(&m, image, 0, 0, 0));
        OK(cuModuleGetFunction(&f, m, cases[i].kernel));
        CUstream s = stream(1);
        memory(100);
        launch(f, 1, 4, 0, s, params);
        GIVES(cases[i].code, cuStreamSynchronize(s));
        GIVES(cases[i].code, cuStreamQuery(s));
        GIVES(cases[i].code, cuModuleUnload(m));
        GIVES(cases[i].code, cuMemsetD8Async(0, 0, 0, s));
        OK(cuCtxDestroy_v2(own));
        OK(cuStreamQuery(0)); /* the context before is sound */
        EXPECT(ctl.fake_bytes("device"), 0);
    }
}

void check_streams(void) {
    held();
    words();
    legacy();
    threads();
    captured();
    faults();
}
