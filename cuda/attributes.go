package cuda

import "fmt"

// Attribute is something that a device can be asked for; its value is an int
// (cuDeviceGetAttribute). The names are the driver's, without their common part.
type Attribute int32

// The attributes of CUDA 13.0. An older driver refuses those that it doesn't know.
const (
	AttrMaxThreadsPerBlock                       Attribute = 1
	AttrMaxBlockDimX                             Attribute = 2
	AttrMaxBlockDimY                             Attribute = 3
	AttrMaxBlockDimZ                             Attribute = 4
	AttrMaxGridDimX                              Attribute = 5
	AttrMaxGridDimY                              Attribute = 6
	AttrMaxGridDimZ                              Attribute = 7
	AttrMaxSharedMemoryPerBlock                  Attribute = 8
	AttrTotalConstantMemory                      Attribute = 9
	AttrWarpSize                                 Attribute = 10
	AttrMaxPitch                                 Attribute = 11
	AttrMaxRegistersPerBlock                     Attribute = 12
	AttrClockRate                                Attribute = 13
	AttrTextureAlignment                         Attribute = 14
	AttrGPUOverlap                               Attribute = 15
	AttrMultiprocessorCount                      Attribute = 16
	AttrKernelExecTimeout                        Attribute = 17
	AttrIntegrated                               Attribute = 18
	AttrCanMapHostMemory                         Attribute = 19
	AttrComputeMode                              Attribute = 20
	AttrMaximumTexture1dWidth                    Attribute = 21
	AttrMaximumTexture2dWidth                    Attribute = 22
	AttrMaximumTexture2dHeight                   Attribute = 23
	AttrMaximumTexture3dWidth                    Attribute = 24
	AttrMaximumTexture3dHeight                   Attribute = 25
	AttrMaximumTexture3dDepth                    Attribute = 26
	AttrMaximumTexture2dLayeredWidth             Attribute = 27
	AttrMaximumTexture2dLayeredHeight            Attribute = 28
	AttrMaximumTexture2dLayeredLayers            Attribute = 29
	AttrSurfaceAlignment                         Attribute = 30
	AttrConcurrentKernels                        Attribute = 31
	AttrECCEnabled                               Attribute = 32
	AttrPCIBusID                                 Attribute = 33
	AttrPCIDeviceID                              Attribute = 34
	AttrTCCDriver                                Attribute = 35
	AttrMemoryClockRate                          Attribute = 36
	AttrGlobalMemoryBusWidth                     Attribute = 37
	AttrL2CacheSize                              Attribute = 38
	AttrMaxThreadsPerMultiprocessor              Attribute = 39
	AttrAsyncEngineCount                         Attribute = 40
	AttrUnifiedAddressing                        Attribute = 41
	AttrMaximumTexture1dLayeredWidth             Attribute = 42
	AttrMaximumTexture1dLayeredLayers            Attribute = 43
	AttrCanTex2dGather                           Attribute = 44
	AttrMaximumTexture2dGatherWidth              Attribute = 45
	AttrMaximumTexture2dGatherHeight             Attribute = 46
	AttrMaximumTexture3dWidthAlternate           Attribute = 47
	AttrMaximumTexture3dHeightAlternate          Attribute = 48
	AttrMaximumTexture3dDepthAlternate           Attribute = 49
	AttrPCIDomainID                              Attribute = 50
	AttrTexturePitchAlignment                    Attribute = 51
	AttrMaximumTexturecubemapWidth               Attribute = 52
	AttrMaximumTexturecubemapLayeredWidth        Attribute = 53
	AttrMaximumTexturecubemapLayeredLayers       Attribute = 54
	AttrMaximumSurface1dWidth                    Attribute = 55
	AttrMaximumSurface2dWidth                    Attribute = 56
	AttrMaximumSurface2dHeight                   Attribute = 57
	AttrMaximumSurface3dWidth                    Attribute = 58
	AttrMaximumSurface3dHeight                   Attribute = 59
	AttrMaximumSurface3dDepth                    Attribute = 60
	AttrMaximumSurface1dLayeredWidth             Attribute = 61
	AttrMaximumSurface1dLayeredLayers            Attribute = 62
	AttrMaximumSurface2dLayeredWidth             Attribute = 63
	AttrMaximumSurface2dLayeredHeight            Attribute = 64
	AttrMaximumSurface2dLayeredLayers            Attribute = 65
	AttrMaximumSurfacecubemapWidth               Attribute = 66
	AttrMaximumSurfacecubemapLayeredWidth        Attribute = 67
	AttrMaximumSurfacecubemapLayeredLayers       Attribute = 68
	AttrMaximumTexture1dLinearWidth              Attribute = 69
	AttrMaximumTexture2dLinearWidth              Attribute = 70
	AttrMaximumTexture2dLinearHeight             Attribute = 71
	AttrMaximumTexture2dLinearPitch              Attribute = 72
	AttrMaximumTexture2dMipmappedWidth           Attribute = 73
	AttrMaximumTexture2dMipmappedHeight          Attribute = 74
	AttrComputeCapabilityMajor                   Attribute = 75
	AttrComputeCapabilityMinor                   Attribute = 76
	AttrMaximumTexture1dMipmappedWidth           Attribute = 77
	AttrStreamPrioritiesSupported                Attribute = 78
	AttrGlobalL1CacheSupported                   Attribute = 79
	AttrLocalL1CacheSupported                    Attribute = 80
	AttrMaxSharedMemoryPerMultiprocessor         Attribute = 81
	AttrMaxRegistersPerMultiprocessor            Attribute = 82
	AttrManagedMemory                            Attribute = 83
	AttrMultiGPUBoard                            Attribute = 84
	AttrMultiGPUBoardGroupID                     Attribute = 85
	AttrHostNativeAtomicSupported                Attribute = 86
	AttrSingleToDoublePrecisionPerfRatio         Attribute = 87
	AttrPageableMemoryAccess                     Attribute = 88
	AttrConcurrentManagedAccess                  Attribute = 89
	AttrComputePreemptionSupported               Attribute = 90
	AttrCanUseHostPointerForRegisteredMem        Attribute = 91
	AttrCanUseStreamMemOpsV1                     Attribute = 92
	AttrCanUse64BitStreamMemOpsV1                Attribute = 93
	AttrCanUseStreamWaitValueNorV1               Attribute = 94
	AttrCooperativeLaunch                        Attribute = 95
	AttrCooperativeMultiDeviceLaunch             Attribute = 96
	AttrMaxSharedMemoryPerBlockOptIn             Attribute = 97
	AttrCanFlushRemoteWrites                     Attribute = 98
	AttrHostRegisterSupported                    Attribute = 99
	AttrPageableMemoryAccessUsesHostPageTables   Attribute = 100
	AttrDirectManagedMemAccessFromHost           Attribute = 101
	AttrVirtualMemoryManagementSupported         Attribute = 102
	AttrHandleTypePOSIXFileDescriptorSupported   Attribute = 103
	AttrHandleTypeWin32HandleSupported           Attribute = 104
	AttrHandleTypeWin32KMTHandleSupported        Attribute = 105
	AttrMaxBlocksPerMultiprocessor               Attribute = 106
	AttrGenericCompressionSupported              Attribute = 107
	AttrMaxPersistingL2CacheSize                 Attribute = 108
	AttrMaxAccessPolicyWindowSize                Attribute = 109
	AttrGPUDirectRDMAWithCudaVmmSupported        Attribute = 110
	AttrReservedSharedMemoryPerBlock             Attribute = 111
	AttrSparseCudaArraySupported                 Attribute = 112
	AttrReadOnlyHostRegisterSupported            Attribute = 113
	AttrTimelineSemaphoreInteropSupported        Attribute = 114
	AttrMemoryPoolsSupported                     Attribute = 115
	AttrGPUDirectRDMASupported                   Attribute = 116
	AttrGPUDirectRDMAFlushWritesOptions          Attribute = 117
	AttrGPUDirectRDMAWritesOrdering              Attribute = 118
	AttrMemPoolSupportedHandleTypes              Attribute = 119
	AttrClusterLaunch                            Attribute = 120
	AttrDeferredMappingCudaArraySupported        Attribute = 121
	AttrCanUse64BitStreamMemOps                  Attribute = 122
	AttrCanUseStreamWaitValueNor                 Attribute = 123
	AttrDmaBufSupported                          Attribute = 124
	AttrIPCEventSupported                        Attribute = 125
	AttrMemSyncDomainCount                       Attribute = 126
	AttrTensorMapAccessSupported                 Attribute = 127
	AttrHandleTypeFabricSupported                Attribute = 128
	AttrUnifiedFunctionPointers                  Attribute = 129
	AttrNUMAConfig                               Attribute = 130
	AttrNUMAID                                   Attribute = 131
	AttrMulticastSupported                       Attribute = 132
	AttrMPSEnabled                               Attribute = 133
	AttrHostNUMAID                               Attribute = 134
	AttrD3D12CIGSupported                        Attribute = 135
	AttrMemDecompressAlgorithmMask               Attribute = 136
	AttrMemDecompressMaximumLength               Attribute = 137
	AttrVulkanCIGSupported                       Attribute = 138
	AttrGPUPCIDeviceID                           Attribute = 139
	AttrGPUPCISubsystemID                        Attribute = 140
	AttrHostNUMAVirtualMemoryManagementSupported Attribute = 141
	AttrHostNUMAMemoryPoolsSupported             Attribute = 142
	AttrHostNUMAMultinodeIPCSupported            Attribute = 143
	AttrHostMemoryPoolsSupported                 Attribute = 144
	AttrHostVirtualMemoryManagementSupported     Attribute = 145
	AttrHostAllocDmaBufSupported                 Attribute = 146
	AttrOnlyPartialHostNativeAtomicSupported     Attribute = 147
)

// attributeNames are the driver's names.
var attributeNames = map[Attribute]string{
	AttrMaxThreadsPerBlock:                       "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK",
	AttrMaxBlockDimX:                             "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X",
	AttrMaxBlockDimY:                             "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y",
	AttrMaxBlockDimZ:                             "CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z",
	AttrMaxGridDimX:                              "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X",
	AttrMaxGridDimY:                              "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y",
	AttrMaxGridDimZ:                              "CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z",
	AttrMaxSharedMemoryPerBlock:                  "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK",
	AttrTotalConstantMemory:                      "CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY",
	AttrWarpSize:                                 "CU_DEVICE_ATTRIBUTE_WARP_SIZE",
	AttrMaxPitch:                                 "CU_DEVICE_ATTRIBUTE_MAX_PITCH",
	AttrMaxRegistersPerBlock:                     "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK",
	AttrClockRate:                                "CU_DEVICE_ATTRIBUTE_CLOCK_RATE",
	AttrTextureAlignment:                         "CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT",
	AttrGPUOverlap:                               "CU_DEVICE_ATTRIBUTE_GPU_OVERLAP",
	AttrMultiprocessorCount:                      "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT",
	AttrKernelExecTimeout:                        "CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT",
	AttrIntegrated:                               "CU_DEVICE_ATTRIBUTE_INTEGRATED",
	AttrCanMapHostMemory:                         "CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY",
	AttrComputeMode:                              "CU_DEVICE_ATTRIBUTE_COMPUTE_MODE",
	AttrMaximumTexture1dWidth:                    "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH",
	AttrMaximumTexture2dWidth:                    "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH",
	AttrMaximumTexture2dHeight:                   "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT",
	AttrMaximumTexture3dWidth:                    "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH",
	AttrMaximumTexture3dHeight:                   "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT",
	AttrMaximumTexture3dDepth:                    "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH",
	AttrMaximumTexture2dLayeredWidth:             "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH",
	AttrMaximumTexture2dLayeredHeight:            "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT",
	AttrMaximumTexture2dLayeredLayers:            "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS",
	AttrSurfaceAlignment:                         "CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT",
	AttrConcurrentKernels:                        "CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS",
	AttrECCEnabled:                               "CU_DEVICE_ATTRIBUTE_ECC_ENABLED",
	AttrPCIBusID:                                 "CU_DEVICE_ATTRIBUTE_PCI_BUS_ID",
	AttrPCIDeviceID:                              "CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID",
	AttrTCCDriver:                                "CU_DEVICE_ATTRIBUTE_TCC_DRIVER",
	AttrMemoryClockRate:                          "CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE",
	AttrGlobalMemoryBusWidth:                     "CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH",
	AttrL2CacheSize:                              "CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE",
	AttrMaxThreadsPerMultiprocessor:              "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR",
	AttrAsyncEngineCount:                         "CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT",
	AttrUnifiedAddressing:                        "CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING",
	AttrMaximumTexture1dLayeredWidth:             "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH",
	AttrMaximumTexture1dLayeredLayers:            "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS",
	AttrCanTex2dGather:                           "CU_DEVICE_ATTRIBUTE_CAN_TEX2D_GATHER",
	AttrMaximumTexture2dGatherWidth:              "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH",
	AttrMaximumTexture2dGatherHeight:             "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT",
	AttrMaximumTexture3dWidthAlternate:           "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE",
	AttrMaximumTexture3dHeightAlternate:          "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE",
	AttrMaximumTexture3dDepthAlternate:           "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE",
	AttrPCIDomainID:                              "CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID",
	AttrTexturePitchAlignment:                    "CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT",
	AttrMaximumTexturecubemapWidth:               "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH",
	AttrMaximumTexturecubemapLayeredWidth:        "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH",
	AttrMaximumTexturecubemapLayeredLayers:       "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS",
	AttrMaximumSurface1dWidth:                    "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH",
	AttrMaximumSurface2dWidth:                    "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH",
	AttrMaximumSurface2dHeight:                   "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT",
	AttrMaximumSurface3dWidth:                    "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH",
	AttrMaximumSurface3dHeight:                   "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT",
	AttrMaximumSurface3dDepth:                    "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH",
	AttrMaximumSurface1dLayeredWidth:             "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH",
	AttrMaximumSurface1dLayeredLayers:            "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS",
	AttrMaximumSurface2dLayeredWidth:             "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH",
	AttrMaximumSurface2dLayeredHeight:            "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT",
	AttrMaximumSurface2dLayeredLayers:            "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS",
	AttrMaximumSurfacecubemapWidth:               "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH",
	AttrMaximumSurfacecubemapLayeredWidth:        "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH",
	AttrMaximumSurfacecubemapLayeredLayers:       "CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS",
	AttrMaximumTexture1dLinearWidth:              "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH",
	AttrMaximumTexture2dLinearWidth:              "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH",
	AttrMaximumTexture2dLinearHeight:             "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT",
	AttrMaximumTexture2dLinearPitch:              "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH",
	AttrMaximumTexture2dMipmappedWidth:           "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH",
	AttrMaximumTexture2dMipmappedHeight:          "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT",
	AttrComputeCapabilityMajor:                   "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR",
	AttrComputeCapabilityMinor:                   "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR",
	AttrMaximumTexture1dMipmappedWidth:           "CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH",
	AttrStreamPrioritiesSupported:                "CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED",
	AttrGlobalL1CacheSupported:                   "CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED",
	AttrLocalL1CacheSupported:                    "CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED",
	AttrMaxSharedMemoryPerMultiprocessor:         "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR",
	AttrMaxRegistersPerMultiprocessor:            "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR",
	AttrManagedMemory:                            "CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY",
	AttrMultiGPUBoard:                            "CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD",
	AttrMultiGPUBoardGroupID:                     "CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID",
	AttrHostNativeAtomicSupported:                "CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED",
	AttrSingleToDoublePrecisionPerfRatio:         "CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO",
	AttrPageableMemoryAccess:                     "CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS",
	AttrConcurrentManagedAccess:                  "CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS",
	AttrComputePreemptionSupported:               "CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED",
	AttrCanUseHostPointerForRegisteredMem:        "CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM",
	AttrCanUseStreamMemOpsV1:                     "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1",
	AttrCanUse64BitStreamMemOpsV1:                "CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1",
	AttrCanUseStreamWaitValueNorV1:               "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1",
	AttrCooperativeLaunch:                        "CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH",
	AttrCooperativeMultiDeviceLaunch:             "CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH",
	AttrMaxSharedMemoryPerBlockOptIn:             "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN",
	AttrCanFlushRemoteWrites:                     "CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES",
	AttrHostRegisterSupported:                    "CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED",
	AttrPageableMemoryAccessUsesHostPageTables:   "CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES",
	AttrDirectManagedMemAccessFromHost:           "CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST",
	AttrVirtualMemoryManagementSupported:         "CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED",
	AttrHandleTypePOSIXFileDescriptorSupported:   "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED",
	AttrHandleTypeWin32HandleSupported:           "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED",
	AttrHandleTypeWin32KMTHandleSupported:        "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED",
	AttrMaxBlocksPerMultiprocessor:               "CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR",
	AttrGenericCompressionSupported:              "CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED",
	AttrMaxPersistingL2CacheSize:                 "CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE",
	AttrMaxAccessPolicyWindowSize:                "CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE",
	AttrGPUDirectRDMAWithCudaVmmSupported:        "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED",
	AttrReservedSharedMemoryPerBlock:             "CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK",
	AttrSparseCudaArraySupported:                 "CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED",
	AttrReadOnlyHostRegisterSupported:            "CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED",
	AttrTimelineSemaphoreInteropSupported:        "CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED",
	AttrMemoryPoolsSupported:                     "CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED",
	AttrGPUDirectRDMASupported:                   "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED",
	AttrGPUDirectRDMAFlushWritesOptions:          "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS",
	AttrGPUDirectRDMAWritesOrdering:              "CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING",
	AttrMemPoolSupportedHandleTypes:              "CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES",
	AttrClusterLaunch:                            "CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH",
	AttrDeferredMappingCudaArraySupported:        "CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED",
	AttrCanUse64BitStreamMemOps:                  "CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS",
	AttrCanUseStreamWaitValueNor:                 "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR",
	AttrDmaBufSupported:                          "CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED",
	AttrIPCEventSupported:                        "CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED",
	AttrMemSyncDomainCount:                       "CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT",
	AttrTensorMapAccessSupported:                 "CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED",
	AttrHandleTypeFabricSupported:                "CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED",
	AttrUnifiedFunctionPointers:                  "CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS",
	AttrNUMAConfig:                               "CU_DEVICE_ATTRIBUTE_NUMA_CONFIG",
	AttrNUMAID:                                   "CU_DEVICE_ATTRIBUTE_NUMA_ID",
	AttrMulticastSupported:                       "CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED",
	AttrMPSEnabled:                               "CU_DEVICE_ATTRIBUTE_MPS_ENABLED",
	AttrHostNUMAID:                               "CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID",
	AttrD3D12CIGSupported:                        "CU_DEVICE_ATTRIBUTE_D3D12_CIG_SUPPORTED",
	AttrMemDecompressAlgorithmMask:               "CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK",
	AttrMemDecompressMaximumLength:               "CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH",
	AttrVulkanCIGSupported:                       "CU_DEVICE_ATTRIBUTE_VULKAN_CIG_SUPPORTED",
	AttrGPUPCIDeviceID:                           "CU_DEVICE_ATTRIBUTE_GPU_PCI_DEVICE_ID",
	AttrGPUPCISubsystemID:                        "CU_DEVICE_ATTRIBUTE_GPU_PCI_SUBSYSTEM_ID",
	AttrHostNUMAVirtualMemoryManagementSupported: "CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED",
	AttrHostNUMAMemoryPoolsSupported:             "CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED",
	AttrHostNUMAMultinodeIPCSupported:            "CU_DEVICE_ATTRIBUTE_HOST_NUMA_MULTINODE_IPC_SUPPORTED",
	AttrHostMemoryPoolsSupported:                 "CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED",
	AttrHostVirtualMemoryManagementSupported:     "CU_DEVICE_ATTRIBUTE_HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED",
	AttrHostAllocDmaBufSupported:                 "CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED",
	AttrOnlyPartialHostNativeAtomicSupported:     "CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED",
}

// String is the driver's name for the attribute: CU_DEVICE_ATTRIBUTE_….
func (a Attribute) String() string {
	if s, ok := attributeNames[a]; ok {
		return s
	}
	return fmt.Sprintf("CU_DEVICE_ATTRIBUTE(%d)", int32(a))
}
