#include "triad_cuda.h"

/* Has the stream write 4 or 8 bytes when it gets there. Flag 0 keeps the memory
 * barrier before the write. */
CUresult triad_cu_write_value(triad_cu_stream *s, uint64_t at, uint64_t value, int wide) {
    if (wide ? !triad_cu.cuStreamWriteValue64_v2 : !triad_cu.cuStreamWriteValue32_v2) return CUDA_ERROR_NOT_SUPPORTED;
    return triad_cu_submitted(s, TRIAD_CU_ON(s->dev, wide ? triad_cu.cuStreamWriteValue64_v2(s->s, at, value, 0)
                                                          : triad_cu.cuStreamWriteValue32_v2(s->s, at, (cuuint32_t)value, 0)));
}

/* Has the stream stand still until 4 or 8 bytes of memory compare as told with the
 * value. */
CUresult triad_cu_wait_value(triad_cu_stream *s, uint64_t at, uint64_t value, uint32_t how, int wide) {
    if (wide ? !triad_cu.cuStreamWaitValue64_v2 : !triad_cu.cuStreamWaitValue32_v2) return CUDA_ERROR_NOT_SUPPORTED;
    return triad_cu_submitted(s, TRIAD_CU_ON(s->dev, wide ? triad_cu.cuStreamWaitValue64_v2(s->s, at, value, how)
                                                          : triad_cu.cuStreamWaitValue32_v2(s->s, at, (cuuint32_t)value, how)));
}
