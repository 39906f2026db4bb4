#include "api.h"

CUresult cutwin_once(const cutwin *t, int what, size_t bytes) {
    CUstream s = t->stream[0];
    switch (what) {
    case CUTWIN_LAUNCH: return cutwin_launch4(t, s, 0);
    case CUTWIN_RECORD: return cutwin_cu.cuEventRecord(t->event, s);
    case CUTWIN_MEMSET: return cutwin_cu.cuMemsetD32Async(t->x, 1, bytes / 4, s);
    case CUTWIN_COPY: return cutwin_cu.cuMemcpyHtoDAsync_v2(t->x, t->pinned, bytes, s);
    }
    return CUDA_ERROR_INVALID_VALUE;
}
