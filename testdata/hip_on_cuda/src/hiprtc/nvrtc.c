/* nvrtc.c: what is behind hiprtc's face: NVRTC, or a library that is like it. */
#define _GNU_SOURCE
#include "face_rtc.h"

#include <stdlib.h>

#include "triad_dl.h"

enum { REQUIRED = 1, OPTIONAL = 0 };

static const struct triad_dl_row rows[] = {
#define ROW(kind, version, result, name, params) {#name, kind, version, offsetof(struct face_nvrtc, name)},
    TRIAD_NVRTC_FUNCTIONS(ROW)
#undef ROW
};

int face_rtc_load(void) {
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
    const char *own = getenv("TRIAD_NVRTC_LIBRARY");
    char text[256];
    int loaded = 0;
    for (size_t i = 0; !loaded && i < (own && *own ? 1 : sizeof names / sizeof *names); i++) {
        void *lib = triad_dl_open(own && *own ? own : names[i], text, sizeof text);
        loaded = lib && triad_dl_resolve(lib, rows, sizeof rows / sizeof *rows, &rtc, text, sizeof text) == 0;
    }
    return loaded;
}
