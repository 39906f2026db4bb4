#include "triad_hip_c.h"

#include <string.h>

/* Values of HIP before 6.0. */
enum {
#define OLD(name, before, since) old_##name = before,
    TRIAD_HIP_CHANGED(OLD)
#undef OLD
};

/* A hipMemoryType as ours. */
static int32_t type_of(hipMemoryType type, int managed) {
    if (managed) return TRIAD_HIP_MEMORY_DEVICE;
    if (triad_hip_version() < 60000) {
        switch (type) {
        case old_hipMemoryTypeHost: return TRIAD_HIP_MEMORY_HOST;
        case old_hipMemoryTypeDevice:
        case old_hipMemoryTypeUnified: return TRIAD_HIP_MEMORY_DEVICE;
        }
        return TRIAD_HIP_MEMORY_UNKNOWN;
    }
    switch (type) {
    case hipMemoryTypeHost: return TRIAD_HIP_MEMORY_HOST;
    case hipMemoryTypeDevice:
    case hipMemoryTypeManaged:
    case hipMemoryTypeUnified: return TRIAD_HIP_MEMORY_DEVICE;
    }
    return TRIAD_HIP_MEMORY_UNKNOWN;
}

static hipError_t pointer(uint64_t p, triad_hip_pointer_facts *f) {
    hipPointerAttribute_t a = {0};
    hipError_t code = triad_hip.hipPointerGetAttributes(&a, triad_hip_ptr(p));
    if (code != hipSuccess) return code;
    *f = (triad_hip_pointer_facts){.type = type_of(a.type, a.isManaged),
                                   .device = a.device,
                                   .managed = a.isManaged,
                                   .at = (uint64_t)(uintptr_t)a.devicePointer,
                                   .host = (uint64_t)(uintptr_t)a.hostPointer};
    if (f->type == TRIAD_HIP_MEMORY_UNKNOWN) return hipErrorInvalidValue;
    /* What can't be told stays 0. */
    void *base = 0;
    size_t size = 0;
    switch (code = triad_hip.hipMemGetAddressRange(&base, &size, triad_hip_ptr(p))) {
    case hipSuccess:
        f->base = (uint64_t)(uintptr_t)base;
        f->size = size;
        break;
    case hipErrorInvalidValue:
    case hipErrorInvalidDevicePointer:
    case hipErrorNotFound:
    case hipErrorNotSupported: triad_hip_tidy(code); break;
    default: return code;
    }
    uint64_t id = 0;
    if (triad_hip.hipPointerGetAttribute) {
        if (triad_hip.hipPointerGetAttribute(&id, HIP_POINTER_ATTRIBUTE_BUFFER_ID, triad_hip_ptr(p)) == hipSuccess)
            f->id = id;
        else
            triad_hip_tidy(hipErrorInvalidValue);
    }
    return hipSuccess;
}

/* What the runtime knows of an address; hipErrorInvalidValue if nothing. */
hipError_t triad_hip_pointer(triad_hip_device *d, uint64_t p, triad_hip_pointer_facts *f) {
    memset(f, 0, sizeof *f);
    return TRIAD_HIP_CALM(d, pointer(p, f));
}

/* Whether HIP knows the memory at p: then it is page-locked, or managed. */
static hipError_t is_pinned(uint64_t p, int *yes) {
    hipPointerAttribute_t a = {0};
    hipError_t code = triad_hip.hipPointerGetAttributes(&a, triad_hip_ptr(p));
    if (code == hipSuccess) *yes = type_of(a.type, 0) == TRIAD_HIP_MEMORY_HOST;
    return code;
}

int triad_hip_is_pinned(triad_hip_device *d, uint64_t p) {
    int yes = 0;
    return TRIAD_HIP_CALM(d, is_pinned(p, &yes)) == hipSuccess && yes;
}

hipError_t triad_hip_ipc_export(triad_hip_device *d, uint64_t p, uint8_t handle[64]) {
    hipIpcMemHandle_t h;
    memset(&h, 0, sizeof h);
    hipError_t code = TRIAD_HIP_CALM(d, triad_hip.hipIpcGetMemHandle(&h, triad_hip_ptr(p)));
    memcpy(handle, h.reserved, sizeof h.reserved);
    return code;
}

/* Opens another process's memory; *size is how much of it lies behind the address
 * that is returned, 0 where the runtime doesn't tell. */
static hipError_t ipc_open(const uint8_t *handle, void **p, uint64_t *size) {
    hipIpcMemHandle_t h;
    memcpy(&h, handle, sizeof h);
    unsigned int lazy = triad_hip_version() < 60000 ? old_hipIpcMemLazyEnablePeerAccess : hipIpcMemLazyEnablePeerAccess;
    hipError_t code = triad_hip.hipIpcOpenMemHandle(p, h, lazy);
    if (code != hipSuccess) return code;
    void *base = 0;
    size_t n = 0;
    if (triad_hip.hipMemGetAddressRange(&base, &n, *p) == hipSuccess)
        *size = (uint64_t)((char *)base + n - (char *)*p);
    else
        triad_hip_tidy(hipErrorInvalidValue);
    return hipSuccess;
}

uint64_t triad_hip_ipc_open(triad_hip_device *d, const uint8_t handle[64], uint64_t *size, hipError_t *code) {
    void *p = 0;
    *size = 0;
    *code = TRIAD_HIP_CALM(d, ipc_open(handle, &p, size));
    return *code == hipSuccess ? (uint64_t)(uintptr_t)p : 0;
}

hipError_t triad_hip_ipc_close(triad_hip_device *d, uint64_t p) { return TRIAD_HIP_CALM(d, triad_hip.hipIpcCloseMemHandle(triad_hip_ptr(p))); }
