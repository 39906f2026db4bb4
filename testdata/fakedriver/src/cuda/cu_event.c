/* cu_event.c: events. */
#include "cu.h"

CUresult cuEventCreate(CUevent *event, unsigned flags) {
    ENTER(cuEventCreate);
    fk_handle h;
    LEAVE_IF(!event || flags > 7, FK_INVALID_VALUE);
    LEAVE_IF((flags & CU_EVENT_INTERPROCESS) && !(flags & CU_EVENT_DISABLE_TIMING), FK_INVALID_VALUE);
    unsigned own = (flags & CU_EVENT_DISABLE_TIMING ? FK_EVENT_NO_TIMING : 0) | (flags & CU_EVENT_INTERPROCESS ? FK_EVENT_IPC : 0);
    int status = fk_event_create(own, &h);
    if (!status) *event = OUT(CUevent, h);
    LEAVE(status);
}

CUresult cuEventDestroy_v2(CUevent event) {
    ENTER(cuEventDestroy_v2);
    LEAVE(fk_event_destroy(H(event)));
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    ENTER_ON(cuEventRecord, stream);
    LEAVE(fk_event_record(H(event), H(stream)));
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
    ENTER_ON(cuEventRecordWithFlags, stream);
    LEAVE_IF(flags > CU_EVENT_RECORD_EXTERNAL, FK_INVALID_VALUE);
    LEAVE(fk_event_record(H(event), H(stream)));
}

CUresult cuEventQuery(CUevent event) {
    ENTER_ON(cuEventQuery, event);
    LEAVE(fk_event_query(H(event)));
}

CUresult cuEventSynchronize(CUevent event) {
    ENTER_ON(cuEventSynchronize, event);
    LEAVE(fk_event_sync(H(event)));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end) {
    ENTER(cuEventElapsedTime);
    LEAVE_IF(!ms, FK_INVALID_VALUE);
    LEAVE(fk_event_elapsed(H(start), H(end), ms));
}

CUresult cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end) {
    ENTER(cuEventElapsedTime_v2);
    LEAVE_IF(!ms, FK_INVALID_VALUE);
    LEAVE(fk_event_elapsed(H(start), H(end), ms));
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) {
    ENTER_ON(cuIpcGetEventHandle, event);
    LEAVE_IF(!handle, FK_INVALID_VALUE);
    LEAVE(fk_event_export(H(event), handle->reserved));
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
    ENTER(cuIpcOpenEventHandle);
    fk_handle h;
    LEAVE_IF(!event, FK_INVALID_VALUE);
    int status = fk_event_import(handle.reserved, &h);
    if (!status) *event = OUT(CUevent, h);
    LEAVE(status);
}
