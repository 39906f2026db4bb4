#include "triad_hip_c.h"

#include <stdlib.h>
#include <unistd.h>

/* Page-locked memory for staging, in whole pages; 0 if there is none. Like the cells of
 * words it is ours, and only registered with HIP: a reset of the device takes HIP's
 * away, and a thread may be copying. */
void *triad_hip_stage_alloc(triad_hip_device *d, size_t size) {
    void *p = aligned_alloc((size_t)sysconf(_SC_PAGESIZE), size);
    if (p && TRIAD_HIP_CALM(d, triad_hip.hipHostRegister(p, size, hipHostRegisterPortable | hipHostRegisterMapped)) != hipSuccess) {
        free(p);
        return 0;
    }
    return p;
}

void triad_hip_stage_free(triad_hip_device *d, void *p) {
    (void)TRIAD_HIP_CALM(d, triad_hip.hipHostUnregister(p));
    free(p);
}
