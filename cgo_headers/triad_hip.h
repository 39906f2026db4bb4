/* triad_hip.h: what Triad uses of AMD's HIP runtime, versions 5.2 to 7.x, declared
 * by us, so that building needs no ROCm.
 *
 * Define TRIAD_HIP_TYPES_GIVEN to take types and values from hip_runtime_api.h.
 */
#ifndef TRIAD_HIP_H
#define TRIAD_HIP_H

#ifndef TRIAD_HIP_TYPES_GIVEN
#include "triad_hip_types.h"
#include "triad_hip_props.h"
#include "triad_hip_attributes.h"
#include "triad_hip_values.h"
#endif

/* The functions, one row each: REQUIRED or OPTIONAL, the HIP version that brought it
 * (times 10000, plus a hundred times the minor one; what 5.2 has counts as of 5.2),
 * result, symbol, parameters.
 *
 * The table is read twice: to declare struct triad_hip_api, and to resolve its
 * members. Without a REQUIRED symbol a library is no HIP 5.2 and is passed over;
 * without an OPTIONAL one exactly the feature that needs it is gone.
 *
 * Package hip has no use for hipGetErrorName, hipDeviceSynchronize and hipMallocAsync:
 * testdata/twins and the tests of testdata/fakedriver take them from here. */
#define TRIAD_HIP_FUNCTIONS(X) \
    /* The library itself. hipGetLastError gives the calling thread's last error, and forgets it. */ \
    X(REQUIRED, 50200, hipError_t, hipInit, (unsigned int)) \
    X(REQUIRED, 50200, hipError_t, hipRuntimeGetVersion, (int *)) \
    X(REQUIRED, 50200, const char *, hipGetErrorName, (hipError_t)) \
    X(REQUIRED, 50200, hipError_t, hipGetLastError, (void)) \
    /* Devices. Properties come in two layouts, see triad_hip_props.h; hipGetDeviceProperties is the \
     * older one's first name. */ \
    X(REQUIRED, 50200, hipError_t, hipGetDeviceCount, (int *)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceGet, (hipDevice_t *, int)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceGetName, (char *, int, hipDevice_t)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceTotalMem, (size_t *, hipDevice_t)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceGetAttribute, (int *, hipDeviceAttribute_t, int)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceGetPCIBusId, (char *, int, int)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceGetByPCIBusId, (int *, const char *)) \
    X(OPTIONAL, 50200, hipError_t, hipDeviceGetUuid, (hipUUID *, hipDevice_t)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceCanAccessPeer, (int *, int, int)) \
    X(OPTIONAL, 50200, hipError_t, hipDeviceGetP2PAttribute, (int *, hipDeviceP2PAttr, int, int)) \
    X(OPTIONAL, 60000, hipError_t, hipGetDevicePropertiesR0600, (hipDeviceProp_tR0600 *, int)) \
    X(OPTIONAL, 60000, hipError_t, hipGetDevicePropertiesR0000, (hipDeviceProp_tR0000 *, int)) \
    X(OPTIONAL, 50200, hipError_t, hipGetDeviceProperties, (hipDeviceProp_tR0000 *, int)) \
    /* The current device of a thread, and what belongs to it. */ \
    X(REQUIRED, 50200, hipError_t, hipGetDevice, (int *)) \
    X(REQUIRED, 50200, hipError_t, hipSetDevice, (int)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceSynchronize, (void)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceReset, (void)) \
    X(REQUIRED, 50200, hipError_t, hipGetDeviceFlags, (unsigned int *)) \
    X(REQUIRED, 50200, hipError_t, hipSetDeviceFlags, (unsigned int)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceGetLimit, (size_t *, hipLimit_t)) \
    X(OPTIONAL, 50300, hipError_t, hipDeviceSetLimit, (hipLimit_t, size_t)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceGetCacheConfig, (hipFuncCache_t *)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceSetCacheConfig, (hipFuncCache_t)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceGetStreamPriorityRange, (int *, int *)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceEnablePeerAccess, (int, unsigned int)) \
    X(REQUIRED, 50200, hipError_t, hipDeviceDisablePeerAccess, (int)) \
    /* Streams. */ \
    X(REQUIRED, 50200, hipError_t, hipStreamCreateWithPriority, (hipStream_t *, unsigned int, int)) \
    X(OPTIONAL, 50200, hipError_t, hipExtStreamCreateWithCUMask, (hipStream_t *, uint32_t, const uint32_t *)) \
    X(OPTIONAL, 50200, hipError_t, hipExtStreamGetCUMask, (hipStream_t, uint32_t, uint32_t *)) \
    X(REQUIRED, 50200, hipError_t, hipStreamDestroy, (hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipStreamQuery, (hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipStreamSynchronize, (hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipStreamGetFlags, (hipStream_t, unsigned int *)) \
    X(REQUIRED, 50200, hipError_t, hipStreamGetPriority, (hipStream_t, int *)) \
    X(OPTIONAL, 50600, hipError_t, hipStreamGetDevice, (hipStream_t, hipDevice_t *)) \
    X(OPTIONAL, 70100, hipError_t, hipStreamGetId, (hipStream_t, unsigned long long *)) \
    X(REQUIRED, 50200, hipError_t, hipStreamWaitEvent, (hipStream_t, hipEvent_t, unsigned int)) \
    X(OPTIONAL, 50300, hipError_t, hipLaunchHostFunc, (hipStream_t, hipHostFn_t, void *)) \
    X(REQUIRED, 50200, hipError_t, hipStreamIsCapturing, (hipStream_t, hipStreamCaptureStatus *)) \
    X(REQUIRED, 50200, hipError_t, hipStreamBeginCapture, (hipStream_t, hipStreamCaptureMode)) \
    X(REQUIRED, 50200, hipError_t, hipStreamEndCapture, (hipStream_t, hipGraph_t *)) \
    X(REQUIRED, 50200, hipError_t, hipThreadExchangeStreamCaptureMode, (hipStreamCaptureMode *)) \
    X(REQUIRED, 50200, hipError_t, hipGraphDestroy, (hipGraph_t)) \
    X(OPTIONAL, 50200, hipError_t, hipStreamWaitValue32, (hipStream_t, void *, uint32_t, unsigned int, uint32_t)) \
    X(OPTIONAL, 50200, hipError_t, hipStreamWaitValue64, (hipStream_t, void *, uint64_t, unsigned int, uint64_t)) \
    X(OPTIONAL, 50200, hipError_t, hipStreamWriteValue32, (hipStream_t, void *, uint32_t, unsigned int)) \
    X(OPTIONAL, 50200, hipError_t, hipStreamWriteValue64, (hipStream_t, void *, uint64_t, unsigned int)) \
    X(OPTIONAL, 70000, hipError_t, hipStreamGetAttribute, (hipStream_t, hipLaunchAttributeID, hipLaunchAttributeValue *)) \
    X(OPTIONAL, 70000, hipError_t, hipStreamSetAttribute, (hipStream_t, hipLaunchAttributeID, const hipLaunchAttributeValue *)) \
    X(OPTIONAL, 50200, hipError_t, hipStreamAttachMemAsync, (hipStream_t, void *, size_t, unsigned int)) \
    /* Events. */ \
    X(REQUIRED, 50200, hipError_t, hipEventCreateWithFlags, (hipEvent_t *, unsigned int)) \
    X(REQUIRED, 50200, hipError_t, hipEventDestroy, (hipEvent_t)) \
    X(REQUIRED, 50200, hipError_t, hipEventRecord, (hipEvent_t, hipStream_t)) \
    X(OPTIONAL, 60400, hipError_t, hipEventRecordWithFlags, (hipEvent_t, hipStream_t, unsigned int)) \
    X(REQUIRED, 50200, hipError_t, hipEventQuery, (hipEvent_t)) \
    X(REQUIRED, 50200, hipError_t, hipEventSynchronize, (hipEvent_t)) \
    X(REQUIRED, 50200, hipError_t, hipEventElapsedTime, (float *, hipEvent_t, hipEvent_t)) \
    X(OPTIONAL, 50200, hipError_t, hipIpcGetEventHandle, (hipIpcEventHandle_t *, hipEvent_t)) \
    X(OPTIONAL, 50200, hipError_t, hipIpcOpenEventHandle, (hipEvent_t *, hipIpcEventHandle_t)) \
    /* Memory. */ \
    X(REQUIRED, 50200, hipError_t, hipMemGetInfo, (size_t *, size_t *)) \
    X(REQUIRED, 50200, hipError_t, hipMalloc, (void **, size_t)) \
    X(OPTIONAL, 50200, hipError_t, hipExtMallocWithFlags, (void **, size_t, unsigned int)) \
    X(REQUIRED, 50200, hipError_t, hipMemAllocPitch, (hipDeviceptr_t *, size_t *, size_t, size_t, unsigned int)) \
    X(REQUIRED, 50200, hipError_t, hipFree, (void *)) \
    X(REQUIRED, 50200, hipError_t, hipMemGetAddressRange, (hipDeviceptr_t *, size_t *, hipDeviceptr_t)) \
    X(REQUIRED, 50200, hipError_t, hipHostMalloc, (void **, size_t, unsigned int)) \
    X(REQUIRED, 50200, hipError_t, hipHostFree, (void *)) \
    X(REQUIRED, 50200, hipError_t, hipHostGetDevicePointer, (void **, void *, unsigned int)) \
    X(REQUIRED, 50200, hipError_t, hipHostRegister, (void *, size_t, unsigned int)) \
    X(REQUIRED, 50200, hipError_t, hipHostUnregister, (void *)) \
    X(REQUIRED, 50200, hipError_t, hipPointerGetAttributes, (hipPointerAttribute_t *, const void *)) \
    X(OPTIONAL, 50200, hipError_t, hipPointerGetAttribute, (void *, hipPointer_attribute, hipDeviceptr_t)) \
    X(REQUIRED, 50200, hipError_t, hipIpcGetMemHandle, (hipIpcMemHandle_t *, void *)) \
    X(REQUIRED, 50200, hipError_t, hipIpcOpenMemHandle, (void **, hipIpcMemHandle_t, unsigned int)) \
    X(REQUIRED, 50200, hipError_t, hipIpcCloseMemHandle, (void *)) \
    /* Memory that the runtime moves. */ \
    X(REQUIRED, 50200, hipError_t, hipMallocManaged, (void **, size_t, unsigned int)) \
    X(OPTIONAL, 50200, hipError_t, hipMemAdvise, (const void *, size_t, hipMemoryAdvise, int)) \
    X(OPTIONAL, 70100, hipError_t, hipMemAdvise_v2, (const void *, size_t, hipMemoryAdvise, hipMemLocation)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPrefetchAsync, (const void *, size_t, int, hipStream_t)) \
    X(OPTIONAL, 70100, hipError_t, hipMemPrefetchAsync_v2, (const void *, size_t, hipMemLocation, unsigned int, hipStream_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMemRangeGetAttribute, (void *, size_t, hipMemRangeAttribute, const void *, size_t)) \
    /* Memory in stream order. */ \
    X(OPTIONAL, 50200, hipError_t, hipMallocAsync, (void **, size_t, hipStream_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMallocFromPoolAsync, (void **, size_t, hipMemPool_t, hipStream_t)) \
    X(OPTIONAL, 50200, hipError_t, hipFreeAsync, (void *, hipStream_t)) \
    X(OPTIONAL, 50200, hipError_t, hipDeviceGetDefaultMemPool, (hipMemPool_t *, int)) \
    X(OPTIONAL, 50200, hipError_t, hipDeviceGetMemPool, (hipMemPool_t *, int)) \
    X(OPTIONAL, 50200, hipError_t, hipDeviceSetMemPool, (int, hipMemPool_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPoolCreate, (hipMemPool_t *, const hipMemPoolProps *)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPoolDestroy, (hipMemPool_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPoolSetAttribute, (hipMemPool_t, hipMemPoolAttr, void *)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPoolGetAttribute, (hipMemPool_t, hipMemPoolAttr, void *)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPoolTrimTo, (hipMemPool_t, size_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPoolSetAccess, (hipMemPool_t, const hipMemAccessDesc *, size_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPoolGetAccess, (hipMemAccessFlags *, hipMemPool_t, hipMemLocation *)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPoolExportToShareableHandle, (void *, hipMemPool_t, hipMemAllocationHandleType, unsigned int)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPoolImportFromShareableHandle, (hipMemPool_t *, void *, hipMemAllocationHandleType, unsigned int)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPoolExportPointer, (hipMemPoolPtrExportData *, void *)) \
    X(OPTIONAL, 50200, hipError_t, hipMemPoolImportPointer, (void **, hipMemPool_t, hipMemPoolPtrExportData *)) \
    /* Address ranges, and memory mapped there. */ \
    X(OPTIONAL, 50200, hipError_t, hipMemAddressReserve, (void **, size_t, size_t, void *, unsigned long long)) \
    X(OPTIONAL, 50200, hipError_t, hipMemAddressFree, (void *, size_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMemCreate, (hipMemGenericAllocationHandle_t *, size_t, const hipMemAllocationProp *, unsigned long long)) \
    X(OPTIONAL, 50200, hipError_t, hipMemRelease, (hipMemGenericAllocationHandle_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMemMap, (void *, size_t, size_t, hipMemGenericAllocationHandle_t, unsigned long long)) \
    X(OPTIONAL, 50200, hipError_t, hipMemUnmap, (void *, size_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMemSetAccess, (void *, size_t, const hipMemAccessDesc *, size_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMemGetAccess, (unsigned long long *, const hipMemLocation *, void *)) \
    X(OPTIONAL, 50200, hipError_t, hipMemGetAllocationGranularity, (size_t *, const hipMemAllocationProp *, hipMemAllocationGranularity_flags)) \
    X(OPTIONAL, 50200, hipError_t, hipMemExportToShareableHandle, (void *, hipMemGenericAllocationHandle_t, hipMemAllocationHandleType, unsigned long long)) \
    X(OPTIONAL, 50200, hipError_t, hipMemImportFromShareableHandle, (hipMemGenericAllocationHandle_t *, void *, hipMemAllocationHandleType)) \
    /* Copies and fills. */ \
    X(REQUIRED, 50200, hipError_t, hipMemcpyAsync, (void *, const void *, size_t, hipMemcpyKind, hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipMemcpyDtoDAsync, (hipDeviceptr_t, hipDeviceptr_t, size_t, hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipMemcpyHtoDAsync, (hipDeviceptr_t, const void *, size_t, hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipMemcpyDtoHAsync, (void *, hipDeviceptr_t, size_t, hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipMemcpy2DAsync, (void *, size_t, const void *, size_t, size_t, size_t, hipMemcpyKind, hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipMemcpy3DAsync, (const hipMemcpy3DParms *, hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipMemcpyPeerAsync, (void *, int, const void *, int, size_t, hipStream_t)) \
    X(OPTIONAL, 70100, hipError_t, hipMemcpy3DPeerAsync, (hipMemcpy3DPeerParms *, hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipMemsetD8Async, (hipDeviceptr_t, unsigned char, size_t, hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipMemsetD16Async, (hipDeviceptr_t, unsigned short, size_t, hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipMemsetD32Async, (hipDeviceptr_t, int, size_t, hipStream_t)) \
    X(REQUIRED, 50200, hipError_t, hipMemset2DAsync, (void *, size_t, int, size_t, size_t, hipStream_t)) \
    X(OPTIONAL, 70000, hipError_t, hipMemsetD2D16Async, (hipDeviceptr_t, size_t, unsigned short, size_t, size_t, hipStream_t)) \
    X(OPTIONAL, 70000, hipError_t, hipMemsetD2D32Async, (hipDeviceptr_t, size_t, unsigned int, size_t, size_t, hipStream_t)) \
    /* Arrays, textures and surfaces. */ \
    X(OPTIONAL, 50200, hipError_t, hipArray3DCreate, (hipArray_t *, const HIP_ARRAY3D_DESCRIPTOR *)) \
    X(OPTIONAL, 50600, hipError_t, hipArray3DGetDescriptor, (HIP_ARRAY3D_DESCRIPTOR *, hipArray_t)) \
    X(OPTIONAL, 50200, hipError_t, hipArrayDestroy, (hipArray_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMipmappedArrayCreate, (hipMipmappedArray_t *, HIP_ARRAY3D_DESCRIPTOR *, unsigned int)) \
    X(OPTIONAL, 50200, hipError_t, hipMipmappedArrayDestroy, (hipMipmappedArray_t)) \
    X(OPTIONAL, 50200, hipError_t, hipMipmappedArrayGetLevel, (hipArray_t *, hipMipmappedArray_t, unsigned int)) \
    X(OPTIONAL, 50200, hipError_t, hipDrvMemcpy3DAsync, (const HIP_MEMCPY3D *, hipStream_t)) \
    X(OPTIONAL, 50200, hipError_t, hipTexObjectCreate, (hipTextureObject_t *, const HIP_RESOURCE_DESC *, const HIP_TEXTURE_DESC *, const HIP_RESOURCE_VIEW_DESC *)) \
    X(OPTIONAL, 50200, hipError_t, hipTexObjectDestroy, (hipTextureObject_t)) \
    X(OPTIONAL, 50300, hipError_t, hipCreateSurfaceObject, (hipSurfaceObject_t *, const hipResourceDesc *)) \
    X(OPTIONAL, 50300, hipError_t, hipDestroySurfaceObject, (hipSurfaceObject_t)) \
    /* Modules. */ \
    X(REQUIRED, 50200, hipError_t, hipModuleLoadDataEx, (hipModule_t *, const void *, unsigned int, hipJitOption *, void **)) \
    X(REQUIRED, 50200, hipError_t, hipModuleUnload, (hipModule_t)) \
    X(REQUIRED, 50200, hipError_t, hipModuleGetFunction, (hipFunction_t *, hipModule_t, const char *)) \
    X(REQUIRED, 50200, hipError_t, hipModuleGetGlobal, (hipDeviceptr_t *, size_t *, hipModule_t, const char *)) \
    X(REQUIRED, 50200, hipError_t, hipFuncGetAttribute, (int *, hipFunction_attribute, hipFunction_t)) \
    /* Launches and occupancy. */ \
    X(REQUIRED, 50200, hipError_t, hipModuleLaunchKernel, (hipFunction_t, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, hipStream_t, void **, void **)) \
    X(OPTIONAL, 50500, hipError_t, hipModuleLaunchCooperativeKernel, (hipFunction_t, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, hipStream_t, void **)) \
    X(OPTIONAL, 70000, hipError_t, hipDrvLaunchKernelEx, (const HIP_LAUNCH_CONFIG *, hipFunction_t, void **, void **)) \
    X(REQUIRED, 50200, hipError_t, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, (int *, hipFunction_t, int, size_t)) \
    X(REQUIRED, 50200, hipError_t, hipModuleOccupancyMaxPotentialBlockSize, (int *, int *, hipFunction_t, size_t, int))

#endif
