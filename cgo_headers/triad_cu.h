/* triad_cu.h: what Triad uses of the CUDA driver API, versions 11.4 to 13.x,
 * declared by us, so that building needs no CUDA SDK.
 *
 * Define TRIAD_CU_TYPES_GIVEN to take types and values from cuda.h.
 */
#ifndef TRIAD_CU_H
#define TRIAD_CU_H

#ifndef TRIAD_CU_TYPES_GIVEN
#include "triad_cu_types.h"
#include "triad_cu_attributes.h"
#include "triad_cu_values.h"
#endif

/* What finds the functions below; older drivers have the first only. */
typedef CUresult (*triad_cu_get_proc)(const char *, void **, int, cuuint64_t);
typedef CUresult (*triad_cu_get_proc_v2)(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);

/* The functions, one row each: REQUIRED or OPTIONAL, the CUDA version that brought
 * this form of it (times 1000, plus ten times the minor one), result, symbol, the
 * name that cuGetProcAddress knows it by, parameters. A call that changed has one
 * row for each form in use, by the symbol's own name.
 *
 * The table is read twice: to declare struct triad_cu_api, and to resolve its
 * members. Without a REQUIRED symbol a library is no CUDA 11.4 and is passed over;
 * without an OPTIONAL one exactly the feature that needs it is gone.
 *
 * Package cuda has no use for cuCtxSetCurrent, cuCtxGetDevice, cuCtxSynchronize and
 * cuMemAllocAsync: testdata/twins and testdata/hip_on_cuda take them from here. */
#define TRIAD_CU_FUNCTIONS(X) \
    /* The library itself. */ \
    X(REQUIRED, 2000, CUresult, cuInit, cuInit, (unsigned int)) \
    X(REQUIRED, 2020, CUresult, cuDriverGetVersion, cuDriverGetVersion, (int *)) \
    /* Devices. */ \
    X(REQUIRED, 2000, CUresult, cuDeviceGet, cuDeviceGet, (CUdevice *, int)) \
    X(REQUIRED, 2000, CUresult, cuDeviceGetCount, cuDeviceGetCount, (int *)) \
    X(REQUIRED, 2000, CUresult, cuDeviceGetName, cuDeviceGetName, (char *, int, CUdevice)) \
    X(REQUIRED, 2000, CUresult, cuDeviceGetAttribute, cuDeviceGetAttribute, (int *, CUdevice_attribute, CUdevice)) \
    X(REQUIRED, 3020, CUresult, cuDeviceTotalMem_v2, cuDeviceTotalMem, (size_t *, CUdevice)) \
    X(REQUIRED, 4010, CUresult, cuDeviceGetPCIBusId, cuDeviceGetPCIBusId, (char *, int, CUdevice)) \
    X(REQUIRED, 4010, CUresult, cuDeviceGetByPCIBusId, cuDeviceGetByPCIBusId, (CUdevice *, const char *)) \
    X(REQUIRED, 4000, CUresult, cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, (int *, CUdevice, CUdevice)) \
    X(REQUIRED, 8000, CUresult, cuDeviceGetP2PAttribute, cuDeviceGetP2PAttribute, (int *, CUdevice_P2PAttribute, CUdevice, CUdevice)) \
    X(OPTIONAL, 9020, CUresult, cuDeviceGetUuid, cuDeviceGetUuid, (CUuuid *, CUdevice)) \
    X(OPTIONAL, 11040, CUresult, cuDeviceGetUuid_v2, cuDeviceGetUuid, (CUuuid *, CUdevice)) \
    /* Contexts. */ \
    X(REQUIRED, 7000, CUresult, cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice)) \
    X(REQUIRED, 11000, CUresult, cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease, (CUdevice)) \
    X(REQUIRED, 11000, CUresult, cuDevicePrimaryCtxReset_v2, cuDevicePrimaryCtxReset, (CUdevice)) \
    X(REQUIRED, 11000, CUresult, cuDevicePrimaryCtxSetFlags_v2, cuDevicePrimaryCtxSetFlags, (CUdevice, unsigned int)) \
    X(REQUIRED, 7000, CUresult, cuDevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState, (CUdevice, unsigned int *, int *)) \
    X(OPTIONAL, 3020, CUresult, cuCtxCreate_v2, cuCtxCreate, (CUcontext *, unsigned int, CUdevice)) \
    X(OPTIONAL, 12050, CUresult, cuCtxCreate_v4, cuCtxCreate, (CUcontext *, CUctxCreateParams *, unsigned int, CUdevice)) \
    X(REQUIRED, 4000, CUresult, cuCtxDestroy_v2, cuCtxDestroy, (CUcontext)) \
    X(REQUIRED, 4000, CUresult, cuCtxPushCurrent_v2, cuCtxPushCurrent, (CUcontext)) \
    X(REQUIRED, 4000, CUresult, cuCtxPopCurrent_v2, cuCtxPopCurrent, (CUcontext *)) \
    X(REQUIRED, 4000, CUresult, cuCtxGetCurrent, cuCtxGetCurrent, (CUcontext *)) \
    X(REQUIRED, 4000, CUresult, cuCtxSetCurrent, cuCtxSetCurrent, (CUcontext)) \
    X(REQUIRED, 2000, CUresult, cuCtxGetDevice, cuCtxGetDevice, (CUdevice *)) \
    X(REQUIRED, 2000, CUresult, cuCtxSynchronize, cuCtxSynchronize, (void)) \
    X(REQUIRED, 7000, CUresult, cuCtxGetFlags, cuCtxGetFlags, (unsigned int *)) \
    X(OPTIONAL, 12010, CUresult, cuCtxSetFlags, cuCtxSetFlags, (unsigned int)) \
    X(OPTIONAL, 12000, CUresult, cuCtxGetId, cuCtxGetId, (CUcontext, unsigned long long *)) \
    X(REQUIRED, 3020, CUresult, cuCtxGetApiVersion, cuCtxGetApiVersion, (CUcontext, unsigned int *)) \
    X(REQUIRED, 3010, CUresult, cuCtxGetLimit, cuCtxGetLimit, (size_t *, CUlimit)) \
    X(REQUIRED, 3010, CUresult, cuCtxSetLimit, cuCtxSetLimit, (CUlimit, size_t)) \
    X(REQUIRED, 3020, CUresult, cuCtxGetCacheConfig, cuCtxGetCacheConfig, (CUfunc_cache *)) \
    X(REQUIRED, 3020, CUresult, cuCtxSetCacheConfig, cuCtxSetCacheConfig, (CUfunc_cache)) \
    X(REQUIRED, 5050, CUresult, cuCtxGetStreamPriorityRange, cuCtxGetStreamPriorityRange, (int *, int *)) \
    X(REQUIRED, 4000, CUresult, cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, (CUcontext, unsigned int)) \
    X(REQUIRED, 4000, CUresult, cuCtxDisablePeerAccess, cuCtxDisablePeerAccess, (CUcontext)) \
    X(REQUIRED, 11000, CUresult, cuCtxResetPersistingL2Cache, cuCtxResetPersistingL2Cache, (void)) \
    /* Streams. */ \
    X(REQUIRED, 5050, CUresult, cuStreamCreateWithPriority, cuStreamCreateWithPriority, (CUstream *, unsigned int, int)) \
    X(REQUIRED, 4000, CUresult, cuStreamDestroy_v2, cuStreamDestroy, (CUstream)) \
    X(REQUIRED, 2000, CUresult, cuStreamQuery, cuStreamQuery, (CUstream)) \
    X(REQUIRED, 2000, CUresult, cuStreamSynchronize, cuStreamSynchronize, (CUstream)) \
    X(REQUIRED, 9020, CUresult, cuStreamGetCtx, cuStreamGetCtx, (CUstream, CUcontext *)) \
    X(REQUIRED, 5050, CUresult, cuStreamGetFlags, cuStreamGetFlags, (CUstream, unsigned int *)) \
    X(REQUIRED, 5050, CUresult, cuStreamGetPriority, cuStreamGetPriority, (CUstream, int *)) \
    X(OPTIONAL, 12000, CUresult, cuStreamGetId, cuStreamGetId, (CUstream, unsigned long long *)) \
    X(REQUIRED, 3020, CUresult, cuStreamWaitEvent, cuStreamWaitEvent, (CUstream, CUevent, unsigned int)) \
    X(REQUIRED, 10000, CUresult, cuLaunchHostFunc, cuLaunchHostFunc, (CUstream, CUhostFn, void *)) \
    X(REQUIRED, 10000, CUresult, cuStreamIsCapturing, cuStreamIsCapturing, (CUstream, CUstreamCaptureStatus *)) \
    X(REQUIRED, 10010, CUresult, cuStreamBeginCapture_v2, cuStreamBeginCapture, (CUstream, CUstreamCaptureMode)) \
    X(REQUIRED, 10000, CUresult, cuStreamEndCapture, cuStreamEndCapture, (CUstream, CUgraph *)) \
    X(REQUIRED, 10010, CUresult, cuThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode *)) \
    X(REQUIRED, 10000, CUresult, cuGraphDestroy, cuGraphDestroy, (CUgraph)) \
    X(OPTIONAL, 11070, CUresult, cuStreamWaitValue32_v2, cuStreamWaitValue32, (CUstream, CUdeviceptr, cuuint32_t, unsigned int)) \
    X(OPTIONAL, 11070, CUresult, cuStreamWaitValue64_v2, cuStreamWaitValue64, (CUstream, CUdeviceptr, cuuint64_t, unsigned int)) \
    X(OPTIONAL, 11070, CUresult, cuStreamWriteValue64_v2, cuStreamWriteValue64, (CUstream, CUdeviceptr, cuuint64_t, unsigned int)) \
    X(OPTIONAL, 11070, CUresult, cuStreamWriteValue32_v2, cuStreamWriteValue32, (CUstream, CUdeviceptr, cuuint32_t, unsigned int)) \
    X(REQUIRED, 11000, CUresult, cuStreamGetAttribute, cuStreamGetAttribute, (CUstream, CUstreamAttrID, CUstreamAttrValue *)) \
    X(REQUIRED, 11000, CUresult, cuStreamSetAttribute, cuStreamSetAttribute, (CUstream, CUstreamAttrID, const CUstreamAttrValue *)) \
    X(REQUIRED, 11000, CUresult, cuStreamCopyAttributes, cuStreamCopyAttributes, (CUstream, CUstream)) \
    X(REQUIRED, 6000, CUresult, cuStreamAttachMemAsync, cuStreamAttachMemAsync, (CUstream, CUdeviceptr, size_t, unsigned int)) \
    /* Events. */ \
    X(REQUIRED, 2000, CUresult, cuEventCreate, cuEventCreate, (CUevent *, unsigned int)) \
    X(REQUIRED, 4000, CUresult, cuEventDestroy_v2, cuEventDestroy, (CUevent)) \
    X(REQUIRED, 2000, CUresult, cuEventRecord, cuEventRecord, (CUevent, CUstream)) \
    X(REQUIRED, 11010, CUresult, cuEventRecordWithFlags, cuEventRecordWithFlags, (CUevent, CUstream, unsigned int)) \
    X(REQUIRED, 2000, CUresult, cuEventQuery, cuEventQuery, (CUevent)) \
    X(REQUIRED, 2000, CUresult, cuEventSynchronize, cuEventSynchronize, (CUevent)) \
    X(REQUIRED, 2000, CUresult, cuEventElapsedTime, cuEventElapsedTime, (float *, CUevent, CUevent)) \
    X(OPTIONAL, 12080, CUresult, cuEventElapsedTime_v2, cuEventElapsedTime, (float *, CUevent, CUevent)) \
    X(REQUIRED, 4010, CUresult, cuIpcGetEventHandle, cuIpcGetEventHandle, (CUipcEventHandle *, CUevent)) \
    X(REQUIRED, 4010, CUresult, cuIpcOpenEventHandle, cuIpcOpenEventHandle, (CUevent *, CUipcEventHandle)) \
    /* Memory. */ \
    X(REQUIRED, 3020, CUresult, cuMemGetInfo_v2, cuMemGetInfo, (size_t *, size_t *)) \
    X(REQUIRED, 3020, CUresult, cuMemAlloc_v2, cuMemAlloc, (CUdeviceptr *, size_t)) \
    X(REQUIRED, 3020, CUresult, cuMemAllocPitch_v2, cuMemAllocPitch, (CUdeviceptr *, size_t *, size_t, size_t, unsigned int)) \
    X(REQUIRED, 3020, CUresult, cuMemFree_v2, cuMemFree, (CUdeviceptr)) \
    X(REQUIRED, 3020, CUresult, cuMemGetAddressRange_v2, cuMemGetAddressRange, (CUdeviceptr *, size_t *, CUdeviceptr)) \
    X(REQUIRED, 2020, CUresult, cuMemHostAlloc, cuMemHostAlloc, (void **, size_t, unsigned int)) \
    X(REQUIRED, 2000, CUresult, cuMemFreeHost, cuMemFreeHost, (void *)) \
    X(REQUIRED, 3020, CUresult, cuMemHostGetDevicePointer_v2, cuMemHostGetDevicePointer, (CUdeviceptr *, void *, unsigned int)) \
    X(REQUIRED, 6050, CUresult, cuMemHostRegister_v2, cuMemHostRegister, (void *, size_t, unsigned int)) \
    X(REQUIRED, 4000, CUresult, cuMemHostUnregister, cuMemHostUnregister, (void *)) \
    X(REQUIRED, 4000, CUresult, cuPointerGetAttribute, cuPointerGetAttribute, (void *, CUpointer_attribute, CUdeviceptr)) \
    X(REQUIRED, 7000, CUresult, cuPointerGetAttributes, cuPointerGetAttributes, (unsigned int, CUpointer_attribute *, void **, CUdeviceptr)) \
    X(REQUIRED, 4010, CUresult, cuIpcGetMemHandle, cuIpcGetMemHandle, (CUipcMemHandle *, CUdeviceptr)) \
    X(REQUIRED, 11000, CUresult, cuIpcOpenMemHandle_v2, cuIpcOpenMemHandle, (CUdeviceptr *, CUipcMemHandle, unsigned int)) \
    X(REQUIRED, 4010, CUresult, cuIpcCloseMemHandle, cuIpcCloseMemHandle, (CUdeviceptr)) \
    /* Memory that the driver moves. */ \
    X(REQUIRED, 6000, CUresult, cuMemAllocManaged, cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned int)) \
    X(OPTIONAL, 8000, CUresult, cuMemAdvise, cuMemAdvise, (CUdeviceptr, size_t, CUmem_advise, CUdevice)) \
    X(OPTIONAL, 12020, CUresult, cuMemAdvise_v2, cuMemAdvise, (CUdeviceptr, size_t, CUmem_advise, CUmemLocation)) \
    X(OPTIONAL, 8000, CUresult, cuMemPrefetchAsync, cuMemPrefetchAsync, (CUdeviceptr, size_t, CUdevice, CUstream)) \
    X(OPTIONAL, 12020, CUresult, cuMemPrefetchAsync_v2, cuMemPrefetchAsync, (CUdeviceptr, size_t, CUmemLocation, unsigned int, CUstream)) \
    X(REQUIRED, 8000, CUresult, cuMemRangeGetAttribute, cuMemRangeGetAttribute, (void *, size_t, CUmem_range_attribute, CUdeviceptr, size_t)) \
    /* Memory in stream order. */ \
    X(REQUIRED, 11020, CUresult, cuMemAllocAsync, cuMemAllocAsync, (CUdeviceptr *, size_t, CUstream)) \
    X(REQUIRED, 11020, CUresult, cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync, (CUdeviceptr *, size_t, CUmemoryPool, CUstream)) \
    X(REQUIRED, 11020, CUresult, cuMemFreeAsync, cuMemFreeAsync, (CUdeviceptr, CUstream)) \
    X(REQUIRED, 11020, CUresult, cuDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, (CUmemoryPool *, CUdevice)) \
    X(REQUIRED, 11020, CUresult, cuDeviceGetMemPool, cuDeviceGetMemPool, (CUmemoryPool *, CUdevice)) \
    X(REQUIRED, 11020, CUresult, cuDeviceSetMemPool, cuDeviceSetMemPool, (CUdevice, CUmemoryPool)) \
    X(REQUIRED, 11020, CUresult, cuMemPoolCreate, cuMemPoolCreate, (CUmemoryPool *, const CUmemPoolProps *)) \
    X(REQUIRED, 11020, CUresult, cuMemPoolDestroy, cuMemPoolDestroy, (CUmemoryPool)) \
    X(REQUIRED, 11020, CUresult, cuMemPoolSetAttribute, cuMemPoolSetAttribute, (CUmemoryPool, CUmemPool_attribute, void *)) \
    X(REQUIRED, 11020, CUresult, cuMemPoolGetAttribute, cuMemPoolGetAttribute, (CUmemoryPool, CUmemPool_attribute, void *)) \
    X(REQUIRED, 11020, CUresult, cuMemPoolTrimTo, cuMemPoolTrimTo, (CUmemoryPool, size_t)) \
    X(REQUIRED, 11020, CUresult, cuMemPoolSetAccess, cuMemPoolSetAccess, (CUmemoryPool, const CUmemAccessDesc *, size_t)) \
    X(REQUIRED, 11020, CUresult, cuMemPoolGetAccess, cuMemPoolGetAccess, (CUmemAccess_flags *, CUmemoryPool, CUmemLocation *)) \
    X(REQUIRED, 11020, CUresult, cuMemPoolExportToShareableHandle, cuMemPoolExportToShareableHandle, (void *, CUmemoryPool, CUmemAllocationHandleType, unsigned long long)) \
    X(REQUIRED, 11020, CUresult, cuMemPoolImportFromShareableHandle, cuMemPoolImportFromShareableHandle, (CUmemoryPool *, void *, CUmemAllocationHandleType, unsigned long long)) \
    X(REQUIRED, 11020, CUresult, cuMemPoolExportPointer, cuMemPoolExportPointer, (CUmemPoolPtrExportData *, CUdeviceptr)) \
    X(REQUIRED, 11020, CUresult, cuMemPoolImportPointer, cuMemPoolImportPointer, (CUdeviceptr *, CUmemoryPool, CUmemPoolPtrExportData *)) \
    /* Address ranges, and memory mapped there. */ \
    X(REQUIRED, 10020, CUresult, cuMemAddressReserve, cuMemAddressReserve, (CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long)) \
    X(REQUIRED, 10020, CUresult, cuMemAddressFree, cuMemAddressFree, (CUdeviceptr, size_t)) \
    X(REQUIRED, 10020, CUresult, cuMemCreate, cuMemCreate, (CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *, unsigned long long)) \
    X(REQUIRED, 10020, CUresult, cuMemRelease, cuMemRelease, (CUmemGenericAllocationHandle)) \
    X(REQUIRED, 10020, CUresult, cuMemMap, cuMemMap, (CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long)) \
    X(REQUIRED, 10020, CUresult, cuMemUnmap, cuMemUnmap, (CUdeviceptr, size_t)) \
    X(REQUIRED, 10020, CUresult, cuMemSetAccess, cuMemSetAccess, (CUdeviceptr, size_t, const CUmemAccessDesc *, size_t)) \
    X(REQUIRED, 10020, CUresult, cuMemGetAccess, cuMemGetAccess, (unsigned long long *, const CUmemLocation *, CUdeviceptr)) \
    X(REQUIRED, 10020, CUresult, cuMemGetAllocationGranularity, cuMemGetAllocationGranularity, (size_t *, const CUmemAllocationProp *, CUmemAllocationGranularity_flags)) \
    X(REQUIRED, 10020, CUresult, cuMemExportToShareableHandle, cuMemExportToShareableHandle, (void *, CUmemGenericAllocationHandle, CUmemAllocationHandleType, unsigned long long)) \
    X(REQUIRED, 10020, CUresult, cuMemImportFromShareableHandle, cuMemImportFromShareableHandle, (CUmemGenericAllocationHandle *, void *, CUmemAllocationHandleType)) \
    /* Copies and fills. */ \
    X(REQUIRED, 4000, CUresult, cuMemcpyAsync, cuMemcpyAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream)) \
    X(REQUIRED, 3020, CUresult, cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync, (CUdeviceptr, const void *, size_t, CUstream)) \
    X(REQUIRED, 3020, CUresult, cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync, (void *, CUdeviceptr, size_t, CUstream)) \
    X(REQUIRED, 3020, CUresult, cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream)) \
    X(REQUIRED, 4000, CUresult, cuMemcpyPeerAsync, cuMemcpyPeerAsync, (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream)) \
    X(REQUIRED, 3020, CUresult, cuMemcpy2DAsync_v2, cuMemcpy2DAsync, (const CUDA_MEMCPY2D *, CUstream)) \
    X(REQUIRED, 3020, CUresult, cuMemcpy3DAsync_v2, cuMemcpy3DAsync, (const CUDA_MEMCPY3D *, CUstream)) \
    X(REQUIRED, 4000, CUresult, cuMemcpy3DPeerAsync, cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER *, CUstream)) \
    X(REQUIRED, 3020, CUresult, cuMemsetD8Async, cuMemsetD8Async, (CUdeviceptr, unsigned char, size_t, CUstream)) \
    X(REQUIRED, 3020, CUresult, cuMemsetD16Async, cuMemsetD16Async, (CUdeviceptr, short unsigned int, size_t, CUstream)) \
    X(REQUIRED, 3020, CUresult, cuMemsetD32Async, cuMemsetD32Async, (CUdeviceptr, unsigned int, size_t, CUstream)) \
    X(REQUIRED, 3020, CUresult, cuMemsetD2D8Async, cuMemsetD2D8Async, (CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream)) \
    X(REQUIRED, 3020, CUresult, cuMemsetD2D16Async, cuMemsetD2D16Async, (CUdeviceptr, size_t, short unsigned int, size_t, size_t, CUstream)) \
    X(REQUIRED, 3020, CUresult, cuMemsetD2D32Async, cuMemsetD2D32Async, (CUdeviceptr, size_t, unsigned int, size_t, size_t, CUstream)) \
    /* Arrays, textures, surfaces. */ \
    X(REQUIRED, 2000, CUresult, cuArrayDestroy, cuArrayDestroy, (CUarray)) \
    X(REQUIRED, 3020, CUresult, cuArray3DCreate_v2, cuArray3DCreate, (CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *)) \
    X(REQUIRED, 3020, CUresult, cuArray3DGetDescriptor_v2, cuArray3DGetDescriptor, (CUDA_ARRAY3D_DESCRIPTOR *, CUarray)) \
    X(REQUIRED, 5000, CUresult, cuMipmappedArrayCreate, cuMipmappedArrayCreate, (CUmipmappedArray *, const CUDA_ARRAY3D_DESCRIPTOR *, unsigned int)) \
    X(REQUIRED, 5000, CUresult, cuMipmappedArrayDestroy, cuMipmappedArrayDestroy, (CUmipmappedArray)) \
    X(REQUIRED, 5000, CUresult, cuMipmappedArrayGetLevel, cuMipmappedArrayGetLevel, (CUarray *, CUmipmappedArray, unsigned int)) \
    X(REQUIRED, 5000, CUresult, cuTexObjectCreate, cuTexObjectCreate, (CUtexObject *, const CUDA_RESOURCE_DESC *, const CUDA_TEXTURE_DESC *, const CUDA_RESOURCE_VIEW_DESC *)) \
    X(REQUIRED, 5000, CUresult, cuTexObjectDestroy, cuTexObjectDestroy, (CUtexObject)) \
    X(REQUIRED, 5000, CUresult, cuSurfObjectCreate, cuSurfObjectCreate, (CUsurfObject *, const CUDA_RESOURCE_DESC *)) \
    X(REQUIRED, 5000, CUresult, cuSurfObjectDestroy, cuSurfObjectDestroy, (CUsurfObject)) \
    /* Modules. */ \
    X(REQUIRED, 2010, CUresult, cuModuleLoadDataEx, cuModuleLoadDataEx, (CUmodule *, const void *, unsigned int, CUjit_option *, void **)) \
    X(REQUIRED, 2000, CUresult, cuModuleUnload, cuModuleUnload, (CUmodule)) \
    X(REQUIRED, 2000, CUresult, cuModuleGetFunction, cuModuleGetFunction, (CUfunction *, CUmodule, const char *)) \
    X(REQUIRED, 3020, CUresult, cuModuleGetGlobal_v2, cuModuleGetGlobal, (CUdeviceptr *, size_t *, CUmodule, const char *)) \
    X(OPTIONAL, 11070, CUresult, cuModuleGetLoadingMode, cuModuleGetLoadingMode, (CUmoduleLoadingMode *)) \
    X(OPTIONAL, 12040, CUresult, cuModuleGetFunctionCount, cuModuleGetFunctionCount, (unsigned int *, CUmodule)) \
    X(OPTIONAL, 12040, CUresult, cuModuleEnumerateFunctions, cuModuleEnumerateFunctions, (CUfunction *, unsigned int, CUmodule)) \
    X(REQUIRED, 6050, CUresult, cuLinkCreate_v2, cuLinkCreate, (unsigned int, CUjit_option *, void **, CUlinkState *)) \
    X(REQUIRED, 6050, CUresult, cuLinkAddData_v2, cuLinkAddData, (CUlinkState, CUjitInputType, void *, size_t, const char *, unsigned int, CUjit_option *, void **)) \
    X(REQUIRED, 5050, CUresult, cuLinkComplete, cuLinkComplete, (CUlinkState, void **, size_t *)) \
    X(REQUIRED, 5050, CUresult, cuLinkDestroy, cuLinkDestroy, (CUlinkState)) \
    /* Kernels. */ \
    X(REQUIRED, 4000, CUresult, cuLaunchKernel, cuLaunchKernel, (CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, CUstream, void **, void **)) \
    X(OPTIONAL, 11060, CUresult, cuLaunchKernelEx, cuLaunchKernelEx, (const CUlaunchConfig *, CUfunction, void **, void **)) \
    X(REQUIRED, 2020, CUresult, cuFuncGetAttribute, cuFuncGetAttribute, (int *, CUfunction_attribute, CUfunction)) \
    X(REQUIRED, 9000, CUresult, cuFuncSetAttribute, cuFuncSetAttribute, (CUfunction, CUfunction_attribute, int)) \
    X(REQUIRED, 3000, CUresult, cuFuncSetCacheConfig, cuFuncSetCacheConfig, (CUfunction, CUfunc_cache)) \
    X(OPTIONAL, 12030, CUresult, cuFuncGetName, cuFuncGetName, (const char **, CUfunction)) \
    X(OPTIONAL, 12040, CUresult, cuFuncGetParamInfo, cuFuncGetParamInfo, (CUfunction, size_t, size_t *, size_t *)) \
    X(OPTIONAL, 12040, CUresult, cuFuncLoad, cuFuncLoad, (CUfunction)) \
    X(OPTIONAL, 12040, CUresult, cuFuncIsLoaded, cuFuncIsLoaded, (CUfunctionLoadingState *, CUfunction)) \
    X(REQUIRED, 6050, CUresult, cuOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, CUfunction, int, size_t)) \
    X(REQUIRED, 6050, CUresult, cuOccupancyMaxPotentialBlockSize, cuOccupancyMaxPotentialBlockSize, (int *, int *, CUfunction, CUoccupancyB2DSize, size_t, int)) \
    X(REQUIRED, 10020, CUresult, cuOccupancyAvailableDynamicSMemPerBlock, cuOccupancyAvailableDynamicSMemPerBlock, (size_t *, CUfunction, int, int)) \
    X(OPTIONAL, 11070, CUresult, cuOccupancyMaxActiveClusters, cuOccupancyMaxActiveClusters, (int *, CUfunction, const CUlaunchConfig *)) \
    X(OPTIONAL, 11070, CUresult, cuOccupancyMaxPotentialClusterSize, cuOccupancyMaxPotentialClusterSize, (int *, CUfunction, const CUlaunchConfig *))

#endif
