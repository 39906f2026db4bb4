#include "triad_hip_c.h"

/* Has the stream write 4 or 8 bytes when it gets there. */
hipError_t triad_hip_write_value(triad_hip_stream *s, uint64_t at, uint64_t value, int wide) {
    void *p = triad_hip_ptr(at);
    if (!s->dev->words || (wide && !triad_hip.hipStreamWriteValue64)) return hipErrorNotSupported;
    return triad_hip_submitted(s, TRIAD_HIP_IN(s->dev, wide ? triad_hip.hipStreamWriteValue64(s->s, p, value, 0)
                                                            : triad_hip.hipStreamWriteValue32(s->s, p, (uint32_t)value, 0)));
}

/* Has the stream stand still until 4 or 8 bytes of memory compare as told with the
 * value; no bit of them is masked out. */
hipError_t triad_hip_wait_value(triad_hip_stream *s, uint64_t at, uint64_t value, uint32_t how, int wide) {
    void *p = triad_hip_ptr(at);
    if (!s->dev->words || !(wide ? (void *)triad_hip.hipStreamWaitValue64 : (void *)triad_hip.hipStreamWaitValue32)) return hipErrorNotSupported;
    return triad_hip_submitted(s, TRIAD_HIP_IN(s->dev, wide ? triad_hip.hipStreamWaitValue64(s->s, p, value, how, ~(uint64_t)0)
                                                            : triad_hip.hipStreamWaitValue32(s->s, p, (uint32_t)value, how, ~(uint32_t)0)));
}
