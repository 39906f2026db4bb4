/* cu_module.c: modules and links. */
#include <stdio.h>

#include "cu.h"

/* A size comes in place of a pointer to it, and goes out the same way. */
static void put(void *buffer, size_t *slot, const char *text) {
    size_t room = (size_t)(uintptr_t)*(void **)slot;
    if (!buffer || !room) return;
    int n = snprintf(buffer, room, "%s", text);
    size_t used = n < 0 ? 0 : (size_t)n + (n > 0);
    *(void **)slot = (void *)(uintptr_t)(used < room ? used : room);
}

void cu_jit_log(const char *text, unsigned n, CUjit_option *options, void **values) {
    void *buffers[2] = {0, 0};
    size_t *sizes[2] = {0, 0};
    for (unsigned i = 0; i < n; i++)
        switch (options[i]) {
        case CU_JIT_INFO_LOG_BUFFER: buffers[0] = values[i]; break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: sizes[0] = (size_t *)&values[i]; break;
        case CU_JIT_ERROR_LOG_BUFFER: buffers[1] = values[i]; break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: sizes[1] = (size_t *)&values[i]; break;
        }
    if (sizes[0]) put(buffers[0], sizes[0], "");
    if (sizes[1]) put(buffers[1], sizes[1], text);
}

static int bad_options(unsigned n, CUjit_option *options, void **values) {
    if (n > CU_MOST || (n && (!options || !values))) return 1;
    for (unsigned i = 0; i < n; i++)
        if (options[i] < 0 || options[i] >= CU_JIT_NUM_OPTIONS) return 1;
    return 0;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, CUjit_option *options, void **values) {
    ENTER(cuModuleLoadDataEx);
    fk_handle h;
    char why[512] = "";
    LEAVE_IF(!module || !image || bad_options(n, options, values), FK_INVALID_VALUE);
    int status = fk_module_load(image, &h, why, sizeof why);
    cu_jit_log(why, n, options, values);
    if (!status) *module = OUT(CUmodule, h);
    LEAVE(status);
}

CUresult cuModuleUnload(CUmodule module) {
    ENTER(cuModuleUnload);
    LEAVE(fk_module_unload(H(module)));
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    ENTER(cuModuleGetFunction);
    fk_handle h;
    LEAVE_IF(!function || !name, FK_INVALID_VALUE);
    int status = fk_module_function(H(module), name, &h);
    if (!status) *function = OUT(CUfunction, h);
    LEAVE(status);
}

static int global(int status, uint64_t addr, uint64_t n, CUdeviceptr *at, size_t *size) {
    if (!status && at) *at = addr;
    if (!status && size) *size = n;
    return status;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *at, size_t *size, CUmodule module, const char *name) {
    ENTER(cuModuleGetGlobal_v2);
    uint64_t addr = 0, n = 0;
    LEAVE_IF(!name, FK_INVALID_VALUE);
    int status = fk_module_global(H(module), name, &addr, &n);
    LEAVE(global(status, addr, n, at, size));
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
    ENTER_FREE(cuModuleGetLoadingMode);
    LEAVE_IF(!mode, FK_INVALID_VALUE);
    *mode = 1; /* at once */
    LEAVE(FK_OK);
}

CUresult cuModuleGetFunctionCount(unsigned *n, CUmodule module) {
    ENTER(cuModuleGetFunctionCount);
    LEAVE_IF(!n, FK_INVALID_VALUE);
    LEAVE(fk_module_count(H(module), n));
}

/* Handles are of the size of pointers. */
_Static_assert(sizeof(CUfunction) == sizeof(fk_handle), "handles");

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned room, CUmodule module) {
    ENTER(cuModuleEnumerateFunctions);
    LEAVE_IF(!functions || !room, FK_INVALID_VALUE);
    LEAVE(fk_module_list(H(module), (fk_handle *)functions, room));
}

/* --- links --- */

CUresult cuLinkCreate_v2(unsigned n, CUjit_option *options, void **values, CUlinkState *state) {
    ENTER(cuLinkCreate_v2);
    fk_handle h;
    LEAVE_IF(!state || bad_options(n, options, values), FK_INVALID_VALUE);
    int status = fk_link_create(&h);
    if (!status) *state = OUT(CUlinkState, h);
    LEAVE(status);
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name, unsigned n, CUjit_option *options, void **values) {
    ENTER(cuLinkAddData_v2);
    (void)name;
    LEAVE_IF(!data || type < 0 || type >= CU_JIT_NUM_INPUT_TYPES || bad_options(n, options, values), FK_INVALID_VALUE);
    LEAVE(fk_link_add(H(state), data, size));
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size) {
    ENTER(cuLinkComplete);
    void *at;
    size_t bytes;
    LEAVE_IF(!image, FK_INVALID_VALUE);
    int status = fk_link_image(H(state), &at, &bytes);
    if (!status) *image = at;
    if (!status && size) *size = bytes;
    LEAVE(status);
}

CUresult cuLinkDestroy(CUlinkState state) {
    ENTER(cuLinkDestroy);
    LEAVE(fk_link_destroy(H(state)));
}
