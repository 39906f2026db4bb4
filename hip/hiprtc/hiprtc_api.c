#define _GNU_SOURCE
#include "hiprtc_api.h"

#include "triad_dl.h"
#include "triad_signals.h"

/* The resolved functions; valid once triad_hiprtc_load has returned 0. */
#define MEMBER(kind, version, result, name, params) result(*name) params;
static struct triad_hiprtc_api {
    TRIAD_HIPRTC_FUNCTIONS(MEMBER)
} rtc;
/* All null where the library doesn't use comgr. */
static struct triad_comgr_api {
    TRIAD_COMGR_FUNCTIONS(MEMBER)
} comgr;
#undef MEMBER

/* REQUIRED and OPTIONAL of the tables, as flags. */
enum { REQUIRED = 1, OPTIONAL = 0 };

static const struct triad_dl_row rows[] = {
#define ROW(kind, version, result, name, params) {#name, kind, version, offsetof(struct triad_hiprtc_api, name)},
    TRIAD_HIPRTC_FUNCTIONS(ROW)
#undef ROW
};

static const struct triad_dl_row comgr_rows[] = {
#define ROW(kind, version, result, name, params) {#name, kind, version, offsetof(struct triad_comgr_api, name)},
    TRIAD_COMGR_FUNCTIONS(ROW)
#undef ROW
};

enum { ROWS = sizeof rows / sizeof *rows, COMGR_ROWS = sizeof comgr_rows / sizeof *comgr_rows };

/* A library can have every symbol and still be no compiler. A first program also has
 * the library load comgr, which it does no sooner. */
static int usable(const struct triad_hiprtc_api *api, char *text, size_t room) {
    int major = 0, minor = 0;
    hiprtcProgram p = 0;
    hiprtcResult code = api->hiprtcVersion(&major, &minor);
    if (code != HIPRTC_SUCCESS || major <= 0) {
        snprintf(text, room, "a stub: hiprtcVersion gives version %d.%d and result %d", major, minor, (int)code);
        return 0;
    }
    code = api->hiprtcCreateProgram(&p, "/* */", "probe", 0, 0, 0);
    if (code != HIPRTC_SUCCESS || !p) {
        snprintf(text, room, "hiprtcCreateProgram gives result %d", (int)code);
        return 0;
    }
    api->hiprtcDestroyProgram(&p);
    return 1;
}

/* Finds the comgr that hiprtc has loaded, and no other: one of another version knows
 * other targets. */
static void find_comgr(void) {
    static const char *const names[] = {"libamd_comgr.so.3", "libamd_comgr.so.2"};
    struct triad_comgr_api api = {0};
    char text[256];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *lib = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        if (!lib) continue;
        if (triad_dl_resolve(lib, comgr_rows, COMGR_ROWS, &api, text, sizeof text) == 0) {
            comgr = api;
            return;
        }
        dlclose(lib);
    }
}

int triad_hiprtc_load(const char *path, char *text, size_t room, char *found, size_t found_room) {
    struct triad_hiprtc_api api = {0};
    triad_signals_save();
    void *lib = triad_dl_open(path, text, room);
    int ok = lib && triad_dl_resolve(lib, rows, ROWS, &api, text, room) == 0 && usable(&api, text, room);
    if (ok) find_comgr();
    triad_signals_restore();
    if (!ok) {
        if (lib) dlclose(lib);
        return -1;
    }
    triad_dl_path((void *)api.hiprtcVersion, found, found_room);
    rtc = api;
    return 0;
}

int triad_hiprtc_missing(int i, const char **name, int *version) {
    return triad_dl_missing(rows, ROWS, &rtc, i, name, version);
}

hiprtcResult triad_hiprtc_version(int *major, int *minor) { return rtc.hiprtcVersion(major, minor); }

const char *triad_hiprtc_name(hiprtcResult code) {
    const char *name = rtc.hiprtcGetErrorString(code);
    return name ? name : "HIPRTC_ERROR unknown";
}

const char *triad_hiprtc_target(size_t i) {
    size_t n = 0;
    const char *name = 0;
    if (!comgr.amd_comgr_get_isa_count || comgr.amd_comgr_get_isa_count(&n) != 0 || i >= n) return 0;
    return comgr.amd_comgr_get_isa_name(i, &name) == 0 ? name : 0;
}

int triad_hiprtc_knows(const char *target) {
    triad_comgr_node node;
    if (!comgr.amd_comgr_get_isa_metadata) return -1;
    if (comgr.amd_comgr_get_isa_metadata(target, &node) != 0) return 0;
    comgr.amd_comgr_destroy_metadata(node);
    return 1;
}

hiprtcResult triad_hiprtc_new(hiprtcProgram *p, const char *code, const char *name, int headers, const char **texts,
                              const char **names) {
    return rtc.hiprtcCreateProgram(p, code, name, headers, texts, names);
}

void triad_hiprtc_free(hiprtcProgram p) { rtc.hiprtcDestroyProgram(&p); }

hiprtcResult triad_hiprtc_add_name(hiprtcProgram p, const char *expression) {
    return rtc.hiprtcAddNameExpression(p, expression);
}

hiprtcResult triad_hiprtc_lowered(hiprtcProgram p, const char *expression, const char **name) {
    return rtc.hiprtcGetLoweredName(p, expression, name);
}

hiprtcResult triad_hiprtc_compile(hiprtcProgram p, int n, const char **options) {
    /* Clang and LLVM are in it; see triad_signals.h. */
    triad_signals_save();
    hiprtcResult code = rtc.hiprtcCompileProgram(p, n, options);
    triad_signals_restore();
    return code;
}

hiprtcResult triad_hiprtc_get(hiprtcProgram p, int what, size_t *size, char *out) {
    hiprtcResult (*sizes)(hiprtcProgram, size_t *) = 0;
    hiprtcResult (*bytes)(hiprtcProgram, char *) = 0;
    switch (what) {
    case TRIAD_HIPRTC_LOG: sizes = rtc.hiprtcGetProgramLogSize, bytes = rtc.hiprtcGetProgramLog; break;
    case TRIAD_HIPRTC_CODE: sizes = rtc.hiprtcGetCodeSize, bytes = rtc.hiprtcGetCode; break;
    case TRIAD_HIPRTC_BITCODE: sizes = rtc.hiprtcGetBitcodeSize, bytes = rtc.hiprtcGetBitcode; break;
    }
    *size = 0;
    if (!sizes || !bytes) return HIPRTC_SUCCESS;
    hiprtcResult code = sizes(p, size);
    if (code != HIPRTC_SUCCESS || !out || *size == 0) return code;
    return bytes(p, out);
}
