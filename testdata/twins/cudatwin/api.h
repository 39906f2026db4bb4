/* api.h: what the twin's files share. */
#ifndef TRIAD_CUDATWIN_API_H
#define TRIAD_CUDATWIN_API_H

#include <time.h>

#include "twin.h"

#define CUTWIN_MEMBER(kind, version, result, symbol, name, params) result(*symbol) params;
struct cutwin_api {
    TRIAD_CU_FUNCTIONS(CUTWIN_MEMBER)
};
#undef CUTWIN_MEMBER
extern struct cutwin_api cutwin_cu;

int cutwin_load_hip(const char *path, char *text, size_t room);

/* Within functions that return nanoseconds, or a code made negative. */
#define TRY(call)                                       \
    do {                                                \
        CUresult code_ = (call);                        \
        if (code_ != CUDA_SUCCESS) return -(int64_t)code_; \
    } while (0)

static inline int64_t cutwin_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Does an operation n times in groups, and counts the calls alone. It is inlined
 * so that op is called directly. */
typedef CUresult (*cutwin_op)(const cutwin *t, const cutwin_job *j, long i);
static inline __attribute__((always_inline)) int64_t cutwin_calls(const cutwin *t, const cutwin_job *j, cutwin_op op) {
    int64_t calls = 0;
    for (long done = 0; done < j->n;) {
        int64_t resume = cutwin_now();
        for (long i = 0; i < j->every && done < j->n; i++, done++) TRY(op(t, j, done));
        calls += cutwin_now() - resume;
        TRY(cutwin_cu.cuStreamSynchronize(t->stream[0]));
    }
    return calls;
}

/* The jobs; one function for each, in the order of the enumeration. */
int64_t cutwin_launch(cutwin *t, const cutwin_job *j);
int64_t cutwin_launch_threads(cutwin *t, const cutwin_job *j);
int64_t cutwin_launch_wait(cutwin *t, const cutwin_job *j);
int64_t cutwin_spin_threads(cutwin *t, const cutwin_job *j);
int64_t cutwin_idle_wait(cutwin *t, const cutwin_job *j);
int64_t cutwin_record(cutwin *t, const cutwin_job *j);
int64_t cutwin_query(cutwin *t, const cutwin_job *j);
int64_t cutwin_memset(cutwin *t, const cutwin_job *j);
int64_t cutwin_copy(cutwin *t, const cutwin_job *j);
int64_t cutwin_bulk(cutwin *t, const cutwin_job *j);
int64_t cutwin_alloc(cutwin *t, const cutwin_job *j);
int64_t cutwin_nothings(cutwin *t, const cutwin_job *j);

CUresult cutwin_launch4(const cutwin *t, CUstream s, unsigned n);
CUresult cutwin_launch_spin(const cutwin *t, CUstream s, int64_t device_ns);

#endif
