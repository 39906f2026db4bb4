#include "face.h"

hipError_t hipDeviceGetName(char *name, int room, hipDevice_t device) {
    hipError_t code = face_device(device);
    return code ? code : face_done(cu.cuDeviceGetName(name, room, device));
}

hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
    hipError_t code = face_device(device);
    return code ? code : face_done(cu.cuDeviceTotalMem_v2(bytes, device));
}

hipError_t hipDeviceGetPCIBusId(char *id, int room, int device) {
    hipError_t code = face_device(device);
    return code ? code : face_done(cu.cuDeviceGetPCIBusId(id, room, device));
}

hipError_t hipDeviceGetByPCIBusId(int *device, const char *id) {
    hipError_t code = face_ready();
    return code ? code : face_done(cu.cuDeviceGetByPCIBusId(device, id));
}

hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device) {
    hipError_t code = face_device(device);
    if (code != hipSuccess) return code;
    CUresult (*ask)(CUuuid *, CUdevice) = cu.cuDeviceGetUuid_v2 ? cu.cuDeviceGetUuid_v2 : cu.cuDeviceGetUuid;
    return ask ? face_done(ask((CUuuid *)uuid, device)) : face_refuse(hipErrorNotSupported);
}

hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer) {
    hipError_t code = face_device(device);
    return code ? code : face_done(cu.cuDeviceCanAccessPeer(can, device, peer));
}

/* CUDA numbers these from 1. */
hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr which, int from, int to) {
    hipError_t code = face_device(from);
    return code ? code : face_done(cu.cuDeviceGetP2PAttribute(value, which + 1, from, to));
}

/* The attributes that CUDA has too, and the members of the properties that have their
 * names. */
#define BOTH(X) \
    X(AccessPolicyMaxWindowSize, MAX_ACCESS_POLICY_WINDOW_SIZE, accessPolicyMaxWindowSize) \
    X(AsyncEngineCount, ASYNC_ENGINE_COUNT, asyncEngineCount) \
    X(CanMapHostMemory, CAN_MAP_HOST_MEMORY, canMapHostMemory) \
    X(CanUseHostPointerForRegisteredMem, CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, canUseHostPointerForRegisteredMem) \
    X(ClockRate, CLOCK_RATE, clockRate) \
    X(ComputeMode, COMPUTE_MODE, computeMode) \
    X(ComputePreemptionSupported, COMPUTE_PREEMPTION_SUPPORTED, computePreemptionSupported) \
    X(ConcurrentKernels, CONCURRENT_KERNELS, concurrentKernels) \
    X(ConcurrentManagedAccess, CONCURRENT_MANAGED_ACCESS, concurrentManagedAccess) \
    X(CooperativeLaunch, COOPERATIVE_LAUNCH, cooperativeLaunch) \
    X(CooperativeMultiDeviceLaunch, COOPERATIVE_MULTI_DEVICE_LAUNCH, cooperativeMultiDeviceLaunch) \
    X(DeviceOverlap, GPU_OVERLAP, deviceOverlap) \
    X(DirectManagedMemAccessFromHost, DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, directManagedMemAccessFromHost) \
    X(EccEnabled, ECC_ENABLED, ECCEnabled) \
    X(GlobalL1CacheSupported, GLOBAL_L1_CACHE_SUPPORTED, globalL1CacheSupported) \
    X(HostNativeAtomicSupported, HOST_NATIVE_ATOMIC_SUPPORTED, hostNativeAtomicSupported) \
    X(HostRegisterSupported, HOST_REGISTER_SUPPORTED, hostRegisterSupported) \
    X(Integrated, INTEGRATED, integrated) \
    X(IsMultiGpuBoard, MULTI_GPU_BOARD, isMultiGpuBoard) \
    X(KernelExecTimeout, KERNEL_EXEC_TIMEOUT, kernelExecTimeoutEnabled) \
    X(L2CacheSize, L2_CACHE_SIZE, l2CacheSize) \
    X(LocalL1CacheSupported, LOCAL_L1_CACHE_SUPPORTED, localL1CacheSupported) \
    X(ComputeCapabilityMajor, COMPUTE_CAPABILITY_MAJOR, major) \
    X(ComputeCapabilityMinor, COMPUTE_CAPABILITY_MINOR, minor) \
    X(ManagedMemory, MANAGED_MEMORY, managedMemory) \
    X(MaxBlocksPerMultiProcessor, MAX_BLOCKS_PER_MULTIPROCESSOR, maxBlocksPerMultiProcessor) \
    X(MaxBlockDimX, MAX_BLOCK_DIM_X, maxThreadsDim[0]) \
    X(MaxBlockDimY, MAX_BLOCK_DIM_Y, maxThreadsDim[1]) \
    X(MaxBlockDimZ, MAX_BLOCK_DIM_Z, maxThreadsDim[2]) \
    X(MaxGridDimX, MAX_GRID_DIM_X, maxGridSize[0]) \
    X(MaxGridDimY, MAX_GRID_DIM_Y, maxGridSize[1]) \
    X(MaxGridDimZ, MAX_GRID_DIM_Z, maxGridSize[2]) \
    X(MaxSurface1D, MAXIMUM_SURFACE1D_WIDTH, maxSurface1D) \
    X(MaxTexture1DWidth, MAXIMUM_TEXTURE1D_WIDTH, maxTexture1D) \
    X(MaxTexture1DLinear, MAXIMUM_TEXTURE1D_LINEAR_WIDTH, maxTexture1DLinear) \
    X(MaxTexture1DMipmap, MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH, maxTexture1DMipmap) \
    X(MaxTexture2DWidth, MAXIMUM_TEXTURE2D_WIDTH, maxTexture2D[0]) \
    X(MaxTexture2DHeight, MAXIMUM_TEXTURE2D_HEIGHT, maxTexture2D[1]) \
    X(MaxTexture3DWidth, MAXIMUM_TEXTURE3D_WIDTH, maxTexture3D[0]) \
    X(MaxTexture3DHeight, MAXIMUM_TEXTURE3D_HEIGHT, maxTexture3D[1]) \
    X(MaxTexture3DDepth, MAXIMUM_TEXTURE3D_DEPTH, maxTexture3D[2]) \
    X(MaxTextureCubemap, MAXIMUM_TEXTURECUBEMAP_WIDTH, maxTextureCubemap) \
    X(MaxThreadsPerBlock, MAX_THREADS_PER_BLOCK, maxThreadsPerBlock) \
    X(MaxThreadsPerMultiProcessor, MAX_THREADS_PER_MULTIPROCESSOR, maxThreadsPerMultiProcessor) \
    X(MaxPitch, MAX_PITCH, memPitch) \
    X(MemoryBusWidth, GLOBAL_MEMORY_BUS_WIDTH, memoryBusWidth) \
    X(MemoryClockRate, MEMORY_CLOCK_RATE, memoryClockRate) \
    X(MultiGpuBoardGroupID, MULTI_GPU_BOARD_GROUP_ID, multiGpuBoardGroupID) \
    X(MultiprocessorCount, MULTIPROCESSOR_COUNT, multiProcessorCount) \
    X(PageableMemoryAccess, PAGEABLE_MEMORY_ACCESS, pageableMemoryAccess) \
    X(PageableMemoryAccessUsesHostPageTables, PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, pageableMemoryAccessUsesHostPageTables) \
    X(PciBusId, PCI_BUS_ID, pciBusID) \
    X(PciDeviceId, PCI_DEVICE_ID, pciDeviceID) \
    X(PciDomainId, PCI_DOMAIN_ID, pciDomainID) \
    X(PersistingL2CacheMaxSize, MAX_PERSISTING_L2_CACHE_SIZE, persistingL2CacheMaxSize) \
    X(MaxRegistersPerBlock, MAX_REGISTERS_PER_BLOCK, regsPerBlock) \
    X(MaxRegistersPerMultiprocessor, MAX_REGISTERS_PER_MULTIPROCESSOR, regsPerMultiprocessor) \
    X(MaxSharedMemoryPerBlock, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, sharedMemPerBlock) \
    X(SharedMemPerBlockOptin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, sharedMemPerBlockOptin) \
    X(SharedMemPerMultiprocessor, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, sharedMemPerMultiprocessor) \
    X(MaxSharedMemoryPerMultiprocessor, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, maxSharedMemoryPerMultiProcessor) \
    X(SingleToDoublePrecisionPerfRatio, SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, singleToDoublePrecisionPerfRatio) \
    X(StreamPrioritiesSupported, STREAM_PRIORITIES_SUPPORTED, streamPrioritiesSupported) \
    X(SurfaceAlignment, SURFACE_ALIGNMENT, surfaceAlignment) \
    X(TccDriver, TCC_DRIVER, tccDriver) \
    X(TextureAlignment, TEXTURE_ALIGNMENT, textureAlignment) \
    X(TexturePitchAlignment, TEXTURE_PITCH_ALIGNMENT, texturePitchAlignment) \
    X(TotalConstantMemory, TOTAL_CONSTANT_MEMORY, totalConstMem) \
    X(UnifiedAddressing, UNIFIED_ADDRESSING, unifiedAddressing) \
    X(WarpSize, WARP_SIZE, warpSize) \
    X(MemoryPoolsSupported, MEMORY_POOLS_SUPPORTED, memoryPoolsSupported) \
    X(MemoryPoolSupportedHandleTypes, MEMPOOL_SUPPORTED_HANDLE_TYPES, memoryPoolSupportedHandleTypes)

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t which, int device) {
    hipError_t code = face_device(device);
    if (code != hipSuccess) return code;
    switch (which) {
#define ASK(hip, cuda, member) \
    case hipDeviceAttribute##hip: return face_done(cu.cuDeviceGetAttribute(value, CU_DEVICE_ATTRIBUTE_##cuda, device));
        BOTH(ASK)
#undef ASK
    case hipDeviceAttributeVirtualMemoryManagementSupported:
        return face_done(cu.cuDeviceGetAttribute(value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device));
    case hipDeviceAttributeCanUseStreamWaitValue:
        *value = cu.cuStreamWaitValue32_v2 && cu.cuStreamWaitValue64_v2 && cu.cuStreamWriteValue32_v2 && cu.cuStreamWriteValue64_v2;
        return hipSuccess;
    case hipDeviceAttributeImageSupport:
    case hipDeviceAttributeFineGrainSupport: *value = 1; return hipSuccess;
    case hipDeviceAttributePhysicalMultiProcessorCount:
        return face_done(cu.cuDeviceGetAttribute(value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
    }
    return face_refuse(hipErrorInvalidValue);
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *p, int device) {
    hipError_t code = face_device(device);
    if (code != hipSuccess) return code;
    memset(p, 0, sizeof *p);
    int value;
    /* What a driver does not know stays 0. */
#define ASK(hip, cuda, member) \
    if (cu.cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_##cuda, device) == CUDA_SUCCESS) p->member = (__typeof__(p->member))value;
    BOTH(ASK)
#undef ASK
    code = hipDeviceGetName(p->name, sizeof p->name, device);
    if (code == hipSuccess) code = hipDeviceTotalMem(&p->totalGlobalMem, device);
    if (code == hipSuccess && (cu.cuDeviceGetUuid || cu.cuDeviceGetUuid_v2)) code = hipDeviceGetUuid(&p->uuid, device);
    face_arch(p->gcnArchName, sizeof p->gcnArchName, device);
    return code;
}
