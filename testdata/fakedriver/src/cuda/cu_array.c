/* cu_array.c: arrays, textures, surfaces. */
#include "cu.h"

int cu_format_bytes(CUarray_format format) {
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8: return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF: return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT: return 4;
    }
    return 0;
}

static int describe(const CUDA_ARRAY3D_DESCRIPTOR *d, fk_array_desc *own) {
    if (!d || (d->NumChannels != 1 && d->NumChannels != 2 && d->NumChannels != 4) || !cu_format_bytes(d->Format)) return FK_INVALID_VALUE;
    *own = (fk_array_desc){.width = d->Width, .height = d->Height, .depth = d->Depth, .format = d->Format, .channels = (int)d->NumChannels,
                           .element = cu_format_bytes(d->Format) * (int)d->NumChannels, .flags = d->Flags};
    return FK_OK;
}

CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d) {
    ENTER(cuArray3DCreate_v2);
    fk_array_desc own;
    fk_handle h;
    LEAVE_IF(!array, FK_INVALID_VALUE);
    int status = describe(d, &own);
    if (!status) status = fk_array_create(&own, &h);
    if (!status) *array = OUT(CUarray, h);
    LEAVE(status);
}

CUresult cuArrayDestroy(CUarray array) {
    ENTER(cuArrayDestroy);
    LEAVE(fk_array_destroy(H(array)));
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray array) {
    ENTER(cuArray3DGetDescriptor_v2);
    fk_array_desc own;
    LEAVE_IF(!d, FK_INVALID_VALUE);
    int status = fk_array_desc_of(H(array), &own);
    if (!status) *d = (CUDA_ARRAY3D_DESCRIPTOR){.Width = own.width, .Height = own.height, .Depth = own.depth, .Format = own.format, .NumChannels = (unsigned)own.channels, .Flags = own.flags};
    LEAVE(status);
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *mipmap, const CUDA_ARRAY3D_DESCRIPTOR *d, unsigned levels) {
    ENTER(cuMipmappedArrayCreate);
    fk_array_desc own;
    fk_handle h;
    LEAVE_IF(!mipmap, FK_INVALID_VALUE);
    int status = describe(d, &own);
    if (!status) status = fk_mipmap_create(&own, levels, &h);
    if (!status) *mipmap = OUT(CUmipmappedArray, h);
    LEAVE(status);
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmap) {
    ENTER(cuMipmappedArrayDestroy);
    LEAVE(fk_mipmap_destroy(H(mipmap)));
}

CUresult cuMipmappedArrayGetLevel(CUarray *array, CUmipmappedArray mipmap, unsigned level) {
    ENTER(cuMipmappedArrayGetLevel);
    fk_handle h;
    LEAVE_IF(!array, FK_INVALID_VALUE);
    int status = fk_mipmap_level(H(mipmap), level, &h);
    if (!status) *array = OUT(CUarray, h);
    LEAVE(status);
}

static int resource(const CUDA_RESOURCE_DESC *r) {
    fk_array_desc d;
    fk_mem_info m;
    fk_handle level;
    if (!r || r->flags) return FK_INVALID_VALUE;
    switch (r->resType) {
    case CU_RESOURCE_TYPE_ARRAY: return fk_array_desc_of(H(r->res.array.hArray), &d);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: return fk_mipmap_level(H(r->res.mipmap.hMipmappedArray), 0, &level);
    case CU_RESOURCE_TYPE_LINEAR:
        if (!cu_format_bytes(r->res.linear.format) || fk_mem_info_at(r->res.linear.devPtr, &m)) return FK_INVALID_VALUE;
        return r->res.linear.sizeInBytes > m.size - (r->res.linear.devPtr - m.base) ? FK_INVALID_VALUE : FK_OK;
    case CU_RESOURCE_TYPE_PITCH2D:
        if (!cu_format_bytes(r->res.pitch2D.format) || fk_mem_info_at(r->res.pitch2D.devPtr, &m)) return FK_INVALID_VALUE;
        return r->res.pitch2D.pitchInBytes % 32 ? FK_INVALID_VALUE : FK_OK;
    }
    return FK_INVALID_VALUE;
}

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *t, const CUDA_RESOURCE_VIEW_DESC *view) {
    ENTER(cuTexObjectCreate);
    fk_handle h;
    LEAVE_IF(!texture || !t, FK_INVALID_VALUE);
    LEAVE_IF(view && r && r->resType != CU_RESOURCE_TYPE_ARRAY && r->resType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, FK_INVALID_VALUE);
    int status = resource(r);
    if (!status) status = fk_sampler_create(FK_TEXTURE, r, sizeof *r, &h);
    if (!status) *texture = h;
    LEAVE(status);
}

CUresult cuTexObjectDestroy(CUtexObject texture) {
    ENTER(cuTexObjectDestroy);
    LEAVE(fk_sampler_destroy(FK_TEXTURE, texture));
}

CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *r) {
    ENTER(cuSurfObjectCreate);
    fk_array_desc d;
    fk_handle h;
    LEAVE_IF(!surface || !r || r->resType != CU_RESOURCE_TYPE_ARRAY, FK_INVALID_VALUE);
    int status = fk_array_desc_of(H(r->res.array.hArray), &d);
    if (!status && !(d.flags & CUDA_ARRAY3D_SURFACE_LDST)) status = FK_INVALID_VALUE;
    if (!status) status = fk_sampler_create(FK_SURFACE, r, sizeof *r, &h);
    if (!status) *surface = h;
    LEAVE(status);
}

CUresult cuSurfObjectDestroy(CUsurfObject surface) {
    ENTER(cuSurfObjectDestroy);
    LEAVE(fk_sampler_destroy(FK_SURFACE, surface));
}
