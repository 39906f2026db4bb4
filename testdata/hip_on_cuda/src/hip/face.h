/* face.h: what the parts of the face share. Every function of HIP makes the current
 * device's primary context current, if this thread's isn't, and calls CUDA; handles
 * are CUDA's own. Nothing here locks but the first use of a device by a thread.
 *
 * This is test code: it stands in for AMD's runtime where there is no AMD GPU. */
#ifndef FACE_H
#define FACE_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "triad_cu.h"
#include "triad_hip.h"

/* Declared by the table that package hip uses, so that what is defined here fits it.
 * Who puts something in front of the functions has the linker know them by other names. */
#ifndef FACE_DECLARED
#define FACE_DECLARED(result, symbol, params) __attribute__((visibility("default"))) result symbol params
#endif
#define DECLARE(kind, version, result, symbol, params) FACE_DECLARED(result, symbol, params);
TRIAD_HIP_FUNCTIONS(DECLARE)
#undef DECLARE

/* CUDA's functions, by the symbols' own names; null where the driver lacks one. */
#define MEMBER(kind, version, result, symbol, known, params) result(*symbol) params;
struct face_cuda {
    TRIAD_CU_FUNCTIONS(MEMBER)
};
#undef MEMBER
extern struct face_cuda cu;

enum { FACE_DEVICES = 64 };

/* A thread's device, the device whose context it has made current, and how many
 * resets of devices had happened then. */
struct face_thread {
    int current, bound;
    uint32_t seen;
};
extern __thread struct face_thread face;
extern _Atomic uint32_t face_resets;

/* driver.c: what is behind the face. */
CUresult face_load(void); /* fills cu in, and initializes CUDA */
int face_version(void);   /* of HIP, as package hip counts: 70100 for 7.1 */
void face_arch(char *name, size_t room, int device); /* what the compiler is to compile for */

/* generation.c: HIP before 6.0. */
int face_is_old(void);
hipMemoryType face_type_out(hipMemoryType type);
unsigned int face_ipc_flags(unsigned int flags);
void face_copy_in(HIP_MEMCPY3D *to, const void *from);

hipError_t face_rebind(void);
hipError_t face_failed(CUresult code);  /* another code than success, in HIP's words */
hipError_t face_refuse(hipError_t code); /* an error that CUDA was not asked for */
hipError_t face_ready(void);             /* loads and initializes CUDA */
hipError_t face_context(int device, CUcontext *ctx);
hipError_t face_device_of(CUcontext ctx, int *device);
hipError_t face_device(int device); /* whether there is one of that number */

#define LIKELY(x) __builtin_expect(!!(x), 1)

static inline hipError_t face_bind(void) {
    if (LIKELY(face.bound == face.current && face.seen == atomic_load_explicit(&face_resets, memory_order_relaxed)))
        return hipSuccess;
    return face_rebind();
}

static inline hipError_t face_done(CUresult code) { return LIKELY(code == CUDA_SUCCESS) ? hipSuccess : face_failed(code); }

/* Calls CUDA on the thread's device. */
#define ON(call)                                \
    ({                                          \
        hipError_t bound_ = face_bind();        \
        bound_ ? bound_ : face_done(cu.call);   \
    })

/* The same with a function that older drivers lack. */
#define ON_OPTIONAL(function, ...) (cu.function ? ON(function(__VA_ARGS__)) : face_refuse(hipErrorNotSupported))

static inline CUdeviceptr at(const void *p) { return (CUdeviceptr)(uintptr_t)p; }
static inline CUstream stream(hipStream_t s) { return (CUstream)s; }

#endif
