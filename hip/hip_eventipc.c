#include "triad_hip_c.h"

#include <stdlib.h>
#include <string.h>

/* An event that other processes can open: its handle is 64 bytes. */
hipError_t triad_hip_event_handle(triad_hip_event *e, uint8_t handle[64]) {
    hipIpcEventHandle_t h;
    memset(&h, 0, sizeof h);
    if (!triad_hip.hipIpcGetEventHandle) return hipErrorNotSupported;
    hipError_t code = TRIAD_HIP_CALM(e->dev, triad_hip.hipIpcGetEventHandle(&h, e->ev));
    memcpy(handle, h.reserved, sizeof h.reserved);
    return code;
}

/* Another process's event. */
triad_hip_event *triad_hip_event_import(triad_hip_device *d, const uint8_t handle[64], hipError_t *code) {
    *code = triad_hip.hipIpcOpenEventHandle ? hipErrorOutOfMemory : hipErrorNotSupported;
    if (!triad_hip.hipIpcOpenEventHandle) return 0;
    triad_hip_event *e = calloc(1, sizeof *e);
    if (!e) return 0;
    hipIpcEventHandle_t h;
    memcpy(h.reserved, handle, sizeof h.reserved);
    e->dev = d;
    *code = TRIAD_HIP_CALM(d, triad_hip.hipIpcOpenEventHandle(&e->ev, h));
    if (*code == hipSuccess) return e;
    free(e);
    return 0;
}

/* hipEventRecordExternal and hipEventWaitExternal. */
enum { EXTERNAL = 1 };

/* Records and waits that a graph makes when it runs, rather than while it is
 * captured: commands of a stream that is being captured, and of no other. */
hipError_t triad_hip_event_record_external(triad_hip_stream *s, triad_hip_event *e) {
    if (!triad_hip.hipEventRecordWithFlags) return hipErrorNotSupported;
    return triad_hip_submitted(s, TRIAD_HIP_IN(s->dev, triad_hip.hipEventRecordWithFlags(e->ev, s->s, EXTERNAL)));
}

hipError_t triad_hip_event_wait_external(triad_hip_stream *s, triad_hip_event *e) {
    if (!triad_hip.hipEventRecordWithFlags) return hipErrorNotSupported;
    return triad_hip_submitted(s, TRIAD_HIP_IN(s->dev, triad_hip.hipStreamWaitEvent(s->s, e->ev, EXTERNAL)));
}
