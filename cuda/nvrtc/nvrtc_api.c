#define _GNU_SOURCE
#include "nvrtc_api.h"

#include "triad_dl.h"
#include "triad_signals.h"

/* The resolved functions; valid once triad_nvrtc_load has returned 0. */
#define MEMBER(kind, version, result, name, params) result(*name) params;
static struct triad_nvrtc_api {
    TRIAD_NVRTC_FUNCTIONS(MEMBER)
} rtc;
#undef MEMBER

/* REQUIRED and OPTIONAL of the table, as flags. */
enum { REQUIRED = 1, OPTIONAL = 0 };

static const struct triad_dl_row rows[] = {
#define ROW(kind, version, result, name, params) {#name, kind, version, offsetof(struct triad_nvrtc_api, name)},
    TRIAD_NVRTC_FUNCTIONS(ROW)
#undef ROW
};

enum { ROWS = sizeof rows / sizeof *rows };

/* A library can have every symbol and still be no compiler: the SDK has stubs to
 * link with, which answer nothing. */
static int usable(const struct triad_nvrtc_api *api, char *text, size_t room) {
    int major = 0, minor = 0;
    nvrtcResult code = api->nvrtcVersion(&major, &minor);
    if (code == NVRTC_SUCCESS && (major > 11 || (major == 11 && minor >= 2))) return 1;
    if (code != NVRTC_SUCCESS || major <= 0)
        snprintf(text, room, "a stub: nvrtcVersion gives version %d.%d and result %d", major, minor, (int)code);
    else
        snprintf(text, room, "NVRTC %d.%d is too old; 11.2 or later is needed", major, minor);
    return 0;
}

int triad_nvrtc_load(const char *path, char *text, size_t room, char *found, size_t found_room) {
    struct triad_nvrtc_api api = {0};
    triad_signals_save();
    void *lib = triad_dl_open(path, text, room);
    int ok = lib && triad_dl_resolve(lib, rows, ROWS, &api, text, room) == 0 && usable(&api, text, room);
    triad_signals_restore();
    if (!ok) {
        if (lib) dlclose(lib);
        return -1;
    }
    triad_dl_path((void *)api.nvrtcVersion, found, found_room);
    rtc = api;
    return 0;
}

int triad_nvrtc_missing(int i, const char **name, int *version) {
    return triad_dl_missing(rows, ROWS, &rtc, i, name, version);
}

nvrtcResult triad_nvrtc_version(int *major, int *minor) { return rtc.nvrtcVersion(major, minor); }

nvrtcResult triad_nvrtc_archs(int room, int *archs, int *n) {
    nvrtcResult code = rtc.nvrtcGetNumSupportedArchs(n);
    if (code != NVRTC_SUCCESS) return code;
    return *n <= room ? rtc.nvrtcGetSupportedArchs(archs) : NVRTC_ERROR_INVALID_INPUT;
}

const char *triad_nvrtc_name(nvrtcResult code) { return rtc.nvrtcGetErrorString(code); }

nvrtcResult triad_nvrtc_new(nvrtcProgram *p, const char *code, const char *name, int headers,
                            const char *const *texts, const char *const *names) {
    return rtc.nvrtcCreateProgram(p, code, name, headers, texts, names);
}

void triad_nvrtc_free(nvrtcProgram p) { rtc.nvrtcDestroyProgram(&p); }

nvrtcResult triad_nvrtc_add_name(nvrtcProgram p, const char *expression) {
    return rtc.nvrtcAddNameExpression(p, expression);
}

nvrtcResult triad_nvrtc_lowered(nvrtcProgram p, const char *expression, const char **name) {
    return rtc.nvrtcGetLoweredName(p, expression, name);
}

/* NVRTC asks this from time to time, on threads of its own too. */
static int cancelled(void *flag, void *reserved) {
    (void)reserved;
    return __atomic_load_n((int32_t *)flag, __ATOMIC_ACQUIRE) != 0;
}

nvrtcResult triad_nvrtc_compile(nvrtcProgram p, int n, const char *const *options, int32_t *cancel) {
    if (rtc.nvrtcSetFlowCallback) {
        nvrtcResult code = rtc.nvrtcSetFlowCallback(p, cancelled, cancel);
        if (code != NVRTC_SUCCESS) return code;
    }
    /* NVRTC contains LLVM; see triad_signals.h. */
    triad_signals_save();
    nvrtcResult code = rtc.nvrtcCompileProgram(p, n, options);
    triad_signals_restore();
    return code;
}

nvrtcResult triad_nvrtc_get(nvrtcProgram p, int what, size_t *size, char *out) {
    nvrtcResult (*sizes)(nvrtcProgram, size_t *) = 0;
    nvrtcResult (*bytes)(nvrtcProgram, char *) = 0;
    switch (what) {
    case TRIAD_NVRTC_LOG: sizes = rtc.nvrtcGetProgramLogSize, bytes = rtc.nvrtcGetProgramLog; break;
    case TRIAD_NVRTC_PTX: sizes = rtc.nvrtcGetPTXSize, bytes = rtc.nvrtcGetPTX; break;
    case TRIAD_NVRTC_CUBIN: sizes = rtc.nvrtcGetCUBINSize, bytes = rtc.nvrtcGetCUBIN; break;
    case TRIAD_NVRTC_LTOIR: sizes = rtc.nvrtcGetLTOIRSize, bytes = rtc.nvrtcGetLTOIR; break;
    }
    *size = 0;
    if (!sizes || !bytes) return NVRTC_SUCCESS;
    nvrtcResult code = sizes(p, size);
    if (code != NVRTC_SUCCESS || !out || *size == 0) return code;
    return bytes(p, out);
}
