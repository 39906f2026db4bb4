#include "triad_cuda.h"

#include <stdlib.h>
#include <string.h>

/* An event that other processes can open: its handle is 64 bytes. */
CUresult triad_cu_event_handle(triad_cu_event *e, uint8_t handle[64]) {
    CUipcEventHandle h;
    memset(&h, 0, sizeof h);
    CUresult code = TRIAD_CU_CALM(e->dev, triad_cu.cuIpcGetEventHandle(&h, e->ev));
    memcpy(handle, h.reserved, sizeof h.reserved);
    return code;
}

/* Another process's event. */
triad_cu_event *triad_cu_event_import(triad_cu_device *d, const uint8_t handle[64], CUresult *code) {
    triad_cu_event *e = calloc(1, sizeof *e);
    if (!e) {
        *code = CUDA_ERROR_OUT_OF_MEMORY;
        return 0;
    }
    CUipcEventHandle h;
    memcpy(h.reserved, handle, sizeof h.reserved);
    e->dev = d;
    *code = TRIAD_CU_CALM(d, triad_cu.cuIpcOpenEventHandle(&e->ev, h));
    if (*code == CUDA_SUCCESS) return e;
    free(e);
    return 0;
}

/* Records and waits that a graph makes when it runs, rather than while it is
 * captured: commands of a stream that is being captured, and of no other. */
CUresult triad_cu_event_record_external(triad_cu_stream *s, triad_cu_event *e) {
    return triad_cu_submitted(s, TRIAD_CU_IN(s->dev, triad_cu.cuEventRecordWithFlags(e->ev, s->s, CU_EVENT_RECORD_EXTERNAL)));
}

CUresult triad_cu_event_wait_external(triad_cu_stream *s, triad_cu_event *e) {
    return triad_cu_submitted(s, TRIAD_CU_IN(s->dev, triad_cu.cuStreamWaitEvent(s->s, e->ev, CU_EVENT_WAIT_EXTERNAL)));
}
