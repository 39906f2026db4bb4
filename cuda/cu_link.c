#include "triad_cuda.h"

#include <stdlib.h>
#include <string.h>

/* Adds the inputs and completes; the result belongs to the linker's state. */
static CUresult link_all(CUlinkState state, const triad_cu_input *inputs, uint32_t n, uint32_t *failed, void **out, size_t *size) {
    for (uint32_t i = 0; i < n; i++) {
        CUresult code = triad_cu.cuLinkAddData_v2(state, inputs[i].type, (void *)inputs[i].data, inputs[i].size, inputs[i].name, 0, 0, 0);
        *failed = i;
        if (code != CUDA_SUCCESS) return code;
    }
    *failed = n;
    return triad_cu.cuLinkComplete(state, out, size);
}

static CUresult link_with(const triad_cu_input *inputs, uint32_t n, triad_cu_logs *logs, uint32_t *failed, void **image, size_t *size) {
    CUlinkState state = 0;
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {logs->info, (void *)(uintptr_t)logs->room, logs->error, (void *)(uintptr_t)logs->room};
    CUresult code = triad_cu.cuLinkCreate_v2(4, options, values, &state);
    if (code != CUDA_SUCCESS) return code;
    void *out = 0;
    code = link_all(state, inputs, n, failed, &out, size);
    if (code == CUDA_SUCCESS) {
        if ((*image = malloc(*size ? *size : 1))) memcpy(*image, out, *size);
        else code = CUDA_ERROR_OUT_OF_MEMORY;
    }
    triad_cu.cuLinkDestroy(state);
    return code;
}

/* Links inputs into machine code for the device. *image is to be freed; *failed is
 * the input that was refused, or n. */
CUresult triad_cu_link(triad_cu_device *d, const triad_cu_input *inputs, uint32_t n, triad_cu_logs *logs, uint32_t *failed,
                       void **image, size_t *size) {
    *image = 0;
    *size = 0;
    *failed = n;
    return TRIAD_CU_CALM(d, link_with(inputs, n, logs, failed, image, size));
}
