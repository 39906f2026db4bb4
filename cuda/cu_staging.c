#include "triad_cuda_memory.h"

#include <stdlib.h>
#include <unistd.h>

/* Page-locked memory for staging, in whole pages; 0 if there is none. Like the cells of
 * words it is ours, and only registered with CUDA: a reset of the device takes CUDA's
 * away, and a thread may be copying. */
void *triad_cu_stage_alloc(triad_cu_device *d, size_t size) {
    void *p = aligned_alloc((size_t)sysconf(_SC_PAGESIZE), size);
    if (p && TRIAD_CU_CALM(d, triad_cu.cuMemHostRegister_v2(p, size, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP)) != CUDA_SUCCESS) {
        free(p);
        return 0;
    }
    return p;
}

void triad_cu_stage_free(triad_cu_device *d, void *p) {
    (void)TRIAD_CU_CALM(d, triad_cu.cuMemHostUnregister(p));
    free(p);
}
