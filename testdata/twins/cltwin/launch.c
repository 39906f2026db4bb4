#include <pthread.h>
#include <stdlib.h>

#include "api.h"

static cl_int set_memory(const twin *t, cl_kernel k, cl_uint i, int which) {
    if (t->svm) return twin_cl.clSetKernelArgSVMPointer(k, i, t->shared[which]);
    return twin_cl.clSetKernelArg(k, i, sizeof(cl_mem), &t->buffer[which]);
}

static cl_int enqueue(cl_command_queue q, cl_kernel k, cl_event *ev) {
    static const size_t one = 1;
    return twin_cl.clEnqueueNDRangeKernel(q, k, 1, 0, &one, &one, 0, 0, ev);
}

static cl_int launch0(const twin_lane *lane) { return enqueue(lane->q, lane->empty[0], 0); }

cl_int twin_launch4(const twin *t, const twin_lane *lane, cl_uint n, cl_event *ev) {
    cl_kernel k = lane->empty[1];
    float a = 2;
    TRY(twin_cl.clSetKernelArg(k, 0, sizeof a, &a));
    TRY(set_memory(t, k, 1, 0));
    TRY(set_memory(t, k, 2, 1));
    TRY(twin_cl.clSetKernelArg(k, 3, sizeof n, &n));
    return enqueue(lane->q, k, ev);
}

static cl_int launch16(const twin *t, const twin_lane *lane, cl_uint n) {
    cl_kernel k = lane->empty[2];
    float a = 2;
    for (cl_uint i = 0; i < 8; i++) TRY(set_memory(t, k, i, i & 1));
    for (cl_uint i = 8; i < 12; i++) TRY(twin_cl.clSetKernelArg(k, i, sizeof a, &a));
    for (cl_uint i = 12; i < 16; i++) TRY(twin_cl.clSetKernelArg(k, i, sizeof n, &n));
    return enqueue(lane->q, k, 0);
}

static cl_int launch(const twin *t, int args, cl_uint n) {
    switch (args) {
    case 0: return launch0(&t->lane);
    case 4: return twin_launch4(t, &t->lane, n, 0);
    }
    return launch16(t, &t->lane, n);
}

int64_t twin_launch(twin *t, int args, int calls_alone, long n, long every) {
    int64_t calls = 0, begin = twin_now();
    for (long done = 0; done < n;) {
        int64_t resume = twin_now();
        for (long i = 0; i < every && done < n; i++, done++) TRY(launch(t, args, done));
        calls += twin_now() - resume;
        TRY(twin_cl.clFinish(t->lane.q));
    }
    return calls_alone ? calls : twin_now() - begin;
}

/* One of the threads: its own queue and kernel objects. */
struct runner {
    twin *t;
    twin_lane lane;
    long n, every;
    pthread_barrier_t *start;
    cl_int code;
    pthread_t thread;
};

static cl_int launches(struct runner *r) {
    for (long i = 1; i <= r->n; i++) {
        TRY(twin_launch4(r->t, &r->lane, i, 0));
        if (i % r->every == 0) TRY(twin_cl.clFinish(r->lane.q));
    }
    return twin_cl.clFinish(r->lane.q);
}

static void *run(void *arg) {
    struct runner *r = arg;
    pthread_barrier_wait(r->start);
    r->code = launches(r);
    return 0;
}

/* The time runs from when all threads are there until the last has finished. */
static int64_t run_all(struct runner *rs, int threads) {
    pthread_barrier_t start;
    pthread_barrier_init(&start, 0, threads + 1);
    for (int i = 0; i < threads; i++) {
        rs[i].start = &start;
        /* Threads that wait at the barrier could not be told to give up. */
        if (pthread_create(&rs[i].thread, 0, run, &rs[i]) != 0) abort();
    }
    int64_t begin = twin_now();
    pthread_barrier_wait(&start);
    for (int i = 0; i < threads; i++) pthread_join(rs[i].thread, 0);
    int64_t took = twin_now() - begin;
    pthread_barrier_destroy(&start);
    for (int i = 0; i < threads; i++) TRY(rs[i].code);
    return took;
}

int64_t twin_launch_threads(twin *t, int threads, long n, long every) {
    struct runner *rs = calloc(threads, sizeof *rs);
    int64_t result = CL_SUCCESS;
    if (!rs) return CL_OUT_OF_HOST_MEMORY;
    for (int i = 0; i < threads && result == CL_SUCCESS; i++) {
        rs[i].t = t;
        rs[i].n = n;
        rs[i].every = every;
        result = twin_lane_open(t, &rs[i].lane);
    }
    if (result == CL_SUCCESS) result = run_all(rs, threads);
    for (int i = 0; i < threads; i++) twin_lane_close(&rs[i].lane);
    free(rs);
    return result;
}
