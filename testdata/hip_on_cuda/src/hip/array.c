#include "face.h"

/* Arrays, textures and surfaces are described as in CUDA. */
_Static_assert(sizeof(HIP_ARRAY3D_DESCRIPTOR) == sizeof(CUDA_ARRAY3D_DESCRIPTOR) && sizeof(HIP_RESOURCE_DESC) == sizeof(CUDA_RESOURCE_DESC) &&
                   sizeof(HIP_TEXTURE_DESC) == sizeof(CUDA_TEXTURE_DESC) && sizeof(HIP_RESOURCE_VIEW_DESC) == sizeof(CUDA_RESOURCE_VIEW_DESC),
               "layout");

hipError_t hipArray3DCreate(hipArray_t *array, const HIP_ARRAY3D_DESCRIPTOR *d) {
    return ON(cuArray3DCreate_v2((CUarray *)array, (const CUDA_ARRAY3D_DESCRIPTOR *)d));
}

hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR *d, hipArray_t array) {
    return ON(cuArray3DGetDescriptor_v2((CUDA_ARRAY3D_DESCRIPTOR *)d, (CUarray)array));
}

hipError_t hipArrayDestroy(hipArray_t array) { return ON(cuArrayDestroy((CUarray)array)); }

hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t *array, HIP_ARRAY3D_DESCRIPTOR *d, unsigned int levels) {
    return ON(cuMipmappedArrayCreate((CUmipmappedArray *)array, (const CUDA_ARRAY3D_DESCRIPTOR *)d, levels));
}

hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t array) { return ON(cuMipmappedArrayDestroy((CUmipmappedArray)array)); }

hipError_t hipMipmappedArrayGetLevel(hipArray_t *level, hipMipmappedArray_t array, unsigned int n) {
    return ON(cuMipmappedArrayGetLevel((CUarray *)level, (CUmipmappedArray)array, n));
}

static CUmemorytype type(hipMemoryType t) {
    switch (t) {
    case hipMemoryTypeHost: return CU_MEMORYTYPE_HOST;
    case hipMemoryTypeDevice: return CU_MEMORYTYPE_DEVICE;
    case hipMemoryTypeArray: return CU_MEMORYTYPE_ARRAY;
    }
    return CU_MEMORYTYPE_UNIFIED;
}

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *given, hipStream_t s) {
    HIP_MEMCPY3D copy, *h = &copy;
    face_copy_in(h, given);
    CUDA_MEMCPY3D c = {.srcXInBytes = h->srcXInBytes, .srcY = h->srcY, .srcZ = h->srcZ, .srcLOD = h->srcLOD, .srcMemoryType = type(h->srcMemoryType),
                       .srcHost = h->srcHost, .srcDevice = at(h->srcDevice), .srcArray = (CUarray)h->srcArray, .srcPitch = h->srcPitch,
                       .srcHeight = h->srcHeight,
                       .dstXInBytes = h->dstXInBytes, .dstY = h->dstY, .dstZ = h->dstZ, .dstLOD = h->dstLOD, .dstMemoryType = type(h->dstMemoryType),
                       .dstHost = h->dstHost, .dstDevice = at(h->dstDevice), .dstArray = (CUarray)h->dstArray, .dstPitch = h->dstPitch,
                       .dstHeight = h->dstHeight,
                       .WidthInBytes = h->WidthInBytes, .Height = h->Height, .Depth = h->Depth};
    return ON(cuMemcpy3DAsync_v2(&c, stream(s)));
}

hipError_t hipTexObjectCreate(hipTextureObject_t *t, const HIP_RESOURCE_DESC *r, const HIP_TEXTURE_DESC *d, const HIP_RESOURCE_VIEW_DESC *v) {
    return ON(cuTexObjectCreate((CUtexObject *)t, (const CUDA_RESOURCE_DESC *)r, (const CUDA_TEXTURE_DESC *)d, (const CUDA_RESOURCE_VIEW_DESC *)v));
}

hipError_t hipTexObjectDestroy(hipTextureObject_t t) { return ON(cuTexObjectDestroy((CUtexObject)(uintptr_t)t)); }

hipError_t hipCreateSurfaceObject(hipSurfaceObject_t *surface, const hipResourceDesc *r) {
    if (r->resType != hipResourceTypeArray) return face_refuse(hipErrorInvalidValue);
    CUDA_RESOURCE_DESC c = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = (CUarray)r->res.array.array};
    return ON(cuSurfObjectCreate((CUsurfObject *)surface, &c));
}

hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surface) { return ON(cuSurfObjectDestroy((CUsurfObject)(uintptr_t)surface)); }
