/* check.h: what the parts of the check share. The check is a program that uses
 * the fake driver as a program uses a driver, and says what went wrong. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_control.h"
#include "triad_cu.h"

#define MEMBER(kind, version, result, symbol, name, params) result(*symbol) params;
struct api {
    TRIAD_CU_FUNCTIONS(MEMBER)
};
extern struct api cu;

/* The control functions of the loaded driver. */
#define CONTROL(X) \
    X(int, fake_fail, (const char *, int, int, uint64_t)) \
    X(int, fake_latency, (const char *, uint64_t)) \
    X(int, fake_block, (const char *)) \
    X(int, fake_release, (const char *)) \
    X(int64_t, fake_blocked, (const char *)) \
    X(int64_t, fake_calls, (const char *)) \
    X(void, fake_reset_counts, (void)) \
    X(void, fake_reset, (void)) \
    X(int, fake_kernel_latency, (const char *, uint64_t)) \
    X(int64_t, fake_kernel_runs, (const char *)) \
    X(void, fake_hold, (int)) \
    X(void, fake_fault_next, (int)) \
    X(void, fake_lose_words, (int)) \
    X(void, fake_callbacks, (int)) \
    X(void, fake_lose_device, (int, int)) \
    X(void, fake_refuse_wrong_context, (int)) \
    X(int64_t, fake_wrong_context, (void)) \
    X(int64_t, fake_live, (const char *)) \
    X(int64_t, fake_bytes, (const char *)) \
    X(void, fake_seed, (uint64_t))
#define CONTROL_MEMBER(result, name, params) result(*name) params;
extern struct control {
    CONTROL(CONTROL_MEMBER)
} ctl;

extern int failures;
extern const char *doing; /* the check that runs */

#define EXPECT(have, want) expect(__FILE__, __LINE__, #have, (long long)(have), (long long)(want))
#define OK(call) EXPECT(cu.call, CUDA_SUCCESS)
#define GIVES(code, call) EXPECT(cu.call, code)
void expect(const char *file, int line, const char *what, long long have, long long want);

CUfunction function(const char *name);
CUstream stream(unsigned flags);
CUdeviceptr memory(size_t bytes);
void launch(CUfunction f, unsigned grid, unsigned block, unsigned shared, CUstream s, void **params);
void *parallel(void *(*fn)(void *), void *arg); /* a thread; its id, to join */
void join(void *thread);
extern CUcontext primary;
extern void *image;
extern size_t image_size;
extern const char *scale_name; /* of deep::scale<double, 3> */

void check_kernels(void);
void check_streams(void);
void check_memory(void);
void check_maps(void);
void check_control(void);
void check_devices(void);

#endif
