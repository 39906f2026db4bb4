#include "triad_cuda.h"

/* Attributes of streams. All that are one int lie at the beginning of the value. */
CUresult triad_cu_stream_attribute(triad_cu_stream *s, int which, int *value) {
    CUstreamAttrValue v = {{0}};
    CUresult code = TRIAD_CU_CALM(s->dev, triad_cu.cuStreamGetAttribute(s->s, which, &v));
    *value = v.priority;
    return code;
}

CUresult triad_cu_stream_set_attribute(triad_cu_stream *s, int which, int value) {
    CUstreamAttrValue v = {{0}};
    v.priority = value;
    return TRIAD_CU_CALM(s->dev, triad_cu.cuStreamSetAttribute(s->s, which, &v));
}

CUresult triad_cu_stream_window(triad_cu_stream *s, triad_cu_window *w) {
    CUstreamAttrValue v = {{0}};
    CUresult code =
        TRIAD_CU_CALM(s->dev, triad_cu.cuStreamGetAttribute(s->s, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
    CUaccessPolicyWindow *p = &v.accessPolicyWindow;
    *w = (triad_cu_window){(uint64_t)(uintptr_t)p->base_ptr, p->num_bytes, p->hitRatio, p->hitProp, p->missProp};
    return code;
}

CUresult triad_cu_stream_set_window(triad_cu_stream *s, triad_cu_window w) {
    CUstreamAttrValue v = {{0}};
    v.accessPolicyWindow =
        (CUaccessPolicyWindow){(void *)(uintptr_t)w.at, (size_t)w.bytes, w.hit_ratio, w.hit, w.miss};
    return TRIAD_CU_CALM(s->dev, triad_cu.cuStreamSetAttribute(s->s, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &v));
}

CUresult triad_cu_stream_copy_attributes(triad_cu_stream *to, triad_cu_stream *from) {
    return TRIAD_CU_CALM(to->dev, triad_cu.cuStreamCopyAttributes(to->s, from->s));
}

CUresult triad_cu_stream_flags(triad_cu_stream *s, unsigned int *flags) {
    return TRIAD_CU_CALM(s->dev, triad_cu.cuStreamGetFlags(s->s, flags));
}

CUresult triad_cu_stream_priority(triad_cu_stream *s, int *priority) {
    return TRIAD_CU_CALM(s->dev, triad_cu.cuStreamGetPriority(s->s, priority));
}

CUresult triad_cu_stream_id(triad_cu_stream *s, unsigned long long *id) {
    if (!triad_cu.cuStreamGetId) return CUDA_ERROR_NOT_SUPPORTED;
    return TRIAD_CU_CALM(s->dev, triad_cu.cuStreamGetId(s->s, id));
}

/* Has a thread of the driver's call a C function of the user's. */
CUresult triad_cu_stream_host(triad_cu_stream *s, uintptr_t fn, uintptr_t user) {
    return triad_cu_submitted(s, TRIAD_CU_ON(s->dev, triad_cu.cuLaunchHostFunc(s->s, (CUhostFn)fn, (void *)user)));
}

/* A host function: raises the word at user. */
static void raise_word(void *user) { __atomic_store_n((uint32_t *)user, 1, __ATOMIC_RELEASE); }
uintptr_t triad_cu_raise_word(void) { return (uintptr_t)raise_word; }
