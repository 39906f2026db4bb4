#include "triad_cuda_memory.h"

static CUDA_ARRAY3D_DESCRIPTOR descriptor(triad_cu_array_shape s) {
    return (CUDA_ARRAY3D_DESCRIPTOR){.Width = s.width,
                                     .Height = s.height,
                                     .Depth = s.depth,
                                     .Format = s.format,
                                     .NumChannels = s.channels,
                                     .Flags = s.flags};
}

CUarray triad_cu_array_new(triad_cu_device *d, triad_cu_array_shape s, CUresult *code) {
    CUDA_ARRAY3D_DESCRIPTOR desc = descriptor(s);
    CUarray a = 0;
    *code = TRIAD_CU_ALLOC(d, triad_cu.cuArray3DCreate_v2(&a, &desc));
    return *code == CUDA_SUCCESS ? a : 0;
}

CUresult triad_cu_array_shape_of(triad_cu_device *d, CUarray a, triad_cu_array_shape *s) {
    CUDA_ARRAY3D_DESCRIPTOR desc = {0};
    CUresult code = TRIAD_CU_CALM(d, triad_cu.cuArray3DGetDescriptor_v2(&desc, a));
    *s = (triad_cu_array_shape){desc.Width, desc.Height, desc.Depth, desc.Format, desc.NumChannels, desc.Flags};
    return code;
}

CUresult triad_cu_array_destroy(triad_cu_device *d, CUarray a) { return TRIAD_CU_CALM(d, triad_cu.cuArrayDestroy(a)); }

CUmipmappedArray triad_cu_mipmap_new(triad_cu_device *d, triad_cu_array_shape s, uint32_t levels, CUresult *code) {
    CUDA_ARRAY3D_DESCRIPTOR desc = descriptor(s);
    CUmipmappedArray a = 0;
    *code = TRIAD_CU_ALLOC(d, triad_cu.cuMipmappedArrayCreate(&a, &desc, levels));
    return *code == CUDA_SUCCESS ? a : 0;
}

CUarray triad_cu_mipmap_level(triad_cu_device *d, CUmipmappedArray m, uint32_t level, CUresult *code) {
    CUarray a = 0;
    *code = TRIAD_CU_CALM(d, triad_cu.cuMipmappedArrayGetLevel(&a, m, level));
    return *code == CUDA_SUCCESS ? a : 0;
}

CUresult triad_cu_mipmap_destroy(triad_cu_device *d, CUmipmappedArray m) {
    return TRIAD_CU_CALM(d, triad_cu.cuMipmappedArrayDestroy(m));
}

/* A copy of which at least one end is an array. */
CUresult triad_cu_copy_array(triad_cu_stream *s, triad_cu_array_end dst, triad_cu_array_end src, uint64_t bytes, uint64_t rows, uint64_t slices) {
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                       .srcArray = src.array,
                       .srcXInBytes = src.x,
                       .srcY = src.y,
                       .srcZ = src.z,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .dstArray = dst.array,
                       .dstXInBytes = dst.x,
                       .dstY = dst.y,
                       .dstZ = dst.z,
                       .WidthInBytes = bytes,
                       .Height = rows,
                       .Depth = slices};
    if (!src.array) {
        c.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
        c.srcDevice = src.at;
        c.srcPitch = src.row;
        c.srcHeight = src.slice / src.row;
    }
    if (!dst.array) {
        c.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
        c.dstDevice = dst.at;
        c.dstPitch = dst.row;
        c.dstHeight = dst.slice / dst.row;
    }
    return triad_cu_submitted(s, TRIAD_CU_IN(s->dev, triad_cu.cuMemcpy3DAsync_v2(&c, s->s)));
}

static CUDA_RESOURCE_DESC resource(triad_cu_resource r) {
    CUDA_RESOURCE_DESC d = {.resType = r.kind};
    switch (r.kind) {
    case CU_RESOURCE_TYPE_ARRAY: d.res.array.hArray = r.object; break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: d.res.mipmap.hMipmappedArray = r.object; break;
    case CU_RESOURCE_TYPE_LINEAR:
        d.res.linear.devPtr = r.at;
        d.res.linear.format = r.format;
        d.res.linear.numChannels = r.channels;
        d.res.linear.sizeInBytes = r.bytes;
        break;
    case CU_RESOURCE_TYPE_PITCH2D:
        d.res.pitch2D.devPtr = r.at;
        d.res.pitch2D.format = r.format;
        d.res.pitch2D.numChannels = r.channels;
        d.res.pitch2D.width = r.width;
        d.res.pitch2D.height = r.height;
        d.res.pitch2D.pitchInBytes = r.pitch;
        break;
    }
    return d;
}

CUresult triad_cu_texture_new(triad_cu_device *d, triad_cu_resource r, triad_cu_sampler s, uint64_t *object) {
    CUDA_RESOURCE_DESC res = resource(r);
    CUDA_TEXTURE_DESC tex = {.addressMode = {s.address[0], s.address[1], s.address[2]},
                             .filterMode = s.filter,
                             .flags = s.flags,
                             .maxAnisotropy = s.anisotropy,
                             .mipmapFilterMode = s.mip_filter,
                             .mipmapLevelBias = s.mip_bias,
                             .minMipmapLevelClamp = s.mip_min,
                             .maxMipmapLevelClamp = s.mip_max,
                             .borderColor = {s.border[0], s.border[1], s.border[2], s.border[3]}};
    CUtexObject t = 0;
    CUresult code = TRIAD_CU_CALM(d, triad_cu.cuTexObjectCreate(&t, &res, &tex, 0));
    *object = t;
    return code;
}

CUresult triad_cu_texture_destroy(triad_cu_device *d, uint64_t object) { return TRIAD_CU_CALM(d, triad_cu.cuTexObjectDestroy(object)); }

CUresult triad_cu_surface_new(triad_cu_device *d, CUarray a, uint64_t *object) {
    CUDA_RESOURCE_DESC res = {.resType = CU_RESOURCE_TYPE_ARRAY};
    res.res.array.hArray = a;
    CUsurfObject t = 0;
    CUresult code = TRIAD_CU_CALM(d, triad_cu.cuSurfObjectCreate(&t, &res));
    *object = t;
    return code;
}

CUresult triad_cu_surface_destroy(triad_cu_device *d, uint64_t object) { return TRIAD_CU_CALM(d, triad_cu.cuSurfObjectDestroy(object)); }
