/* nvrtc.c: what is behind hiprtc's face: the fake NVRTC, in this library. */
#include "face_rtc.h"

/* src/nvrtc has them, but for those that it lacks. */
#define DECLARE(kind, version, result, name, params) extern result name params __attribute__((weak));
TRIAD_NVRTC_FUNCTIONS(DECLARE)

int face_rtc_load(void) {
#define FILL(kind, version, result, name, params) rtc.name = name;
    TRIAD_NVRTC_FUNCTIONS(FILL)
    return 1;
}

/* No program here was compiled for the linker, which is what makes bitcode. */
hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram p, size_t *n) {
    (void)p, (void)n;
    return HIPRTC_ERROR_INVALID_PROGRAM;
}

hiprtcResult hiprtcGetBitcode(hiprtcProgram p, char *bitcode) {
    (void)p, (void)bitcode;
    return HIPRTC_ERROR_INVALID_PROGRAM;
}
