/* hip.c: the twin on AMD's runtime. The functions that it calls take the same
 * arguments in HIP, where pointers to device memory are pointers and not integers,
 * which C passes in the same registers; the codes that it looks at are the same
 * numbers. So CUDA's names lead to HIP's functions, and the loops stay what they are. */
#define _GNU_SOURCE
#include "api.h"
#include "triad_dl.h"

/* HIP has no contexts to make current: a thread has a current device. The context of
 * a twin is its device's number, plus one. */
static int (*set_device)(int);
static int (*get_device)(int *);

static CUresult current(CUcontext *ctx) {
    int device = 0;
    int code = get_device(&device);
    *ctx = (CUcontext)(uintptr_t)(device + 1);
    return code;
}

static CUresult make_current(CUcontext ctx) { return set_device((int)(uintptr_t)ctx - 1); }
static CUresult device_of(CUdevice *device) { return get_device(device); }

int cutwin_load_hip(const char *path, char *text, size_t room) {
    static const struct {
        const char *symbol;
        size_t at;
    } rows[] = {
#define ROW(cuda, hip) {#hip, offsetof(struct cutwin_api, cuda)}
        ROW(cuLaunchKernel, hipModuleLaunchKernel),
        ROW(cuStreamSynchronize, hipStreamSynchronize),
        ROW(cuStreamQuery, hipStreamQuery),
        ROW(cuEventCreate, hipEventCreateWithFlags),
        ROW(cuEventDestroy_v2, hipEventDestroy),
        ROW(cuEventRecord, hipEventRecord),
        ROW(cuEventSynchronize, hipEventSynchronize),
        ROW(cuEventQuery, hipEventQuery),
        ROW(cuMemsetD32Async, hipMemsetD32Async),
        ROW(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync),
        ROW(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync),
        ROW(cuMemcpyDtoDAsync_v2, hipMemcpyDtoDAsync),
        ROW(cuMemAllocAsync, hipMallocAsync),
        ROW(cuMemFreeAsync, hipFreeAsync),
        ROW(cuDeviceGetMemPool, hipDeviceGetMemPool),
        ROW(cuMemPoolGetAttribute, hipMemPoolGetAttribute),
        ROW(cuMemPoolSetAttribute, hipMemPoolSetAttribute),
#undef ROW
    };
    void *lib = triad_dl_open(path, text, room);
    if (!lib) return -1;
    set_device = (int (*)(int))triad_dl_sym(lib, "hipSetDevice", text, room);
    get_device = (int (*)(int *))triad_dl_sym(lib, "hipGetDevice", text, room);
    if (!set_device || !get_device) return -1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *sym = triad_dl_sym(lib, rows[i].symbol, text, room);
        if (!sym) return -1;
        memcpy((char *)&cutwin_cu + rows[i].at, &sym, sizeof sym);
    }
    cutwin_cu.cuCtxGetCurrent = current;
    cutwin_cu.cuCtxSetCurrent = make_current;
    cutwin_cu.cuCtxGetDevice = device_of;
    return 0;
}
