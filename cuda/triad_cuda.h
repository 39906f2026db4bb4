/* triad_cuda.h: the C side of package cuda. Every function here is one crossing
 * from Go; none calls back into Go. Results are CUDA's codes unless said
 * otherwise. */
#ifndef TRIAD_CUDA_H
#define TRIAD_CUDA_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "triad_cu.h"
#include "triad_spare.h"
#include "triad_wait.h"

/* The resolved functions; valid once triad_cu_load has returned 0. */
#define TRIAD_CU_MEMBER(kind, version, result, symbol, base, params) result(*symbol) params;
struct triad_cu_api {
    TRIAD_CU_FUNCTIONS(TRIAD_CU_MEMBER)
};
#undef TRIAD_CU_MEMBER
extern struct triad_cu_api triad_cu;

/* cu_api.c */
int triad_cu_load(const char *path, char *text, size_t room, char *found, size_t found_room);
int triad_cu_missing(int i, const char **name, int *version);
int triad_cu_by_proc(int i, const char **symbol, int *version, int *agree);
CUresult triad_cu_init(int *version);

typedef struct triad_cu_stream triad_cu_stream;

/* A cell that a stream's word lies in: a cache line of its own. */
typedef struct {
    _Alignas(64) uint32_t word;
} triad_cu_cell;

/* One page of cells. */
enum { TRIAD_CU_CELLS = 64 };
typedef struct triad_cu_slab {
    triad_cu_cell *cells;
    CUdeviceptr at;
    uint64_t taken; /* one bit for each cell */
    struct triad_cu_slab *next;
} triad_cu_slab;

/* Memory whose free could not be put into stream order yet. */
typedef struct triad_cu_late {
    CUdeviceptr p;
    struct triad_cu_late *next;
} triad_cu_late;

/* An opened device.
 *
 * A reset of the device destroys its primary context, also for other openings of
 * it and for whoever else uses it in this process: handles of before must not
 * reach the driver any more, which does not check them. So each reset raises a
 * counter, and an opening is dead once the counter has left its number behind. */
typedef struct {
    CUdevice id;
    CUcontext ctx;
    _Atomic uint32_t *resets;
    uint32_t born;
    _Atomic uint32_t strict; /* the driver wants ctx current also where a stream tells it */
    int primary; /* ctx is the primary context, retained; else it is ours or a user's */
    int borrowed;
    CUmemoryPool pool;     /* 0 without memory pools */
    CUstream side;         /* allocations; nothing on it ever waits */
    CUstream behind;       /* frees that wait for several streams */
    pthread_mutex_t lock;  /* guards what follows; never held over a wait */
    triad_cu_stream *streams;
    triad_cu_slab *slabs;
    triad_cu_late *late;
} triad_cu_device;

/* A stream. submitted counts commands after they were enqueued; done is how many
 * are known to have finished. A look at the stream, or a word written, after
 * submitted was read covers at least that many.
 *
 * The word rises to the number of the last write that the stream has passed. Only
 * who holds writing enqueues a write, so that the numbers arrive in order. */
struct triad_cu_stream {
    triad_cu_device *dev;
    CUstream s;
    int borrowed; /* others enqueue on it, unseen: never known to be idle */
    triad_cu_cell *cell;
    CUdeviceptr word_at; /* 0: this stream has no word */
    _Atomic uint32_t writing;
    uint32_t written;      /* the number of the last write; guarded by writing */
    uint64_t written_upto; /* what it covers; guarded by writing */
    _Atomic uint64_t submitted, done;
    _Atomic uint32_t shared; /* its handle was given out */
    triad_spares spares;     /* of the opening's pool */
    triad_cu_stream *prev, *next;
};

/* An event. recorded tells whether it ever was. */
typedef struct {
    triad_cu_device *dev;
    CUevent ev;
    _Atomic uint32_t recorded;
} triad_cu_event;

/* One wait, and the copy that it may have to enqueue or to make first. Go fills the first
 * part; the rest is C's. */
enum { TRIAD_CU_WAIT_STREAM = 0, TRIAD_CU_WAIT_EVENT, TRIAD_CU_WAIT_COPY };
typedef struct {
    uint32_t what;
    triad_cu_stream *stream;
    triad_cu_event *event;
    uint64_t dst, src, bytes;
    uint32_t no_word; /* ask only */
    uint32_t *begin;  /* of a copy by a worker: 0, 1 when it begins, 2 when its caller has left before */

    uint32_t started, watched;
    CUresult failed;   /* what the driver said when it was asked, and hasn't said again */
    uint32_t target;   /* of the stream's word, when has_word */
    uint32_t has_word, reached; /* atomic: others may look at a wait */
    uint64_t upto;     /* atomic: how many of the stream's commands have finished then; 0: not known yet */
} triad_cu_wait;

/* Marks a wait's result as the code of the call that was to begin it. */
#define TRIAD_CU_ENQUEUE_FAILED ((int64_t)1 << 32)

/* Counts a command that was enqueued, if it was. */
static inline CUresult triad_cu_submitted(triad_cu_stream *s, CUresult code) {
    if (code == CUDA_SUCCESS) atomic_fetch_add_explicit(&s->submitted, 1, memory_order_relaxed);
    return code;
}

/* Notes that at least the first upto commands have finished. */
static inline void triad_cu_finished(triad_cu_stream *s, uint64_t upto) {
    uint64_t have = atomic_load(&s->done);
    while (have < upto && !atomic_compare_exchange_weak(&s->done, &have, upto)) {
    }
}

static inline int triad_cu_idle(triad_cu_stream *s) {
    return !s->borrowed && !atomic_load_explicit(&s->shared, memory_order_relaxed) &&
           atomic_load(&s->done) >= atomic_load(&s->submitted);
}

/* Makes the device's context current, and tells whether that must be undone. */
static inline CUresult triad_cu_enter(triad_cu_device *d, int *pushed) {
    CUcontext now = 0;
    *pushed = 0;
    if (atomic_load_explicit(d->resets, memory_order_relaxed) != d->born) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    triad_cu.cuCtxGetCurrent(&now);
    if (now == d->ctx) return CUDA_SUCCESS;
    CUresult code = triad_cu.cuCtxPushCurrent_v2(d->ctx);
    *pushed = code == CUDA_SUCCESS;
    return code;
}

static inline void triad_cu_leave(int pushed) {
    CUcontext was;
    if (pushed) triad_cu.cuCtxPopCurrent_v2(&was);
}

/* A call in the device's context. */
#define TRIAD_CU_IN(d, call)                                   \
    __extension__({                                            \
        int pushed_;                                           \
        CUresult in_ = triad_cu_enter((d), &pushed_);          \
        if (in_ == CUDA_SUCCESS) {                             \
            in_ = (call);                                      \
            triad_cu_leave(pushed_);                           \
        }                                                      \
        in_;                                                   \
    })

/* A call on a stream or an event, which belongs to the device's context. Drivers take
 * such calls from a thread without a context; where one doesn't it says so, having
 * done nothing, and is asked again. Making a context current and undoing it costs as
 * much as recording an event: 150 ns. A thread that has another context gets ours. */
#define TRIAD_CU_ON(d, call)                                                           \
    __extension__({                                                                    \
        int pushed_, bare_;                                                            \
        CUresult on_ = triad_cu_approach((d), &pushed_, &bare_);                       \
        if (on_ == CUDA_SUCCESS) {                                                     \
            on_ = (call);                                                              \
            if (on_ == CUDA_ERROR_INVALID_CONTEXT && bare_) {                          \
                atomic_store(&(d)->strict, 1);                                         \
                if ((on_ = triad_cu_enter((d), &pushed_)) == CUDA_SUCCESS) on_ = (call); \
            }                                                                          \
            triad_cu_leave(pushed_);                                                   \
        }                                                                              \
        on_;                                                                           \
    })

/* Is triad_cu_enter, but for threads without a context: *bare tells of one that was
 * left as it is. */
static inline CUresult triad_cu_approach(triad_cu_device *d, int *pushed, int *bare) {
    CUcontext now = 0;
    *pushed = *bare = 0;
    if (atomic_load_explicit(d->resets, memory_order_relaxed) != d->born) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    CUresult known = triad_cu.cuCtxGetCurrent(&now);
    if (now == d->ctx) return CUDA_SUCCESS;
    if (!now && known == CUDA_SUCCESS && !atomic_load_explicit(&d->strict, memory_order_relaxed)) {
        *bare = 1;
        return CUDA_SUCCESS;
    }
    CUresult code = triad_cu.cuCtxPushCurrent_v2(d->ctx);
    *pushed = code == CUDA_SUCCESS;
    return code;
}

/* TRIAD_CU_IN for calls that a capture on some other stream would not survive: while
 * anyone captures in the global mode, allocating, freeing and asking whether a stream
 * or an event has been reached end the capture, unless the thread that calls has said
 * that it knows what it does. */
static inline void triad_cu_calm(int *mode) {
    *mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    if (triad_cu.cuThreadExchangeStreamCaptureMode(mode) != CUDA_SUCCESS) *mode = -1; /* nothing to undo */
}
static inline void triad_cu_uncalm(int *mode) {
    if (*mode != -1) triad_cu.cuThreadExchangeStreamCaptureMode(mode);
}
#define TRIAD_CU_CALM(d, call)                                 \
    TRIAD_CU_IN(d, __extension__({                             \
        int mode_;                                             \
        triad_cu_calm(&mode_);                                 \
        CUresult calm_ = (call);                               \
        triad_cu_uncalm(&mode_);                               \
        calm_;                                                 \
    }))
#define TRIAD_CU_CALM_ON(d, call)                              \
    TRIAD_CU_ON(d, __extension__({                             \
        int mode_;                                             \
        triad_cu_calm(&mode_);                                 \
        CUresult calm_ = (call);                               \
        triad_cu_uncalm(&mode_);                               \
        calm_;                                                 \
    }))

/* cu_facts.c: what is asked without a context. */
CUresult triad_cu_device_count(int *n);
CUresult triad_cu_device_get(int ordinal, CUdevice *id);
CUresult triad_cu_device_name(CUdevice id, char *name, int room);
CUresult triad_cu_device_pci(CUdevice id, char *text, int room);
CUresult triad_cu_device_by_pci(const char *text, CUdevice *id);
CUresult triad_cu_device_uuid(CUdevice id, uint8_t uuid[16]);
CUresult triad_cu_device_memory(CUdevice id, size_t *bytes);
CUresult triad_cu_device_attribute(CUdevice id, int attribute, int *value);
CUresult triad_cu_mem_info(triad_cu_device *d, size_t *free_bytes, size_t *total);

/* cu_device.c */
/* *call is the call that failed. */
triad_cu_device *triad_cu_device_open(CUdevice id, uint32_t flags, CUresult *code, const char **call);
triad_cu_device *triad_cu_device_borrow(CUdevice id, CUcontext ctx, CUresult *code, const char **call);
triad_cu_device *triad_cu_device_own(CUdevice id, uint32_t flags, CUresult *code, const char **call);
void triad_cu_device_close(triad_cu_device *d);
CUresult triad_cu_device_reset(triad_cu_device *d, CUresult *again);
int triad_cu_device_dead(triad_cu_device *d);

/* cu_stream.c */
triad_cu_stream *triad_cu_stream_open(triad_cu_device *d, uint32_t flags, int priority, CUresult *code);
triad_cu_stream *triad_cu_stream_borrow(triad_cu_device *d, CUstream s, CUresult *code);
CUresult triad_cu_stream_close(triad_cu_stream *s);
CUresult triad_cu_stream_query(triad_cu_stream *s);
int triad_cu_stream_capturing(triad_cu_stream *s, CUresult *code);
CUresult triad_cu_stream_word(triad_cu_stream *s, uint32_t *target, uint64_t *upto);
int triad_cu_stream_reached(triad_cu_stream *s, uint32_t target);

/* cu_words.c */
CUresult triad_cu_write_value(triad_cu_stream *s, uint64_t at, uint64_t value, int wide);
CUresult triad_cu_wait_value(triad_cu_stream *s, uint64_t at, uint64_t value, uint32_t how, int wide);

/* cu_event.c */
triad_cu_event *triad_cu_event_open(triad_cu_device *d, uint32_t flags, CUresult *code);
CUresult triad_cu_event_close(triad_cu_event *e);
CUresult triad_cu_event_record(triad_cu_stream *s, triad_cu_event *e);
CUresult triad_cu_event_wait(triad_cu_stream *s, triad_cu_event *e);
CUresult triad_cu_event_query(triad_cu_event *e);
CUresult triad_cu_event_elapsed(triad_cu_event *from, triad_cu_event *to, float *ms);

/* cu_wait.c: a triad_poll_fn and a triad_wait_fn on a triad_cu_wait. */
int triad_cu_wait_poll(void *object, int64_t *result);
int64_t triad_cu_wait_block(void *object);
triad_cu_wait *triad_cu_wait_new(void);
void triad_cu_wait_free(triad_cu_wait *w);

/* cu_memory.c */
CUdeviceptr triad_cu_alloc(triad_cu_device *d, size_t size, CUresult *code);
CUdeviceptr triad_cu_alloc_plain(triad_cu_device *d, size_t size, CUresult *code);
int triad_cu_is_pinned(triad_cu_device *d, uint64_t p);
CUresult triad_cu_knows_host(uint64_t p, int *known); /* *known: it is page-locked, or managed */
CUresult triad_cu_free(triad_cu_device *d, CUdeviceptr p, triad_cu_stream *home, size_t keep);
CUresult triad_cu_free_plain(triad_cu_device *d, CUdeviceptr p);
void *triad_cu_host_alloc(triad_cu_device *d, size_t size, uint32_t flags, CUdeviceptr *at, CUresult *code);
CUresult triad_cu_host_free(triad_cu_device *d, void *p);
int triad_cu_device_busy(triad_cu_device *d);

/* cu_copy.c */
typedef struct {
    uint64_t offset, row, slice; /* bytes */
} triad_cu_rect;
enum { TRIAD_CU_TO_HOST = 1, TRIAD_CU_FROM_HOST = 2 };
CUresult triad_cu_copy(triad_cu_stream *s, uint64_t dst, uint64_t src, uint64_t n, uint32_t ends);
CUresult triad_cu_upload(triad_cu_stream *s, uint64_t dst, const void *src, uint64_t n, int ask, int *pinned);
CUresult triad_cu_copy_rect(triad_cu_stream *s, uint64_t dst, triad_cu_rect dr, uint64_t src, triad_cu_rect sr, uint64_t bytes,
                            uint64_t rows, uint64_t slices);
CUresult triad_cu_fill(triad_cu_stream *s, uint64_t dst, uint64_t n, uint64_t lo, uint64_t hi, uint32_t len);

/* cu_module.c */
typedef struct {
    char *info, *error; /* the logs; room bytes each */
    uint32_t room;
} triad_cu_logs;
/* An option of the driver's compiler: CU_JIT_…. */
enum { TRIAD_CU_MAX_JIT = 16 };
typedef struct {
    int32_t option;
    uint32_t value;
} triad_cu_jit;
CUmodule triad_cu_module_load(triad_cu_device *d, const void *image, triad_cu_logs *logs, const triad_cu_jit *more, uint32_t n,
                              CUresult *code);
CUresult triad_cu_module_unload(triad_cu_device *d, CUmodule m);
CUfunction triad_cu_module_function(triad_cu_device *d, CUmodule m, const char *name, CUresult *code);
CUresult triad_cu_module_functions(triad_cu_device *d, CUmodule m, CUfunction *list, uint32_t *n);
CUresult triad_cu_function_name(triad_cu_device *d, CUfunction f, const char **name);
CUresult triad_cu_function_param(triad_cu_device *d, CUfunction f, size_t i, size_t *offset, size_t *size);
CUresult triad_cu_function_attribute(triad_cu_device *d, CUfunction f, int attribute, int *value);
CUresult triad_cu_function_set_attribute(triad_cu_device *d, CUfunction f, int attribute, int value);

/* cu_link.c */
typedef struct {
    int type; /* CU_JIT_INPUT_… */
    const void *data;
    size_t size;
    const char *name;
} triad_cu_input;
CUresult triad_cu_link(triad_cu_device *d, const triad_cu_input *inputs, uint32_t n, triad_cu_logs *logs, uint32_t *failed,
                       void **image, size_t *size);

/* cu_launch.c */
enum { TRIAD_CU_ARG_VALUE = 0, TRIAD_CU_ARG_POINTER, TRIAD_CU_ARG_LOCAL };
typedef struct {
    uint32_t offset, size, kind;
} triad_cu_param;

/* A bound kernel. params has the driver's parameters first, then the sizes of
 * local memory, which no parameter of CUDA's stands for. packed is how many bytes of the
 * arguments are, as they lie, what the driver makes of them; 0 if they lie otherwise. */
enum { TRIAD_CU_MAX_PARAMS = 4096 };
typedef struct {
    triad_cu_device *dev;
    CUfunction f;
    uint32_t nparams, nlocals, packed;
    triad_cu_param params[];
} triad_cu_kernel;

/* The handles are integers, and a launch's arguments are bytes, so that cgo has
 * no pointers to look for in them. The struct is copied onto the C stack. */
typedef struct {
    uintptr_t stream; /* triad_cu_stream */
    uintptr_t kernel; /* triad_cu_kernel */
    uint32_t grid[3], block[3];
    uint32_t shared;
} triad_cu_launch_shape;

triad_cu_kernel *triad_cu_kernel_new(triad_cu_device *d, CUfunction f, uint32_t nparams, uint32_t nlocals, uint32_t packed);
void triad_cu_kernel_free(triad_cu_kernel *k);

/* Returns CUDA's code in the low 32 bits and, where an argument was refused
 * before CUDA was asked, its index plus one above. */
int64_t triad_cu_launch(triad_cu_launch_shape l, const uint8_t *args);
int64_t triad_cu_arguments(const triad_cu_kernel *k, const uint8_t *args, void **params, uint32_t *shared);

/* cu_launchex.c: attributes of a launch; set says which. */
enum {
    TRIAD_CU_EX_CLUSTER = 1,
    TRIAD_CU_EX_POLICY = 2,
    TRIAD_CU_EX_COOPERATIVE = 4,
    TRIAD_CU_EX_PROGRAMMATIC = 8,
    TRIAD_CU_EX_PRIORITY = 16,
    TRIAD_CU_EX_DOMAIN = 32,
    TRIAD_CU_EX_CARVEOUT = 64,
    TRIAD_CU_EX_KINDS = 7
};
typedef struct {
    uint32_t set;
    uint32_t cluster[3];
    int32_t policy, priority, domain, carveout;
} triad_cu_launch_extra;
int64_t triad_cu_launch_ex(triad_cu_launch_shape l, triad_cu_launch_extra x, const uint8_t *args);
uint32_t triad_cu_launch_shared(triad_cu_launch_shape l, const uint8_t *args);

/* cu_function.c */
CUresult triad_cu_module_global(triad_cu_device *d, CUmodule m, const char *name, CUdeviceptr *at, size_t *size);
CUresult triad_cu_loading_mode(int *mode);
CUresult triad_cu_function_load(triad_cu_device *d, CUfunction f);
CUresult triad_cu_function_loaded(triad_cu_device *d, CUfunction f, int *state);
CUresult triad_cu_function_cache(triad_cu_device *d, CUfunction f, int config);
CUresult triad_cu_occupancy(triad_cu_device *d, CUfunction f, int threads, size_t shared, int *blocks);
CUresult triad_cu_block_size(triad_cu_device *d, CUfunction f, size_t shared, int *threads);
CUresult triad_cu_shared_left(triad_cu_device *d, CUfunction f, int blocks, int threads, size_t *bytes);
CUresult triad_cu_clusters(triad_cu_launch_shape l, const uint32_t cluster[3], int *count);
CUresult triad_cu_cluster_size(triad_cu_launch_shape l, int *size);

/* cu_context.c */
CUresult triad_cu_peer_possible(CUdevice from, CUdevice to, int *yes);
CUresult triad_cu_peer_attribute(CUdevice from, CUdevice to, int attribute, int *value);
CUresult triad_cu_peer_enable(triad_cu_device *d, triad_cu_device *peer);
CUresult triad_cu_peer_disable(triad_cu_device *d, triad_cu_device *peer);
CUresult triad_cu_primary_state(CUdevice id, unsigned int *flags, int *active);
CUresult triad_cu_primary_flags(CUdevice id, unsigned int flags);
CUresult triad_cu_context_limit(triad_cu_device *d, int limit, size_t *value);
CUresult triad_cu_context_set_limit(triad_cu_device *d, int limit, size_t value);
CUresult triad_cu_context_cache(triad_cu_device *d, int *config);
CUresult triad_cu_context_set_cache(triad_cu_device *d, int config);
CUresult triad_cu_context_priorities(triad_cu_device *d, int *least, int *greatest);
CUresult triad_cu_context_flags(triad_cu_device *d, unsigned int *flags);
CUresult triad_cu_context_set_flags(triad_cu_device *d, unsigned int flags);
CUresult triad_cu_context_id(triad_cu_device *d, unsigned long long *id);
CUresult triad_cu_context_api(triad_cu_device *d, unsigned int *version);
CUresult triad_cu_context_reset_l2(triad_cu_device *d);

/* cu_streamattr.c */
typedef struct {
    uint64_t at, bytes;
    float hit_ratio;
    int32_t hit, miss;
} triad_cu_window;
CUresult triad_cu_stream_attribute(triad_cu_stream *s, int which, int *value);
CUresult triad_cu_stream_set_attribute(triad_cu_stream *s, int which, int value);
CUresult triad_cu_stream_window(triad_cu_stream *s, triad_cu_window *w);
CUresult triad_cu_stream_set_window(triad_cu_stream *s, triad_cu_window w);
CUresult triad_cu_stream_copy_attributes(triad_cu_stream *to, triad_cu_stream *from);
CUresult triad_cu_stream_flags(triad_cu_stream *s, unsigned int *flags);
CUresult triad_cu_stream_priority(triad_cu_stream *s, int *priority);
CUresult triad_cu_stream_id(triad_cu_stream *s, unsigned long long *id);
CUresult triad_cu_stream_host(triad_cu_stream *s, uintptr_t fn, uintptr_t user);
uintptr_t triad_cu_raise_word(void);

/* cu_capture.c */
CUresult triad_cu_capture_begin(triad_cu_stream *s, int mode);
CUresult triad_cu_capture_end(triad_cu_stream *s, int *whole);

/* cu_eventipc.c */
CUresult triad_cu_event_handle(triad_cu_event *e, uint8_t handle[64]);
triad_cu_event *triad_cu_event_import(triad_cu_device *d, const uint8_t handle[64], CUresult *code);
CUresult triad_cu_event_record_external(triad_cu_stream *s, triad_cu_event *e);
CUresult triad_cu_event_wait_external(triad_cu_stream *s, triad_cu_event *e);

#endif
