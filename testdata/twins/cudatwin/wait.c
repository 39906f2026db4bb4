#include <stdlib.h>

#include "api.h"

static CUresult wait_by(const cutwin *t, CUstream s, int how) {
    CUresult code;
    switch (how) {
    case CUTWIN_BY_QUERY:
        do {
            code = cutwin_cu.cuStreamQuery(s);
        } while (code == CUDA_ERROR_NOT_READY);
        return code;
    case CUTWIN_BY_BLOCKING:
        code = cutwin_cu.cuEventRecord(t->blocking, s);
        return code == CUDA_SUCCESS ? cutwin_cu.cuEventSynchronize(t->blocking) : code;
    }
    return cutwin_cu.cuStreamSynchronize(s);
}

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* took may be 0; else it gets the time of each. */
static int64_t launches_waits(const cutwin *t, const cutwin_job *j, int64_t *took) {
    CUstream s = t->stream[0];
    int64_t begin = cutwin_now(), last = begin;
    for (long i = 0; i < j->n; i++) {
        TRY(j->device_ns ? cutwin_launch_spin(t, s, j->device_ns) : cutwin_launch4(t, s, i));
        TRY(wait_by(t, s, j->how));
        if (!took) continue;
        int64_t now = cutwin_now();
        took[i] = now - last;
        last = now;
    }
    return cutwin_now() - begin;
}

int64_t cutwin_launch_wait(cutwin *t, const cutwin_job *j) {
    if (!j->median) return launches_waits(t, j, 0);
    int64_t *took = malloc(j->n * sizeof *took);
    if (!took) return -CUDA_ERROR_OUT_OF_MEMORY;
    int64_t result = launches_waits(t, j, took);
    if (result >= 0) {
        qsort(took, j->n, sizeof *took, compare);
        result = (took[(j->n - 1) / 2] + took[j->n / 2]) / 2 * j->n;
    }
    free(took);
    return result;
}

int64_t cutwin_idle_wait(cutwin *t, const cutwin_job *j) {
    TRY(cutwin_cu.cuStreamSynchronize(t->stream[0]));
    int64_t begin = cutwin_now();
    for (long i = 0; i < j->n; i++) TRY(cutwin_cu.cuStreamSynchronize(t->stream[0]));
    return cutwin_now() - begin;
}

static inline CUresult record(const cutwin *t, const cutwin_job *j, long i) {
    return cutwin_cu.cuEventRecord(t->event, t->stream[0]);
}

int64_t cutwin_record(cutwin *t, const cutwin_job *j) { return cutwin_calls(t, j, record); }

int64_t cutwin_query(cutwin *t, const cutwin_job *j) {
    TRY(cutwin_cu.cuEventRecord(t->event, t->stream[0]));
    TRY(cutwin_cu.cuEventSynchronize(t->event));
    int64_t begin = cutwin_now();
    for (long i = 0; i < j->n; i++) TRY(cutwin_cu.cuEventQuery(t->event));
    return cutwin_now() - begin;
}
