/* fake_control.h: what tests ask of a fake driver. The functions are exported by
 * the library itself; any thread may call them at any time.
 *
 * The fake HIP runtime has them too; its symbols are HIP's.
 *
 * Before its first use a library reads the environment variable TRIAD_FAKE, and
 * before that the text that may have been put into fake_defaults (a section of the
 * file, so that a copy of the library can carry it): settings, separated by ";".
 *
 *   devices=2          how many there are (1)
 *   model=H200         H200, or old: no pools, no word writes, no clusters; AMD's
 *                      MI300X, with wavefronts of 64, or RX7900, of 32 and without
 *                      pools
 *   memory=8G          of each device, with K, M or G
 *   version=13000      what the driver says of itself; the HIP runtime counts 60200
 *                      for 6.2
 *   missing=a,b        symbols that the lookup of symbols does not find
 *   nvrtc=13.0         the version of the runtime compiler
 *   refuse=1           calls on things of another context than the current fail
 *   strict=1           calls on a stream or an event from a thread without a current
 *                      context fail; they are taken otherwise, as driver 580 does
 *   signals=1          its initialization installs handlers of signals, as drivers do
 *                      that bring a compiler
 *   fail=symbol:code   every call of it fails
 */
#ifndef FAKE_CONTROL_H
#define FAKE_CONTROL_H

#include <stdint.h>

#include "fake_kernel.h"

#define FAKE_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* How a symbol fails. */
enum {
    FAKE_NEVER = 0,
    FAKE_ONCE,   /* its next call */
    FAKE_ALWAYS,
    FAKE_NTH,    /* its n-th call from now, once */
    FAKE_RANDOM, /* n of a million calls */
};

/* Symbols have their full names, cuMemAlloc_v2; "*" is all of them. Results are 0,
 * or -1 where there is no such symbol. */
FAKE_API int fake_configure(const char *settings);
FAKE_API int fake_fail(const char *symbol, int code, int mode, uint64_t n);
FAKE_API void fake_seed(uint64_t seed);
FAKE_API int fake_latency(const char *symbol, uint64_t ns);
FAKE_API int fake_block(const char *symbol);   /* calls wait at their beginning */
FAKE_API int fake_release(const char *symbol);
FAKE_API int64_t fake_blocked(const char *symbol); /* how many wait now */
FAKE_API int64_t fake_calls(const char *symbol);
FAKE_API void fake_reset_counts(void);
FAKE_API void fake_reset(void); /* no failures, latencies, blocks, holds; counts of 0 */
FAKE_API const char *fake_symbol(int i); /* 0: no more */

/* The driver's library only. */
FAKE_API int fake_kernel_latency(const char *kernel, uint64_t ns); /* "*": those not named */
FAKE_API int64_t fake_kernel_runs(const char *kernel);
FAKE_API void fake_hold(int on);              /* streams begin no command while on */
FAKE_API void fake_fault_next(int code);      /* the next command of any stream breaks its context */
FAKE_API void fake_lose_words(int on);        /* word writes do nothing */
FAKE_API void fake_callbacks(int mode);       /* host functions: 0 as they should, 1 lost, 2 doubled, 3 early */
FAKE_API void fake_lose_device(int device, int code); /* every call on it gets the code; 0: it is back */
FAKE_API void fake_refuse_wrong_context(int on);
FAKE_API void fake_strict(int on);
FAKE_API int64_t fake_wrong_context(void);    /* calls on things of another context than the current */
FAKE_API int64_t fake_live(const char *kind); /* context, stream, event, …, memory; "*": all */
FAKE_API int64_t fake_bytes(const char *kind); /* device, host, registered, managed, mapped, global; "*": all but registered and global */

/* Changes the devices while nothing of theirs exists: their model, number and
 * memory; 0 bytes are the model's own. -1: no such model, or too many. */
FAKE_API int fake_devices(const char *model, int n, uint64_t memory);

/* Launches of kernels that are functions of the program (called.c). FAKE_CALLED
 * begins their images, and texts that the runtime compiler makes such images of.
 * The addresses of launches are written to the pipe; each goes on when it is told
 * that the kernel has ended, with 0 or with the code of a fault. */
#define FAKE_CALLED "//fake: kernels of the program\n"
typedef struct {
    uint64_t id;
    uint32_t n_params;
    void **params; /* pointers to the values */
    fake_dim3 grid, block;
    void *shared;
    uint32_t shared_size;
} fake_called;
FAKE_API void fake_serve(int pipe);
FAKE_API void fake_ended(fake_called *launch, int code);
FAKE_API int64_t fake_room(uint64_t addr); /* bytes from an address to the end of its memory; 0: there is none */

#ifdef __cplusplus
}
#endif

#endif
