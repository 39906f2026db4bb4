/* twin.h: what a careful C program does with CUDA's driver API, or with HIP's
 * runtime (hip.c), in loops that time themselves. */
#ifndef TRIAD_CUDATWIN_H
#define TRIAD_CUDATWIN_H

#include "triad_cu.h"

/* The handles are the benchmark's; what the twin made itself stands last. */
typedef struct {
    CUcontext ctx;
    int streams;
    CUstream *stream;
    CUfunction empty4, empty16, spin;
    CUdeviceptr x, y;
    char *pinned;
    size_t size; /* of x, y and pinned, in bytes */

    char *pageable; /* CUTWIN_PAGEABLE bytes */
    CUevent event, blocking;
    CUmemoryPool pool;
    cuuint64_t threshold; /* the pool's, before we set it */
} cutwin;

enum { CUTWIN_PAGEABLE = 1 << 20 };

/* Returns 0, or -1 with the reason in text. The first call decides on the library,
 * which is CUDA's driver or, with hip, HIP's runtime. */
int cutwin_load(const char *path, int hip, char *text, size_t room);

/* Makes what the twin needs beside what t holds, and has the device's memory
 * pool keep what is freed. Returns CUDA's code. */
CUresult cutwin_open(cutwin *t);
void cutwin_close(cutwin *t);

enum {
    CUTWIN_LAUNCH = 0,     /* calls alone: launches with how (4 or 16) arguments */
    CUTWIN_LAUNCH_THREADS, /* all of it: likewise with 4, n on each of the threads */
    CUTWIN_LAUNCH_WAIT,    /* launch and wait, by the means in how; see device_ns */
    CUTWIN_SPIN_THREADS,   /* each thread: spin for device_ns, cuStreamSynchronize */
    CUTWIN_IDLE_WAIT,      /* cuStreamSynchronize on an idle stream */
    CUTWIN_RECORD,         /* calls alone */
    CUTWIN_QUERY,          /* cuEventQuery on an event that was reached */
    CUTWIN_MEMSET,         /* calls alone: 32-bit words, bytes in all */
    CUTWIN_COPY,           /* calls alone: in the direction of how */
    CUTWIN_BULK,           /* all of it: likewise */
    CUTWIN_ALLOC,          /* calls alone: allocating and freeing in stream order */
    CUTWIN_NOTHING,        /* calls of a function that does nothing */
    CUTWIN_JOBS,
};

enum { CUTWIN_BY_QUERY = 0, CUTWIN_BY_SYNCHRONIZE, CUTWIN_BY_BLOCKING };
enum { CUTWIN_PINNED_TO_DEVICE = 0, CUTWIN_DEVICE_TO_PINNED, CUTWIN_ON_DEVICE, CUTWIN_PAGEABLE_TO_DEVICE, CUTWIN_DEVICE_TO_PAGEABLE };

/* Where the calls alone count, they are made in groups of `every`, and the stream
 * is waited for between the groups, off the clock, so that its queue stays
 * short. */
typedef struct {
    int what, how, threads;
    long n, every;
    int64_t device_ns; /* how long kernels spin; 0 stands for the empty kernel */
    int median;        /* LAUNCH_WAIT: return n times the median of one */
    size_t bytes;
} cutwin_job;

/* Does a job with the context current, and returns the nanoseconds that it took,
 * or CUDA's code, made negative. The job is a copy, so that Go need not allocate
 * one. */
int64_t cutwin_do(cutwin *t, cutwin_job j);

/* One call of LAUNCH (with 4 arguments), RECORD, MEMSET or COPY (from page-locked memory),
 * whatever context is current: what any other language pays that calls C for each. */
CUresult cutwin_once(const cutwin *t, int what, size_t bytes);

/* One call that does nothing, for the price of crossing into C. */
void cutwin_nothing(void);

#endif
