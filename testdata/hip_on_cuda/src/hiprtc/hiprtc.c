/* hiprtc.c: hiprtc's functions over NVRTC. What is made of a program is machine code
 * for one of NVIDIA's GPUs, named as NVRTC names them: --offload-arch=sm_90.
 *
 * This is test code: it stands in for AMD's compiler where there is no AMD GPU. */
#include "face_rtc.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct face_nvrtc rtc;

enum { MOST_OPTIONS = 256, UNUSABLE = 11 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int loaded;

static void load(void) { loaded = face_rtc_load(); }

static int ready(void) {
    pthread_once(&once, load);
    return loaded;
}

/* The codes are NVRTC's up to the internal error, which stands for all beyond. */
static hiprtcResult result(nvrtcResult code) { return code <= UNUSABLE ? (hiprtcResult)code : UNUSABLE; }

hiprtcResult hiprtcVersion(int *major, int *minor) {
    if (!ready()) return UNUSABLE;
    *major = 9;
    *minor = 0;
    return HIPRTC_SUCCESS;
}

const char *hiprtcGetErrorString(hiprtcResult code) { return ready() ? rtc.nvrtcGetErrorString((nvrtcResult)code) : 0; }

hiprtcResult hiprtcCreateProgram(hiprtcProgram *p, const char *code, const char *name, int n, const char **headers, const char **names) {
    return ready() ? result(rtc.nvrtcCreateProgram((nvrtcProgram *)p, code, name, n, headers, names)) : UNUSABLE;
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram *p) { return result(rtc.nvrtcDestroyProgram((nvrtcProgram *)p)); }

hiprtcResult hiprtcAddNameExpression(hiprtcProgram p, const char *expression) {
    return result(rtc.nvrtcAddNameExpression((nvrtcProgram)p, expression));
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram p, const char *expression, const char **name) {
    return result(rtc.nvrtcGetLoweredName((nvrtcProgram)p, expression, name));
}

/* NVRTC's spelling of one of Clang's options, in room; null for what it does without. */
static const char *spelled(const char *option, char *room, size_t size) {
    static const char arch[] = "--offload-arch=";
    if (strncmp(option, arch, sizeof arch - 1) == 0) {
        snprintf(room, size, "--gpu-architecture=%s", option + sizeof arch - 1);
        return room;
    }
    if (strcmp(option, "-ffast-math") == 0) return "--use_fast_math";
    if (strncmp(option, "-O", 2) == 0 || strncmp(option, "-fhip-", 6) == 0) return 0;
    return option;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram p, int n, const char **options) {
    const char *list[MOST_OPTIONS];
    char room[128];
    int used = 0;
    if (n > MOST_OPTIONS) return HIPRTC_ERROR_INVALID_INPUT;
    for (int i = 0; i < n; i++) {
        const char *o = spelled(options[i], room, sizeof room);
        if (o) list[used++] = o;
    }
    return result(rtc.nvrtcCompileProgram((nvrtcProgram)p, used, list));
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram p, size_t *n) { return result(rtc.nvrtcGetProgramLogSize((nvrtcProgram)p, n)); }
hiprtcResult hiprtcGetProgramLog(hiprtcProgram p, char *log) { return result(rtc.nvrtcGetProgramLog((nvrtcProgram)p, log)); }

/* Machine code, or the text of PTX where the architecture was a virtual one. */
static int has_machine_code(hiprtcProgram p, size_t *n) {
    return rtc.nvrtcGetCUBINSize((nvrtcProgram)p, n) == NVRTC_SUCCESS && *n > 0;
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram p, size_t *n) {
    return has_machine_code(p, n) ? HIPRTC_SUCCESS : result(rtc.nvrtcGetPTXSize((nvrtcProgram)p, n));
}

hiprtcResult hiprtcGetCode(hiprtcProgram p, char *code) {
    size_t n;
    return result(has_machine_code(p, &n) ? rtc.nvrtcGetCUBIN((nvrtcProgram)p, code) : rtc.nvrtcGetPTX((nvrtcProgram)p, code));
}
