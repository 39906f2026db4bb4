#include "triad_hip_c.h"

#include <stdlib.h>

triad_hip_event *triad_hip_event_open(triad_hip_device *d, uint32_t flags, hipError_t *code) {
    triad_hip_event *e = calloc(1, sizeof *e);
    if (!e) {
        *code = hipErrorOutOfMemory;
        return 0;
    }
    e->dev = d;
    *code = TRIAD_HIP_CALM(d, triad_hip.hipEventCreateWithFlags(&e->ev, flags));
    if (*code == hipSuccess) return e;
    free(e);
    return 0;
}

hipError_t triad_hip_event_close(triad_hip_event *e) {
    hipError_t code = TRIAD_HIP_CALM(e->dev, triad_hip.hipEventDestroy(e->ev));
    free(e);
    return code;
}

hipError_t triad_hip_event_record(triad_hip_stream *s, triad_hip_event *e) {
    hipError_t code = TRIAD_HIP_IN(s->dev, triad_hip.hipEventRecord(e->ev, s->s));
    if (code == hipSuccess) atomic_store_explicit(&e->recorded, 1, memory_order_relaxed);
    return triad_hip_submitted(s, code);
}

hipError_t triad_hip_event_wait(triad_hip_stream *s, triad_hip_event *e) {
    return triad_hip_submitted(s, TRIAD_HIP_IN(s->dev, triad_hip.hipStreamWaitEvent(s->s, e->ev, 0)));
}

hipError_t triad_hip_event_query(triad_hip_event *e) { return TRIAD_HIP_CALM(e->dev, triad_hip.hipEventQuery(e->ev)); }

hipError_t triad_hip_event_elapsed(triad_hip_event *from, triad_hip_event *to, float *ms) {
    return TRIAD_HIP_CALM(to->dev, triad_hip.hipEventElapsedTime(ms, from->ev, to->ev));
}
