#include "triad_cuda.h"

#include <stdlib.h>

/* Loads an image, with options besides those for the logs. PTX must end with a NUL.
 * The logs are the compiler's, where it had to compile. */
CUmodule triad_cu_module_load(triad_cu_device *d, const void *image, triad_cu_logs *logs, const triad_cu_jit *more, uint32_t n,
                              CUresult *code) {
    CUmodule m = 0;
    CUjit_option options[4 + TRIAD_CU_MAX_JIT] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                                                  CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[4 + TRIAD_CU_MAX_JIT] = {logs->info, (void *)(uintptr_t)logs->room, logs->error, (void *)(uintptr_t)logs->room};
    if (n > TRIAD_CU_MAX_JIT) n = TRIAD_CU_MAX_JIT;
    for (uint32_t i = 0; i < n; i++) {
        options[4 + i] = more[i].option;
        values[4 + i] = (void *)(uintptr_t)more[i].value;
    }
    *code = TRIAD_CU_CALM(d, triad_cu.cuModuleLoadDataEx(&m, image, 4 + n, options, values));
    return *code == CUDA_SUCCESS ? m : 0;
}

CUresult triad_cu_module_unload(triad_cu_device *d, CUmodule m) { return TRIAD_CU_CALM(d, triad_cu.cuModuleUnload(m)); }

CUfunction triad_cu_module_function(triad_cu_device *d, CUmodule m, const char *name, CUresult *code) {
    CUfunction f = 0;
    *code = TRIAD_CU_CALM(d, triad_cu.cuModuleGetFunction(&f, m, name));
    return *code == CUDA_SUCCESS ? f : 0;
}

static CUresult functions(CUmodule m, CUfunction *list, uint32_t *n) {
    unsigned int count = 0;
    CUresult code = triad_cu.cuModuleGetFunctionCount(&count, m);
    if (code == CUDA_SUCCESS && list && count) code = triad_cu.cuModuleEnumerateFunctions(list, count < *n ? count : *n, m);
    *n = count;
    return code;
}

/* Lists a module's functions, at most *n; *n becomes how many there are. */
CUresult triad_cu_module_functions(triad_cu_device *d, CUmodule m, CUfunction *list, uint32_t *n) {
    if (!triad_cu.cuModuleGetFunctionCount || !triad_cu.cuModuleEnumerateFunctions) return CUDA_ERROR_NOT_SUPPORTED;
    return TRIAD_CU_CALM(d, functions(m, list, n));
}

CUresult triad_cu_function_name(triad_cu_device *d, CUfunction f, const char **name) {
    if (!triad_cu.cuFuncGetName) return CUDA_ERROR_NOT_SUPPORTED;
    return TRIAD_CU_CALM(d, triad_cu.cuFuncGetName(name, f));
}

/* Where parameter i lies and how large it is; CUDA_ERROR_INVALID_VALUE when there
 * is no i-th. */
CUresult triad_cu_function_param(triad_cu_device *d, CUfunction f, size_t i, size_t *offset, size_t *size) {
    if (!triad_cu.cuFuncGetParamInfo) return CUDA_ERROR_NOT_SUPPORTED;
    return TRIAD_CU_CALM(d, triad_cu.cuFuncGetParamInfo(f, i, offset, size));
}

CUresult triad_cu_function_attribute(triad_cu_device *d, CUfunction f, int attribute, int *value) {
    return TRIAD_CU_CALM(d, triad_cu.cuFuncGetAttribute(value, attribute, f));
}

CUresult triad_cu_function_set_attribute(triad_cu_device *d, CUfunction f, int attribute, int value) {
    return TRIAD_CU_CALM(d, triad_cu.cuFuncSetAttribute(f, attribute, value));
}
