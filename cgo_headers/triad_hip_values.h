/* triad_hip_values.h: the values of the HIP runtime that Triad uses, as in
 * hip_runtime_api.h of HIP 7.1. A test compares them with the real headers where those
 * are installed. */
#ifndef TRIAD_HIP_VALUES_H
#define TRIAD_HIP_VALUES_H

/* Values that are others before HIP 6.0: name, value of HIP 5.2, value of HIP 6.0 and
 * later. Where it matters, the runtime's version decides. */
#define TRIAD_HIP_CHANGED(X) \
    X(hipMemoryTypeHost, 0, 1) \
    X(hipMemoryTypeDevice, 1, 2) \
    X(hipMemoryTypeArray, 2, 10) \
    X(hipMemoryTypeUnified, 3, 11) \
    X(hipDeviceLmemResizeToMax, 22, 16) \
    X(hipIpcMemLazyEnablePeerAccess, 0, 1)

/* hipError_t */
#define hipSuccess 0
#define hipErrorInvalidValue 1
#define hipErrorOutOfMemory 2
#define hipErrorMemoryAllocation 2
#define hipErrorNotInitialized 3
#define hipErrorInitializationError 3
#define hipErrorDeinitialized 4
#define hipErrorProfilerDisabled 5
#define hipErrorProfilerNotInitialized 6
#define hipErrorProfilerAlreadyStarted 7
#define hipErrorProfilerAlreadyStopped 8
#define hipErrorInvalidConfiguration 9
#define hipErrorInvalidPitchValue 12
#define hipErrorInvalidSymbol 13
#define hipErrorInvalidDevicePointer 17
#define hipErrorInvalidMemcpyDirection 21
#define hipErrorInsufficientDriver 35
#define hipErrorMissingConfiguration 52
#define hipErrorPriorLaunchFailure 53
#define hipErrorInvalidDeviceFunction 98
#define hipErrorNoDevice 100
#define hipErrorInvalidDevice 101
#define hipErrorInvalidImage 200
#define hipErrorInvalidContext 201
#define hipErrorContextAlreadyCurrent 202
#define hipErrorMapFailed 205
#define hipErrorMapBufferObjectFailed 205
#define hipErrorUnmapFailed 206
#define hipErrorArrayIsMapped 207
#define hipErrorAlreadyMapped 208
#define hipErrorNoBinaryForGpu 209
#define hipErrorAlreadyAcquired 210
#define hipErrorNotMapped 211
#define hipErrorNotMappedAsArray 212
#define hipErrorNotMappedAsPointer 213
#define hipErrorECCNotCorrectable 214
#define hipErrorUnsupportedLimit 215
#define hipErrorContextAlreadyInUse 216
#define hipErrorPeerAccessUnsupported 217
#define hipErrorInvalidKernelFile 218
#define hipErrorInvalidGraphicsContext 219
#define hipErrorInvalidSource 300
#define hipErrorFileNotFound 301
#define hipErrorSharedObjectSymbolNotFound 302
#define hipErrorSharedObjectInitFailed 303
#define hipErrorOperatingSystem 304
#define hipErrorInvalidHandle 400
#define hipErrorInvalidResourceHandle 400
#define hipErrorIllegalState 401
#define hipErrorNotFound 500
#define hipErrorNotReady 600
#define hipErrorIllegalAddress 700
#define hipErrorLaunchOutOfResources 701
#define hipErrorLaunchTimeOut 702
#define hipErrorPeerAccessAlreadyEnabled 704
#define hipErrorPeerAccessNotEnabled 705
#define hipErrorSetOnActiveProcess 708
#define hipErrorContextIsDestroyed 709
#define hipErrorAssert 710
#define hipErrorHostMemoryAlreadyRegistered 712
#define hipErrorHostMemoryNotRegistered 713
#define hipErrorLaunchFailure 719
#define hipErrorCooperativeLaunchTooLarge 720
#define hipErrorNotSupported 801
#define hipErrorStreamCaptureUnsupported 900
#define hipErrorStreamCaptureInvalidated 901
#define hipErrorStreamCaptureMerge 902
#define hipErrorStreamCaptureUnmatched 903
#define hipErrorStreamCaptureUnjoined 904
#define hipErrorStreamCaptureIsolation 905
#define hipErrorStreamCaptureImplicit 906
#define hipErrorCapturedEvent 907
#define hipErrorStreamCaptureWrongThread 908
#define hipErrorGraphExecUpdateFailure 910
#define hipErrorInvalidChannelDescriptor 911
#define hipErrorInvalidTexture 912
#define hipErrorUnknown 999
#define hipErrorRuntimeMemory 1052
#define hipErrorRuntimeOther 1053
#define hipErrorTbd 1054

/* hipMemoryType */
#define hipMemoryTypeUnregistered 0
#define hipMemoryTypeHost 1
#define hipMemoryTypeDevice 2
#define hipMemoryTypeManaged 3
#define hipMemoryTypeArray 10
#define hipMemoryTypeUnified 11

/* hipMemcpyKind */
#define hipMemcpyHostToHost 0
#define hipMemcpyHostToDevice 1
#define hipMemcpyDeviceToHost 2
#define hipMemcpyDeviceToDevice 3
#define hipMemcpyDefault 4
#define hipMemcpyDeviceToDeviceNoCU 1024

/* hipStreamCaptureMode */
#define hipStreamCaptureModeGlobal 0
#define hipStreamCaptureModeThreadLocal 1
#define hipStreamCaptureModeRelaxed 2

/* hipStreamCaptureStatus */
#define hipStreamCaptureStatusNone 0
#define hipStreamCaptureStatusActive 1
#define hipStreamCaptureStatusInvalidated 2

/* hipFuncCache_t */
#define hipFuncCachePreferNone 0
#define hipFuncCachePreferShared 1
#define hipFuncCachePreferL1 2
#define hipFuncCachePreferEqual 3

/* hipLimit_t */
#define hipLimitStackSize 0
#define hipLimitPrintfFifoSize 1
#define hipLimitMallocHeapSize 2
#define hipExtLimitScratchMin 4096
#define hipExtLimitScratchMax 4097
#define hipExtLimitScratchCurrent 4098

/* hipMemoryAdvise */
#define hipMemAdviseSetReadMostly 1
#define hipMemAdviseUnsetReadMostly 2
#define hipMemAdviseSetPreferredLocation 3
#define hipMemAdviseUnsetPreferredLocation 4
#define hipMemAdviseSetAccessedBy 5
#define hipMemAdviseUnsetAccessedBy 6
#define hipMemAdviseSetCoarseGrain 100
#define hipMemAdviseUnsetCoarseGrain 101

/* hipMemRangeAttribute */
#define hipMemRangeAttributeReadMostly 1
#define hipMemRangeAttributePreferredLocation 2
#define hipMemRangeAttributeAccessedBy 3
#define hipMemRangeAttributeLastPrefetchLocation 4
#define hipMemRangeAttributeCoherencyMode 100

/* hipMemRangeCoherencyMode */
#define hipMemRangeCoherencyModeFineGrain 0
#define hipMemRangeCoherencyModeCoarseGrain 1
#define hipMemRangeCoherencyModeIndeterminate 2

/* hipMemLocationType */
#define hipMemLocationTypeInvalid 0
#define hipMemLocationTypeNone 0
#define hipMemLocationTypeDevice 1
#define hipMemLocationTypeHost 2
#define hipMemLocationTypeHostNuma 3
#define hipMemLocationTypeHostNumaCurrent 4

/* hipMemAllocationType */
#define hipMemAllocationTypeInvalid 0
#define hipMemAllocationTypePinned 1
#define hipMemAllocationTypeUncached 1073741824

/* hipMemAllocationHandleType */
#define hipMemHandleTypeNone 0
#define hipMemHandleTypePosixFileDescriptor 1
#define hipMemHandleTypeWin32 2
#define hipMemHandleTypeWin32Kmt 4

/* hipMemAccessFlags */
#define hipMemAccessFlagsProtNone 0
#define hipMemAccessFlagsProtRead 1
#define hipMemAccessFlagsProtReadWrite 3

/* hipMemAllocationGranularity_flags */
#define hipMemAllocationGranularityMinimum 0
#define hipMemAllocationGranularityRecommended 1

/* hipMemPoolAttr */
#define hipMemPoolReuseFollowEventDependencies 1
#define hipMemPoolReuseAllowOpportunistic 2
#define hipMemPoolReuseAllowInternalDependencies 3
#define hipMemPoolAttrReleaseThreshold 4
#define hipMemPoolAttrReservedMemCurrent 5
#define hipMemPoolAttrReservedMemHigh 6
#define hipMemPoolAttrUsedMemCurrent 7
#define hipMemPoolAttrUsedMemHigh 8

/* hipLaunchAttributeID */
#define hipLaunchAttributeAccessPolicyWindow 1
#define hipLaunchAttributeCooperative 2
#define hipLaunchAttributeSynchronizationPolicy 3
#define hipLaunchAttributePriority 8
#define hipLaunchAttributeMemSyncDomainMap 9
#define hipLaunchAttributeMemSyncDomain 10

/* hipSynchronizationPolicy */
#define hipSyncPolicyAuto 1
#define hipSyncPolicySpin 2
#define hipSyncPolicyYield 3
#define hipSyncPolicyBlockingSync 4

/* hipAccessProperty */
#define hipAccessPropertyNormal 0
#define hipAccessPropertyStreaming 1
#define hipAccessPropertyPersisting 2

/* hipLaunchMemSyncDomain */
#define hipLaunchMemSyncDomainDefault 0
#define hipLaunchMemSyncDomainRemote 1

/* hipArray_Format */
#define HIP_AD_FORMAT_UNSIGNED_INT8 1
#define HIP_AD_FORMAT_UNSIGNED_INT16 2
#define HIP_AD_FORMAT_UNSIGNED_INT32 3
#define HIP_AD_FORMAT_SIGNED_INT8 8
#define HIP_AD_FORMAT_SIGNED_INT16 9
#define HIP_AD_FORMAT_SIGNED_INT32 10
#define HIP_AD_FORMAT_HALF 16
#define HIP_AD_FORMAT_FLOAT 32

/* HIPaddress_mode */
#define HIP_TR_ADDRESS_MODE_WRAP 0
#define HIP_TR_ADDRESS_MODE_CLAMP 1
#define HIP_TR_ADDRESS_MODE_MIRROR 2
#define HIP_TR_ADDRESS_MODE_BORDER 3

/* HIPfilter_mode */
#define HIP_TR_FILTER_MODE_POINT 0
#define HIP_TR_FILTER_MODE_LINEAR 1

/* HIPresourcetype */
#define HIP_RESOURCE_TYPE_ARRAY 0
#define HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY 1
#define HIP_RESOURCE_TYPE_LINEAR 2
#define HIP_RESOURCE_TYPE_PITCH2D 3

/* hipResourceType */
#define hipResourceTypeArray 0
#define hipResourceTypeMipmappedArray 1
#define hipResourceTypeLinear 2
#define hipResourceTypePitch2D 3

/* hipJitOption */
#define hipJitOptionMaxRegisters 0
#define hipJitOptionThreadsPerBlock 1
#define hipJitOptionWallTime 2
#define hipJitOptionInfoLogBuffer 3
#define hipJitOptionInfoLogBufferSizeBytes 4
#define hipJitOptionErrorLogBuffer 5
#define hipJitOptionErrorLogBufferSizeBytes 6
#define hipJitOptionOptimizationLevel 7
#define hipJitOptionTargetFromContext 8
#define hipJitOptionTarget 9
#define hipJitOptionFallbackStrategy 10
#define hipJitOptionGenerateDebugInfo 11
#define hipJitOptionLogVerbose 12
#define hipJitOptionGenerateLineInfo 13
#define hipJitOptionCacheMode 14
#define hipJitOptionSm3xOpt 15
#define hipJitOptionFastCompile 16
#define hipJitOptionGlobalSymbolNames 17
#define hipJitOptionGlobalSymbolAddresses 18
#define hipJitOptionGlobalSymbolCount 19
#define hipJitOptionLto 20
#define hipJitOptionFtz 21
#define hipJitOptionPrecDiv 22
#define hipJitOptionPrecSqrt 23
#define hipJitOptionFma 24
#define hipJitOptionPositionIndependentCode 25
#define hipJitOptionMinCTAPerSM 26
#define hipJitOptionMaxThreadsPerBlock 27
#define hipJitOptionOverrideDirectiveValues 28
#define hipJitOptionIRtoISAOptExt 10000
#define hipJitOptionIRtoISAOptCountExt 10001

/* Flags, which are macros in HIP's headers as well. */
#define hipDeviceScheduleAuto 0x0
#define hipDeviceScheduleSpin 0x1
#define hipDeviceScheduleYield 0x2
#define hipDeviceScheduleBlockingSync 0x4
#define hipDeviceMapHost 0x8
#define hipDeviceLmemResizeToMax 16
#define hipStreamDefault 0x00
#define hipStreamNonBlocking 0x01
#define hipEventDefault 0x0
#define hipEventBlockingSync 0x1
#define hipEventDisableTiming 0x2
#define hipEventInterprocess 0x4
#define hipHostMallocPortable 0x1
#define hipHostMallocMapped 0x2
#define hipHostMallocWriteCombined 0x4
#define hipHostMallocNumaUser 0x20000000
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocNonCoherent 0x80000000
#define hipHostRegisterPortable 0x1
#define hipHostRegisterMapped 0x2
#define hipHostRegisterIoMemory 0x4
#define hipExtHostRegisterCoarseGrained 0x8
#define hipDeviceMallocDefault 0x0
#define hipDeviceMallocFinegrained 0x1
#define hipMallocSignalMemory 0x2
#define hipMemAttachGlobal 0x01
#define hipMemAttachHost 0x02
#define hipMemAttachSingle 0x04
#define hipIpcMemLazyEnablePeerAccess 1
#define hipStreamWaitValueGte 0x0
#define hipStreamWaitValueEq 0x1
#define hipStreamWaitValueAnd 0x2
#define hipStreamWaitValueNor 0x3
#define hipCpuDeviceId (-1)
#define hipInvalidDeviceId (-2)
#define hipArrayLayered 0x01
#define hipArraySurfaceLoadStore 0x02
#define hipArrayCubemap 0x04
#define hipArrayTextureGather 0x08

#endif
