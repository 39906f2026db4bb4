#include "triad_opencl.h"

/* kind is driver.SourceKind: 1 source text, 2 SPIR-V, 3 binary. */
cl_program triad_cl_program_new(triad_cl_device *dev, int kind, const void *code, size_t size, cl_int *result) {
    const char *text = code;
    const unsigned char *binary = code;
    cl_int loaded = CL_SUCCESS;
    cl_program p = 0;
    *result = CL_INVALID_VALUE;
    switch (kind) {
    case 1: return triad_cl.clCreateProgramWithSource(dev->ctx, 1, &text, &size, result);
    case 2: return triad_cl.clCreateProgramWithIL(dev->ctx, code, size, result);
    case 3:
        p = triad_cl.clCreateProgramWithBinary(dev->ctx, 1, &dev->id, &size, &binary, &loaded, result);
        if (*result == CL_SUCCESS && loaded != CL_SUCCESS) *result = loaded;
    }
    return p;
}

cl_int triad_cl_program_build(triad_cl_device *dev, cl_program p, const char *options) {
    triad_signals_save();
    cl_int code = triad_cl.clBuildProgram(p, 1, &dev->id, options, 0, 0);
    triad_signals_restore();
    return code;
}

cl_int triad_cl_program_constant(cl_program p, uint32_t id, size_t size, const void *value) {
    return triad_cl.clSetProgramSpecializationConstant(p, id, size, value);
}

/* The program's binary for its one device. */
cl_int triad_cl_program_binary(cl_program p, size_t size, void *binary) {
    unsigned char *list[1] = {binary};
    (void)size;
    return triad_cl.clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof list, list, 0);
}

cl_int triad_cl_program_free(cl_program p) { return triad_cl.clReleaseProgram(p); }
