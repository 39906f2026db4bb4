#include "triad_hip_c.h"

/* Attributes of streams. All that are one int lie at the beginning of the value. */
hipError_t triad_hip_stream_attribute(triad_hip_stream *s, int which, int *value) {
    hipLaunchAttributeValue v = {{0}};
    if (!triad_hip.hipStreamGetAttribute) return hipErrorNotSupported;
    hipError_t code = TRIAD_HIP_CALM(s->dev, triad_hip.hipStreamGetAttribute(s->s, which, &v));
    *value = v.priority;
    return code;
}

hipError_t triad_hip_stream_set_attribute(triad_hip_stream *s, int which, int value) {
    hipLaunchAttributeValue v = {{0}};
    if (!triad_hip.hipStreamSetAttribute) return hipErrorNotSupported;
    v.priority = value;
    return TRIAD_HIP_CALM(s->dev, triad_hip.hipStreamSetAttribute(s->s, which, &v));
}

hipError_t triad_hip_stream_window(triad_hip_stream *s, triad_hip_window *w) {
    hipLaunchAttributeValue v = {{0}};
    if (!triad_hip.hipStreamGetAttribute) return hipErrorNotSupported;
    hipError_t code =
        TRIAD_HIP_CALM(s->dev, triad_hip.hipStreamGetAttribute(s->s, hipLaunchAttributeAccessPolicyWindow, &v));
    hipAccessPolicyWindow *p = &v.accessPolicyWindow;
    *w = (triad_hip_window){(uint64_t)(uintptr_t)p->base_ptr, p->num_bytes, p->hitRatio, p->hitProp, p->missProp};
    return code;
}

hipError_t triad_hip_stream_set_window(triad_hip_stream *s, triad_hip_window w) {
    hipLaunchAttributeValue v = {{0}};
    if (!triad_hip.hipStreamSetAttribute) return hipErrorNotSupported;
    v.accessPolicyWindow =
        (hipAccessPolicyWindow){triad_hip_ptr(w.at), w.hit, w.hit_ratio, w.miss, (size_t)w.bytes};
    return TRIAD_HIP_CALM(s->dev, triad_hip.hipStreamSetAttribute(s->s, hipLaunchAttributeAccessPolicyWindow, &v));
}

hipError_t triad_hip_stream_flags(triad_hip_stream *s, unsigned int *flags) {
    return TRIAD_HIP_CALM(s->dev, triad_hip.hipStreamGetFlags(s->s, flags));
}

hipError_t triad_hip_stream_priority(triad_hip_stream *s, int *priority) {
    return TRIAD_HIP_CALM(s->dev, triad_hip.hipStreamGetPriority(s->s, priority));
}

hipError_t triad_hip_stream_id(triad_hip_stream *s, unsigned long long *id) {
    if (!triad_hip.hipStreamGetId) return hipErrorNotSupported;
    return TRIAD_HIP_CALM(s->dev, triad_hip.hipStreamGetId(s->s, id));
}

/* Has a thread of the driver's call a C function of the user's. */
hipError_t triad_hip_stream_host(triad_hip_stream *s, uintptr_t fn, uintptr_t user) {
    if (!triad_hip.hipLaunchHostFunc) return hipErrorNotSupported; /* 5.2 declares it, and has none */
    return triad_hip_submitted(s, TRIAD_HIP_IN(s->dev, triad_hip.hipLaunchHostFunc(s->s, (hipHostFn_t)fn, (void *)user)));
}

/* A host function: raises the word at user. */
static void raise_word(void *user) { __atomic_store_n((uint32_t *)user, 1, __ATOMIC_RELEASE); }
uintptr_t triad_hip_raise_word(void) { return (uintptr_t)raise_word; }
