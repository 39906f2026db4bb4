/* cu_words.c: words that streams write, and wait for. */
#include "cu.h"

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr at, cuuint64_t value, unsigned flags) {
    ENTER_ON(cuStreamWriteValue64_v2, stream);
    LEAVE_IF(flags != CU_STREAM_WRITE_VALUE_DEFAULT, FK_INVALID_VALUE);
    LEAVE(fk_stream_write64(H(stream), at, value));
}

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr at, cuuint32_t value, unsigned flags) {
    ENTER_ON(cuStreamWaitValue32_v2, stream);
    LEAVE(fk_stream_wait_word(H(stream), at, value, (int)flags, 0));
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr at, cuuint64_t value, unsigned flags) {
    ENTER_ON(cuStreamWaitValue64_v2, stream);
    LEAVE(fk_stream_wait_word(H(stream), at, value, (int)flags, 1));
}
