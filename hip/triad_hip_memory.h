/* triad_hip_memory.h: the part of triad_hip_c.h that is about memory and copies; to be
 * included from there only. */
#ifndef TRIAD_HIP_MEMORY_H
#define TRIAD_HIP_MEMORY_H

/* hip_memory.c */
uint64_t triad_hip_alloc(triad_hip_device *d, size_t size, hipError_t *code);
uint64_t triad_hip_alloc_plain(triad_hip_device *d, size_t size, uint32_t flags, hipError_t *code);
int triad_hip_is_pinned(triad_hip_device *d, uint64_t p);
hipError_t triad_hip_free(triad_hip_device *d, uint64_t p, triad_hip_stream *home, size_t keep);
hipError_t triad_hip_free_late(triad_hip_device *d);
void triad_hip_spares_free(triad_hip_stream *s); /* with the device as the current one */
void triad_hip_spares_end(triad_hip_stream *s);
hipError_t triad_hip_free_plain(triad_hip_device *d, uint64_t p);
void *triad_hip_host_alloc(triad_hip_device *d, size_t size, uint32_t flags, uint64_t *at, hipError_t *code);
hipError_t triad_hip_host_free(triad_hip_device *d, void *p);
int triad_hip_device_busy(triad_hip_device *d);

/* hip_copy.c */
typedef struct {
    uint64_t offset, row, slice; /* bytes */
} triad_hip_rect;
enum { TRIAD_HIP_TO_HOST = 1, TRIAD_HIP_FROM_HOST = 2 };
hipError_t triad_hip_copy(triad_hip_stream *s, uint64_t dst, uint64_t src, uint64_t n, uint32_t ends);
hipError_t triad_hip_upload(triad_hip_stream *s, uint64_t dst, const void *src, uint64_t n);
hipError_t triad_hip_copy_rect(triad_hip_stream *s, uint64_t dst, triad_hip_rect dr, uint64_t src, triad_hip_rect sr, uint64_t bytes,
                            uint64_t rows, uint64_t slices);
hipError_t triad_hip_fill(triad_hip_stream *s, uint64_t dst, uint64_t n, uint64_t lo, uint64_t hi, uint32_t len);

/* A hipMemLocation. */
typedef struct {
    int32_t type, id;
} triad_hip_place;

/* hip_staging.c */
void *triad_hip_pages_alloc(triad_hip_device *d, size_t size);
void triad_hip_pages_free(triad_hip_device *d, void *p);

/* hip_pool.c */
hipMemPool_t triad_hip_pool_new(triad_hip_device *d, uint64_t max, uint64_t keep, int shareable, hipError_t *code);
hipError_t triad_hip_pool_destroy(triad_hip_device *d, hipMemPool_t pool);
hipMemPool_t triad_hip_pool_of_device(triad_hip_device *d, int current, hipError_t *code);
hipError_t triad_hip_pool_make_current(triad_hip_device *d, hipMemPool_t pool);
hipError_t triad_hip_pool_get(triad_hip_device *d, hipMemPool_t pool, int attribute, uint64_t *value);
hipError_t triad_hip_pool_set(triad_hip_device *d, hipMemPool_t pool, int attribute, uint64_t value);
int triad_hip_give_back(triad_hip_device *d);
hipError_t triad_hip_pool_trim(triad_hip_device *d, hipMemPool_t pool, uint64_t keep);
hipError_t triad_hip_pool_set_access(triad_hip_device *d, hipMemPool_t pool, triad_hip_place at, int access);
hipError_t triad_hip_pool_get_access(triad_hip_device *d, hipMemPool_t pool, triad_hip_place at, int *access);
hipError_t triad_hip_pool_export(triad_hip_device *d, hipMemPool_t pool, int *fd);
hipMemPool_t triad_hip_pool_import(triad_hip_device *d, int fd, hipError_t *code);
hipError_t triad_hip_pool_export_pointer(triad_hip_device *d, uint64_t p, uint8_t data[64]);
uint64_t triad_hip_pool_import_pointer(triad_hip_device *d, hipMemPool_t pool, uint8_t data[64], hipError_t *code);
uint64_t triad_hip_alloc_on(triad_hip_stream *s, hipMemPool_t pool, size_t size, hipError_t *code);

/* hip_virtual.c */
typedef struct {
    triad_hip_place at;
    int32_t shareable;
} triad_hip_physical_kind;
uint64_t triad_hip_reserve(triad_hip_device *d, uint64_t size, uint64_t align, uint64_t near, hipError_t *code);
hipError_t triad_hip_unreserve(triad_hip_device *d, uint64_t at, uint64_t size);
hipError_t triad_hip_granularity(triad_hip_device *d, triad_hip_physical_kind k, int recommended, uint64_t *bytes);
hipError_t triad_hip_physical_new(triad_hip_device *d, triad_hip_physical_kind k, uint64_t size, uint64_t *h);
hipError_t triad_hip_physical_release(triad_hip_device *d, uint64_t h);
hipError_t triad_hip_physical_export(triad_hip_device *d, uint64_t h, int *fd);
hipError_t triad_hip_physical_import(triad_hip_device *d, int fd, uint64_t *h);
hipError_t triad_hip_map(triad_hip_device *d, uint64_t at, uint64_t size, uint64_t h);
hipError_t triad_hip_unmap(triad_hip_device *d, uint64_t at, uint64_t size);
hipError_t triad_hip_set_access(triad_hip_device *d, uint64_t at, uint64_t size, triad_hip_place who, int access);
hipError_t triad_hip_get_access(triad_hip_device *d, uint64_t at, triad_hip_place who, int *access);

/* hip_managed.c */
uint64_t triad_hip_alloc_managed(triad_hip_device *d, size_t size, uint32_t flags, hipError_t *code);
hipError_t triad_hip_advise(triad_hip_device *d, uint64_t p, uint64_t n, int advice, triad_hip_place at);
hipError_t triad_hip_prefetch(triad_hip_stream *s, uint64_t p, uint64_t n, triad_hip_place at);
hipError_t triad_hip_attach(triad_hip_stream *s, uint64_t p, uint32_t flags);
hipError_t triad_hip_range_attribute(triad_hip_device *d, int attribute, uint64_t p, uint64_t size, int32_t *values, int n);

/* hip_pointer.c */
enum { TRIAD_HIP_MEMORY_UNKNOWN = 0, TRIAD_HIP_MEMORY_HOST, TRIAD_HIP_MEMORY_DEVICE };
typedef struct {
    int32_t type; /* TRIAD_HIP_MEMORY_… */
    int32_t device, managed;
    uint64_t at, host, base, size, id;
} triad_hip_pointer_facts;
hipError_t triad_hip_pointer(triad_hip_device *d, uint64_t p, triad_hip_pointer_facts *f);
hipError_t triad_hip_host_register(triad_hip_device *d, uint64_t p, size_t size, uint32_t flags, int *registered);
int triad_hip_host_unregister(triad_hip_device *d, uint64_t p);
hipError_t triad_hip_ipc_export(triad_hip_device *d, uint64_t p, uint8_t handle[64]);
uint64_t triad_hip_ipc_open(triad_hip_device *d, const uint8_t handle[64], uint64_t *size, hipError_t *code);
hipError_t triad_hip_ipc_close(triad_hip_device *d, uint64_t p);

/* hip_pitch.c */
uint64_t triad_hip_alloc_pitch(triad_hip_device *d, size_t width, size_t rows, uint32_t element, size_t *pitch, hipError_t *code);
hipError_t triad_hip_fill_rect(triad_hip_stream *s, uint64_t at, triad_hip_rect r, uint32_t value, uint32_t len, uint64_t bytes, uint64_t rows,
                            uint64_t slices);
hipError_t triad_hip_copy_peer(triad_hip_stream *s, triad_hip_device *to, uint64_t dst, triad_hip_device *from, uint64_t src, uint64_t n);
hipError_t triad_hip_copy_peer_rect(triad_hip_stream *s, triad_hip_device *to, uint64_t dst, triad_hip_rect dr, triad_hip_device *from, uint64_t src,
                                 triad_hip_rect sr, uint64_t bytes, uint64_t rows, uint64_t slices);

/* hip_array.c. Extents and places are in elements, but x in bytes. */
typedef struct {
    uint64_t width, height, depth;
    int32_t format;
    uint32_t channels, flags;
} triad_hip_array_shape;
typedef struct {
    hipArray_t array; /* or 0, and memory: */
    uint64_t at, row, slice;
    uint64_t x, y, z;
} triad_hip_array_end;
typedef struct {
    int32_t kind; /* HIP_RESOURCE_TYPE_… */
    int32_t format;
    uint32_t channels;
    void *object; /* hipArray_t or hipMipmappedArray_t */
    uint64_t at, bytes, width, height, pitch;
} triad_hip_resource;
typedef struct {
    int32_t address[3], filter, mip_filter;
    uint32_t flags, anisotropy;
    float mip_bias, mip_min, mip_max;
    float border[4];
} triad_hip_sampler;
hipArray_t triad_hip_array_new(triad_hip_device *d, triad_hip_array_shape s, hipError_t *code);
hipError_t triad_hip_array_shape_of(triad_hip_device *d, hipArray_t a, triad_hip_array_shape *s);
hipError_t triad_hip_array_destroy(triad_hip_device *d, hipArray_t a);
hipMipmappedArray_t triad_hip_mipmap_new(triad_hip_device *d, triad_hip_array_shape s, uint32_t levels, hipError_t *code);
hipArray_t triad_hip_mipmap_level(triad_hip_device *d, hipMipmappedArray_t m, uint32_t level, hipError_t *code);
hipError_t triad_hip_mipmap_destroy(triad_hip_device *d, hipMipmappedArray_t m);
hipError_t triad_hip_copy_array(triad_hip_stream *s, triad_hip_array_end dst, triad_hip_array_end src, uint64_t bytes, uint64_t rows, uint64_t slices);
hipError_t triad_hip_texture_new(triad_hip_device *d, triad_hip_resource r, triad_hip_sampler s, uint64_t *object);
hipError_t triad_hip_texture_destroy(triad_hip_device *d, uint64_t object);
hipError_t triad_hip_surface_new(triad_hip_device *d, hipArray_t a, uint64_t *object);
hipError_t triad_hip_surface_destroy(triad_hip_device *d, uint64_t object);

#endif
