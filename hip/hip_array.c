#include "triad_hip_c.h"

static HIP_ARRAY3D_DESCRIPTOR descriptor(triad_hip_array_shape s) {
    return (HIP_ARRAY3D_DESCRIPTOR){.Width = s.width,
                                     .Height = s.height,
                                     .Depth = s.depth,
                                     .Format = s.format,
                                     .NumChannels = s.channels,
                                     .Flags = s.flags};
}

hipArray_t triad_hip_array_new(triad_hip_device *d, triad_hip_array_shape s, hipError_t *code) {
    HIP_ARRAY3D_DESCRIPTOR desc = descriptor(s);
    hipArray_t a = 0;
    *code = hipErrorNotSupported;
    if (!triad_hip.hipArray3DCreate || !triad_hip.hipArrayDestroy) return 0;
    *code = TRIAD_HIP_ALLOC(d, triad_hip.hipArray3DCreate(&a, &desc));
    return *code == hipSuccess ? a : 0;
}

hipError_t triad_hip_array_shape_of(triad_hip_device *d, hipArray_t a, triad_hip_array_shape *s) {
    HIP_ARRAY3D_DESCRIPTOR desc = {0};
    if (!triad_hip.hipArray3DGetDescriptor) return hipErrorNotSupported;
    hipError_t code = TRIAD_HIP_CALM(d, triad_hip.hipArray3DGetDescriptor(&desc, a));
    *s = (triad_hip_array_shape){desc.Width, desc.Height, desc.Depth, desc.Format, desc.NumChannels, desc.Flags};
    return code;
}

hipError_t triad_hip_array_destroy(triad_hip_device *d, hipArray_t a) { return TRIAD_HIP_CALM(d, triad_hip.hipArrayDestroy(a)); }

hipMipmappedArray_t triad_hip_mipmap_new(triad_hip_device *d, triad_hip_array_shape s, uint32_t levels, hipError_t *code) {
    HIP_ARRAY3D_DESCRIPTOR desc = descriptor(s);
    hipMipmappedArray_t a = 0;
    *code = hipErrorNotSupported;
    if (!triad_hip.hipMipmappedArrayCreate || !triad_hip.hipMipmappedArrayGetLevel || !triad_hip.hipMipmappedArrayDestroy) return 0;
    *code = TRIAD_HIP_ALLOC(d, triad_hip.hipMipmappedArrayCreate(&a, &desc, levels));
    return *code == hipSuccess ? a : 0;
}

hipArray_t triad_hip_mipmap_level(triad_hip_device *d, hipMipmappedArray_t m, uint32_t level, hipError_t *code) {
    hipArray_t a = 0;
    *code = TRIAD_HIP_CALM(d, triad_hip.hipMipmappedArrayGetLevel(&a, m, level));
    return *code == hipSuccess ? a : 0;
}

hipError_t triad_hip_mipmap_destroy(triad_hip_device *d, hipMipmappedArray_t m) {
    return TRIAD_HIP_CALM(d, triad_hip.hipMipmappedArrayDestroy(m));
}

/* One copy in both layouts: HIP 6.0 gave the struct's numbers 8 bytes, and the types of
 * memory other values. */
#define DESCRIBE(array_, unified_)                                        \
    {                                                                     \
        .srcMemoryType = src.array ? (array_) : (unified_),               \
        .srcDevice = src.array ? 0 : triad_hip_ptr(src.at),               \
        .srcArray = src.array,                                            \
        .srcXInBytes = src.x,                                             \
        .srcY = src.y,                                                    \
        .srcZ = src.z,                                                    \
        .srcPitch = src.row,                                              \
        .srcHeight = src.row ? src.slice / src.row : 0,                   \
        .dstMemoryType = dst.array ? (array_) : (unified_),               \
        .dstDevice = dst.array ? 0 : triad_hip_ptr(dst.at),               \
        .dstArray = dst.array,                                            \
        .dstXInBytes = dst.x,                                             \
        .dstY = dst.y,                                                    \
        .dstZ = dst.z,                                                    \
        .dstPitch = dst.row,                                              \
        .dstHeight = dst.row ? dst.slice / dst.row : 0,                   \
        .WidthInBytes = bytes,                                            \
        .Height = rows,                                                   \
        .Depth = slices                                                   \
    }

enum {
#define OLD(name, before, since) old_##name = before,
    TRIAD_HIP_CHANGED(OLD)
#undef OLD
};

/* A copy of which at least one end is an array. */
hipError_t triad_hip_copy_array(triad_hip_stream *s, triad_hip_array_end dst, triad_hip_array_end src, uint64_t bytes, uint64_t rows,
                                uint64_t slices) {
    if (!triad_hip.hipDrvMemcpy3DAsync) return hipErrorNotSupported;
    if (triad_hip_version() < 60000) {
        triad_hip_memcpy3d_5 old = DESCRIBE(old_hipMemoryTypeArray, old_hipMemoryTypeUnified);
        return triad_hip_submitted(s, TRIAD_HIP_CALM(s->dev, triad_hip.hipDrvMemcpy3DAsync((const HIP_MEMCPY3D *)(void *)&old, s->s)));
    }
    HIP_MEMCPY3D c = DESCRIBE(hipMemoryTypeArray, hipMemoryTypeUnified);
    return triad_hip_submitted(s, TRIAD_HIP_CALM(s->dev, triad_hip.hipDrvMemcpy3DAsync(&c, s->s)));
}

static HIP_RESOURCE_DESC resource(triad_hip_resource r) {
    HIP_RESOURCE_DESC d = {.resType = r.kind};
    switch (r.kind) {
    case HIP_RESOURCE_TYPE_ARRAY: d.res.array.hArray = r.object; break;
    case HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY: d.res.mipmap.hMipmappedArray = r.object; break;
    case HIP_RESOURCE_TYPE_LINEAR:
        d.res.linear.devPtr = triad_hip_ptr(r.at);
        d.res.linear.format = r.format;
        d.res.linear.numChannels = r.channels;
        d.res.linear.sizeInBytes = r.bytes;
        break;
    case HIP_RESOURCE_TYPE_PITCH2D:
        d.res.pitch2D.devPtr = triad_hip_ptr(r.at);
        d.res.pitch2D.format = r.format;
        d.res.pitch2D.numChannels = r.channels;
        d.res.pitch2D.width = r.width;
        d.res.pitch2D.height = r.height;
        d.res.pitch2D.pitchInBytes = r.pitch;
        break;
    }
    return d;
}

hipError_t triad_hip_texture_new(triad_hip_device *d, triad_hip_resource r, triad_hip_sampler s, uint64_t *object) {
    HIP_RESOURCE_DESC res = resource(r);
    HIP_TEXTURE_DESC tex = {.addressMode = {s.address[0], s.address[1], s.address[2]},
                             .filterMode = s.filter,
                             .flags = s.flags,
                             .maxAnisotropy = s.anisotropy,
                             .mipmapFilterMode = s.mip_filter,
                             .mipmapLevelBias = s.mip_bias,
                             .minMipmapLevelClamp = s.mip_min,
                             .maxMipmapLevelClamp = s.mip_max,
                             .borderColor = {s.border[0], s.border[1], s.border[2], s.border[3]}};
    hipTextureObject_t t = 0;
    if (!triad_hip.hipTexObjectCreate || !triad_hip.hipTexObjectDestroy) return hipErrorNotSupported;
    hipError_t code = TRIAD_HIP_CALM(d, triad_hip.hipTexObjectCreate(&t, &res, &tex, 0));
    *object = (uint64_t)(uintptr_t)t;
    return code;
}

hipError_t triad_hip_texture_destroy(triad_hip_device *d, uint64_t object) { return TRIAD_HIP_CALM(d, triad_hip.hipTexObjectDestroy(triad_hip_ptr(object))); }

hipError_t triad_hip_surface_new(triad_hip_device *d, hipArray_t a, uint64_t *object) {
    hipResourceDesc res = {.resType = hipResourceTypeArray, .res = {.array = {a}}};
    hipSurfaceObject_t t = 0;
    if (!triad_hip.hipCreateSurfaceObject || !triad_hip.hipDestroySurfaceObject) return hipErrorNotSupported;
    hipError_t code = TRIAD_HIP_CALM(d, triad_hip.hipCreateSurfaceObject(&t, &res));
    *object = (uint64_t)(uintptr_t)t;
    return code;
}

hipError_t triad_hip_surface_destroy(triad_hip_device *d, uint64_t object) { return TRIAD_HIP_CALM(d, triad_hip.hipDestroySurfaceObject(triad_hip_ptr(object))); }
