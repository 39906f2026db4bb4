#define _GNU_SOURCE
#include "triad_opencl.h"

#include "triad_dl.h"

struct triad_cl_api triad_cl;

/* REQUIRED and OPTIONAL of the table, as flags. */
enum { REQUIRED = 1, OPTIONAL = 0 };

static const struct triad_dl_row rows[] = {
#define ROW(kind, version, result, name, params) {#name, kind, version, offsetof(struct triad_cl_api, name)},
    TRIAD_CL_FUNCTIONS(ROW)
#undef ROW
};

enum { ROWS = sizeof rows / sizeof *rows };

/* Opens one library and resolves the table. On failure it returns -1 with the
 * reason in text, and the table is as it was. */
int triad_cl_load(const char *path, char *text, size_t room, char *found, size_t found_room) {
    struct triad_cl_api api = {0};
    triad_signals_save();
    void *lib = triad_dl_open(path, text, room);
    triad_signals_restore();
    if (!lib) return -1;
    if (triad_dl_resolve(lib, rows, ROWS, &api, text, room) != 0) {
        dlclose(lib);
        return -1;
    }
    triad_dl_path((void *)api.clGetPlatformIDs, found, found_room);
    triad_cl = api;
    return 0;
}

/* The i-th optional symbol that is missing; 0 when there is no i-th. */
int triad_cl_missing(int i, const char **name, int *version) {
    return triad_dl_missing(rows, ROWS, &triad_cl, i, name, version);
}

int triad_cl_info(int what, void *object, void *second, uint32_t param, size_t size, void *value, size_t *got) {
    switch (what) {
    case TRIAD_CL_PLATFORM: return triad_cl.clGetPlatformInfo(object, param, size, value, got);
    case TRIAD_CL_DEVICE: return triad_cl.clGetDeviceInfo(object, param, size, value, got);
    case TRIAD_CL_PROGRAM: return triad_cl.clGetProgramInfo(object, param, size, value, got);
    case TRIAD_CL_BUILD: return triad_cl.clGetProgramBuildInfo(object, second, param, size, value, got);
    case TRIAD_CL_KERNEL: return triad_cl.clGetKernelInfo(object, param, size, value, got);
    case TRIAD_CL_WORKGROUP: return triad_cl.clGetKernelWorkGroupInfo(object, second, param, size, value, got);
    }
    return CL_INVALID_VALUE;
}

cl_int triad_cl_platforms(cl_platform_id *ids, cl_uint room, cl_uint *n) {
    triad_signals_save();
    cl_int code = triad_cl.clGetPlatformIDs(room, ids, n);
    triad_signals_restore();
    return code;
}

cl_int triad_cl_devices(cl_platform_id platform, cl_device_id *ids, cl_uint room, cl_uint *n) {
    triad_signals_save();
    cl_int code = triad_cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, room, ids, n);
    triad_signals_restore();
    return code;
}

int triad_cl_arg_info(cl_kernel kernel, uint32_t index, uint32_t param, size_t size, void *value, size_t *got) {
    return triad_cl.clGetKernelArgInfo(kernel, index, param, size, value, got);
}
