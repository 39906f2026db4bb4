#include "triad_hip_c.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static hipError_t register_host(void *p, size_t size, uint32_t flags, int *registered) {
    void *at = 0;
    hipError_t code = triad_hip.hipHostRegister(p, size, flags);
    if (code != hipSuccess) return code;
    *registered = 1;
    code = triad_hip.hipHostGetDevicePointer(&at, p, 0);
    /* Copies take the device's address for the host's. */
    return code == hipSuccess && at != p ? hipErrorNotSupported : code;
}

/* Page-locks memory that exists already. hipErrorNotSupported also where the device
 * would see it at an address of its own. After a failure it may be registered, to be
 * undone when that does not wait for the device. */
hipError_t triad_hip_host_register(triad_hip_device *d, uint64_t p, size_t size, uint32_t flags, int *registered) {
    return TRIAD_HIP_CALM(d, register_host(triad_hip_ptr(p), size, flags, registered));
}

/* Tells whether the memory is its owner's alone again. Where the call fails, and the
 * device was not reset, the runtime may have it still: as page-locked memory, whatever
 * comes to lie there. */
int triad_hip_host_unregister(triad_hip_device *d, uint64_t p) {
    return TRIAD_HIP_CALM(d, triad_hip.hipHostUnregister(triad_hip_ptr(p))) == hipSuccess || triad_hip_device_dead(d);
}

/* Page-locked memory of whole pages; 0 if there is none. It is ours, and only registered
 * with HIP: a reset of the device takes HIP's away, and a thread may be copying. */
void *triad_hip_pages_alloc(triad_hip_device *d, size_t size) {
    void *p = aligned_alloc((size_t)sysconf(_SC_PAGESIZE), size);
    if (p && TRIAD_HIP_CALM(d, triad_hip.hipHostRegister(p, size, hipHostRegisterPortable | hipHostRegisterMapped)) != hipSuccess) {
        free(p);
        return 0;
    }
    return p;
}

/* Pages that the runtime did not let go of: they are not used for anything again. The list
 * is so that whoever looks for leaks finds them. */
static struct kept {
    struct kept *next;
    void *p;
} *kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

void triad_hip_pages_free(triad_hip_device *d, void *p) {
    if (triad_hip_host_unregister(d, (uint64_t)(uintptr_t)p)) {
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
