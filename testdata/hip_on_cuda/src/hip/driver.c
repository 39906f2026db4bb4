/* driver.c: what is behind the face: NVIDIA's driver, or a library that is like it. */
#define _GNU_SOURCE
#include "face.h"

#include <stdlib.h>

#include "triad_dl.h"

enum { REQUIRED = 1, OPTIONAL = 0 };

static const struct triad_dl_row rows[] = {
#define ROW(kind, version, result, symbol, known, params) {#symbol, kind, version, offsetof(struct face_cuda, symbol)},
    TRIAD_CU_FUNCTIONS(ROW)
#undef ROW
};

/* Loads the driver: the one that TRIAD_CUDA_LIBRARY names, or the system's. */
CUresult face_load(void) {
    char text[256];
    const char *path = getenv("TRIAD_CUDA_LIBRARY");
    void *lib = triad_dl_open(path && *path ? path : "libcuda.so.1", text, sizeof text);
    if (!lib || triad_dl_resolve(lib, rows, sizeof rows / sizeof *rows, &cu, text, sizeof text) != 0) return CUDA_ERROR_NO_DEVICE;
    return cu.cuInit(0);
}

int face_version(void) { return 70100; }

void face_arch(char *name, size_t room, int device) {
    int major = 0, minor = 0;
    cu.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    cu.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    snprintf(name, room, "sm_%d%d", major, minor);
}
