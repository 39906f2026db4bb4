#include "face.h"

void face_attribute_in(CUlaunchAttributeValue *to, hipLaunchAttributeID which, const hipLaunchAttributeValue *from);

/* HIP gives a kernel what shared memory it asks for; CUDA wants to be told before,
 * beyond 48 KiB. So a launch that was refused and asks for more is made again. */
static int raised(hipFunction_t f, unsigned int shared) {
    return shared > 48 * 1024 && cu.cuFuncSetAttribute((CUfunction)f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared) == CUDA_SUCCESS;
}

/* The words in an array of extra parameters: HIP's, and CUDA's, which differ in the end. */
enum { EXTRA_POINTER = 1, EXTRA_SIZE = 2, HIP_EXTRA_END = 3, CUDA_EXTRA_END = 0 };

static int extras(void **from, void *to[5]) {
    int n = 0;
    for (; n < 4 && from[n] != (void *)HIP_EXTRA_END; n += 2) to[n] = from[n], to[n + 1] = from[n + 1];
    to[n] = (void *)CUDA_EXTRA_END;
    return from[n] == (void *)HIP_EXTRA_END;
}

static __attribute__((noinline)) CUresult again(CUresult code, hipFunction_t f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                                                unsigned int by, unsigned int bz, unsigned int shared, hipStream_t s, void **params) {
    if (code != CUDA_ERROR_INVALID_VALUE || !raised(f, shared)) return code;
    return cu.cuLaunchKernel((CUfunction)f, gx, gy, gz, bx, by, bz, shared, stream(s), params, 0);
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by,
                                 unsigned int bz, unsigned int shared, hipStream_t s, void **params, void **extra) {
    hipError_t bound = face_bind();
    if (bound != hipSuccess) return bound;
    void *list[5];
    if (extra && !extras(extra, list)) return face_refuse(hipErrorInvalidValue);
    CUresult code = cu.cuLaunchKernel((CUfunction)f, gx, gy, gz, bx, by, bz, shared, stream(s), params, extra ? list : 0);
    if (LIKELY(code == CUDA_SUCCESS)) return hipSuccess;
    return face_done(extra ? code : again(code, f, gx, gy, gz, bx, by, bz, shared, s, params));
}

static hipError_t launch(const CUlaunchConfig *c, hipFunction_t f, void **params, void **extra) {
    if (!cu.cuLaunchKernelEx) return face_refuse(hipErrorNotSupported);
    hipError_t code = face_bind();
    if (code != hipSuccess) return code;
    CUresult result = cu.cuLaunchKernelEx(c, (CUfunction)f, params, extra);
    if (result == CUDA_ERROR_INVALID_VALUE && raised(f, c->sharedMemBytes)) result = cu.cuLaunchKernelEx(c, (CUfunction)f, params, extra);
    return face_done(result);
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by,
                                            unsigned int bz, unsigned int shared, hipStream_t s, void **params) {
    CUlaunchAttribute whole = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    CUlaunchConfig c = {gx, gy, gz, bx, by, bz, shared, stream(s), &whole, 1};
    return launch(&c, f, params, 0);
}

hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG *h, hipFunction_t f, void **params, void **extra) {
    enum { MOST = 16 };
    CUlaunchAttribute attributes[MOST];
    void *list[5];
    if (h->numAttrs > MOST || (extra && !extras(extra, list))) return face_refuse(hipErrorInvalidValue);
    for (unsigned int i = 0; i < h->numAttrs; i++) {
        attributes[i].id = h->attrs[i].id;
        face_attribute_in(&attributes[i].value, h->attrs[i].id, &h->attrs[i].value);
    }
    CUlaunchConfig c = {h->gridDimX, h->gridDimY, h->gridDimZ, h->blockDimX, h->blockDimY, h->blockDimZ, h->sharedMemBytes,
                        stream(h->hStream), attributes, h->numAttrs};
    return launch(&c, f, params, extra ? list : 0);
}

/* Likewise before CUDA says how many blocks fit: if it can't be raised, CUDA says so. */
#define ON_RAISED(f, shared, call)                      \
    ({                                                  \
        hipError_t raise_ = face_bind();                \
        if (raise_ == hipSuccess) raised((f), (shared)); \
        raise_ ? raise_ : face_done(cu.call);           \
    })

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hipFunction_t f, int threads, size_t shared) {
    return ON_RAISED(f, shared, cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (CUfunction)f, threads, shared));
}

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, hipFunction_t f, size_t shared, int limit) {
    return ON_RAISED(f, shared, cuOccupancyMaxPotentialBlockSize(grid, block, (CUfunction)f, 0, shared, limit));
}
