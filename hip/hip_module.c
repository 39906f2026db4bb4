#include "triad_hip_c.h"

/* Loads a code object, or a bundle of several. The runtime has no compiler whose logs
 * there would be. */
hipModule_t triad_hip_module_load(triad_hip_device *d, const void *image, hipError_t *code) {
    hipModule_t m = 0;
    *code = TRIAD_HIP_CALM(d, triad_hip.hipModuleLoadDataEx(&m, image, 0, 0, 0));
    return *code == hipSuccess ? m : 0;
}

hipError_t triad_hip_module_unload(triad_hip_device *d, hipModule_t m) { return TRIAD_HIP_CALM(d, triad_hip.hipModuleUnload(m)); }

hipFunction_t triad_hip_module_function(triad_hip_device *d, hipModule_t m, const char *name, hipError_t *code) {
    hipFunction_t f = 0;
    *code = TRIAD_HIP_CALM(d, triad_hip.hipModuleGetFunction(&f, m, name));
    return *code == hipSuccess ? f : 0;
}

hipError_t triad_hip_function_attribute(triad_hip_device *d, hipFunction_t f, int attribute, int *value) {
    return TRIAD_HIP_CALM(d, triad_hip.hipFuncGetAttribute(value, attribute, f));
}
