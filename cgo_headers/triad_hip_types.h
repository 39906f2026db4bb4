/* triad_hip_types.h: the types of the HIP runtime that Triad uses, declared by us, so
 * that building needs no ROCm. Layouts are those of hip_runtime_api.h of HIP 7.1; a
 * test compares them with the real headers where those are installed. What HIP 5.2
 * lays out in another way is not used, or has both forms here.
 *
 * HIP's enumerations are int here, which has their size. */
#ifndef TRIAD_HIP_TYPES_H
#define TRIAD_HIP_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef int hipDevice_t;
typedef void *hipDeviceptr_t;

typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipMemPoolHandle_t *hipMemPool_t;
typedef struct ihipGraph *hipGraph_t;
typedef struct ihipMemGenericAllocationHandle *hipMemGenericAllocationHandle_t;
typedef struct hipArray *hipArray_t;
typedef struct hipMipmappedArray *hipMipmappedArray_t;
typedef struct __hip_texture *hipTextureObject_t;
typedef struct __hip_surface *hipSurfaceObject_t;

/* Enumerations. */
typedef int hipError_t;
typedef int hipDeviceAttribute_t;
typedef int hipDeviceP2PAttr;
typedef int hipFunction_attribute;
typedef int hipPointer_attribute;
typedef int hipFuncCache_t;
typedef int hipLimit_t;
typedef int hipStreamCaptureMode;
typedef int hipStreamCaptureStatus;
typedef int hipMemoryType;
typedef int hipMemcpyKind;
typedef int hipMemoryAdvise;
typedef int hipMemRangeAttribute;
typedef int hipMemLocationType;
typedef int hipMemAllocationType;
typedef int hipMemAllocationHandleType;
typedef int hipMemAccessFlags;
typedef int hipMemAllocationGranularity_flags;
typedef int hipMemPoolAttr;
typedef int hipJitOption;
typedef int hipLaunchAttributeID;
typedef int hipAccessProperty;
typedef int hipSynchronizationPolicy;
typedef int hipLaunchMemSyncDomain;
typedef int hipArray_Format;
typedef int HIPaddress_mode;
typedef int HIPfilter_mode;
typedef int HIPresourcetype;
typedef int HIPresourceViewFormat;
typedef int hipResourceType;

typedef void (*hipHostFn_t)(void *user);

typedef struct hipUUID_t {
    char bytes[16];
} hipUUID;

/* HIP's has a bit for each of the 17 abilities. */
typedef struct {
    unsigned int bits;
} hipDeviceArch_t;

typedef struct hipIpcEventHandle_st {
    char reserved[64];
} hipIpcEventHandle_t;

typedef struct hipIpcMemHandle_st {
    char reserved[64];
} hipIpcMemHandle_t;

/* The first field is memoryType before HIP 6.0, with other values; see
 * TRIAD_HIP_CHANGED. */
typedef struct hipPointerAttribute_t {
    hipMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
    int isManaged;
    unsigned int allocationFlags;
} hipPointerAttribute_t;

typedef struct hipPos {
    size_t x, y, z;
} hipPos;

typedef struct hipExtent {
    size_t width, height, depth;
} hipExtent;

typedef struct hipPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
} hipPitchedPtr;

typedef struct hipMemcpy3DParms {
    hipArray_t srcArray;
    hipPos srcPos;
    hipPitchedPtr srcPtr;
    hipArray_t dstArray;
    hipPos dstPos;
    hipPitchedPtr dstPtr;
    hipExtent extent;
    hipMemcpyKind kind;
} hipMemcpy3DParms;

typedef struct hipMemcpy3DPeerParms {
    hipArray_t srcArray;
    hipPos srcPos;
    hipPitchedPtr srcPtr;
    int srcDevice;
    hipArray_t dstArray;
    hipPos dstPos;
    hipPitchedPtr dstPtr;
    int dstDevice;
    hipExtent extent;
} hipMemcpy3DPeerParms;

/* HIP_MEMCPY3D of HIP 6.0 and later. Before, its numbers had 4 bytes. */
typedef struct HIP_MEMCPY3D {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    hipMemoryType srcMemoryType;
    const void *srcHost;
    hipDeviceptr_t srcDevice;
    hipArray_t srcArray;
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    hipMemoryType dstMemoryType;
    void *dstHost;
    hipDeviceptr_t dstDevice;
    hipArray_t dstArray;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} HIP_MEMCPY3D;

/* HIP_MEMCPY3D of HIP 5.2. */
typedef struct {
    unsigned int srcXInBytes, srcY, srcZ, srcLOD;
    hipMemoryType srcMemoryType;
    const void *srcHost;
    hipDeviceptr_t srcDevice;
    hipArray_t srcArray;
    unsigned int srcPitch, srcHeight;
    unsigned int dstXInBytes, dstY, dstZ, dstLOD;
    hipMemoryType dstMemoryType;
    void *dstHost;
    hipDeviceptr_t dstDevice;
    hipArray_t dstArray;
    unsigned int dstPitch, dstHeight;
    unsigned int WidthInBytes, Height, Depth;
} triad_hip_memcpy3d_5;

typedef struct HIP_ARRAY3D_DESCRIPTOR {
    size_t Width, Height, Depth;
    hipArray_Format Format;
    unsigned int NumChannels, Flags;
} HIP_ARRAY3D_DESCRIPTOR;

typedef struct HIP_RESOURCE_DESC_st {
    HIPresourcetype resType;
    union {
        struct {
            hipArray_t hArray;
        } array;
        struct {
            hipMipmappedArray_t hMipmappedArray;
        } mipmap;
        struct {
            hipDeviceptr_t devPtr;
            hipArray_Format format;
            unsigned int numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            hipDeviceptr_t devPtr;
            hipArray_Format format;
            unsigned int numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned int flags;
} HIP_RESOURCE_DESC;

typedef struct HIP_TEXTURE_DESC_st {
    HIPaddress_mode addressMode[3];
    HIPfilter_mode filterMode;
    unsigned int flags, maxAnisotropy;
    HIPfilter_mode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    float borderColor[4];
    int reserved[12];
} HIP_TEXTURE_DESC;

typedef struct HIP_RESOURCE_VIEW_DESC_st {
    HIPresourceViewFormat format;
    size_t width, height, depth;
    unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
    unsigned int reserved[16];
} HIP_RESOURCE_VIEW_DESC;

/* For surfaces; only the first of its kinds of resources is used. */
typedef struct hipResourceDesc {
    hipResourceType resType;
    union {
        struct {
            hipArray_t array;
        } array;
        struct {
            void *devPtr;
            int desc[5];
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
} hipResourceDesc;

typedef struct hipMemLocation {
    hipMemLocationType type;
    int id;
} hipMemLocation;

typedef struct hipMemAccessDesc {
    hipMemLocation location;
    hipMemAccessFlags flags;
} hipMemAccessDesc;

/* hipMemAllocationProp of HIP 6.0 and later. Before, it was laid out in another way. */
typedef struct hipMemAllocationProp {
    hipMemAllocationType type;
    hipMemAllocationHandleType requestedHandleType;
    hipMemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
    } allocFlags;
} hipMemAllocationProp;

/* maxSize is one of the reserved bytes before HIP 6.2. */
typedef struct hipMemPoolProps {
    hipMemAllocationType allocType;
    hipMemAllocationHandleType handleTypes;
    hipMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned char reserved[56];
} hipMemPoolProps;

typedef struct hipMemPoolPtrExportData {
    unsigned char reserved[64];
} hipMemPoolPtrExportData;

typedef struct hipAccessPolicyWindow {
    void *base_ptr;
    hipAccessProperty hitProp;
    float hitRatio;
    hipAccessProperty missProp;
    size_t num_bytes;
} hipAccessPolicyWindow;

typedef union hipLaunchAttributeValue {
    char pad[64];
    hipAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    int priority;
    hipSynchronizationPolicy syncPolicy;
    hipLaunchMemSyncDomain memSyncDomain;
} hipLaunchAttributeValue;

typedef struct hipLaunchAttribute_st {
    hipLaunchAttributeID id;
    char pad[4];
    hipLaunchAttributeValue value;
} hipLaunchAttribute;

typedef struct HIP_LAUNCH_CONFIG_st {
    unsigned int gridDimX, gridDimY, gridDimZ;
    unsigned int blockDimX, blockDimY, blockDimZ;
    unsigned int sharedMemBytes;
    hipStream_t hStream;
    hipLaunchAttribute *attrs;
    unsigned int numAttrs;
} HIP_LAUNCH_CONFIG;

#endif
