/* triad_cuda_memory.h: what is kept for later, the kinds of memory beyond cu_memory.c,
 * and arrays. */
#ifndef TRIAD_CUDA_MEMORY_H
#define TRIAD_CUDA_MEMORY_H

#include "triad_cuda.h"

/* TRIAD_CU_CALM for calls that allocate: when there is no room, what the opening keeps
 * for later is given back, and the call is made once more. */
#define TRIAD_CU_ALLOC(d, call)                                                                     \
    TRIAD_CU_CALM(d, __extension__({                                                                \
        CUresult alloc_ = (call);                                                                   \
        if (alloc_ == CUDA_ERROR_OUT_OF_MEMORY && (d)->pool && triad_cu_give_back(d)) alloc_ = (call); \
        alloc_;                                                                                     \
    }))

/* cu_memory.c; the first two in the device's context */
CUresult triad_cu_free_late(triad_cu_device *d);
void triad_cu_spares_free(triad_cu_stream *s);
void triad_cu_spares_end(triad_cu_stream *s);

/* A CUmemLocation. */
typedef struct {
    int32_t type, id;
} triad_cu_place;

/* cu_staging.c */
void *triad_cu_pages_alloc(triad_cu_device *d, size_t size);
void triad_cu_pages_free(triad_cu_device *d, void *p);

/* cu_pool.c */
CUmemoryPool triad_cu_pool_new(triad_cu_device *d, uint64_t max, uint64_t keep, int shareable, CUresult *code);
CUresult triad_cu_pool_destroy(triad_cu_device *d, CUmemoryPool pool);
CUmemoryPool triad_cu_pool_of_device(triad_cu_device *d, int current, CUresult *code);
CUresult triad_cu_pool_make_current(triad_cu_device *d, CUmemoryPool pool);
CUresult triad_cu_pool_get(triad_cu_device *d, CUmemoryPool pool, int attribute, uint64_t *value);
CUresult triad_cu_pool_set(triad_cu_device *d, CUmemoryPool pool, int attribute, uint64_t value);
int triad_cu_give_back(triad_cu_device *d);
CUresult triad_cu_pool_trim(triad_cu_device *d, CUmemoryPool pool, uint64_t keep);
CUresult triad_cu_pool_set_access(triad_cu_device *d, CUmemoryPool pool, triad_cu_place at, int access);
CUresult triad_cu_pool_get_access(triad_cu_device *d, CUmemoryPool pool, triad_cu_place at, int *access);
CUresult triad_cu_pool_export(triad_cu_device *d, CUmemoryPool pool, int *fd);
CUmemoryPool triad_cu_pool_import(triad_cu_device *d, int fd, CUresult *code);
CUresult triad_cu_pool_export_pointer(triad_cu_device *d, CUdeviceptr p, uint8_t data[64]);
CUdeviceptr triad_cu_pool_import_pointer(triad_cu_device *d, CUmemoryPool pool, uint8_t data[64], CUresult *code);
CUdeviceptr triad_cu_alloc_on(triad_cu_stream *s, CUmemoryPool pool, size_t size, CUresult *code);

/* cu_virtual.c */
typedef struct {
    triad_cu_place at;
    int32_t shareable, compressible, rdma;
} triad_cu_physical_kind;
CUdeviceptr triad_cu_reserve(triad_cu_device *d, uint64_t size, uint64_t align, uint64_t near, CUresult *code);
CUresult triad_cu_unreserve(triad_cu_device *d, uint64_t at, uint64_t size);
CUresult triad_cu_granularity(triad_cu_device *d, triad_cu_physical_kind k, int recommended, uint64_t *bytes);
CUresult triad_cu_physical_new(triad_cu_device *d, triad_cu_physical_kind k, uint64_t size, uint64_t *h);
CUresult triad_cu_physical_release(triad_cu_device *d, uint64_t h);
CUresult triad_cu_physical_export(triad_cu_device *d, uint64_t h, int *fd);
CUresult triad_cu_physical_import(triad_cu_device *d, int fd, uint64_t *h);
CUresult triad_cu_map(triad_cu_device *d, uint64_t at, uint64_t size, uint64_t h);
CUresult triad_cu_unmap(triad_cu_device *d, uint64_t at, uint64_t size);
CUresult triad_cu_set_access(triad_cu_device *d, uint64_t at, uint64_t size, triad_cu_place who, int access);
CUresult triad_cu_get_access(triad_cu_device *d, uint64_t at, triad_cu_place who, int *access);

/* cu_managed.c */
CUdeviceptr triad_cu_alloc_managed(triad_cu_device *d, size_t size, uint32_t flags, CUresult *code);
CUresult triad_cu_advise(triad_cu_device *d, uint64_t p, uint64_t n, int advice, triad_cu_place at);
CUresult triad_cu_prefetch(triad_cu_stream *s, uint64_t p, uint64_t n, triad_cu_place at);
CUresult triad_cu_attach(triad_cu_stream *s, uint64_t p, uint32_t flags);
CUresult triad_cu_range_attribute(triad_cu_device *d, int attribute, uint64_t p, uint64_t size, int32_t *values, int n);

/* cu_pointer.c. Each fact has room for the widest that the driver may write. */
typedef struct {
    uint64_t type, context;
    int64_t ordinal;
    uint64_t device, host, base, size, managed, mapped, id, ipc;
} triad_cu_pointer_facts;
CUresult triad_cu_pointer(triad_cu_device *d, uint64_t p, triad_cu_pointer_facts *f);
CUresult triad_cu_host_register(triad_cu_device *d, uint64_t p, size_t size, uint32_t flags, int *registered);
int triad_cu_host_unregister(triad_cu_device *d, uint64_t p);
CUresult triad_cu_ipc_export(triad_cu_device *d, uint64_t p, uint8_t handle[64]);
CUdeviceptr triad_cu_ipc_open(triad_cu_device *d, const uint8_t handle[64], uint64_t *size, CUresult *code);
CUresult triad_cu_ipc_close(triad_cu_device *d, uint64_t p);

/* cu_pitch.c */
CUdeviceptr triad_cu_alloc_pitch(triad_cu_device *d, size_t width, size_t rows, uint32_t element, size_t *pitch, CUresult *code);
CUresult triad_cu_fill_rect(triad_cu_stream *s, uint64_t at, triad_cu_rect r, uint32_t value, uint32_t len, uint64_t bytes, uint64_t rows,
                            uint64_t slices);
CUresult triad_cu_copy_peer(triad_cu_stream *s, triad_cu_device *to, uint64_t dst, triad_cu_device *from, uint64_t src, uint64_t n);
CUresult triad_cu_copy_peer_rect(triad_cu_stream *s, triad_cu_device *to, uint64_t dst, triad_cu_rect dr, triad_cu_device *from, uint64_t src,
                                 triad_cu_rect sr, uint64_t bytes, uint64_t rows, uint64_t slices);

/* cu_array.c. Extents and places are in elements, but x in bytes. */
typedef struct {
    uint64_t width, height, depth;
    int32_t format;
    uint32_t channels, flags;
} triad_cu_array_shape;
typedef struct {
    CUarray array; /* or 0, and memory: */
    uint64_t at, row, slice;
    uint64_t x, y, z;
} triad_cu_array_end;
typedef struct {
    int32_t kind; /* CU_RESOURCE_TYPE_… */
    int32_t format;
    uint32_t channels;
    void *object; /* CUarray or CUmipmappedArray */
    uint64_t at, bytes, width, height, pitch;
} triad_cu_resource;
typedef struct {
    int32_t address[3], filter, mip_filter;
    uint32_t flags, anisotropy;
    float mip_bias, mip_min, mip_max;
    float border[4];
} triad_cu_sampler;
CUarray triad_cu_array_new(triad_cu_device *d, triad_cu_array_shape s, CUresult *code);
CUresult triad_cu_array_shape_of(triad_cu_device *d, CUarray a, triad_cu_array_shape *s);
CUresult triad_cu_array_destroy(triad_cu_device *d, CUarray a);
CUmipmappedArray triad_cu_mipmap_new(triad_cu_device *d, triad_cu_array_shape s, uint32_t levels, CUresult *code);
CUarray triad_cu_mipmap_level(triad_cu_device *d, CUmipmappedArray m, uint32_t level, CUresult *code);
CUresult triad_cu_mipmap_destroy(triad_cu_device *d, CUmipmappedArray m);
CUresult triad_cu_copy_array(triad_cu_stream *s, triad_cu_array_end dst, triad_cu_array_end src, uint64_t bytes, uint64_t rows, uint64_t slices);
CUresult triad_cu_texture_new(triad_cu_device *d, triad_cu_resource r, triad_cu_sampler s, uint64_t *object);
CUresult triad_cu_texture_destroy(triad_cu_device *d, uint64_t object);
CUresult triad_cu_surface_new(triad_cu_device *d, CUarray a, uint64_t *object);
CUresult triad_cu_surface_destroy(triad_cu_device *d, uint64_t object);

#endif
