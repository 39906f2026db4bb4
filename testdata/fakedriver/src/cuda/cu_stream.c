/* cu_stream.c: streams, and their captures. */
#include "cu.h"

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    ENTER(cuStreamCreateWithPriority);
    fk_handle h;
    LEAVE_IF(!stream || flags > CU_STREAM_NON_BLOCKING, FK_INVALID_VALUE);
    int status = fk_stream_create(flags, priority, &h);
    if (!status) *stream = OUT(CUstream, h);
    LEAVE(status);
}

CUresult cuStreamDestroy_v2(CUstream stream) {
    ENTER(cuStreamDestroy_v2);
    LEAVE(fk_stream_destroy(H(stream)));
}

CUresult cuStreamQuery(CUstream stream) {
    ENTER_ON(cuStreamQuery, stream);
    LEAVE(fk_stream_query(H(stream)));
}

CUresult cuStreamSynchronize(CUstream stream) {
    ENTER_ON(cuStreamSynchronize, stream);
    LEAVE(fk_stream_sync(H(stream)));
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *ctx) {
    ENTER_ON(cuStreamGetCtx, stream);
    fk_handle h;
    LEAVE_IF(!ctx, FK_INVALID_VALUE);
    int status = fk_stream_info(H(stream), &h, 0, 0, 0);
    if (!status) *ctx = OUT(CUcontext, h);
    LEAVE(status);
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
    ENTER_ON(cuStreamGetFlags, stream);
    LEAVE_IF(!flags, FK_INVALID_VALUE);
    LEAVE(fk_stream_info(H(stream), 0, flags, 0, 0));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority) {
    ENTER_ON(cuStreamGetPriority, stream);
    LEAVE_IF(!priority, FK_INVALID_VALUE);
    LEAVE(fk_stream_info(H(stream), 0, 0, priority, 0));
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
    ENTER_ON(cuStreamGetId, stream);
    uint64_t n;
    LEAVE_IF(!id, FK_INVALID_VALUE);
    int status = fk_stream_info(H(stream), 0, 0, 0, &n);
    if (!status) *id = n;
    LEAVE(status);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    ENTER_ON(cuStreamWaitEvent, stream);
    LEAVE_IF(flags > CU_EVENT_WAIT_EXTERNAL, FK_INVALID_VALUE);
    LEAVE(fk_stream_wait(H(stream), H(event), flags == CU_EVENT_WAIT_EXTERNAL));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn fn, void *user) {
    ENTER_ON(cuLaunchHostFunc, stream);
    LEAVE(fk_stream_host(H(stream), fn, user));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *state) {
    ENTER_ON(cuStreamIsCapturing, stream);
    LEAVE_IF(!state, FK_INVALID_VALUE);
    LEAVE(fk_capture_status(H(stream), state));
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
    ENTER_ON(cuStreamBeginCapture_v2, stream);
    LEAVE(fk_capture_begin(H(stream), mode));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    ENTER_ON(cuStreamEndCapture, stream);
    fk_handle h;
    LEAVE_IF(!graph, FK_INVALID_VALUE);
    int status = fk_capture_end(H(stream), &h);
    *graph = OUT(CUgraph, h);
    LEAVE(status);
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
    ENTER_FREE(cuThreadExchangeStreamCaptureMode);
    LEAVE_IF(!mode, FK_INVALID_VALUE);
    LEAVE(fk_capture_exchange(mode));
}

CUresult cuGraphDestroy(CUgraph graph) {
    ENTER_FREE(cuGraphDestroy);
    LEAVE(fk_graph_destroy(H(graph)));
}

/* The other flag is refused, as driver 580 does. */
CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr at, cuuint32_t value, unsigned flags) {
    ENTER_ON(cuStreamWriteValue32_v2, stream);
    LEAVE_IF(flags != CU_STREAM_WRITE_VALUE_DEFAULT, FK_INVALID_VALUE);
    LEAVE(fk_stream_write32(H(stream), at, value));
}

/* Priority isn't kept with the other attributes. */
CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attr, CUstreamAttrValue *value) {
    ENTER_ON(cuStreamGetAttribute, stream);
    CUstreamAttrValue v;
    LEAVE_IF(!value, FK_INVALID_VALUE);
    int status = fk_stream_attr(H(stream), attr, &v, 0);
    if (status) LEAVE(status);
    switch (attr) {
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        LEAVE(fk_stream_info(H(stream), 0, 0, &value->priority, 0));
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        value->accessPolicyWindow = v.accessPolicyWindow;
        LEAVE(FK_OK);
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        value->syncPolicy = v.syncPolicy ? v.syncPolicy : CU_SYNC_POLICY_AUTO;
        LEAVE(FK_OK);
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        value->memSyncDomain = v.memSyncDomain;
        LEAVE(FK_OK);
    }
    LEAVE(FK_INVALID_VALUE);
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attr, const CUstreamAttrValue *value) {
    ENTER_ON(cuStreamSetAttribute, stream);
    CUstreamAttrValue v;
    LEAVE_IF(!value, FK_INVALID_VALUE);
    memset(&v, 0, sizeof v);
    switch (attr) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        v.accessPolicyWindow = value->accessPolicyWindow;
        LEAVE_IF(!(v.accessPolicyWindow.hitRatio >= 0 && v.accessPolicyWindow.hitRatio <= 1), FK_INVALID_VALUE);
        break;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        v.syncPolicy = value->syncPolicy;
        LEAVE_IF(v.syncPolicy < CU_SYNC_POLICY_AUTO || v.syncPolicy > CU_SYNC_POLICY_BLOCKING_SYNC, FK_INVALID_VALUE);
        break;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        v.memSyncDomain = value->memSyncDomain;
        break;
    default:
        LEAVE(FK_INVALID_VALUE);
    }
    LEAVE(fk_stream_attr(H(stream), attr, &v, 1));
}

CUresult cuStreamCopyAttributes(CUstream dst, CUstream src) {
    ENTER(cuStreamCopyAttributes);
    LEAVE(fk_stream_attr_copy(H(dst), H(src)));
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr at, size_t size, unsigned flags) {
    ENTER_ON(cuStreamAttachMemAsync, stream);
    LEAVE_IF(flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE, FK_INVALID_VALUE);
    LEAVE(fk_managed_attach(H(stream), at, size));
}
