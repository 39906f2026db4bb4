/* generation.c: what HIP 6.0 changed, for a face that speaks an older version. */
#include "face.h"

/* The values before it. */
enum {
#define OLD(name, before, since) old_##name = before,
    TRIAD_HIP_CHANGED(OLD)
#undef OLD
};

int face_is_old(void) { return face_version() < 60000; }

hipMemoryType face_type_out(hipMemoryType type) {
    if (!face_is_old()) return type;
    switch (type) {
    case hipMemoryTypeHost: return old_hipMemoryTypeHost;
    case hipMemoryTypeDevice: return old_hipMemoryTypeDevice;
    case hipMemoryTypeArray: return old_hipMemoryTypeArray;
    }
    return old_hipMemoryTypeUnified;
}

static hipMemoryType type_in(hipMemoryType type) {
    switch (type) {
    case old_hipMemoryTypeHost: return hipMemoryTypeHost;
    case old_hipMemoryTypeDevice: return hipMemoryTypeDevice;
    case old_hipMemoryTypeArray: return hipMemoryTypeArray;
    }
    return hipMemoryTypeUnified;
}

unsigned int face_ipc_flags(unsigned int flags) {
    return face_is_old() && flags == old_hipIpcMemLazyEnablePeerAccess ? hipIpcMemLazyEnablePeerAccess : flags;
}

/* A copy's numbers have 8 bytes since 6.0, and 4 before. */
void face_copy_in(HIP_MEMCPY3D *to, const void *from) {
    if (!face_is_old()) {
        memcpy(to, from, sizeof *to);
        return;
    }
    const triad_hip_memcpy3d_5 *old = from;
#define SIDE(a) \
    to->a##XInBytes = old->a##XInBytes, to->a##Y = old->a##Y, to->a##Z = old->a##Z, to->a##LOD = old->a##LOD, \
    to->a##MemoryType = type_in(old->a##MemoryType), to->a##Host = old->a##Host, to->a##Device = old->a##Device, \
    to->a##Array = old->a##Array, to->a##Pitch = old->a##Pitch, to->a##Height = old->a##Height
    SIDE(src);
    SIDE(dst);
#undef SIDE
    to->WidthInBytes = old->WidthInBytes, to->Height = old->Height, to->Depth = old->Depth;
}
