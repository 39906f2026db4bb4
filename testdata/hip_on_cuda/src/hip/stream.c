#include "face.h"

hipError_t hipStreamCreateWithPriority(hipStream_t *s, unsigned int flags, int priority) {
    return ON(cuStreamCreateWithPriority((CUstream *)s, flags, priority));
}

hipError_t hipStreamDestroy(hipStream_t s) { return ON(cuStreamDestroy_v2(stream(s))); }
hipError_t hipStreamQuery(hipStream_t s) { return ON(cuStreamQuery(stream(s))); }
hipError_t hipStreamSynchronize(hipStream_t s) { return ON(cuStreamSynchronize(stream(s))); }
hipError_t hipStreamGetFlags(hipStream_t s, unsigned int *flags) { return ON(cuStreamGetFlags(stream(s), flags)); }
hipError_t hipStreamGetPriority(hipStream_t s, int *priority) { return ON(cuStreamGetPriority(stream(s), priority)); }
hipError_t hipStreamGetId(hipStream_t s, unsigned long long *id) { return ON_OPTIONAL(cuStreamGetId, stream(s), id); }

hipError_t hipStreamGetDevice(hipStream_t s, hipDevice_t *device) {
    CUcontext ctx;
    hipError_t code = ON(cuStreamGetCtx(stream(s), &ctx));
    return code ? code : face_device_of(ctx, device);
}

hipError_t hipStreamWaitEvent(hipStream_t s, hipEvent_t e, unsigned int flags) {
    return ON(cuStreamWaitEvent(stream(s), (CUevent)e, flags));
}

hipError_t hipLaunchHostFunc(hipStream_t s, hipHostFn_t fn, void *user) { return ON(cuLaunchHostFunc(stream(s), fn, user)); }

hipError_t hipStreamIsCapturing(hipStream_t s, hipStreamCaptureStatus *status) {
    return ON(cuStreamIsCapturing(stream(s), status));
}

hipError_t hipStreamBeginCapture(hipStream_t s, hipStreamCaptureMode mode) {
    return ON(cuStreamBeginCapture_v2(stream(s), mode));
}

hipError_t hipStreamEndCapture(hipStream_t s, hipGraph_t *graph) {
    return ON(cuStreamEndCapture(stream(s), (CUgraph *)graph));
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
    return ON(cuThreadExchangeStreamCaptureMode(mode));
}

hipError_t hipGraphDestroy(hipGraph_t graph) { return ON(cuGraphDestroy((CUgraph)graph)); }

/* CUDA compares whole words only. */
hipError_t hipStreamWaitValue32(hipStream_t s, void *p, uint32_t value, unsigned int how, uint32_t mask) {
    if (mask != ~(uint32_t)0) return face_refuse(hipErrorNotSupported);
    return ON_OPTIONAL(cuStreamWaitValue32_v2, stream(s), at(p), value, how);
}

hipError_t hipStreamWaitValue64(hipStream_t s, void *p, uint64_t value, unsigned int how, uint64_t mask) {
    if (mask != ~(uint64_t)0) return face_refuse(hipErrorNotSupported);
    return ON_OPTIONAL(cuStreamWaitValue64_v2, stream(s), at(p), value, how);
}

hipError_t hipStreamWriteValue32(hipStream_t s, void *p, uint32_t value, unsigned int flags) {
    (void)flags; /* HIP has none */
    return ON_OPTIONAL(cuStreamWriteValue32_v2, stream(s), at(p), value, CU_STREAM_WRITE_VALUE_DEFAULT);
}

hipError_t hipStreamWriteValue64(hipStream_t s, void *p, uint64_t value, unsigned int flags) {
    (void)flags;
    return ON_OPTIONAL(cuStreamWriteValue64_v2, stream(s), at(p), value, CU_STREAM_WRITE_VALUE_DEFAULT);
}

hipError_t hipStreamAttachMemAsync(hipStream_t s, void *p, size_t bytes, unsigned int flags) {
    return ON(cuStreamAttachMemAsync(stream(s), at(p), bytes, flags));
}

/* The attributes have CUDA's numbers; only the window of the L2 cache is laid out in
 * another way. */
void face_attribute_in(CUlaunchAttributeValue *to, hipLaunchAttributeID which, const hipLaunchAttributeValue *from) {
    memcpy(to, from, sizeof *to);
    if (which != hipLaunchAttributeAccessPolicyWindow) return;
    const hipAccessPolicyWindow *w = &from->accessPolicyWindow;
    to->accessPolicyWindow = (CUaccessPolicyWindow){w->base_ptr, w->num_bytes, w->hitRatio, w->hitProp, w->missProp};
}

hipError_t hipStreamGetAttribute(hipStream_t s, hipLaunchAttributeID which, hipLaunchAttributeValue *value) {
    CUstreamAttrValue v;
    hipError_t code = ON(cuStreamGetAttribute(stream(s), which, &v));
    if (code != hipSuccess) return code;
    memcpy(value, &v, sizeof v);
    if (which == hipLaunchAttributeAccessPolicyWindow) {
        CUaccessPolicyWindow *w = &v.accessPolicyWindow;
        value->accessPolicyWindow = (hipAccessPolicyWindow){w->base_ptr, w->hitProp, w->hitRatio, w->missProp, w->num_bytes};
    }
    return hipSuccess;
}

hipError_t hipStreamSetAttribute(hipStream_t s, hipLaunchAttributeID which, const hipLaunchAttributeValue *value) {
    CUstreamAttrValue v;
    face_attribute_in(&v, which, value);
    return ON(cuStreamSetAttribute(stream(s), which, &v));
}
