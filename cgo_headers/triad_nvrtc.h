/* triad_nvrtc.h: what Triad uses of NVRTC, the run-time compiler for CUDA C++,
 * versions 11.2 to 13.x, declared by us, so that building needs no CUDA SDK.
 *
 * Define TRIAD_NVRTC_TYPES_GIVEN to take types and values from nvrtc.h.
 */
#ifndef TRIAD_NVRTC_H
#define TRIAD_NVRTC_H

#include <stddef.h>

#ifndef TRIAD_NVRTC_TYPES_GIVEN

/* An enumeration in nvrtc.h. */
typedef int nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

#define NVRTC_SUCCESS 0
#define NVRTC_ERROR_INVALID_INPUT 3
#define NVRTC_ERROR_CANCELLED 16

#endif

/* The functions, one row each: REQUIRED or OPTIONAL, the CUDA version that brought
 * it (times 1000, plus ten times the minor one), result, symbol, parameters.
 *
 * The table is read twice: to declare struct triad_nvrtc_api, and to resolve its
 * members. Without a REQUIRED symbol a library is no NVRTC 11.2 and is passed over;
 * without an OPTIONAL one exactly the feature that needs it is gone. */
#define TRIAD_NVRTC_FUNCTIONS(X) \
    /* The library itself. */ \
    X(REQUIRED, 7000, nvrtcResult, nvrtcVersion, (int *, int *)) \
    X(REQUIRED, 7000, const char *, nvrtcGetErrorString, (nvrtcResult)) \
    X(REQUIRED, 11020, nvrtcResult, nvrtcGetNumSupportedArchs, (int *)) \
    X(REQUIRED, 11020, nvrtcResult, nvrtcGetSupportedArchs, (int *)) \
    /* Programs. */ \
    X(REQUIRED, 7000, nvrtcResult, nvrtcCreateProgram, \
      (nvrtcProgram *, const char *, const char *, int, const char *const *, const char *const *)) \
    X(REQUIRED, 7000, nvrtcResult, nvrtcDestroyProgram, (nvrtcProgram *)) \
    X(REQUIRED, 8000, nvrtcResult, nvrtcAddNameExpression, (nvrtcProgram, const char *)) \
    X(OPTIONAL, 12080, nvrtcResult, nvrtcSetFlowCallback, (nvrtcProgram, int (*)(void *, void *), void *)) \
    X(REQUIRED, 7000, nvrtcResult, nvrtcCompileProgram, (nvrtcProgram, int, const char *const *)) \
    /* What a compile leaves. */ \
    X(REQUIRED, 7000, nvrtcResult, nvrtcGetProgramLogSize, (nvrtcProgram, size_t *)) \
    X(REQUIRED, 7000, nvrtcResult, nvrtcGetProgramLog, (nvrtcProgram, char *)) \
    X(REQUIRED, 8000, nvrtcResult, nvrtcGetLoweredName, (nvrtcProgram, const char *, const char **)) \
    X(REQUIRED, 7000, nvrtcResult, nvrtcGetPTXSize, (nvrtcProgram, size_t *)) \
    X(REQUIRED, 7000, nvrtcResult, nvrtcGetPTX, (nvrtcProgram, char *)) \
    X(REQUIRED, 11010, nvrtcResult, nvrtcGetCUBINSize, (nvrtcProgram, size_t *)) \
    X(REQUIRED, 11010, nvrtcResult, nvrtcGetCUBIN, (nvrtcProgram, char *)) \
    X(OPTIONAL, 12000, nvrtcResult, nvrtcGetLTOIRSize, (nvrtcProgram, size_t *)) \
    X(OPTIONAL, 12000, nvrtcResult, nvrtcGetLTOIR, (nvrtcProgram, char *))

#endif
