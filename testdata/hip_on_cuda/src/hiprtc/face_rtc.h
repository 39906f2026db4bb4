/* face_rtc.h: what the parts of hiprtc's face share.
 *
 * This is test code: it stands in for AMD's compiler where there is no AMD GPU. */
#ifndef FACE_RTC_H
#define FACE_RTC_H

#include "triad_hiprtc.h"
#include "triad_nvrtc.h"

/* Declared by the table that package hiprtc uses; see face.h. */
#ifndef FACE_DECLARED
#define FACE_DECLARED(result, symbol, params) __attribute__((visibility("default"))) result symbol params
#endif
#define DECLARE(kind, version, result, symbol, params) FACE_DECLARED(result, symbol, params);
TRIAD_HIPRTC_FUNCTIONS(DECLARE)
#undef DECLARE

/* NVRTC's functions; null where it lacks one. */
#define MEMBER(kind, version, result, name, params) result(*name) params;
extern struct face_nvrtc {
    TRIAD_NVRTC_FUNCTIONS(MEMBER)
} rtc;
#undef MEMBER

/* nvrtc.c: fills them in, if it can; whether it could. */
int face_rtc_load(void);

#endif
