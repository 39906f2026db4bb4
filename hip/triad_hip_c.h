/* triad_hip_c.h: the C side of package hip. Every function here is one crossing
 * from Go; none calls back into Go. Results are HIP's codes unless said
 * otherwise. */
#ifndef TRIAD_HIP_C_H
#define TRIAD_HIP_C_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "triad_hip.h"
#include "triad_spare.h"
#include "triad_wait.h"

/* The resolved functions; valid once triad_hip_load has returned 0. */
#define TRIAD_HIP_MEMBER(kind, version, result, symbol, params) result(*symbol) params;
struct triad_hip_api {
    TRIAD_HIP_FUNCTIONS(TRIAD_HIP_MEMBER)
};
#undef TRIAD_HIP_MEMBER
extern struct triad_hip_api triad_hip;

/* hip_api.c */
int triad_hip_load(const char *path, char *text, size_t room, char *found, size_t found_room);
int triad_hip_missing(int i, const char **name, int *version);
hipError_t triad_hip_init(int *version);
int triad_hip_version(void);
hipError_t triad_hip_tidy(hipError_t code);

typedef struct triad_hip_stream triad_hip_stream;

/* A cell that a stream's word lies in: a cache line of its own. */
typedef struct {
    _Alignas(64) uint32_t word;
} triad_hip_cell;

/* One page of cells. */
enum { TRIAD_HIP_CELLS = 64 };
typedef struct triad_hip_slab {
    triad_hip_cell *cells;
    uint64_t at;
    uint64_t taken; /* one bit for each cell */
    struct triad_hip_slab *next;
} triad_hip_slab;

/* Memory whose free could not be put into stream order yet. */
typedef struct triad_hip_late {
    uint64_t p;
    struct triad_hip_late *next;
} triad_hip_late;

/* An opened device. HIP has no contexts that one would make current: a thread has a
 * current device, and a process one state of each device.
 *
 * A reset of the device destroys all that the process has on it, also what other
 * openings and others in this process made: handles of before must not reach the
 * runtime any more, which does not check them. So each reset raises a counter, and an
 * opening is dead once the counter has left its number behind. */
typedef struct {
    int id;
    _Atomic uint32_t *resets;
    uint32_t born;
    int words;             /* streams can write words */
    hipMemPool_t pool;     /* 0 without memory pools */
    hipStream_t side;      /* allocations; nothing on it ever waits */
    hipStream_t behind;    /* frees that wait for several streams */
    pthread_mutex_t lock;  /* guards what follows; never held over a wait */
    triad_hip_stream *streams;
    triad_hip_slab *slabs;
    triad_hip_late *late;
} triad_hip_device;

/* A stream. submitted counts commands after they were enqueued; done is how many
 * are known to have finished. A look at the stream, or a word written, after
 * submitted was read covers at least that many.
 *
 * The word rises to the number of the last write that the stream has passed. Only
 * who holds writing enqueues a write, so that the numbers arrive in order. */
struct triad_hip_stream {
    triad_hip_device *dev;
    hipStream_t s;
    int borrowed; /* others enqueue on it, unseen: never known to be idle */
    triad_hip_cell *cell;
    uint64_t word_at; /* 0: this stream has no word */
    _Atomic uint32_t writing;
    uint32_t written;      /* the number of the last write; guarded by writing */
    uint64_t written_upto; /* what it covers; guarded by writing */
    _Atomic uint64_t submitted, done;
    _Atomic uint32_t shared; /* its handle was given out */
    triad_spares spares;     /* of the opening's pool */
    triad_hip_stream *prev, *next;
};

/* An event. recorded tells whether it ever was. */
typedef struct {
    triad_hip_device *dev;
    hipEvent_t ev;
    _Atomic uint32_t recorded;
} triad_hip_event;

/* One wait, and the copy that it may have to enqueue or to make first. Go fills the first
 * part; the rest is C's. */
enum { TRIAD_HIP_WAIT_STREAM = 0, TRIAD_HIP_WAIT_EVENT, TRIAD_HIP_WAIT_COPY };
typedef struct {
    uint32_t what;
    triad_hip_stream *stream;
    triad_hip_event *event;
    uint64_t dst, src, bytes;
    uint32_t no_word; /* ask only */
    uint32_t *begin;  /* of a copy by a worker: 0, 1 when it begins, 2 when its caller has left before */

    uint32_t started, watched;
    hipError_t failed;   /* what the driver said when it was asked, and hasn't said again */
    uint32_t target;   /* of the stream's word, when has_word */
    uint32_t has_word, reached; /* atomic: others may look at a wait */
    uint64_t upto;     /* atomic: how many of the stream's commands have finished then; 0: not known yet */
} triad_hip_wait;

/* Marks a wait's result as the code of the call that was to begin it. */
#define TRIAD_HIP_ENQUEUE_FAILED ((int64_t)1 << 32)

/* An address as HIP takes it. */
static inline void *triad_hip_ptr(uint64_t p) { return (void *)(uintptr_t)p; }

/* The code of a call whose failure stays in here: TRIAD_HIP_IN has the runtime forget
 * only what it returns itself. */
static inline hipError_t triad_hip_checked(hipError_t code) { return code == hipSuccess ? code : triad_hip_tidy(code); }

/* Counts a command that was enqueued, if it was. */
static inline hipError_t triad_hip_submitted(triad_hip_stream *s, hipError_t code) {
    if (code == hipSuccess) atomic_fetch_add_explicit(&s->submitted, 1, memory_order_relaxed);
    return code;
}

/* Notes that at least the first upto commands have finished. */
static inline void triad_hip_finished(triad_hip_stream *s, uint64_t upto) {
    uint64_t have = atomic_load(&s->done);
    while (have < upto && !atomic_compare_exchange_weak(&s->done, &have, upto)) {
    }
}

static inline int triad_hip_idle(triad_hip_stream *s) {
    return !s->borrowed && !atomic_load_explicit(&s->shared, memory_order_relaxed) &&
           atomic_load(&s->done) >= atomic_load(&s->submitted);
}

/* Makes the device the thread's current one. *was is the one to put back, or -1. */
static inline hipError_t triad_hip_enter(triad_hip_device *d, int *was) {
    int now = -1;
    *was = -1;
    if (atomic_load_explicit(d->resets, memory_order_relaxed) != d->born) return hipErrorContextIsDestroyed;
    triad_hip_checked(triad_hip.hipGetDevice(&now));
    if (now == d->id) return hipSuccess;
    hipError_t code = triad_hip.hipSetDevice(d->id);
    if (code == hipSuccess) *was = now;
    return triad_hip_checked(code);
}

static inline void triad_hip_leave(int was) {
    if (was >= 0) triad_hip_checked(triad_hip.hipSetDevice(was));
}

/* A call with the device as the current one. Streams and events know their device, but
 * HIP's own checks, and runtimes before 6.0, look at the current one as well: so it is
 * set for them too. Where it is current already, that costs a look at a variable of
 * the thread. */
#define TRIAD_HIP_IN(d, call)                       \
    __extension__({                                 \
        int was_;                                   \
        hipError_t in_ = triad_hip_enter((d), &was_); \
        if (in_ == hipSuccess) {                    \
            in_ = (call);                           \
            if (in_ != hipSuccess) triad_hip_tidy(in_); \
            triad_hip_leave(was_);                  \
        }                                           \
        in_;                                        \
    })

/* A call that a runtime may lack. */
#define TRIAD_HIP_MAYBE(symbol, ...) (triad_hip.symbol ? triad_hip.symbol(__VA_ARGS__) : hipErrorNotSupported)

/* TRIAD_HIP_IN for calls that a capture on some other stream would not survive: while
 * anyone captures in the global mode, allocating, freeing and asking whether a stream
 * or an event has been reached end the capture, unless the thread that calls has said
 * that it knows what it does. */
static inline void triad_hip_calm(hipStreamCaptureMode *mode) {
    *mode = hipStreamCaptureModeRelaxed;
    triad_hip_checked(triad_hip.hipThreadExchangeStreamCaptureMode(mode));
}
static inline void triad_hip_uncalm(hipStreamCaptureMode *mode) {
    triad_hip_checked(triad_hip.hipThreadExchangeStreamCaptureMode(mode));
}
#define TRIAD_HIP_CALM(d, call)             \
    TRIAD_HIP_IN(d, __extension__({         \
        hipStreamCaptureMode mode_;         \
        triad_hip_calm(&mode_);             \
        hipError_t calm_ = (call);          \
        triad_hip_uncalm(&mode_);           \
        calm_;                              \
    }))

/* Has a pool give back what it keeps for later, after a call that failed: the runtime
 * forgets that too. */
static inline int triad_hip_trimmed(hipMemPool_t pool) {
    triad_hip_tidy(hipErrorOutOfMemory);
    return triad_hip_checked(TRIAD_HIP_MAYBE(hipMemPoolTrimTo, pool, 0)) == hipSuccess;
}

/* The same for calls that allocate: when there is no room, what the opening keeps for
 * later is given back, and the call is made once more. */
#define TRIAD_HIP_ALLOC(d, call)                                                                \
    TRIAD_HIP_CALM(d, __extension__({                                                           \
        hipError_t alloc_ = (call);                                                             \
        if (alloc_ == hipErrorOutOfMemory && (d)->pool && triad_hip_give_back(d)) alloc_ = (call); \
        alloc_;                                                                                 \
    }))

/* hip_facts.c: what is asked without opening a device. */
hipError_t triad_hip_device_count(int *n);
hipError_t triad_hip_device_get(int ordinal, int *id);
hipError_t triad_hip_device_name(int id, char *name, int room);
hipError_t triad_hip_device_arch(int id, char *name, int room, int *warp, int *units);
hipError_t triad_hip_device_pci(int id, char *text, int room);
hipError_t triad_hip_device_by_pci(const char *text, int *id);
hipError_t triad_hip_device_uuid(int id, uint8_t uuid[16]);
hipError_t triad_hip_device_memory(int id, size_t *bytes);
hipError_t triad_hip_device_attribute(int id, int attribute, int *value);
hipError_t triad_hip_mem_info(triad_hip_device *d, size_t *free_bytes, size_t *total);

/* hip_device.c */
triad_hip_device *triad_hip_device_open(int id, uint32_t flags, hipError_t *code, const char **call);
void triad_hip_device_close(triad_hip_device *d);
hipError_t triad_hip_device_reset(triad_hip_device *d);
int triad_hip_device_dead(triad_hip_device *d);

/* hip_stream.c */
triad_hip_stream *triad_hip_stream_open(triad_hip_device *d, uint32_t flags, int priority, hipError_t *code);
triad_hip_stream *triad_hip_stream_masked(triad_hip_device *d, const uint32_t *mask, uint32_t words, hipError_t *code);
hipError_t triad_hip_stream_mask(triad_hip_stream *s, uint32_t *mask, uint32_t words);
triad_hip_stream *triad_hip_stream_borrow(triad_hip_device *d, hipStream_t s, hipError_t *code);
hipError_t triad_hip_stream_close(triad_hip_stream *s);
hipError_t triad_hip_stream_query(triad_hip_stream *s);
int triad_hip_stream_capturing(triad_hip_stream *s, hipError_t *code);
hipError_t triad_hip_stream_word(triad_hip_stream *s, uint32_t *target, uint64_t *upto);
int triad_hip_stream_reached(triad_hip_stream *s, uint32_t target);

/* hip_words.c */
hipError_t triad_hip_write_value(triad_hip_stream *s, uint64_t at, uint64_t value, int wide);
hipError_t triad_hip_wait_value(triad_hip_stream *s, uint64_t at, uint64_t value, uint32_t how, int wide);

/* hip_event.c */
triad_hip_event *triad_hip_event_open(triad_hip_device *d, uint32_t flags, hipError_t *code);
hipError_t triad_hip_event_close(triad_hip_event *e);
hipError_t triad_hip_event_record(triad_hip_stream *s, triad_hip_event *e);
hipError_t triad_hip_event_wait(triad_hip_stream *s, triad_hip_event *e);
hipError_t triad_hip_event_query(triad_hip_event *e);
hipError_t triad_hip_event_elapsed(triad_hip_event *from, triad_hip_event *to, float *ms);

/* hip_wait.c: a triad_poll_fn and a triad_wait_fn on a triad_hip_wait. */
int triad_hip_wait_poll(void *object, int64_t *result);
int64_t triad_hip_wait_block(void *object);
triad_hip_wait *triad_hip_wait_new(void);
void triad_hip_wait_free(triad_hip_wait *w);

#include "triad_hip_memory.h"

/* hip_module.c */
hipModule_t triad_hip_module_load(triad_hip_device *d, const void *image, hipError_t *code);
hipError_t triad_hip_module_unload(triad_hip_device *d, hipModule_t m);
hipFunction_t triad_hip_module_function(triad_hip_device *d, hipModule_t m, const char *name, hipError_t *code);
hipError_t triad_hip_function_attribute(triad_hip_device *d, hipFunction_t f, int attribute, int *value);

/* hip_launch.c */
enum { TRIAD_HIP_ARG_VALUE = 0, TRIAD_HIP_ARG_POINTER, TRIAD_HIP_ARG_LOCAL };
typedef struct {
    uint32_t offset, size, kind;
} triad_hip_param;

/* A bound kernel. params has the driver's parameters first, then the sizes of
 * local memory, which no parameter of HIP's stands for. */
enum { TRIAD_HIP_MAX_PARAMS = 4096 };
typedef struct {
    triad_hip_device *dev;
    hipFunction_t f;
    uint32_t nparams, nlocals;
    triad_hip_param params[];
} triad_hip_kernel;

/* The handles are integers, and a launch's arguments are bytes, so that cgo has
 * no pointers to look for in them. The struct is copied onto the C stack. */
typedef struct {
    uintptr_t stream; /* triad_hip_stream */
    uintptr_t kernel; /* triad_hip_kernel */
    uint32_t grid[3], block[3];
    uint32_t shared;
} triad_hip_launch_shape;

triad_hip_kernel *triad_hip_kernel_new(triad_hip_device *d, hipFunction_t f, uint32_t nparams, uint32_t nlocals);
void triad_hip_kernel_free(triad_hip_kernel *k);

/* Returns HIP's code in the low 32 bits and, where an argument was refused
 * before HIP was asked, its index plus one above. */
int64_t triad_hip_launch(triad_hip_launch_shape l, const uint8_t *args);
int64_t triad_hip_arguments(const triad_hip_kernel *k, const uint8_t *args, void **params, uint32_t *shared);

/* hip_launchex.c: attributes of a launch; set says which. */
enum { TRIAD_HIP_EX_COOPERATIVE = 1, TRIAD_HIP_EX_PRIORITY = 2, TRIAD_HIP_EX_KINDS = 2 };
typedef struct {
    uint32_t set;
    int32_t priority;
} triad_hip_launch_extra;
int64_t triad_hip_launch_ex(triad_hip_launch_shape l, triad_hip_launch_extra x, const uint8_t *args);
uint32_t triad_hip_launch_shared(triad_hip_launch_shape l, const uint8_t *args);

/* hip_function.c */
hipError_t triad_hip_module_global(triad_hip_device *d, hipModule_t m, const char *name, uint64_t *at, size_t *size);
hipError_t triad_hip_occupancy(triad_hip_device *d, hipFunction_t f, int threads, size_t shared, int *blocks);
hipError_t triad_hip_block_size(triad_hip_device *d, hipFunction_t f, size_t shared, int *threads);

/* hip_settings.c */
hipError_t triad_hip_peer_possible(int from, int to, int *yes);
hipError_t triad_hip_peer_attribute(int from, int to, int attribute, int *value);
hipError_t triad_hip_peer_enable(triad_hip_device *d, triad_hip_device *peer);
hipError_t triad_hip_peer_disable(triad_hip_device *d, triad_hip_device *peer);
hipError_t triad_hip_device_limit(triad_hip_device *d, int limit, size_t *value);
hipError_t triad_hip_device_set_limit(triad_hip_device *d, int limit, size_t value);
hipError_t triad_hip_device_cache(triad_hip_device *d, int *config);
hipError_t triad_hip_device_set_cache(triad_hip_device *d, int config);
hipError_t triad_hip_device_priorities(triad_hip_device *d, int *least, int *greatest);
hipError_t triad_hip_device_flags(triad_hip_device *d, unsigned int *flags);
hipError_t triad_hip_device_set_flags(triad_hip_device *d, unsigned int flags);

/* hip_streamattr.c */
typedef struct {
    uint64_t at, bytes;
    float hit_ratio;
    int32_t hit, miss;
} triad_hip_window;
hipError_t triad_hip_stream_attribute(triad_hip_stream *s, int which, int *value);
hipError_t triad_hip_stream_set_attribute(triad_hip_stream *s, int which, int value);
hipError_t triad_hip_stream_window(triad_hip_stream *s, triad_hip_window *w);
hipError_t triad_hip_stream_set_window(triad_hip_stream *s, triad_hip_window w);
hipError_t triad_hip_stream_flags(triad_hip_stream *s, unsigned int *flags);
hipError_t triad_hip_stream_priority(triad_hip_stream *s, int *priority);
hipError_t triad_hip_stream_id(triad_hip_stream *s, unsigned long long *id);
hipError_t triad_hip_stream_host(triad_hip_stream *s, uintptr_t fn, uintptr_t user);
uintptr_t triad_hip_raise_word(void);

/* hip_capture.c */
hipError_t triad_hip_capture_begin(triad_hip_stream *s, int mode);
hipError_t triad_hip_capture_end(triad_hip_stream *s, int *whole);

/* hip_eventipc.c */
hipError_t triad_hip_event_handle(triad_hip_event *e, uint8_t handle[64]);
triad_hip_event *triad_hip_event_import(triad_hip_device *d, const uint8_t handle[64], hipError_t *code);
hipError_t triad_hip_event_record_external(triad_hip_stream *s, triad_hip_event *e);
hipError_t triad_hip_event_wait_external(triad_hip_stream *s, triad_hip_event *e);

#endif
