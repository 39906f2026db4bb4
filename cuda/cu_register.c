#include "triad_cuda_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static CUresult register_host(void *p, size_t size, uint32_t flags, int *registered) {
    CUdeviceptr at = 0;
    CUresult code = triad_cu.cuMemHostRegister_v2(p, size, flags);
    if (code != CUDA_SUCCESS) return code;
    *registered = 1;
    code = triad_cu.cuMemHostGetDevicePointer_v2(&at, p, 0);
    /* Copies take the device's address for the host's. */
    return code == CUDA_SUCCESS && at != (CUdeviceptr)(uintptr_t)p ? CUDA_ERROR_NOT_SUPPORTED : code;
}

/* Page-locks memory that exists already. CUDA_ERROR_NOT_SUPPORTED also where the
 * device would see it at an address of its own. After a failure it may be registered,
 * to be undone when that does not wait for the device. */
CUresult triad_cu_host_register(triad_cu_device *d, uint64_t p, size_t size, uint32_t flags, int *registered) {
    return TRIAD_CU_CALM(d, register_host((void *)(uintptr_t)p, size, flags, registered));
}

/* Tells whether the memory is its owner's alone again. Where the call fails, and the
 * device was not reset, the driver may have it still: as page-locked memory, whatever
 * comes to lie there. */
int triad_cu_host_unregister(triad_cu_device *d, uint64_t p) {
    return TRIAD_CU_CALM(d, triad_cu.cuMemHostUnregister((void *)(uintptr_t)p)) == CUDA_SUCCESS || triad_cu_device_dead(d);
}

/* Page-locked memory of whole pages; 0 if there is none. It is ours, and only registered
 * with CUDA: a reset of the device takes CUDA's away, and a thread may be copying. */
void *triad_cu_pages_alloc(triad_cu_device *d, size_t size) {
    void *p = aligned_alloc((size_t)sysconf(_SC_PAGESIZE), size);
    if (p && TRIAD_CU_CALM(d, triad_cu.cuMemHostRegister_v2(p, size, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP)) != CUDA_SUCCESS) {
        free(p);
        return 0;
    }
    return p;
}

/* Pages that the driver did not let go of: they are not used for anything again. The list
 * is so that whoever looks for leaks finds them. */
static struct kept {
    struct kept *next;
    void *p;
} *kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

void triad_cu_pages_free(triad_cu_device *d, void *p) {
    if (triad_cu_host_unregister(d, (uint64_t)(uintptr_t)p)) {
        free(p);
        return;
    }
    struct kept *k = malloc(sizeof *k);
    if (!k) return;
    k->p = p;
    pthread_mutex_lock(&kept_lock);
    k->next = kept;
    kept = k;
    pthread_mutex_unlock(&kept_lock);
}
