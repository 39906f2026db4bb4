#include "face.h"

/* The options have CUDA's numbers up to the mode of the cache; the others are left
 * out. */
hipError_t hipModuleLoadDataEx(hipModule_t *m, const void *image, unsigned int n, hipJitOption *options, void **values) {
    CUjit_option which[32];
    void *to[32];
    unsigned int used = 0;
    for (unsigned int i = 0; i < n && used < 32; i++) {
        if (options[i] > hipJitOptionCacheMode) continue;
        which[used] = options[i];
        to[used++] = values[i];
    }
    return ON(cuModuleLoadDataEx((CUmodule *)m, image, used, which, to));
}

hipError_t hipModuleUnload(hipModule_t m) { return ON(cuModuleUnload((CUmodule)m)); }

hipError_t hipModuleGetFunction(hipFunction_t *f, hipModule_t m, const char *name) {
    return ON(cuModuleGetFunction((CUfunction *)f, (CUmodule)m, name));
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t *p, size_t *bytes, hipModule_t m, const char *name) {
    return ON(cuModuleGetGlobal_v2((CUdeviceptr *)p, bytes, (CUmodule)m, name));
}

hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute which, hipFunction_t f) {
    if (which < 0 || which >= HIP_FUNC_ATTRIBUTE_MAX) return face_refuse(hipErrorInvalidValue);
    return ON(cuFuncGetAttribute(value, which, (CUfunction)f));
}
