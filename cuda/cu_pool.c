#include "triad_cuda_memory.h"

#include <stdlib.h>
#include <time.h>

static CUresult create(CUdevice id, uint64_t max, uint64_t keep, int shareable, CUmemoryPool *pool) {
    CUmemPoolProps p = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                        .handleTypes = shareable ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE,
                        .location = {CU_MEM_LOCATION_TYPE_DEVICE, id},
                        .maxSize = max};
    CUresult code = triad_cu.cuMemPoolCreate(pool, &p);
    if (code != CUDA_SUCCESS || keep == 0) return code;
    code = triad_cu.cuMemPoolSetAttribute(*pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep);
    if (code != CUDA_SUCCESS) triad_cu.cuMemPoolDestroy(*pool);
    return code;
}

CUmemoryPool triad_cu_pool_new(triad_cu_device *d, uint64_t max, uint64_t keep, int shareable, CUresult *code) {
    CUmemoryPool pool = 0;
    *code = TRIAD_CU_CALM(d, create(d->id, max, keep, shareable, &pool));
    return *code == CUDA_SUCCESS ? pool : 0;
}

CUresult triad_cu_pool_destroy(triad_cu_device *d, CUmemoryPool pool) {
    return TRIAD_CU_CALM(d, triad_cu.cuMemPoolDestroy(pool));
}

/* The pool that the driver made for the device, or the one that is in use for
 * allocations that name none. */
CUmemoryPool triad_cu_pool_of_device(triad_cu_device *d, int current, CUresult *code) {
    CUmemoryPool pool = 0;
    *code = TRIAD_CU_CALM(d, current ? triad_cu.cuDeviceGetMemPool(&pool, d->id) : triad_cu.cuDeviceGetDefaultMemPool(&pool, d->id));
    return *code == CUDA_SUCCESS ? pool : 0;
}

CUresult triad_cu_pool_make_current(triad_cu_device *d, CUmemoryPool pool) {
    return TRIAD_CU_CALM(d, triad_cu.cuDeviceSetMemPool(d->id, pool));
}

/* The first attributes are ints, the others 8 bytes. */
static int is_flag(int attribute) { return attribute < CU_MEMPOOL_ATTR_RELEASE_THRESHOLD; }

/* What a stream was given until now; 0 for want of memory. */
static CUevent mark(CUstream s) {
    CUevent ev;
    if (triad_cu.cuEventCreate(&ev, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) return 0;
    if (triad_cu.cuEventRecord(ev, s) == CUDA_SUCCESS) return ev;
    triad_cu.cuEventDestroy_v2(ev);
    return 0;
}

/* Frees what the streams keep, and marks those that were idle before; returns how many.
 * There is room for as many as there are. d->lock is held. */
static int free_spares(triad_cu_device *d, CUevent *marks) {
    CUstream own[] = {d->side, d->behind};
    int n = 0;
    for (triad_cu_stream *s = d->streams; s; s = s->next) {
        CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
        if (triad_cu.cuStreamIsCapturing(s->s, &status) != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_NONE) continue;
        int idle = triad_cu.cuStreamQuery(s->s) == CUDA_SUCCESS;
        triad_cu_spares_free(s);
        if (marks && idle && (marks[n] = mark(s->s))) n++;
    }
    for (int i = 0; i < 2; i++)
        if (marks && own[i] && triad_cu.cuStreamQuery(own[i]) == CUDA_SUCCESS && (marks[n] = mark(own[i]))) n++;
    return n;
}

/* Waits for marks, which takes long only where another thread has enqueued something just
 * before one: then it is left. */
static void come_to(CUevent *marks, int n) {
    struct timespec nap = {0, 10000};
    int naps = 5000;
    for (int i = 0; i < n; i++) {
        CUresult code;
        while ((code = triad_cu.cuEventQuery(marks[i])) == CUDA_ERROR_NOT_READY && naps-- > 0) clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, 0);
        if (code == CUDA_SUCCESS) triad_cu.cuEventSynchronize(marks[i]); /* see settle */
        triad_cu.cuEventDestroy_v2(marks[i]);
    }
}

static CUresult settled(triad_cu_device *d) {
    int n = 2;
    pthread_mutex_lock(&d->lock);
    for (triad_cu_stream *s = d->streams; s; s = s->next) n++;
    CUevent *marks = calloc((size_t)n, sizeof *marks);
    triad_cu_free_late(d);
    n = free_spares(d, marks);
    pthread_mutex_unlock(&d->lock);
    come_to(marks, n);
    free(marks);
    return CUDA_SUCCESS;
}

/* Frees what was put off and what the streams keep, and has the driver see what was freed,
 * on streams that are idle: it looks only when somebody has waited, be it for what was
 * reached before. */
static void settle(triad_cu_device *d) { TRIAD_CU_IN(d, settled(d)); } /* events aren't made without a context */

/* Gives back all that the opening keeps for later; whether there may be room now. */
int triad_cu_give_back(triad_cu_device *d) {
    settle(d);
    return triad_cu.cuMemPoolTrimTo(d->pool, 0) == CUDA_SUCCESS;
}

/* What streams keep counts as used with the driver, and is used by nobody. */
static CUresult get(triad_cu_device *d, CUmemoryPool pool, int attribute, void *value) {
    if (pool == d->pool && attribute == CU_MEMPOOL_ATTR_USED_MEM_CURRENT) settle(d);
    return triad_cu.cuMemPoolGetAttribute(pool, attribute, value);
}

CUresult triad_cu_pool_get(triad_cu_device *d, CUmemoryPool pool, int attribute, uint64_t *value) {
    int flag = 0;
    CUresult code = TRIAD_CU_CALM(d, get(d, pool, attribute, is_flag(attribute) ? (void *)&flag : (void *)value));
    if (is_flag(attribute)) *value = (uint64_t)flag;
    return code;
}

static CUresult set(triad_cu_device *d, CUmemoryPool pool, int attribute, void *value) {
    if (pool == d->pool && attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH) settle(d); /* it becomes what is used now */
    return triad_cu.cuMemPoolSetAttribute(pool, attribute, value);
}

CUresult triad_cu_pool_set(triad_cu_device *d, CUmemoryPool pool, int attribute, uint64_t value) {
    int flag = value != 0;
    return TRIAD_CU_CALM(d, set(d, pool, attribute, is_flag(attribute) ? (void *)&flag : (void *)&value));
}

/* The driver gives back only what it has seen freed. */
static CUresult trim(triad_cu_device *d, CUmemoryPool pool, uint64_t keep) {
    settle(d);
    return triad_cu.cuMemPoolTrimTo(pool, keep);
}

CUresult triad_cu_pool_trim(triad_cu_device *d, CUmemoryPool pool, uint64_t keep) { return TRIAD_CU_CALM(d, trim(d, pool, keep)); }

CUresult triad_cu_pool_set_access(triad_cu_device *d, CUmemoryPool pool, triad_cu_place at, int access) {
    CUmemAccessDesc desc = {{at.type, at.id}, access};
    return TRIAD_CU_CALM(d, triad_cu.cuMemPoolSetAccess(pool, &desc, 1));
}

CUresult triad_cu_pool_get_access(triad_cu_device *d, CUmemoryPool pool, triad_cu_place at, int *access) {
    CUmemLocation where = {at.type, at.id};
    return TRIAD_CU_CALM(d, triad_cu.cuMemPoolGetAccess(access, pool, &where));
}

CUresult triad_cu_pool_export(triad_cu_device *d, CUmemoryPool pool, int *fd) {
    return TRIAD_CU_CALM(d, triad_cu.cuMemPoolExportToShareableHandle(fd, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
}

CUmemoryPool triad_cu_pool_import(triad_cu_device *d, int fd, CUresult *code) {
    CUmemoryPool pool = 0;
    *code = TRIAD_CU_CALM(d, triad_cu.cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)fd,
                                                                         CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    return *code == CUDA_SUCCESS ? pool : 0;
}

CUresult triad_cu_pool_export_pointer(triad_cu_device *d, CUdeviceptr p, uint8_t data[64]) {
    return TRIAD_CU_CALM(d, triad_cu.cuMemPoolExportPointer((CUmemPoolPtrExportData *)data, p));
}

CUdeviceptr triad_cu_pool_import_pointer(triad_cu_device *d, CUmemoryPool pool, uint8_t data[64], CUresult *code) {
    CUdeviceptr p = 0;
    *code = TRIAD_CU_CALM(d, triad_cu.cuMemPoolImportPointer(&p, pool, (CUmemPoolPtrExportData *)data));
    return *code == CUDA_SUCCESS ? p : 0;
}

static CUresult alloc_from(triad_cu_stream *s, CUmemoryPool pool, size_t size, CUdeviceptr *p) {
    CUresult code = triad_cu.cuMemAllocFromPoolAsync(p, size, pool, s->s);
    if (code != CUDA_ERROR_OUT_OF_MEMORY) return code;
    if (pool != s->dev->pool) triad_cu.cuMemPoolTrimTo(pool, 0);
    triad_cu_give_back(s->dev);
    return triad_cu.cuMemAllocFromPoolAsync(p, size, pool, s->s);
}

/* Captured, an allocation would be of the graph, and its free a matter of the
 * graph's as well. What the stream has kept is no command of its. */
static CUresult alloc_on(triad_cu_stream *s, CUmemoryPool pool, size_t size, CUdeviceptr *p) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult code = triad_cu.cuStreamIsCapturing(s->s, &status);
    if (code != CUDA_SUCCESS) return code;
    if (status != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (!pool && (*p = triad_spares_take(&s->spares, size))) return CUDA_SUCCESS;
    int mode;
    triad_cu_calm(&mode);
    code = triad_cu_submitted(s, alloc_from(s, pool ? pool : s->dev->pool, size, p));
    triad_cu_uncalm(&mode);
    return code;
}

/* Allocates in the order of a stream: what is behind it on s may use it. Without a
 * pool, that of the opening is taken, or what s has kept of it. */
CUdeviceptr triad_cu_alloc_on(triad_cu_stream *s, CUmemoryPool pool, size_t size, CUresult *code) {
    CUdeviceptr p = 0;
    *code = TRIAD_CU_ON(s->dev, alloc_on(s, pool, size, &p));
    return *code == CUDA_SUCCESS ? p : 0;
}
