#include "face.h"

/* HIP has flags of its own on top, for how far a record's writes are seen. */
hipError_t hipEventCreateWithFlags(hipEvent_t *e, unsigned int flags) {
    flags &= hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess;
    return ON(cuEventCreate((CUevent *)e, flags));
}

hipError_t hipEventDestroy(hipEvent_t e) { return ON(cuEventDestroy_v2((CUevent)e)); }
hipError_t hipEventRecord(hipEvent_t e, hipStream_t s) { return ON(cuEventRecord((CUevent)e, stream(s))); }
hipError_t hipEventQuery(hipEvent_t e) { return ON(cuEventQuery((CUevent)e)); }
hipError_t hipEventSynchronize(hipEvent_t e) { return ON(cuEventSynchronize((CUevent)e)); }

hipError_t hipEventRecordWithFlags(hipEvent_t e, hipStream_t s, unsigned int flags) {
    return ON(cuEventRecordWithFlags((CUevent)e, stream(s), flags));
}

hipError_t hipEventElapsedTime(float *ms, hipEvent_t from, hipEvent_t to) {
    return cu.cuEventElapsedTime_v2 ? ON(cuEventElapsedTime_v2(ms, (CUevent)from, (CUevent)to))
                                    : ON(cuEventElapsedTime(ms, (CUevent)from, (CUevent)to));
}

hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t *handle, hipEvent_t e) {
    return ON(cuIpcGetEventHandle((CUipcEventHandle *)handle, (CUevent)e));
}

hipError_t hipIpcOpenEventHandle(hipEvent_t *e, hipIpcEventHandle_t handle) {
    CUipcEventHandle h;
    memcpy(&h, &handle, sizeof h);
    return ON(cuIpcOpenEventHandle((CUevent *)e, h));
}
