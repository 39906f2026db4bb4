/* triad_hiprtc.h: what Triad uses of hiprtc, AMD's run-time compiler for HIP C++, of
 * HIP 5.2 to 7.x, and of the compiler library comgr that does its work, declared by
 * us, so that building needs no ROCm.
 *
 * Define TRIAD_HIPRTC_TYPES_GIVEN to take hiprtc's types and values from hiprtc.h.
 */
#ifndef TRIAD_HIPRTC_H
#define TRIAD_HIPRTC_H

#include <stddef.h>
#include <stdint.h>

#ifndef TRIAD_HIPRTC_TYPES_GIVEN

/* An enumeration in hiprtc.h. */
typedef int hiprtcResult;

typedef struct _hiprtcProgram *hiprtcProgram;

#define HIPRTC_SUCCESS 0
#define HIPRTC_ERROR_INVALID_INPUT 3
#define HIPRTC_ERROR_INVALID_PROGRAM 4

#endif

/* The functions, one row each: REQUIRED or OPTIONAL, the HIP version that brought it
 * (times 10000, plus a hundred times the minor one; what 5.2 has counts as of 5.2),
 * result, symbol, parameters. Later headers have "const char *const *" where these
 * have "const char **".
 *
 * The table is read twice: to declare struct triad_hiprtc_api, and to resolve its
 * members. Without a REQUIRED symbol a library is no hiprtc and is passed over;
 * without an OPTIONAL one exactly the feature that needs it is gone. */
#define TRIAD_HIPRTC_FUNCTIONS(X) \
    /* The library itself. */ \
    X(REQUIRED, 50200, hiprtcResult, hiprtcVersion, (int *, int *)) \
    X(REQUIRED, 50200, const char *, hiprtcGetErrorString, (hiprtcResult)) \
    /* Programs. */ \
    X(REQUIRED, 50200, hiprtcResult, hiprtcCreateProgram, \
      (hiprtcProgram *, const char *, const char *, int, const char **, const char **)) \
    X(REQUIRED, 50200, hiprtcResult, hiprtcDestroyProgram, (hiprtcProgram *)) \
    X(REQUIRED, 50200, hiprtcResult, hiprtcAddNameExpression, (hiprtcProgram, const char *)) \
    X(REQUIRED, 50200, hiprtcResult, hiprtcCompileProgram, (hiprtcProgram, int, const char **)) \
    /* What a compile leaves. */ \
    X(REQUIRED, 50200, hiprtcResult, hiprtcGetProgramLogSize, (hiprtcProgram, size_t *)) \
    X(REQUIRED, 50200, hiprtcResult, hiprtcGetProgramLog, (hiprtcProgram, char *)) \
    X(REQUIRED, 50200, hiprtcResult, hiprtcGetLoweredName, (hiprtcProgram, const char *, const char **)) \
    X(REQUIRED, 50200, hiprtcResult, hiprtcGetCodeSize, (hiprtcProgram, size_t *)) \
    X(REQUIRED, 50200, hiprtcResult, hiprtcGetCode, (hiprtcProgram, char *)) \
    X(OPTIONAL, 50300, hiprtcResult, hiprtcGetBitcodeSize, (hiprtcProgram, size_t *)) \
    X(OPTIONAL, 50300, hiprtcResult, hiprtcGetBitcode, (hiprtcProgram, char *))

/* A node of comgr's metadata (amd_comgr_metadata_node_t). */
typedef struct { uint64_t handle; } triad_comgr_node;

/* Of comgr, which says what can be compiled for; its results are 0 for success. The
 * version is comgr's, times 10000. */
#define TRIAD_COMGR_FUNCTIONS(X) \
    X(REQUIRED, 20000, int, amd_comgr_get_isa_count, (size_t *)) \
    X(REQUIRED, 20000, int, amd_comgr_get_isa_name, (size_t, const char **)) \
    X(REQUIRED, 20000, int, amd_comgr_get_isa_metadata, (const char *, triad_comgr_node *)) \
    X(REQUIRED, 20000, int, amd_comgr_destroy_metadata, (triad_comgr_node))

#endif
