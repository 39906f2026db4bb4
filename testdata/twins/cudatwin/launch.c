#include <pthread.h>
#include <stdlib.h>

#include "api.h"

static inline CUresult launch(CUfunction f, CUstream s, void **params) {
    return cutwin_cu.cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, params, 0);
}

CUresult cutwin_launch4(const cutwin *t, CUstream s, unsigned n) {
    float a = 2;
    CUdeviceptr x = t->x, y = t->y;
    void *params[] = {&a, &x, &y, &n};
    return launch(t->empty4, s, params);
}

static CUresult launch16(const cutwin *t, CUstream s, unsigned n) {
    float a = 2;
    CUdeviceptr x = t->x, y = t->y;
    void *params[] = {&x, &y, &x, &y, &x, &y, &x, &y, &a, &a, &a, &a, &n, &n, &n, &n};
    return launch(t->empty16, s, params);
}

CUresult cutwin_launch_spin(const cutwin *t, CUstream s, int64_t device_ns) {
    unsigned long long ns = device_ns;
    void *params[] = {&ns};
    return launch(t->spin, s, params);
}

static inline CUresult op4(const cutwin *t, const cutwin_job *j, long i) { return cutwin_launch4(t, t->stream[0], i); }
static inline CUresult op16(const cutwin *t, const cutwin_job *j, long i) { return launch16(t, t->stream[0], i); }

int64_t cutwin_launch(cutwin *t, const cutwin_job *j) {
    return j->how == 16 ? cutwin_calls(t, j, op16) : cutwin_calls(t, j, op4);
}

/* One of the threads, with a stream of its own. */
struct runner {
    const cutwin *t;
    const cutwin_job *j;
    CUstream stream;
    int64_t (*work)(struct runner *r);
    pthread_barrier_t *start;
    int64_t result;
    pthread_t thread;
};

static int64_t launches(struct runner *r) {
    for (long i = 1; i <= r->j->n; i++) {
        TRY(cutwin_launch4(r->t, r->stream, i));
        if (i % r->j->every == 0) TRY(cutwin_cu.cuStreamSynchronize(r->stream));
    }
    TRY(cutwin_cu.cuStreamSynchronize(r->stream));
    return 0;
}

static int64_t spins(struct runner *r) {
    for (long i = 0; i < r->j->n; i++) {
        TRY(cutwin_launch_spin(r->t, r->stream, r->j->device_ns));
        TRY(cutwin_cu.cuStreamSynchronize(r->stream));
    }
    return 0;
}

static void *run(void *arg) {
    struct runner *r = arg;
    CUresult code = cutwin_cu.cuCtxSetCurrent(r->t->ctx);
    pthread_barrier_wait(r->start);
    r->result = code == CUDA_SUCCESS ? r->work(r) : -(int64_t)code;
    return 0;
}

/* The time runs from when all threads are there until the last has finished. */
static int64_t run_all(const cutwin *t, const cutwin_job *j, int64_t (*work)(struct runner *r)) {
    pthread_barrier_t start;
    struct runner *rs = calloc(j->threads, sizeof *rs);
    int64_t result = 0;
    if (!rs) return -CUDA_ERROR_OUT_OF_MEMORY;
    pthread_barrier_init(&start, 0, j->threads + 1);
    for (int i = 0; i < j->threads; i++) {
        rs[i] = (struct runner){.t = t, .j = j, .stream = t->stream[i], .work = work, .start = &start};
        /* Threads that wait at the barrier could not be told to give up. */
        if (pthread_create(&rs[i].thread, 0, run, &rs[i]) != 0) abort();
    }
    int64_t begin = cutwin_now();
    pthread_barrier_wait(&start);
    for (int i = 0; i < j->threads; i++) pthread_join(rs[i].thread, 0);
    int64_t took = cutwin_now() - begin;
    for (int i = 0; i < j->threads && result == 0; i++) result = rs[i].result;
    pthread_barrier_destroy(&start);
    free(rs);
    return result < 0 ? result : took;
}

int64_t cutwin_launch_threads(cutwin *t, const cutwin_job *j) { return run_all(t, j, launches); }
int64_t cutwin_spin_threads(cutwin *t, const cutwin_job *j) { return run_all(t, j, spins); }

/* Not inlined, and not known to do nothing. */
__attribute__((noinline)) void cutwin_nothing(void) { __asm__ volatile(""); }

int64_t cutwin_nothings(cutwin *t, const cutwin_job *j) {
    void (*volatile nothing)(void) = cutwin_nothing;
    int64_t begin = cutwin_now();
    for (long i = 0; i < j->n; i++) nothing();
    return cutwin_now() - begin;
}
