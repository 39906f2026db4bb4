/* triad_opencl.h: the C side of package opencl. Every function here is one
 * crossing from Go; none calls back into Go. Results are OpenCL codes unless
 * said otherwise. */
#ifndef TRIAD_OPENCL_H
#define TRIAD_OPENCL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "triad_cl.h"
#include "triad_signals.h"
#include "triad_wait.h"

/* The resolved functions; valid once triad_cl_load has returned 0. */
#define TRIAD_CL_MEMBER(kind, version, result, name, params) result(*name) params;
struct triad_cl_api {
    TRIAD_CL_FUNCTIONS(TRIAD_CL_MEMBER)
};
#undef TRIAD_CL_MEMBER
extern struct triad_cl_api triad_cl;

/* cl_api.c */
int triad_cl_load(const char *path, char *text, size_t room, char *found, size_t found_room);
int triad_cl_missing(int i, const char **name, int *version);
int triad_cl_info(int what, void *object, void *second, uint32_t param, size_t size, void *value, size_t *got);

cl_int triad_cl_platforms(cl_platform_id *ids, cl_uint room, cl_uint *n);
cl_int triad_cl_devices(cl_platform_id platform, cl_device_id *ids, cl_uint room, cl_uint *n);

int triad_cl_arg_info(cl_kernel kernel, uint32_t index, uint32_t param, size_t size, void *value, size_t *got);

/* What triad_cl_info asks. second is the device where one is needed. */
enum {
    TRIAD_CL_PLATFORM = 1,
    TRIAD_CL_DEVICE,
    TRIAD_CL_PROGRAM,
    TRIAD_CL_BUILD,
    TRIAD_CL_KERNEL,
    TRIAD_CL_WORKGROUP,
};

typedef struct triad_cl_stream triad_cl_stream;

/* Events that are held until they have been reached. */
typedef struct {
    cl_event *list;
    int n, room;
} triad_cl_events;

/* An opened device. The list of streams, and of markers that closed streams
 * left behind, says what must finish before memory may be freed. */
typedef struct {
    cl_device_id id;
    cl_context ctx;
    cl_command_queue freeq; /* frees in stream order; made when first needed */
    pthread_mutex_t lock;   /* guards what follows; never held over a wait */
    triad_cl_stream *streams;
    triad_cl_events left;
} triad_cl_device;

/* A queue. submitted counts commands after they were enqueued; done is how many
 * are known to have finished. A marker enqueued after submitted was read covers
 * at least that many, so its completion raises done to that. */
struct triad_cl_stream {
    triad_cl_device *dev;
    cl_command_queue q;
    int in_order;
    _Atomic uint64_t submitted, done;
    _Atomic int32_t failed;   /* the status of a failure that nobody has been told of */
    _Atomic uint32_t holding; /* whether held has any */
    pthread_mutex_t lock; /* guards what follows; never held over a wait */
    cl_event query;
    uint64_t query_upto;
    triad_cl_events held; /* commands that waited for events; see triad_cl_stream_hold */
    triad_cl_stream *prev, *next;
};

/* The most events that one command waits for; MaxEvents in Go. */
enum { TRIAD_CL_MAX_EVENTS = 64 };

/* An event that can be recorded again. lock guards ev for the few instructions
 * that swap or retain it. */
typedef struct {
    atomic_flag lock;
    cl_event ev;
} triad_cl_event;

/* Where a copy goes from or to. The buffer is an integer for the reason given at
 * triad_cl_launch_shape. */
enum { TRIAD_CL_AT_SVM = 0, TRIAD_CL_AT_BUFFER, TRIAD_CL_AT_HOST };
typedef struct {
    uint64_t at;      /* one of the above */
    uint64_t addr;    /* address, for SVM and host */
    uintptr_t buffer; /* the cl_mem, or for SVM and host one that covers it, or 0 */
    uint64_t offset;  /* into addr or buffer, bytes */
} triad_cl_loc;

static inline cl_mem triad_cl_buffer(triad_cl_loc l) { return (cl_mem)l.buffer; }

typedef struct {
    uint64_t offset, row, slice; /* bytes */
} triad_cl_rect;

/* One wait, and the command that it may have to start first. Go fills the first
 * part; the rest is C's. */
enum { TRIAD_CL_WAIT_STREAM = 0, TRIAD_CL_WAIT_EVENT, TRIAD_CL_WAIT_COPY };
typedef struct {
    uint32_t what;
    triad_cl_stream *stream;
    triad_cl_event *event;
    triad_cl_loc dst, src;
    uint64_t bytes;

    cl_event ev;   /* set once started */
    uint32_t started;
    uint64_t upto; /* how many of the stream's commands have finished once ev has */
    triad_signal *signal;
    _Atomic uint32_t callback; /* see cl_wait.c */
} triad_cl_wait;

/* Marks a result of a wait as the code of a call that failed to enqueue, rather
 * than the status of a command. */
#define TRIAD_CL_ENQUEUE_FAILED ((int64_t)1 << 32)

/* Counts a command that was enqueued; returns the count before. */
static inline uint64_t triad_cl_submitted(triad_cl_stream *s) { return atomic_fetch_add(&s->submitted, 1); }

/* Notes that at least the first upto commands have finished. */
static inline void triad_cl_finished(triad_cl_stream *s, uint64_t upto) {
    uint64_t have = atomic_load(&s->done);
    while (have < upto && !atomic_compare_exchange_weak(&s->done, &have, upto)) {
    }
}

/* cl_stream.c */
triad_cl_device *triad_cl_device_open(cl_platform_id platform, cl_device_id id, cl_int *code);
void triad_cl_device_close(triad_cl_device *dev);
triad_cl_stream *triad_cl_stream_open(triad_cl_device *dev, uint64_t properties, uint32_t priority, cl_int *code);
void triad_cl_stream_close(triad_cl_stream *s);
cl_int triad_cl_stream_flush(triad_cl_stream *s);
int triad_cl_stream_query(triad_cl_stream *s, cl_int *code);
int32_t triad_cl_stream_failure(triad_cl_stream *s);
void triad_cl_stream_hold(triad_cl_stream *s, cl_event ev);
cl_int triad_cl_stream_barrier(triad_cl_stream *s, const uintptr_t *events, uint32_t n, int barrier, triad_cl_event *out);
int triad_cl_device_left(triad_cl_device *dev, triad_cl_event *e);
int triad_cl_device_pending(triad_cl_device *dev, cl_event **events, int *n);

/* cl_event.c */
int triad_cl_reached(cl_event ev, cl_int *status);
cl_int triad_cl_events_reap(triad_cl_events *e);
void triad_cl_events_add(triad_cl_events *e, cl_event ev);
void triad_cl_events_drop(triad_cl_events *e);
triad_cl_event *triad_cl_event_new(void);
void triad_cl_event_free(triad_cl_event *e);
cl_event triad_cl_event_get(triad_cl_event *e);
uint32_t triad_cl_event_list(const uintptr_t *events, uint32_t n, cl_event *list);
void triad_cl_event_set(triad_cl_event *e, cl_event ev);
cl_int triad_cl_event_record(triad_cl_stream *s, triad_cl_event *e);
cl_int triad_cl_event_wait(triad_cl_stream *s, triad_cl_event *e);
int triad_cl_event_query(triad_cl_event *e, cl_int *code);
cl_int triad_cl_event_times(triad_cl_event *e, uint64_t times[4]);
cl_int triad_cl_event_user(triad_cl_device *dev, triad_cl_event *e);
cl_int triad_cl_event_complete(triad_cl_event *e, cl_int status);

/* cl_wait.c: a triad_poll_fn, a triad_wait_fn and a triad_subscribe_fn on a
 * triad_cl_wait. */
int triad_cl_wait_poll(void *object, int64_t *result);
int64_t triad_cl_wait_block(void *object);
int triad_cl_wait_subscribe(void *object, triad_signal *signal);
triad_cl_wait *triad_cl_wait_new(void);
int triad_cl_wait_done(triad_cl_wait *w, int told);
void triad_cl_wait_free(triad_cl_wait *w);

/* cl_memory.c */
cl_mem triad_cl_buffer_new(triad_cl_device *dev, uint64_t flags, size_t size, void *host, cl_int *code);
cl_mem triad_cl_buffer_sub(cl_mem parent, size_t origin, size_t size, cl_int *code);
cl_int triad_cl_buffer_free(cl_mem m);
void *triad_cl_svm_new(triad_cl_device *dev, size_t size, uint32_t align);
cl_int triad_cl_svm_free(triad_cl_device *dev, void *p, cl_mem cover);
cl_mem triad_cl_host_new(triad_cl_device *dev, size_t size, void **p, cl_int *code);
cl_int triad_cl_host_free(triad_cl_device *dev, cl_mem m, void *p);
cl_int triad_cl_copy(triad_cl_stream *s, triad_cl_loc dst, triad_cl_loc src, size_t n, cl_event *ev);
cl_int triad_cl_copy_async(triad_cl_stream *s, triad_cl_loc dst, triad_cl_loc src, size_t n);
cl_int triad_cl_fill(triad_cl_stream *s, triad_cl_loc dst, size_t n, uint64_t lo, uint64_t hi, uint32_t len);

/* cl_rect.c */
cl_int triad_cl_copy_rect(triad_cl_stream *s, triad_cl_loc dst, triad_cl_rect dr, triad_cl_loc src, triad_cl_rect sr,
                          uint64_t bytes, uint64_t rows, uint64_t slices);

/* cl_program.c */
cl_program triad_cl_program_new(triad_cl_device *dev, int kind, const void *code, size_t size, cl_int *result);
cl_int triad_cl_program_build(triad_cl_device *dev, cl_program p, const char *options);
cl_int triad_cl_program_constant(cl_program p, uint32_t id, size_t size, const void *value);
cl_int triad_cl_program_binary(cl_program p, size_t size, void *binary);
cl_int triad_cl_program_free(cl_program p);

/* cl_launch.c */
enum { TRIAD_CL_ARG_VALUE = 0, TRIAD_CL_ARG_POINTER, TRIAD_CL_ARG_LOCAL };
typedef struct {
    uint32_t offset, size, kind;
} triad_cl_param;

/* One cl_kernel of a kernel, in use by one launch at a time. */
typedef struct {
    _Atomic uint32_t busy;
    cl_kernel kernel;
    char pad[112]; /* its own pair of cache lines */
} triad_cl_slot;

enum { TRIAD_CL_SLOTS = 64 };

/* A bound kernel: its plan, and as many cl_kernels as launches have ever met at
 * once, up to TRIAD_CL_SLOTS. */
typedef struct {
    uint32_t nparams;
    triad_cl_param *params;
    cl_program program;
    char *name;
    cl_kernel first; /* to be asked and copied, never launched */
    pthread_mutex_t grow; /* held while one is added */
    _Atomic uint32_t nslots;
    triad_cl_slot slots[TRIAD_CL_SLOTS];
} triad_cl_kernel;

/* The handles are integers, and a launch's arguments are bytes, so that cgo has
 * no pointers to look for in them: on each launch it would follow the ones here,
 * and refuse arguments that lie in a Go object which has pointers elsewhere. */
typedef struct {
    uintptr_t stream; /* triad_cl_stream */
    uintptr_t kernel; /* triad_cl_kernel */
    uintptr_t out;    /* triad_cl_event that gets the launch's event; may be 0 */
    uint32_t dims, nwaits;
    uint32_t has_local, has_offset;
    size_t global[3], local[3], offset[3];
} triad_cl_launch_shape;

/* The usual launch: a grid of blocks, no offset, no events. It is small because it
 * is copied twice on its way, into the crossing and onto the C stack. */
typedef struct {
    uintptr_t stream, kernel;
    uint32_t grid[3], block[3];
} triad_cl_launch_grid_shape;

cl_kernel triad_cl_kernel_probe(cl_program p, const char *name, cl_int *code);
cl_int triad_cl_kernel_release(cl_kernel k);
triad_cl_kernel *triad_cl_kernel_new(cl_program p, const char *name, cl_kernel first);
triad_cl_param *triad_cl_kernel_params(triad_cl_kernel *k, uint32_t n);
void triad_cl_kernel_free(triad_cl_kernel *k);

/* Returns an OpenCL code in the low 32 bits and, where an argument was refused,
 * its index plus one above. */
int64_t triad_cl_launch(triad_cl_launch_shape l, const uint8_t *args, const uintptr_t *waits);
int64_t triad_cl_launch_grid(triad_cl_launch_grid_shape g, const uint8_t *args);

#endif
