/* twin.h: what a careful C program does with OpenCL, in loops that time
 * themselves. Every loop returns the nanoseconds that n operations took, or
 * OpenCL's code, which is negative. */
#ifndef TRIAD_CLTWIN_H
#define TRIAD_CLTWIN_H

#include <stddef.h>
#include <stdint.h>

#include "triad_cl.h"

enum { TWIN_KERNELS = 3 };

/* One queue and one set of kernel objects, for one thread at a time. */
typedef struct {
    cl_command_queue q;
    cl_kernel empty[TWIN_KERNELS]; /* of 0, 4 and 16 arguments */
} twin_lane;

/* Memory as our own library allocates it on this device: shared virtual memory
 * where it has that, buffers elsewhere. */
typedef struct {
    cl_device_id device;
    cl_context ctx;
    cl_program program; /* of empty.cl, built */
    int svm;
    size_t size; /* of each memory, bytes */
    void *shared[2];
    cl_mem buffer[2];
    char *host;
    twin_lane lane;
} twin;

/* Returns 0, or -1 with the reason in text. The first call decides on the
 * library. */
int twin_load(const char *path, char *text, size_t room);

twin *twin_open(cl_device_id device, cl_context ctx, cl_program program, int svm, size_t size, cl_int *code);
void twin_close(twin *t);

/* Launches with 0, 4 or 16 arguments, waiting after every `every`. The waits
 * count, unless calls_alone. */
int64_t twin_launch(twin *t, int args, int calls_alone, long n, long every);
/* Likewise on so many threads, n launches of 4 arguments each. */
int64_t twin_launch_threads(twin *t, int threads, long n, long every);

enum { TWIN_FINISH = 0, TWIN_WAIT_FOR_EVENTS, TWIN_POLL, TWIN_MARKER };
/* Launch and wait, by the given means. */
int64_t twin_launch_wait(twin *t, int how, long n);
/* Wait while nothing is under way: for the queue, or for an event. */
int64_t twin_idle_wait(twin *t, int event, long n);

enum { TWIN_TO_DEVICE = 0, TWIN_TO_HOST, TWIN_ON_DEVICE };
/* Copies of bytes; those to and from the host block, the others are waited for
 * after every `every`. */
int64_t twin_copy(twin *t, int direction, size_t bytes, long n, long every);

/* Markers, flushed, each replacing the last; waiting after every `every`. */
int64_t twin_record(twin *t, long n, long every);
/* Asking for the status of an event that was reached. */
int64_t twin_query(twin *t, long n);

#endif
