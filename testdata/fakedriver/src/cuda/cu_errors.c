/* cu_errors.c: codes, their names and texts. */
#include "cu.h"

static const CUresult codes[FK_STATUSES] = {
    [FK_OK] = CUDA_SUCCESS,
    [FK_INVALID_VALUE] = CUDA_ERROR_INVALID_VALUE,
    [FK_OUT_OF_MEMORY] = CUDA_ERROR_OUT_OF_MEMORY,
    [FK_NOT_INITIALIZED] = CUDA_ERROR_NOT_INITIALIZED,
    [FK_NO_DEVICE] = CUDA_ERROR_NO_DEVICE,
    [FK_INVALID_DEVICE] = CUDA_ERROR_INVALID_DEVICE,
    [FK_INVALID_IMAGE] = CUDA_ERROR_INVALID_IMAGE,
    [FK_INVALID_CONTEXT] = CUDA_ERROR_INVALID_CONTEXT,
    [FK_NO_BINARY] = CUDA_ERROR_NO_BINARY_FOR_GPU,
    [FK_INVALID_PTX] = CUDA_ERROR_INVALID_PTX,
    [FK_INVALID_HANDLE] = CUDA_ERROR_INVALID_HANDLE,
    [FK_ILLEGAL_STATE] = CUDA_ERROR_ILLEGAL_STATE,
    [FK_NOT_FOUND] = CUDA_ERROR_NOT_FOUND,
    [FK_NOT_READY] = CUDA_ERROR_NOT_READY,
    [FK_OUT_OF_RESOURCES] = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
    [FK_PEER_ENABLED] = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED,
    [FK_PEER_NOT_ENABLED] = CUDA_ERROR_PEER_ACCESS_NOT_ENABLED,
    [FK_PEER_UNSUPPORTED] = CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
    [FK_PRIMARY_ACTIVE] = CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE,
    [FK_CONTEXT_DESTROYED] = CUDA_ERROR_CONTEXT_IS_DESTROYED,
    [FK_ALREADY_REGISTERED] = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
    [FK_NOT_REGISTERED] = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
    [FK_COOPERATIVE_TOO_LARGE] = CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
    [FK_NOT_SUPPORTED] = CUDA_ERROR_NOT_SUPPORTED,
    [FK_UNSUPPORTED_LIMIT] = CUDA_ERROR_UNSUPPORTED_LIMIT,
    [FK_INVALID_CLUSTER] = CUDA_ERROR_INVALID_CLUSTER_SIZE,
    [FK_CAPTURE_UNSUPPORTED] = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
    [FK_CAPTURE_INVALIDATED] = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
    [FK_CAPTURE_MERGE] = CUDA_ERROR_STREAM_CAPTURE_MERGE,
    [FK_CAPTURE_UNMATCHED] = CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
    [FK_CAPTURE_UNJOINED] = CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
    [FK_CAPTURE_ISOLATION] = CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
    [FK_CAPTURE_IMPLICIT] = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
    [FK_CAPTURED_EVENT] = CUDA_ERROR_CAPTURED_EVENT,
    [FK_CAPTURE_WRONG_THREAD] = CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
    [FK_UNKNOWN] = CUDA_ERROR_UNKNOWN,
};

CUresult cu_code(int status) {
    if (status & FK_RAW) return status & 0xffff;
    return status >= 0 && status < FK_STATUSES ? codes[status] : CUDA_ERROR_UNKNOWN;
}

typedef struct {
    CUresult code;
    const char *name, *text;
} description;

#define D(code, text) {code, #code, text}
static const description all[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    D(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    D(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    D(CUDA_ERROR_NOT_INITIALIZED, "initialization error"),
    D(CUDA_ERROR_DEINITIALIZED, "driver shutting down"),
    D(CUDA_ERROR_STUB_LIBRARY, "CUDA driver is a stub library"),
    D(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, "API call is not supported in the installed CUDA driver"),
    D(CUDA_ERROR_DEVICE_UNAVAILABLE, "CUDA-capable device(s) is/are busy or unavailable"),
    D(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    D(CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"),
    D(CUDA_ERROR_DEVICE_NOT_LICENSED, "device doesn't have valid Grid license"),
    D(CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    D(CUDA_ERROR_INVALID_CONTEXT, "invalid device context"),
    D(CUDA_ERROR_MAP_FAILED, "mapping of buffer object failed"),
    D(CUDA_ERROR_UNMAP_FAILED, "unmapping of buffer object failed"),
    D(CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"),
    D(CUDA_ERROR_ECC_UNCORRECTABLE, "uncorrectable ECC error encountered"),
    D(CUDA_ERROR_UNSUPPORTED_LIMIT, "limit is not supported on this architecture"),
    D(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, "exclusive-thread device already in use by a different thread"),
    D(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "peer access is not supported between these two devices"),
    D(CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    D(CUDA_ERROR_NVLINK_UNCORRECTABLE, "uncorrectable NVLink error detected during the execution"),
    D(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "PTX JIT compiler library not found"),
    D(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the provided PTX was compiled with an unsupported toolchain."),
    D(CUDA_ERROR_JIT_COMPILATION_DISABLED, "PTX JIT compilation was disabled"),
    D(CUDA_ERROR_CONTAINED, "Invalid access of peer GPU memory over nvlink or a hardware error"),
    D(CUDA_ERROR_INVALID_SOURCE, "device kernel image is invalid"),
    D(CUDA_ERROR_FILE_NOT_FOUND, "file not found"),
    D(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "shared object symbol not found"),
    D(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, "shared object initialization failed"),
    D(CUDA_ERROR_OPERATING_SYSTEM, "OS call failed or operation not supported on this OS"),
    D(CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"),
    D(CUDA_ERROR_ILLEGAL_STATE, "the operation cannot be performed in the present state"),
    D(CUDA_ERROR_NOT_FOUND, "named symbol not found"),
    D(CUDA_ERROR_NOT_READY, "device not ready"),
    D(CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    D(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"),
    D(CUDA_ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated"),
    D(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled"),
    D(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "peer access has not been enabled"),
    D(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, "cannot set while device is active in this process"),
    D(CUDA_ERROR_CONTEXT_IS_DESTROYED, "context is destroyed"),
    D(CUDA_ERROR_ASSERT, "device-side assert triggered"),
    D(CUDA_ERROR_TOO_MANY_PEERS, "peer mapping resources exhausted"),
    D(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "part or all of the requested memory range is already mapped"),
    D(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "pointer does not correspond to a registered memory region"),
    D(CUDA_ERROR_HARDWARE_STACK_ERROR, "hardware stack error"),
    D(CUDA_ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered"),
    D(CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    D(CUDA_ERROR_INVALID_ADDRESS_SPACE, "operation not supported on global/shared address space"),
    D(CUDA_ERROR_INVALID_PC, "invalid program counter"),
    D(CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    D(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "too many blocks in cooperative launch"),
    D(CUDA_ERROR_NOT_PERMITTED, "operation not permitted"),
    D(CUDA_ERROR_NOT_SUPPORTED, "operation not supported"),
    D(CUDA_ERROR_SYSTEM_NOT_READY, "system not yet initialized"),
    D(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, "system has unsupported display driver / cuda driver combination"),
    D(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, "forward compatibility was attempted on non supported HW"),
    D(CUDA_ERROR_MPS_CONNECTION_FAILED, "MPS client failed to connect to the MPS control daemon or the MPS server"),
    D(CUDA_ERROR_MPS_RPC_FAILURE, "the remote procedural call between the MPS server and the MPS client failed"),
    D(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "operation not permitted when stream is capturing"),
    D(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "operation failed due to a previous error during capture"),
    D(CUDA_ERROR_STREAM_CAPTURE_MERGE, "operation would result in a merge of separate capture sequences"),
    D(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "capture was not ended in the same stream as it began"),
    D(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "capturing stream has unjoined work"),
    D(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "dependency created on uncaptured work in another stream"),
    D(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "operation would make the legacy stream depend on a capturing blocking stream"),
    D(CUDA_ERROR_CAPTURED_EVENT, "operation not permitted on an event last recorded in a capturing stream"),
    D(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "attempt to terminate a thread-local capture sequence from another thread"),
    D(CUDA_ERROR_TIMEOUT, "wait operation timed out"),
    D(CUDA_ERROR_EXTERNAL_DEVICE, "an async error has occured in external entity outside of CUDA"),
    D(CUDA_ERROR_INVALID_CLUSTER_SIZE, "cluster size is too large or not supported"),
    D(CUDA_ERROR_FUNCTION_NOT_LOADED, "function handle not loaded"),
    D(CUDA_ERROR_INVALID_RESOURCE_TYPE, "invalid resource type"),
    D(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, "invalid resource configuration"),
    D(CUDA_ERROR_UNKNOWN, "unknown error"),
};

static const description *find(CUresult code) {
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].code == code) return &all[i];
    return 0;
}

static int describe(CUresult code, const char **out, int name) {
    if (!out) return FK_INVALID_VALUE;
    const description *d = find(code);
    *out = !d ? 0 : name ? d->name : d->text;
    return d ? FK_OK : FK_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult code, const char **name) {
    ENTER_AS(cuGetErrorName, CU_NEEDS_NOTHING);
    LEAVE(describe(code, name, 1));
}

CUresult cuGetErrorString(CUresult code, const char **text) {
    ENTER_AS(cuGetErrorString, CU_NEEDS_NOTHING);
    LEAVE(describe(code, text, 0));
}
