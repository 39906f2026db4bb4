/* fk.h: the engine of the fake drivers, as its faces see it.
 *
 * The engine knows contexts, streams, events, memory and kernels, but no vendor's
 * names or codes; a face translates. Except where said, every function is called
 * with fk_lock held and returns an fk_status.
 */
#ifndef FK_H
#define FK_H

#include <stddef.h>
#include <stdint.h>

/* A handle names a slot of a table and a generation; it is never an address. */
typedef uint64_t fk_handle;

enum fk_kind {
    FK_CONTEXT = 1,
    FK_STREAM,
    FK_EVENT,
    FK_MODULE,
    FK_FUNCTION,
    FK_ARRAY,
    FK_MIPMAP,
    FK_TEXTURE,
    FK_SURFACE,
    FK_POOL,
    FK_GRAPH,
    FK_PHYSICAL,
    FK_LINK,
    FK_KINDS
};

enum fk_status {
    FK_OK = 0,
    FK_INVALID_VALUE,
    FK_OUT_OF_MEMORY,
    FK_NOT_INITIALIZED,
    FK_NO_DEVICE,
    FK_INVALID_DEVICE,
    FK_INVALID_IMAGE,
    FK_INVALID_CONTEXT,
    FK_NO_BINARY,
    FK_INVALID_PTX,
    FK_INVALID_HANDLE,
    FK_ILLEGAL_STATE,
    FK_NOT_FOUND,
    FK_NOT_READY,
    FK_OUT_OF_RESOURCES,
    FK_PEER_ENABLED,
    FK_PEER_NOT_ENABLED,
    FK_PEER_UNSUPPORTED,
    FK_PRIMARY_ACTIVE,
    FK_CONTEXT_DESTROYED,
    FK_ALREADY_REGISTERED,
    FK_NOT_REGISTERED,
    FK_COOPERATIVE_TOO_LARGE,
    FK_NOT_SUPPORTED,
    FK_UNSUPPORTED_LIMIT,
    FK_INVALID_CLUSTER,
    FK_CAPTURE_UNSUPPORTED,
    FK_CAPTURE_INVALIDATED,
    FK_CAPTURE_MERGE,
    FK_CAPTURE_UNMATCHED,
    FK_CAPTURE_UNJOINED,
    FK_CAPTURE_ISOLATION,
    FK_CAPTURE_IMPLICIT,
    FK_CAPTURED_EVENT,
    FK_CAPTURE_WRONG_THREAD,
    FK_UNKNOWN,
    FK_STATUSES,
    FK_RAW = 1 << 30 /* with a code of the face's in the bits below */
};

#define FK_RAW_CODE(code) (FK_RAW | ((code) & 0xffff))

/* --- state.c: the lock, and beginning --- */
void fk_lock(void);
void fk_unlock(void);
int fk_begin(void); /* reads the configuration, makes the devices; again: nothing */
uint64_t fk_now(void);

/* --- device.c --- */
enum { FK_MAX_DEVICES = 8 };
typedef struct {
    const char *short_name, *name, *arch; /* arch: by its name, if it has one; code is then for no other */
    int major, minor, processors, max_threads, max_block[3], max_grid[3], warp;
    int shared_block, shared_optin, shared_processor, shared_reserved;
    int registers, threads_processor, blocks_processor, constant_bytes;
    int clock_khz, memory_khz, bus_bits, l2_bytes, persisting_l2, engines;
    int pools, words, managed_concurrent, clusters, cooperative, virtual_memory;
    uint64_t memory;
} fk_model;
int fk_device_count(void);
const fk_model *fk_device_model(int device); /* 0: no such device */
int fk_device_memory(int device, uint64_t *free_bytes, uint64_t *total);
int fk_device_lost(int device); /* the code to give, or 0 */

/* --- context.c --- */
int fk_primary_retain(int device, fk_handle *ctx);
int fk_primary_release(int device);
int fk_primary_reset(int device);
int fk_primary_set_flags(int device, unsigned flags);
int fk_primary_state(int device, unsigned *flags, int *active);
int fk_context_create(int device, unsigned flags, fk_handle *ctx);
int fk_context_destroy(fk_handle ctx);
int fk_context_push(fk_handle ctx);
int fk_context_pop(fk_handle *ctx);
int fk_context_set(fk_handle ctx);
fk_handle fk_context_get(void);
int fk_context_lend(fk_handle on); /* makes that of a stream or an event current if there is none; whether it did */
int fk_context_check(void); /* the current one: FK_OK, or why it can't be used */
int fk_context_device(int *device);
int fk_context_sync(void);
int fk_context_flags(unsigned *flags);
int fk_context_set_flags(unsigned flags);
int fk_context_id(fk_handle ctx, uint64_t *id); /* 0: the current one */
int fk_context_limit(int limit, uint64_t *value, int set);
int fk_context_cache(int *value, int set);
int fk_context_peer(fk_handle peer, int enable);

/* --- stream.c, queue.c --- */
enum { FK_STREAM_LEGACY = 1, FK_STREAM_THREAD = 2 }; /* handles; 0 is the first, too */
enum { FK_STREAM_NON_BLOCKING = 1 };
enum { FK_STREAM_ATTRS = 32, FK_STREAM_ATTR_BYTES = 64 };
int fk_stream_create(unsigned flags, int priority, fk_handle *stream);
int fk_stream_destroy(fk_handle stream);
int fk_stream_query(fk_handle stream);
int fk_stream_sync(fk_handle stream);
int fk_stream_info(fk_handle stream, fk_handle *ctx, unsigned *flags, int *priority, uint64_t *id);
int fk_stream_attr(fk_handle stream, int attr, void *value, int set);
int fk_stream_attr_copy(fk_handle dst, fk_handle src);
int fk_stream_wait(fk_handle stream, fk_handle event, int external);
int fk_stream_host(fk_handle stream, void (*fn)(void *), void *user);
int fk_stream_write32(fk_handle stream, uint64_t addr, uint32_t value);

/* How a word compares with the value: CU_STREAM_WAIT_VALUE_… */
enum { FK_WORD_AT_LEAST = 0, FK_WORD_EQUAL, FK_WORD_AND, FK_WORD_NOR };
int fk_stream_write64(fk_handle stream, uint64_t addr, uint64_t value);
int fk_stream_wait_word(fk_handle stream, uint64_t addr, uint64_t value, int how, int wide);
int fk_stream_nothing(fk_handle stream);

/* --- capture.c --- */
enum { FK_CAPTURE_GLOBAL, FK_CAPTURE_THREAD, FK_CAPTURE_RELAXED };
int fk_capture_begin(fk_handle stream, int mode);
int fk_capture_end(fk_handle stream, fk_handle *graph);
int fk_capture_status(fk_handle stream, int *status); /* 0 none, 1 active, 2 invalidated */
int fk_capture_exchange(int *mode);
int fk_capture_unsafe(void); /* before a call that a capture may forbid */
int fk_graph_destroy(fk_handle graph);

/* --- event.c --- */
enum { FK_EVENT_NO_TIMING = 1, FK_EVENT_IPC = 2 };
int fk_event_create(unsigned flags, fk_handle *event);
int fk_event_destroy(fk_handle event);
int fk_event_record(fk_handle event, fk_handle stream);
int fk_event_query(fk_handle event);
int fk_event_sync(fk_handle event);
int fk_event_elapsed(fk_handle start, fk_handle end, float *ms);
int fk_event_export(fk_handle event, char out[64]);
int fk_event_import(const char in[64], fk_handle *event);

/* --- memory.c, host.c, managed.c, ipc.c --- */
enum fk_memory { FK_MEM_DEVICE, FK_MEM_HOST, FK_MEM_REGISTERED, FK_MEM_MANAGED, FK_MEM_MAPPED, FK_MEM_GLOBAL, FK_MEM_TYPES };
typedef struct {
    uint64_t base, size, id, host_base;
    enum fk_memory type;
    fk_handle ctx, pool;
    int device;
    unsigned flags;
} fk_mem_info;
int fk_mem_alloc(uint64_t size, uint64_t *addr);
int fk_mem_free(uint64_t addr);
int fk_mem_info_at(uint64_t addr, fk_mem_info *info); /* FK_NOT_FOUND outside of all */
int fk_host_alloc(uint64_t size, unsigned flags, uint64_t *addr);
int fk_host_free(uint64_t addr);
int fk_host_register(uint64_t addr, uint64_t size, unsigned flags);
int fk_host_unregister(uint64_t addr);
int fk_managed_alloc(uint64_t size, unsigned flags, uint64_t *addr);
int fk_managed_check(uint64_t addr, uint64_t size);
int fk_managed_attach(fk_handle stream, uint64_t addr, uint64_t size);
int fk_managed_prefetch(fk_handle stream, uint64_t addr, uint64_t size);
int fk_ipc_export(uint64_t addr, char out[64]);
int fk_ipc_open(const char in[64], uint64_t *addr);
int fk_ipc_close(uint64_t addr);

/* --- pool.c: memory in stream order --- */
enum { FK_POOL_FOLLOW, FK_POOL_OPPORTUNISTIC, FK_POOL_INTERNAL, FK_POOL_THRESHOLD, FK_POOL_RESERVED, FK_POOL_RESERVED_HIGH, FK_POOL_USED, FK_POOL_USED_HIGH, FK_POOL_ATTRS };
int fk_pool_create(int device, uint64_t max, int shareable, fk_handle *pool);
int fk_pool_destroy(fk_handle pool);
int fk_pool_of_device(int device, int fresh, fk_handle *pool); /* fresh: the default one */
int fk_pool_use(int device, fk_handle pool);
int fk_pool_attr(fk_handle pool, int attr, uint64_t *value, int set);
int fk_pool_trim(fk_handle pool, uint64_t keep);
int fk_pool_access(fk_handle pool, int device, int *flags, int set);
int fk_pool_shareable(fk_handle pool, int *device);
int fk_pool_alloc(fk_handle pool, uint64_t size, fk_handle stream, uint64_t *addr); /* 0: the device's */
int fk_pool_free(uint64_t addr, fk_handle stream);

/* --- vmm.c: address ranges, and memory mapped there --- */
enum { FK_GRANULARITY = 2 << 20 };
int fk_range_reserve(uint64_t size, uint64_t align, uint64_t *addr);
int fk_range_free(uint64_t addr, uint64_t size);
int fk_physical_create(uint64_t size, int device, fk_handle *physical);
int fk_physical_release(fk_handle physical);
int fk_physical_export(fk_handle physical, int *fd);
int fk_physical_import(int fd, int device, fk_handle *physical);
int fk_range_map(uint64_t addr, uint64_t size, uint64_t offset, fk_handle physical);
int fk_range_unmap(uint64_t addr, uint64_t size);
int fk_range_access(uint64_t addr, uint64_t size, int device, int *flags, int set);

/* --- copy.c --- */
enum fk_place { FK_AT_ANY, FK_AT_HOST, FK_AT_DEVICE, FK_AT_ARRAY };
typedef struct {
    enum fk_place place;
    uint64_t addr;
    fk_handle array;
    uint64_t x, y, z, pitch, height; /* x and pitch in bytes, height in rows */
} fk_region;
int fk_copy(fk_handle stream, uint64_t dst, enum fk_place dplace, uint64_t src, enum fk_place splace, uint64_t n);
int fk_copy_region(fk_handle stream, const fk_region *dst, const fk_region *src, uint64_t width, uint64_t height, uint64_t depth);
int fk_fill(fk_handle stream, uint64_t dst, uint64_t pitch, uint32_t value, int bytes, uint64_t width, uint64_t height);

/* --- array.c --- */
typedef struct {
    uint64_t width, height, depth;
    int format, channels, element; /* the format is the face's; element is the bytes of all channels */
    unsigned flags;
} fk_array_desc;
int fk_array_create(const fk_array_desc *desc, fk_handle *array);
int fk_array_destroy(fk_handle array);
int fk_array_desc_of(fk_handle array, fk_array_desc *desc);
int fk_mipmap_create(const fk_array_desc *desc, unsigned levels, fk_handle *mipmap);
int fk_mipmap_destroy(fk_handle mipmap);
int fk_mipmap_level(fk_handle mipmap, unsigned level, fk_handle *array);
int fk_sampler_create(enum fk_kind kind, const void *desc, size_t size, fk_handle *object);
int fk_sampler_destroy(enum fk_kind kind, fk_handle object);

/* --- module.c, link.c --- */
int fk_module_load(const void *image, fk_handle *module, char *why, size_t room);
int fk_module_unload(fk_handle module);
int fk_module_function(fk_handle module, const char *name, fk_handle *function);
int fk_module_global(fk_handle module, const char *name, uint64_t *addr, uint64_t *size);
int fk_module_count(fk_handle module, unsigned *n);
int fk_module_list(fk_handle module, fk_handle *functions, unsigned room);
int fk_link_create(fk_handle *link);
int fk_link_add(fk_handle link, const void *data, size_t size);
int fk_link_image(fk_handle link, void **image, size_t *size);
int fk_link_destroy(fk_handle link);

/* --- function.c, launch.c --- */
typedef struct {
    const char *name;
    unsigned n_params, max_threads, registers, static_shared, local_bytes, const_bytes, arch;
    unsigned max_dynamic, required_block[3];
    int carveout, non_portable_cluster, cluster_policy;
} fk_function_info;
enum { FK_FUNC_MAX_DYNAMIC, FK_FUNC_CARVEOUT, FK_FUNC_NON_PORTABLE, FK_FUNC_CLUSTER_POLICY };
int fk_function_info_of(fk_handle function, fk_function_info *info);
int fk_function_set(fk_handle function, int what, int value);
int fk_function_param(fk_handle function, size_t index, size_t *offset, size_t *size);
int fk_function_blocks(fk_handle function, int threads, size_t dynamic, int *blocks); /* per multiprocessor */

typedef struct {
    unsigned grid[3], block[3], shared, cluster[3];
    int cooperative;
    fk_handle stream;
    void **params;       /* a pointer for each, or 0 */
    const void *buffer;  /* else all, at their offsets */
    size_t buffer_size;
} fk_launch_config;
int fk_launch(fk_handle function, const fk_launch_config *config);

/* --- control.c: what a face does at every call, and what tests ask for --- */
void fk_control_symbols(const char *const *names, int n); /* once, by a constructor of the face */
int fk_control_enter(int symbol, int *code); /* counts, waits, delays; 1: return code. Without the lock. */
int fk_control_missing(const char *name);
int fk_control_version(void);

#endif
