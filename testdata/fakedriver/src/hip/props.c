/* props.c: the properties in the layout that HIP had before 6.0, which later runtimes
 * still fill in for programs that were built with it. */
#include "face.h"

#define MEMBERS(X) \
    X(totalGlobalMem) X(sharedMemPerBlock) X(regsPerBlock) X(warpSize) X(maxThreadsPerBlock) X(clockRate) X(memoryClockRate) \
    X(memoryBusWidth) X(totalConstMem) X(major) X(minor) X(multiProcessorCount) X(l2CacheSize) X(maxThreadsPerMultiProcessor) \
    X(computeMode) X(clockInstructionRate) X(arch) X(concurrentKernels) X(pciDomainID) X(pciBusID) X(pciDeviceID) \
    X(maxSharedMemoryPerMultiProcessor) X(isMultiGpuBoard) X(canMapHostMemory) X(integrated) X(cooperativeLaunch) \
    X(cooperativeMultiDeviceLaunch) X(maxTexture1DLinear) X(maxTexture1D) X(memPitch) X(textureAlignment) \
    X(texturePitchAlignment) X(kernelExecTimeoutEnabled) X(ECCEnabled) X(tccDriver) X(isLargeBar) X(asicRevision) \
    X(managedMemory) X(directManagedMemAccessFromHost) X(concurrentManagedAccess) X(pageableMemoryAccess) \
    X(pageableMemoryAccessUsesHostPageTables)
#define LISTS(X) X(name) X(gcnArchName) X(maxThreadsDim) X(maxGridSize) X(maxTexture2D) X(maxTexture3D)

hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000 *p, int device) {
    hipDeviceProp_tR0600 now;
    hipError_t code = hipGetDevicePropertiesR0600(&now, device);
    if (code != hipSuccess) return code;
    memset(p, 0, sizeof *p);
#define ONE(member) p->member = now.member;
    MEMBERS(ONE)
#define MANY(member) memcpy(p->member, now.member, sizeof p->member);
    LISTS(MANY)
    return hipSuccess;
}

hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000 *p, int device) { return hipGetDevicePropertiesR0000(p, device); }
