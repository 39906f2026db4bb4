#include "triad_cuda.h"

#include <stdlib.h>

triad_cu_event *triad_cu_event_open(triad_cu_device *d, uint32_t flags, CUresult *code) {
    triad_cu_event *e = calloc(1, sizeof *e);
    if (!e) {
        *code = CUDA_ERROR_OUT_OF_MEMORY;
        return 0;
    }
    e->dev = d;
    *code = TRIAD_CU_CALM(d, triad_cu.cuEventCreate(&e->ev, flags));
    if (*code == CUDA_SUCCESS) return e;
    free(e);
    return 0;
}

CUresult triad_cu_event_close(triad_cu_event *e) {
    CUresult code = TRIAD_CU_CALM(e->dev, triad_cu.cuEventDestroy_v2(e->ev));
    free(e);
    return code;
}

CUresult triad_cu_event_record(triad_cu_stream *s, triad_cu_event *e) {
    CUresult code = TRIAD_CU_ON(s->dev, triad_cu.cuEventRecord(e->ev, s->s));
    if (code == CUDA_SUCCESS) atomic_store_explicit(&e->recorded, 1, memory_order_relaxed);
    return triad_cu_submitted(s, code);
}

CUresult triad_cu_event_wait(triad_cu_stream *s, triad_cu_event *e) {
    return triad_cu_submitted(s, TRIAD_CU_ON(s->dev, triad_cu.cuStreamWaitEvent(s->s, e->ev, CU_EVENT_WAIT_DEFAULT)));
}

CUresult triad_cu_event_query(triad_cu_event *e) { return TRIAD_CU_CALM_ON(e->dev, triad_cu.cuEventQuery(e->ev)); }

CUresult triad_cu_event_elapsed(triad_cu_event *from, triad_cu_event *to, float *ms) {
    if (triad_cu.cuEventElapsedTime_v2) return TRIAD_CU_CALM(to->dev, triad_cu.cuEventElapsedTime_v2(ms, from->ev, to->ev));
    return TRIAD_CU_CALM(to->dev, triad_cu.cuEventElapsedTime(ms, from->ev, to->ev));
}
