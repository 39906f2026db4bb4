package hip

import "fmt"

// Attribute is something that a device can be asked for; its value is an int
// (hipDeviceGetAttribute). The names are the runtime's, without their common part.
type Attribute int32

// The attributes of HIP 7.1. An older runtime refuses those that it doesn't know.
const (
	AttrECCEnabled                               Attribute = 0
	AttrAccessPolicyMaxWindowSize                Attribute = 1
	AttrAsyncEngineCount                         Attribute = 2
	AttrCanMapHostMemory                         Attribute = 3
	AttrCanUseHostPointerForRegisteredMem        Attribute = 4
	AttrClockRate                                Attribute = 5
	AttrComputeMode                              Attribute = 6
	AttrComputePreemptionSupported               Attribute = 7
	AttrConcurrentKernels                        Attribute = 8
	AttrConcurrentManagedAccess                  Attribute = 9
	AttrCooperativeLaunch                        Attribute = 10
	AttrCooperativeMultiDeviceLaunch             Attribute = 11
	AttrDeviceOverlap                            Attribute = 12
	AttrDirectManagedMemAccessFromHost           Attribute = 13
	AttrGlobalL1CacheSupported                   Attribute = 14
	AttrHostNativeAtomicSupported                Attribute = 15
	AttrIntegrated                               Attribute = 16
	AttrIsMultiGPUBoard                          Attribute = 17
	AttrKernelExecTimeout                        Attribute = 18
	AttrL2CacheSize                              Attribute = 19
	AttrLocalL1CacheSupported                    Attribute = 20
	AttrLUID                                     Attribute = 21
	AttrLUIDDeviceNodeMask                       Attribute = 22
	AttrComputeCapabilityMajor                   Attribute = 23
	AttrManagedMemory                            Attribute = 24
	AttrMaxBlocksPerMultiProcessor               Attribute = 25
	AttrMaxBlockDimX                             Attribute = 26
	AttrMaxBlockDimY                             Attribute = 27
	AttrMaxBlockDimZ                             Attribute = 28
	AttrMaxGridDimX                              Attribute = 29
	AttrMaxGridDimY                              Attribute = 30
	AttrMaxGridDimZ                              Attribute = 31
	AttrMaxSurface1D                             Attribute = 32
	AttrMaxSurface1DLayered                      Attribute = 33
	AttrMaxSurface2D                             Attribute = 34
	AttrMaxSurface2DLayered                      Attribute = 35
	AttrMaxSurface3D                             Attribute = 36
	AttrMaxSurfaceCubemap                        Attribute = 37
	AttrMaxSurfaceCubemapLayered                 Attribute = 38
	AttrMaxTexture1DWidth                        Attribute = 39
	AttrMaxTexture1DLayered                      Attribute = 40
	AttrMaxTexture1DLinear                       Attribute = 41
	AttrMaxTexture1DMipmap                       Attribute = 42
	AttrMaxTexture2DWidth                        Attribute = 43
	AttrMaxTexture2DHeight                       Attribute = 44
	AttrMaxTexture2DGather                       Attribute = 45
	AttrMaxTexture2DLayered                      Attribute = 46
	AttrMaxTexture2DLinear                       Attribute = 47
	AttrMaxTexture2DMipmap                       Attribute = 48
	AttrMaxTexture3DWidth                        Attribute = 49
	AttrMaxTexture3DHeight                       Attribute = 50
	AttrMaxTexture3DDepth                        Attribute = 51
	AttrMaxTexture3DAlt                          Attribute = 52
	AttrMaxTextureCubemap                        Attribute = 53
	AttrMaxTextureCubemapLayered                 Attribute = 54
	AttrMaxThreadsDim                            Attribute = 55
	AttrMaxThreadsPerBlock                       Attribute = 56
	AttrMaxThreadsPerMultiProcessor              Attribute = 57
	AttrMaxPitch                                 Attribute = 58
	AttrMemoryBusWidth                           Attribute = 59
	AttrMemoryClockRate                          Attribute = 60
	AttrComputeCapabilityMinor                   Attribute = 61
	AttrMultiGPUBoardGroupID                     Attribute = 62
	AttrMultiprocessorCount                      Attribute = 63
	AttrPageableMemoryAccess                     Attribute = 65
	AttrPageableMemoryAccessUsesHostPageTables   Attribute = 66
	AttrPCIBusID                                 Attribute = 67
	AttrPCIDeviceID                              Attribute = 68
	AttrPCIDomainID                              Attribute = 69
	AttrPersistingL2CacheMaxSize                 Attribute = 70
	AttrMaxRegistersPerBlock                     Attribute = 71
	AttrMaxRegistersPerMultiprocessor            Attribute = 72
	AttrReservedSharedMemPerBlock                Attribute = 73
	AttrMaxSharedMemoryPerBlock                  Attribute = 74
	AttrSharedMemPerBlockOptIn                   Attribute = 75
	AttrSharedMemPerMultiprocessor               Attribute = 76
	AttrSingleToDoublePrecisionPerfRatio         Attribute = 77
	AttrStreamPrioritiesSupported                Attribute = 78
	AttrSurfaceAlignment                         Attribute = 79
	AttrTCCDriver                                Attribute = 80
	AttrTextureAlignment                         Attribute = 81
	AttrTexturePitchAlignment                    Attribute = 82
	AttrTotalConstantMemory                      Attribute = 83
	AttrTotalGlobalMem                           Attribute = 84
	AttrUnifiedAddressing                        Attribute = 85
	AttrWarpSize                                 Attribute = 87
	AttrMemoryPoolsSupported                     Attribute = 88
	AttrVirtualMemoryManagementSupported         Attribute = 89
	AttrHostRegisterSupported                    Attribute = 90
	AttrMemoryPoolSupportedHandleTypes           Attribute = 91
	AttrClockInstructionRate                     Attribute = 10000
	AttrMaxSharedMemoryPerMultiprocessor         Attribute = 10002
	AttrHDPMemFlushCntl                          Attribute = 10005
	AttrHDPRegFlushCntl                          Attribute = 10006
	AttrCooperativeMultiDeviceUnmatchedFunc      Attribute = 10007
	AttrCooperativeMultiDeviceUnmatchedGridDim   Attribute = 10008
	AttrCooperativeMultiDeviceUnmatchedBlockDim  Attribute = 10009
	AttrCooperativeMultiDeviceUnmatchedSharedMem Attribute = 10010
	AttrIsLargeBar                               Attribute = 10011
	AttrAsicRevision                             Attribute = 10012
	AttrCanUseStreamWaitValue                    Attribute = 10013
	AttrImageSupport                             Attribute = 10014
	AttrPhysicalMultiProcessorCount              Attribute = 10015
	AttrFineGrainSupport                         Attribute = 10016
	AttrWallClockRate                            Attribute = 10017
	AttrNumberOfXCCs                             Attribute = 10018
	AttrMaxAvailableVGPRsPerThread               Attribute = 10019
	AttrPCIChipID                                Attribute = 10020
)

// attributeNames are the runtime's names.
var attributeNames = map[Attribute]string{
	AttrECCEnabled:                               "hipDeviceAttributeEccEnabled",
	AttrAccessPolicyMaxWindowSize:                "hipDeviceAttributeAccessPolicyMaxWindowSize",
	AttrAsyncEngineCount:                         "hipDeviceAttributeAsyncEngineCount",
	AttrCanMapHostMemory:                         "hipDeviceAttributeCanMapHostMemory",
	AttrCanUseHostPointerForRegisteredMem:        "hipDeviceAttributeCanUseHostPointerForRegisteredMem",
	AttrClockRate:                                "hipDeviceAttributeClockRate",
	AttrComputeMode:                              "hipDeviceAttributeComputeMode",
	AttrComputePreemptionSupported:               "hipDeviceAttributeComputePreemptionSupported",
	AttrConcurrentKernels:                        "hipDeviceAttributeConcurrentKernels",
	AttrConcurrentManagedAccess:                  "hipDeviceAttributeConcurrentManagedAccess",
	AttrCooperativeLaunch:                        "hipDeviceAttributeCooperativeLaunch",
	AttrCooperativeMultiDeviceLaunch:             "hipDeviceAttributeCooperativeMultiDeviceLaunch",
	AttrDeviceOverlap:                            "hipDeviceAttributeDeviceOverlap",
	AttrDirectManagedMemAccessFromHost:           "hipDeviceAttributeDirectManagedMemAccessFromHost",
	AttrGlobalL1CacheSupported:                   "hipDeviceAttributeGlobalL1CacheSupported",
	AttrHostNativeAtomicSupported:                "hipDeviceAttributeHostNativeAtomicSupported",
	AttrIntegrated:                               "hipDeviceAttributeIntegrated",
	AttrIsMultiGPUBoard:                          "hipDeviceAttributeIsMultiGpuBoard",
	AttrKernelExecTimeout:                        "hipDeviceAttributeKernelExecTimeout",
	AttrL2CacheSize:                              "hipDeviceAttributeL2CacheSize",
	AttrLocalL1CacheSupported:                    "hipDeviceAttributeLocalL1CacheSupported",
	AttrLUID:                                     "hipDeviceAttributeLuid",
	AttrLUIDDeviceNodeMask:                       "hipDeviceAttributeLuidDeviceNodeMask",
	AttrComputeCapabilityMajor:                   "hipDeviceAttributeComputeCapabilityMajor",
	AttrManagedMemory:                            "hipDeviceAttributeManagedMemory",
	AttrMaxBlocksPerMultiProcessor:               "hipDeviceAttributeMaxBlocksPerMultiProcessor",
	AttrMaxBlockDimX:                             "hipDeviceAttributeMaxBlockDimX",
	AttrMaxBlockDimY:                             "hipDeviceAttributeMaxBlockDimY",
	AttrMaxBlockDimZ:                             "hipDeviceAttributeMaxBlockDimZ",
	AttrMaxGridDimX:                              "hipDeviceAttributeMaxGridDimX",
	AttrMaxGridDimY:                              "hipDeviceAttributeMaxGridDimY",
	AttrMaxGridDimZ:                              "hipDeviceAttributeMaxGridDimZ",
	AttrMaxSurface1D:                             "hipDeviceAttributeMaxSurface1D",
	AttrMaxSurface1DLayered:                      "hipDeviceAttributeMaxSurface1DLayered",
	AttrMaxSurface2D:                             "hipDeviceAttributeMaxSurface2D",
	AttrMaxSurface2DLayered:                      "hipDeviceAttributeMaxSurface2DLayered",
	AttrMaxSurface3D:                             "hipDeviceAttributeMaxSurface3D",
	AttrMaxSurfaceCubemap:                        "hipDeviceAttributeMaxSurfaceCubemap",
	AttrMaxSurfaceCubemapLayered:                 "hipDeviceAttributeMaxSurfaceCubemapLayered",
	AttrMaxTexture1DWidth:                        "hipDeviceAttributeMaxTexture1DWidth",
	AttrMaxTexture1DLayered:                      "hipDeviceAttributeMaxTexture1DLayered",
	AttrMaxTexture1DLinear:                       "hipDeviceAttributeMaxTexture1DLinear",
	AttrMaxTexture1DMipmap:                       "hipDeviceAttributeMaxTexture1DMipmap",
	AttrMaxTexture2DWidth:                        "hipDeviceAttributeMaxTexture2DWidth",
	AttrMaxTexture2DHeight:                       "hipDeviceAttributeMaxTexture2DHeight",
	AttrMaxTexture2DGather:                       "hipDeviceAttributeMaxTexture2DGather",
	AttrMaxTexture2DLayered:                      "hipDeviceAttributeMaxTexture2DLayered",
	AttrMaxTexture2DLinear:                       "hipDeviceAttributeMaxTexture2DLinear",
	AttrMaxTexture2DMipmap:                       "hipDeviceAttributeMaxTexture2DMipmap",
	AttrMaxTexture3DWidth:                        "hipDeviceAttributeMaxTexture3DWidth",
	AttrMaxTexture3DHeight:                       "hipDeviceAttributeMaxTexture3DHeight",
	AttrMaxTexture3DDepth:                        "hipDeviceAttributeMaxTexture3DDepth",
	AttrMaxTexture3DAlt:                          "hipDeviceAttributeMaxTexture3DAlt",
	AttrMaxTextureCubemap:                        "hipDeviceAttributeMaxTextureCubemap",
	AttrMaxTextureCubemapLayered:                 "hipDeviceAttributeMaxTextureCubemapLayered",
	AttrMaxThreadsDim:                            "hipDeviceAttributeMaxThreadsDim",
	AttrMaxThreadsPerBlock:                       "hipDeviceAttributeMaxThreadsPerBlock",
	AttrMaxThreadsPerMultiProcessor:              "hipDeviceAttributeMaxThreadsPerMultiProcessor",
	AttrMaxPitch:                                 "hipDeviceAttributeMaxPitch",
	AttrMemoryBusWidth:                           "hipDeviceAttributeMemoryBusWidth",
	AttrMemoryClockRate:                          "hipDeviceAttributeMemoryClockRate",
	AttrComputeCapabilityMinor:                   "hipDeviceAttributeComputeCapabilityMinor",
	AttrMultiGPUBoardGroupID:                     "hipDeviceAttributeMultiGpuBoardGroupID",
	AttrMultiprocessorCount:                      "hipDeviceAttributeMultiprocessorCount",
	AttrPageableMemoryAccess:                     "hipDeviceAttributePageableMemoryAccess",
	AttrPageableMemoryAccessUsesHostPageTables:   "hipDeviceAttributePageableMemoryAccessUsesHostPageTables",
	AttrPCIBusID:                                 "hipDeviceAttributePciBusId",
	AttrPCIDeviceID:                              "hipDeviceAttributePciDeviceId",
	AttrPCIDomainID:                              "hipDeviceAttributePciDomainId",
	AttrPersistingL2CacheMaxSize:                 "hipDeviceAttributePersistingL2CacheMaxSize",
	AttrMaxRegistersPerBlock:                     "hipDeviceAttributeMaxRegistersPerBlock",
	AttrMaxRegistersPerMultiprocessor:            "hipDeviceAttributeMaxRegistersPerMultiprocessor",
	AttrReservedSharedMemPerBlock:                "hipDeviceAttributeReservedSharedMemPerBlock",
	AttrMaxSharedMemoryPerBlock:                  "hipDeviceAttributeMaxSharedMemoryPerBlock",
	AttrSharedMemPerBlockOptIn:                   "hipDeviceAttributeSharedMemPerBlockOptin",
	AttrSharedMemPerMultiprocessor:               "hipDeviceAttributeSharedMemPerMultiprocessor",
	AttrSingleToDoublePrecisionPerfRatio:         "hipDeviceAttributeSingleToDoublePrecisionPerfRatio",
	AttrStreamPrioritiesSupported:                "hipDeviceAttributeStreamPrioritiesSupported",
	AttrSurfaceAlignment:                         "hipDeviceAttributeSurfaceAlignment",
	AttrTCCDriver:                                "hipDeviceAttributeTccDriver",
	AttrTextureAlignment:                         "hipDeviceAttributeTextureAlignment",
	AttrTexturePitchAlignment:                    "hipDeviceAttributeTexturePitchAlignment",
	AttrTotalConstantMemory:                      "hipDeviceAttributeTotalConstantMemory",
	AttrTotalGlobalMem:                           "hipDeviceAttributeTotalGlobalMem",
	AttrUnifiedAddressing:                        "hipDeviceAttributeUnifiedAddressing",
	AttrWarpSize:                                 "hipDeviceAttributeWarpSize",
	AttrMemoryPoolsSupported:                     "hipDeviceAttributeMemoryPoolsSupported",
	AttrVirtualMemoryManagementSupported:         "hipDeviceAttributeVirtualMemoryManagementSupported",
	AttrHostRegisterSupported:                    "hipDeviceAttributeHostRegisterSupported",
	AttrMemoryPoolSupportedHandleTypes:           "hipDeviceAttributeMemoryPoolSupportedHandleTypes",
	AttrClockInstructionRate:                     "hipDeviceAttributeClockInstructionRate",
	AttrMaxSharedMemoryPerMultiprocessor:         "hipDeviceAttributeMaxSharedMemoryPerMultiprocessor",
	AttrHDPMemFlushCntl:                          "hipDeviceAttributeHdpMemFlushCntl",
	AttrHDPRegFlushCntl:                          "hipDeviceAttributeHdpRegFlushCntl",
	AttrCooperativeMultiDeviceUnmatchedFunc:      "hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc",
	AttrCooperativeMultiDeviceUnmatchedGridDim:   "hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim",
	AttrCooperativeMultiDeviceUnmatchedBlockDim:  "hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim",
	AttrCooperativeMultiDeviceUnmatchedSharedMem: "hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem",
	AttrIsLargeBar:                               "hipDeviceAttributeIsLargeBar",
	AttrAsicRevision:                             "hipDeviceAttributeAsicRevision",
	AttrCanUseStreamWaitValue:                    "hipDeviceAttributeCanUseStreamWaitValue",
	AttrImageSupport:                             "hipDeviceAttributeImageSupport",
	AttrPhysicalMultiProcessorCount:              "hipDeviceAttributePhysicalMultiProcessorCount",
	AttrFineGrainSupport:                         "hipDeviceAttributeFineGrainSupport",
	AttrWallClockRate:                            "hipDeviceAttributeWallClockRate",
	AttrNumberOfXCCs:                             "hipDeviceAttributeNumberOfXccs",
	AttrMaxAvailableVGPRsPerThread:               "hipDeviceAttributeMaxAvailableVgprsPerThread",
	AttrPCIChipID:                                "hipDeviceAttributePciChipId",
}

// String is the runtime's name for the attribute: hipDeviceAttribute….
func (a Attribute) String() string {
	if s, ok := attributeNames[a]; ok {
		return s
	}
	return fmt.Sprintf("hipDeviceAttribute(%d)", int32(a))
}
