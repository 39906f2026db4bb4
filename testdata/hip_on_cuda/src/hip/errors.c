#include "face.h"

/* HIP's codes. Most are CUDA's numbers too. */
#define CODES(X) \
    X(hipSuccess) \
    X(hipErrorInvalidValue) \
    X(hipErrorOutOfMemory) \
    X(hipErrorNotInitialized) \
    X(hipErrorDeinitialized) \
    X(hipErrorProfilerDisabled) \
    X(hipErrorProfilerNotInitialized) \
    X(hipErrorProfilerAlreadyStarted) \
    X(hipErrorProfilerAlreadyStopped) \
    X(hipErrorInvalidConfiguration) \
    X(hipErrorInvalidPitchValue) \
    X(hipErrorInvalidSymbol) \
    X(hipErrorInvalidDevicePointer) \
    X(hipErrorInvalidMemcpyDirection) \
    X(hipErrorInsufficientDriver) \
    X(hipErrorMissingConfiguration) \
    X(hipErrorPriorLaunchFailure) \
    X(hipErrorInvalidDeviceFunction) \
    X(hipErrorNoDevice) \
    X(hipErrorInvalidDevice) \
    X(hipErrorInvalidImage) \
    X(hipErrorInvalidContext) \
    X(hipErrorContextAlreadyCurrent) \
    X(hipErrorMapFailed) \
    X(hipErrorUnmapFailed) \
    X(hipErrorArrayIsMapped) \
    X(hipErrorAlreadyMapped) \
    X(hipErrorNoBinaryForGpu) \
    X(hipErrorAlreadyAcquired) \
    X(hipErrorNotMapped) \
    X(hipErrorNotMappedAsArray) \
    X(hipErrorNotMappedAsPointer) \
    X(hipErrorECCNotCorrectable) \
    X(hipErrorUnsupportedLimit) \
    X(hipErrorContextAlreadyInUse) \
    X(hipErrorPeerAccessUnsupported) \
    X(hipErrorInvalidKernelFile) \
    X(hipErrorInvalidGraphicsContext) \
    X(hipErrorInvalidSource) \
    X(hipErrorFileNotFound) \
    X(hipErrorSharedObjectSymbolNotFound) \
    X(hipErrorSharedObjectInitFailed) \
    X(hipErrorOperatingSystem) \
    X(hipErrorInvalidHandle) \
    X(hipErrorIllegalState) \
    X(hipErrorNotFound) \
    X(hipErrorNotReady) \
    X(hipErrorIllegalAddress) \
    X(hipErrorLaunchOutOfResources) \
    X(hipErrorLaunchTimeOut) \
    X(hipErrorPeerAccessAlreadyEnabled) \
    X(hipErrorPeerAccessNotEnabled) \
    X(hipErrorSetOnActiveProcess) \
    X(hipErrorContextIsDestroyed) \
    X(hipErrorAssert) \
    X(hipErrorHostMemoryAlreadyRegistered) \
    X(hipErrorHostMemoryNotRegistered) \
    X(hipErrorLaunchFailure) \
    X(hipErrorCooperativeLaunchTooLarge) \
    X(hipErrorNotSupported) \
    X(hipErrorStreamCaptureUnsupported) \
    X(hipErrorStreamCaptureInvalidated) \
    X(hipErrorStreamCaptureMerge) \
    X(hipErrorStreamCaptureUnmatched) \
    X(hipErrorStreamCaptureUnjoined) \
    X(hipErrorStreamCaptureIsolation) \
    X(hipErrorStreamCaptureImplicit) \
    X(hipErrorCapturedEvent) \
    X(hipErrorStreamCaptureWrongThread) \
    X(hipErrorGraphExecUpdateFailure) \
    X(hipErrorUnknown) \
    X(hipErrorRuntimeMemory) \
    X(hipErrorRuntimeOther) \
    X(hipErrorTbd)

static __thread hipError_t last;

hipError_t face_refuse(hipError_t code) {
    /* As of HIP 7.0, not to be ready is no error. */
    if (code != hipErrorNotReady || face_version() < 70000) last = code;
    return code;
}

/* CUDA's codes that HIP has no like of become what comes closest. */
hipError_t face_failed(CUresult code) {
    switch (code) {
    case CUDA_ERROR_STUB_LIBRARY: return face_refuse(hipErrorInsufficientDriver);
    case CUDA_ERROR_DEVICE_UNAVAILABLE: return face_refuse(hipErrorNoDevice);
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND: return face_refuse(hipErrorNoBinaryForGpu);
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE: return face_refuse(hipErrorIllegalAddress);
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_INVALID_PC: return face_refuse(hipErrorLaunchFailure);
    case CUDA_ERROR_EXTERNAL_DEVICE: /* numbers that mean something else in HIP */
    case CUDA_ERROR_INVALID_CLUSTER_SIZE: return face_refuse(hipErrorUnknown);
    case CUDA_ERROR_NOT_PERMITTED: return face_refuse(hipErrorNotSupported);
#define CASE(name) case name:
        CODES(CASE)
#undef CASE
        return face_refuse(code);
    }
    return face_refuse(hipErrorUnknown);
}

const char *hipGetErrorName(hipError_t code) {
    switch (code) {
#define NAME(name) \
    case name: return #name;
        CODES(NAME)
#undef NAME
    }
    return "hipErrorUnknown";
}

hipError_t hipGetLastError(void) {
    hipError_t code = last;
    last = hipSuccess;
    return code;
}

/* The runtime's number has the major version ten million times, and the minor one a
 * hundred thousand times. */
hipError_t hipRuntimeGetVersion(int *version) {
    *version = face_version() / 10000 * 10000000 + face_version() / 100 % 100 * 100000;
    return hipSuccess;
}

