/* fk_internal.h: the engine's own structures. One lock guards them all; it is
 * let go only while a kernel, a copy or a host function runs. */
#ifndef FK_INTERNAL_H
#define FK_INTERNAL_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fake_kernel.h"
#include "fk.h"

typedef struct fk_object fk_object;
typedef struct fk_context fk_context;
typedef struct fk_stream fk_stream;
typedef struct fk_capture fk_capture;
typedef struct fk_command fk_command;
typedef struct fk_pool fk_pool;

/* What every thing with a handle begins with. */
struct fk_object {
    fk_handle handle;
    int kind, refs, hidden;       /* hidden: not counted as live */
    fk_context *ctx;              /* 0 for those of no context */
    fk_object *prev, *next;       /* of the same context */
    void (*close)(fk_object *);   /* ends it, as its destroy call does */
    void (*release)(fk_object *); /* frees it, once nobody refers to it */
};

/* handles.c */
int fk_object_add(fk_object *o, int kind, fk_context *ctx, void (*close)(fk_object *), void (*release)(fk_object *));
void fk_object_remove(fk_object *o); /* the handle ends, and with it one reference */
void fk_object_ref(fk_object *o);
fk_object *fk_object_next(int kind, uint32_t *at);
void fk_object_unref(fk_object *o);
fk_object *fk_find(fk_handle h, int kind);
int fk_find_used(fk_handle h, int kind, fk_object **o); /* counts a use with another context current */
int fk_dead(fk_handle h, int kind);                     /* whether it once was one */

enum { FK_CONTEXT_LIMITS = 16, FK_MAX_PEERS = 32 };

struct fk_context {
    fk_object o;
    int device, primary;
    int active;   /* whether it can be used; a primary one may come back */
    int users;    /* of a primary one */
    int ending;   /* is being destroyed: commands that wait are dropped */
    int fault;    /* the face's code; every call gets it */
    unsigned flags;
    int cache;
    uint64_t id, limits[FK_CONTEXT_LIMITS];
    fk_stream *legacy;
    fk_object *first; /* what lives in it */
    fk_handle peers[FK_MAX_PEERS];
};

int fk_context_current(fk_context **ctx);
void fk_context_fault(fk_context *ctx, int code);
void fk_context_idle(fk_context *ctx); /* waits for its streams */
void fk_wake_all(void);

/* A point in a stream's queue: reached once so many commands have completed. */
typedef struct {
    int refs;
    fk_stream *stream;
    uint64_t upto, when; /* when: ns, once reached; 0 before */
} fk_mark;

enum { FK_CAPTURE_STREAMS = 32 };

/* A command of a stream. Specific ones begin with this. */
struct fk_command {
    fk_command *next;
    fk_mark *wait;               /* first wait for this */
    int (*run)(fk_command *);    /* without the lock; a code of the face's breaks the context */
    void (*done)(fk_command *);  /* with the lock, once run */
    void (*drop)(fk_command *);  /* with the lock: frees it, run or not */
};

struct fk_stream {
    fk_object o;
    unsigned flags;
    int priority, special, started, closing;
    uint64_t id, submitted, completed;
    fk_command *head, **tail;
    pthread_cond_t work, done;
    fk_capture *capture;
    int member;       /* its number in the capture */
    uint64_t seen[FK_CAPTURE_STREAMS];
    fk_stream *after; /* in the list of all */
    unsigned char attrs[FK_STREAM_ATTRS][FK_STREAM_ATTR_BYTES];
};

int fk_stream_get(fk_handle h, fk_stream **s);
fk_stream *fk_stream_new(fk_context *ctx, unsigned flags, int priority, int special);
int fk_stream_idle(fk_stream *s);
int fk_submit(fk_stream *s, fk_command *c); /* takes the command, whatever happens */
void *fk_command_new(size_t size, int (*run)(fk_command *), void (*drop)(fk_command *));
int fk_stream_finish(fk_stream *s, uint64_t upto); /* waits until so many have completed, or the context is broken */
void fk_stream_drain(fk_stream *s); /* waits until it is idle, broken or not */
fk_mark *fk_mark_new(fk_stream *s, uint64_t upto);
void fk_mark_drop(fk_mark *m);
int fk_mark_reached(const fk_mark *m);

/* What was captured is counted for each stream. A stream has seen its own part and
 * what it waited for; in the end the first must have seen all. */
struct fk_capture {
    int mode, invalid, streams, members;
    uint64_t captured[FK_CAPTURE_STREAMS];
    uint64_t id;
    pthread_t thread;
    fk_stream *origin;
    fk_command *first, **last;
    fk_capture *next;
};
int fk_capture_check(fk_stream *s); /* before a call that no capturing stream allows */
int fk_capture_beside(const fk_stream *s); /* before a command that a capture may forbid on another stream */
void fk_capture_invalidate(fk_capture *c);
void fk_capture_record(fk_stream *s, fk_command *cmd);
int fk_capture_join(fk_capture *c, fk_stream *s, const uint64_t *seen); /* or waits, where it is in it */
void fk_capture_leave(fk_stream *s);
fk_capture *fk_capture_find(uint64_t id);
int fk_capture_implicit(fk_context *ctx);

/* memory.c */
typedef struct {
    uint64_t base, size, id;
    enum fk_memory type;
    fk_context *ctx;
    fk_pool *pool;
    fk_object *physical;
    void *map;       /* to unmap at the end; 0 for what isn't ours */
    uint64_t map_size;
    int device, refs, dead, opened, access;
    unsigned flags;
} fk_mem;
fk_mem *fk_mem_at(uint64_t addr); /* the one that holds the address; dead ones excluded */
int fk_mem_overlaps(uint64_t addr, uint64_t size);
fk_mem *fk_mem_new(enum fk_memory type, fk_context *ctx, int device, uint64_t size, int *status);
int fk_mem_add(fk_mem *m);    /* takes it; frees it on failure */
void fk_mem_remove(fk_mem *m); /* from the table, and one reference */
void fk_mem_drop(fk_mem *m);  /* one reference */
int fk_mem_span(uint64_t addr, uint64_t size, enum fk_place place, fk_mem **m); /* *m 0: pageable host memory */
void fk_mem_end(fk_context *ctx);
int fk_range_touches(uint64_t addr, uint64_t size); /* vmm.c: any reserved range */

/* array.c */
typedef struct {
    fk_object o;
    fk_array_desc d;
    fk_mem *mem;
    fk_object *parent;
} fk_array;

/* pool.c */
struct fk_pool {
    fk_object o;
    int device, shareable;
    uint64_t max, attrs[FK_POOL_ATTRS];
    uint64_t kept, unseen; /* of what is reserved: not used; and freed since anybody waited */
    int access[FK_MAX_DEVICES];
};
void fk_pool_freed(fk_pool *p, uint64_t size);
void fk_pools_seen(void); /* after somebody waited for a stream */
void fk_pool_settle(void); /* gives memory that is given back in stream order a moment to come */
void fk_pools_end(int device);

/* image.c */
typedef struct {
    int refs, fd;
    void *lib; /* 0: of kernels that are called */
    const fake_image *table;
    const char **names; /* of the kernels */
    unsigned n;
} fk_image;
int fk_image_open(const void *bytes, int device, fk_image **image, char *why, size_t room);
int fk_fetch(void *to, const void *from, size_t n); /* memory that may not be there; whether it is */
enum { FK_IMAGE_MOST = 256 << 20 }; /* the bytes that an image of unknown size may have */
int fk_image_copy(const void *bytes, size_t room, void **copy, size_t *size); /* reads within room */
void fk_image_drop(fk_image *image);

/* bundle.c */
/* Of a bundle, the image for a device, and its size; others stay as they are. */
int fk_bundle_part(const void **bytes, size_t *room, int device);

/* codeobject.c */
/* The same of an image in a code object of AMD's. */
int fk_code_object_part(const void **bytes, size_t *room, int device);

/* called.c */
int fk_called_parse(const char *text, fake_image **image);
void fk_called_free(fake_image *image);

/* module.c */
typedef struct {
    fk_object o;
    fk_image *image;
    struct fk_function **functions; /* made when asked for */
    fk_mem **globals;
    int n_globals;
} fk_module;
typedef struct fk_function {
    fk_object o;
    fk_image *image;
    const fake_kernel *kernel;
    const char *name;
    unsigned max_dynamic;
    int carveout, non_portable, policy;
} fk_function;
int fk_module_of(fk_context *ctx, const void *bytes, fk_module **module, char *why, size_t room);
int fk_module_function_at(fk_module *m, unsigned i, fk_function **f);
int fk_function_get(fk_handle h, fk_function **f);

/* grid.c, fiber.c */
typedef struct {
    const fake_kernel *kernel;
    const fake_image *table;
    void **params;
    fake_dim3 grid, block;
    uint32_t shared;
} fk_grid;
int fk_grid_run(const fk_grid *g); /* 0, or the code of a fault */
extern const fake_services fk_services;
int fk_fiber_block(const fk_grid *g, fake_thread *t, const fake_thread **self);
void fk_fiber_rest(int code); /* after the grid's last block */
void fk_fiber_end(void);      /* before the thread's end */
void fk_fiber_barrier(void);
int fk_fiber_fault(int code); /* does not return where a fiber runs */

/* device.c, state.c, control.c */
typedef struct {
    fk_model model;
    uint64_t used;
    int lost;
    fk_context *primary;
    fk_pool *pool, *default_pool;
} fk_device;

struct fk_state {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* of holds, faults, latencies */
    int begun, n_devices;
    fk_device devices[FK_MAX_DEVICES];
    fk_stream *streams; /* all that exist, also destroyed ones whose thread is at work */
    fk_capture *captures;
    uint64_t next_id;
    int64_t live[FK_KINDS], bytes[FK_MEM_TYPES], count[FK_MEM_TYPES];
    /* What tests ask for. */
    int hold, refuse_wrong_context, strict, fault_next;
    _Atomic int lose_words, callbacks; /* read without the lock */
    uint64_t wrong_context;
};
extern struct fk_state fk;
uint64_t fk_control_kernel_latency(const char *name);
void fk_control_kernel_ran(const char *name);
#endif
