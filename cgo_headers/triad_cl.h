/* triad_cl.h: what Triad uses of OpenCL 1.2 to 3.0, declared by us, so that
 * building needs no OpenCL SDK. Values and signatures are those of the Khronos
 * headers CL/cl.h and CL/cl_ext.h of OpenCL 3.0; a test compares them with the
 * real headers where those are installed.
 *
 * Define TRIAD_CL_TYPES_GIVEN to take types and constants from CL/cl.h.
 */
#ifndef TRIAD_CL_H
#define TRIAD_CL_H

#include <stddef.h>
#include <stdint.h>

#ifndef TRIAD_CL_TYPES_GIVEN

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef cl_uint cl_bool;
typedef cl_ulong cl_bitfield;
typedef cl_ulong cl_properties;

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;

typedef cl_bitfield cl_device_type;
typedef cl_uint cl_platform_info;
typedef cl_uint cl_device_info;
typedef intptr_t cl_context_properties;
typedef cl_bitfield cl_command_queue_properties;
typedef cl_properties cl_queue_properties;
typedef cl_bitfield cl_mem_flags;
typedef cl_bitfield cl_svm_mem_flags;
typedef cl_bitfield cl_map_flags;
typedef cl_uint cl_buffer_create_type;
typedef cl_uint cl_program_info;
typedef cl_uint cl_program_build_info;
typedef cl_uint cl_kernel_info;
typedef cl_uint cl_kernel_arg_info;
typedef cl_uint cl_kernel_work_group_info;
typedef cl_uint cl_event_info;
typedef cl_uint cl_profiling_info;

typedef struct _cl_buffer_region {
    size_t origin;
    size_t size;
} cl_buffer_region;

/* Error codes. */
#define CL_SUCCESS 0
#define CL_DEVICE_NOT_FOUND (-1)
#define CL_DEVICE_NOT_AVAILABLE (-2)
#define CL_COMPILER_NOT_AVAILABLE (-3)
#define CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)
#define CL_OUT_OF_RESOURCES (-5)
#define CL_OUT_OF_HOST_MEMORY (-6)
#define CL_PROFILING_INFO_NOT_AVAILABLE (-7)
#define CL_MEM_COPY_OVERLAP (-8)
#define CL_IMAGE_FORMAT_MISMATCH (-9)
#define CL_IMAGE_FORMAT_NOT_SUPPORTED (-10)
#define CL_BUILD_PROGRAM_FAILURE (-11)
#define CL_MAP_FAILURE (-12)
#define CL_MISALIGNED_SUB_BUFFER_OFFSET (-13)
#define CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST (-14)
#define CL_COMPILE_PROGRAM_FAILURE (-15)
#define CL_LINKER_NOT_AVAILABLE (-16)
#define CL_LINK_PROGRAM_FAILURE (-17)
#define CL_DEVICE_PARTITION_FAILED (-18)
#define CL_KERNEL_ARG_INFO_NOT_AVAILABLE (-19)
#define CL_INVALID_VALUE (-30)
#define CL_INVALID_DEVICE_TYPE (-31)
#define CL_INVALID_PLATFORM (-32)
#define CL_INVALID_DEVICE (-33)
#define CL_INVALID_QUEUE_PROPERTIES (-35)
#define CL_INVALID_COMMAND_QUEUE (-36)
#define CL_INVALID_HOST_PTR (-37)
#define CL_INVALID_MEM_OBJECT (-38)
#define CL_INVALID_IMAGE_FORMAT_DESCRIPTOR (-39)
#define CL_INVALID_IMAGE_SIZE (-40)
#define CL_INVALID_SAMPLER (-41)
#define CL_INVALID_BINARY (-42)
#define CL_INVALID_BUILD_OPTIONS (-43)
#define CL_INVALID_PROGRAM (-44)
#define CL_INVALID_PROGRAM_EXECUTABLE (-45)
#define CL_INVALID_KERNEL_NAME (-46)
#define CL_INVALID_KERNEL_DEFINITION (-47)
#define CL_INVALID_KERNEL (-48)
#define CL_INVALID_ARG_INDEX (-49)
#define CL_INVALID_ARG_VALUE (-50)
#define CL_INVALID_ARG_SIZE (-51)
#define CL_INVALID_KERNEL_ARGS (-52)
#define CL_INVALID_WORK_DIMENSION (-53)
#define CL_INVALID_WORK_GROUP_SIZE (-54)
#define CL_INVALID_WORK_ITEM_SIZE (-55)
#define CL_INVALID_GLOBAL_OFFSET (-56)
#define CL_INVALID_EVENT_WAIT_LIST (-57)
#define CL_INVALID_EVENT (-58)
#define CL_INVALID_OPERATION (-59)
#define CL_INVALID_GL_OBJECT (-60)
#define CL_INVALID_BUFFER_SIZE (-61)
#define CL_INVALID_MIP_LEVEL (-62)
#define CL_INVALID_GLOBAL_WORK_SIZE (-63)
#define CL_INVALID_PROPERTY (-64)
#define CL_INVALID_IMAGE_DESCRIPTOR (-65)
#define CL_INVALID_COMPILER_OPTIONS (-66)
#define CL_INVALID_LINKER_OPTIONS (-67)
#define CL_INVALID_DEVICE_PARTITION_COUNT (-68)
#define CL_INVALID_PIPE_SIZE (-69)
#define CL_INVALID_DEVICE_QUEUE (-70)
#define CL_INVALID_SPEC_ID (-71)
#define CL_MAX_SIZE_RESTRICTION_EXCEEDED (-72)
#define CL_PLATFORM_NOT_FOUND_KHR (-1001) /* from the ICD loader */

/* Booleans (CL/cl.h). */
#define CL_FALSE 0
#define CL_TRUE 1

/* Platform information (clGetPlatformInfo). */
#define CL_PLATFORM_VERSION 0x901
#define CL_PLATFORM_NAME 0x902
#define CL_PLATFORM_VENDOR 0x903
#define CL_PLATFORM_EXTENSIONS 0x904

/* Device types (clGetDeviceIDs). */
#define CL_DEVICE_TYPE_CPU 2
#define CL_DEVICE_TYPE_GPU 4
#define CL_DEVICE_TYPE_ACCELERATOR 8
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFF

/* Device information (clGetDeviceInfo). */
#define CL_DEVICE_TYPE 0x1000
#define CL_DEVICE_MAX_COMPUTE_UNITS 0x1002
#define CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS 0x1003
#define CL_DEVICE_MAX_WORK_GROUP_SIZE 0x1004
#define CL_DEVICE_MAX_WORK_ITEM_SIZES 0x1005
#define CL_DEVICE_MAX_CLOCK_FREQUENCY 0x100C
#define CL_DEVICE_MAX_MEM_ALLOC_SIZE 0x1010
#define CL_DEVICE_MAX_PARAMETER_SIZE 0x1017
#define CL_DEVICE_MEM_BASE_ADDR_ALIGN 0x1019
#define CL_DEVICE_DOUBLE_FP_CONFIG 0x1032
#define CL_DEVICE_HALF_FP_CONFIG 0x1033
#define CL_DEVICE_GLOBAL_MEM_SIZE 0x101F
#define CL_DEVICE_LOCAL_MEM_SIZE 0x1023
#define CL_DEVICE_HOST_UNIFIED_MEMORY 0x1035
#define CL_DEVICE_PROFILING_TIMER_RESOLUTION 0x1025
#define CL_DEVICE_AVAILABLE 0x1027
#define CL_DEVICE_COMPILER_AVAILABLE 0x1028
#define CL_DEVICE_QUEUE_ON_HOST_PROPERTIES 0x102A
#define CL_DEVICE_NAME 0x102B
#define CL_DEVICE_VENDOR 0x102C
#define CL_DRIVER_VERSION 0x102D
#define CL_DEVICE_VERSION 0x102F
#define CL_DEVICE_EXTENSIONS 0x1030
#define CL_DEVICE_OPENCL_C_VERSION 0x103D
#define CL_DEVICE_SVM_CAPABILITIES 0x1053
#define CL_DEVICE_IL_VERSION 0x105B
#define CL_DEVICE_VENDOR_ID 0x1001
#define CL_DEVICE_ADDRESS_BITS 0x100D

/* Shared virtual memory. */
#define CL_DEVICE_SVM_COARSE_GRAIN_BUFFER 1
#define CL_DEVICE_SVM_FINE_GRAIN_BUFFER 2
#define CL_DEVICE_SVM_FINE_GRAIN_SYSTEM 4

/* Contexts and queues. */
#define CL_CONTEXT_PLATFORM 0x1084
#define CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE 1
#define CL_QUEUE_PROFILING_ENABLE 2
#define CL_QUEUE_PROPERTIES 0x1093
#define CL_QUEUE_PRIORITY_KHR 0x1096
#define CL_QUEUE_PRIORITY_HIGH_KHR 1
#define CL_QUEUE_PRIORITY_MED_KHR 2
#define CL_QUEUE_PRIORITY_LOW_KHR 4

/* Memory objects. */
#define CL_MEM_READ_WRITE 1
#define CL_MEM_USE_HOST_PTR 8
#define CL_MEM_ALLOC_HOST_PTR 0x10
#define CL_BUFFER_CREATE_TYPE_REGION 0x1220
#define CL_MAP_READ 1
#define CL_MAP_WRITE 2

/* Programs and their builds. */
#define CL_PROGRAM_BINARY_SIZES 0x1165
#define CL_PROGRAM_BINARIES 0x1166
#define CL_PROGRAM_KERNEL_NAMES 0x1168
#define CL_PROGRAM_BUILD_STATUS 0x1181
#define CL_PROGRAM_BUILD_LOG 0x1183

/* Kernels and their arguments. */
#define CL_KERNEL_NUM_ARGS 0x1191
#define CL_KERNEL_ARG_ADDRESS_QUALIFIER 0x1196
#define CL_KERNEL_ARG_TYPE_NAME 0x1198
#define CL_KERNEL_ARG_NAME 0x119A
#define CL_KERNEL_ARG_ADDRESS_GLOBAL 0x119B
#define CL_KERNEL_ARG_ADDRESS_LOCAL 0x119C
#define CL_KERNEL_ARG_ADDRESS_CONSTANT 0x119D
#define CL_KERNEL_ARG_ADDRESS_PRIVATE 0x119E
#define CL_KERNEL_WORK_GROUP_SIZE 0x11B0
#define CL_KERNEL_COMPILE_WORK_GROUP_SIZE 0x11B1
#define CL_KERNEL_LOCAL_MEM_SIZE 0x11B2
#define CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE 0x11B3
#define CL_KERNEL_PRIVATE_MEM_SIZE 0x11B4

/* Events. */
#define CL_EVENT_COMMAND_EXECUTION_STATUS 0x11D3
#define CL_COMPLETE 0
#define CL_RUNNING 1
#define CL_SUBMITTED 2
#define CL_QUEUED 3
#define CL_PROFILING_COMMAND_QUEUED 0x1280
#define CL_PROFILING_COMMAND_SUBMIT 0x1281
#define CL_PROFILING_COMMAND_START 0x1282
#define CL_PROFILING_COMMAND_END 0x1283

#endif /* TRIAD_CL_TYPES_GIVEN */

/* The functions, one row each: REQUIRED or OPTIONAL, the OpenCL version that
 * brought it (times 100), result, name, parameters. The table is read twice: to
 * declare struct triad_cl_api, and to resolve its members. Without a REQUIRED
 * symbol a library is no OpenCL 1.2 and is passed over; without an OPTIONAL one
 * exactly the feature that needs it is gone. */
#define TRIAD_CL_FUNCTIONS(X) \
    X(REQUIRED, 100, cl_int, clGetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *)) \
    X(REQUIRED, 100, cl_int, clGetPlatformInfo, (cl_platform_id, cl_platform_info, size_t, void *, size_t *)) \
    X(REQUIRED, 100, cl_int, clGetDeviceIDs, (cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *)) \
    X(REQUIRED, 100, cl_int, clGetDeviceInfo, (cl_device_id, cl_device_info, size_t, void *, size_t *)) \
    X(REQUIRED, 100, cl_context, clCreateContext, (const cl_context_properties *, cl_uint, const cl_device_id *, void (*)(const char *, const void *, size_t, void *), void *, cl_int *)) \
    X(REQUIRED, 100, cl_int, clReleaseContext, (cl_context)) \
    X(OPTIONAL, 100, cl_command_queue, clCreateCommandQueue, (cl_context, cl_device_id, cl_command_queue_properties, cl_int *)) \
    X(OPTIONAL, 200, cl_command_queue, clCreateCommandQueueWithProperties, (cl_context, cl_device_id, const cl_queue_properties *, cl_int *)) \
    X(REQUIRED, 100, cl_int, clReleaseCommandQueue, (cl_command_queue)) \
    X(REQUIRED, 100, cl_int, clFlush, (cl_command_queue)) \
    X(REQUIRED, 100, cl_int, clFinish, (cl_command_queue)) \
    X(REQUIRED, 100, cl_mem, clCreateBuffer, (cl_context, cl_mem_flags, size_t, void *, cl_int *)) \
    X(REQUIRED, 110, cl_mem, clCreateSubBuffer, (cl_mem, cl_mem_flags, cl_buffer_create_type, const void *, cl_int *)) \
    X(REQUIRED, 100, cl_int, clReleaseMemObject, (cl_mem)) \
    X(REQUIRED, 100, cl_int, clEnqueueReadBuffer, (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *)) \
    X(REQUIRED, 100, cl_int, clEnqueueWriteBuffer, (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *, cl_event *)) \
    X(REQUIRED, 110, cl_int, clEnqueueReadBufferRect, (cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *)) \
    X(REQUIRED, 110, cl_int, clEnqueueWriteBufferRect, (cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t, const void *, cl_uint, const cl_event *, cl_event *)) \
    X(REQUIRED, 100, cl_int, clEnqueueCopyBuffer, (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *)) \
    X(REQUIRED, 110, cl_int, clEnqueueCopyBufferRect, (cl_command_queue, cl_mem, cl_mem, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *)) \
    X(REQUIRED, 120, cl_int, clEnqueueFillBuffer, (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *)) \
    X(REQUIRED, 100, void *, clEnqueueMapBuffer, (cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint, const cl_event *, cl_event *, cl_int *)) \
    X(REQUIRED, 100, cl_int, clEnqueueUnmapMemObject, (cl_command_queue, cl_mem, void *, cl_uint, const cl_event *, cl_event *)) \
    X(OPTIONAL, 200, void *, clSVMAlloc, (cl_context, cl_svm_mem_flags, size_t, cl_uint)) \
    X(OPTIONAL, 200, void, clSVMFree, (cl_context, void *)) \
    X(OPTIONAL, 200, cl_int, clEnqueueSVMMemcpy, (cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint, const cl_event *, cl_event *)) \
    X(OPTIONAL, 200, cl_int, clEnqueueSVMMemFill, (cl_command_queue, void *, const void *, size_t, size_t, cl_uint, const cl_event *, cl_event *)) \
    X(OPTIONAL, 200, cl_int, clEnqueueSVMFree, (cl_command_queue, cl_uint, void **, void (*)(cl_command_queue, cl_uint, void **, void *), void *, cl_uint, const cl_event *, cl_event *)) \
    X(REQUIRED, 100, cl_program, clCreateProgramWithSource, (cl_context, cl_uint, const char **, const size_t *, cl_int *)) \
    X(REQUIRED, 100, cl_program, clCreateProgramWithBinary, (cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **, cl_int *, cl_int *)) \
    X(OPTIONAL, 210, cl_program, clCreateProgramWithIL, (cl_context, const void *, size_t, cl_int *)) \
    X(OPTIONAL, 220, cl_int, clSetProgramSpecializationConstant, (cl_program, cl_uint, size_t, const void *)) \
    X(REQUIRED, 100, cl_int, clBuildProgram, (cl_program, cl_uint, const cl_device_id *, const char *, void (*)(cl_program, void *), void *)) \
    X(REQUIRED, 100, cl_int, clGetProgramInfo, (cl_program, cl_program_info, size_t, void *, size_t *)) \
    X(REQUIRED, 100, cl_int, clGetProgramBuildInfo, (cl_program, cl_device_id, cl_program_build_info, size_t, void *, size_t *)) \
    X(REQUIRED, 100, cl_int, clReleaseProgram, (cl_program)) \
    X(REQUIRED, 100, cl_kernel, clCreateKernel, (cl_program, const char *, cl_int *)) \
    X(OPTIONAL, 210, cl_kernel, clCloneKernel, (cl_kernel, cl_int *)) \
    X(REQUIRED, 100, cl_int, clReleaseKernel, (cl_kernel)) \
    X(REQUIRED, 100, cl_int, clSetKernelArg, (cl_kernel, cl_uint, size_t, const void *)) \
    X(OPTIONAL, 200, cl_int, clSetKernelArgSVMPointer, (cl_kernel, cl_uint, const void *)) \
    X(REQUIRED, 100, cl_int, clGetKernelInfo, (cl_kernel, cl_kernel_info, size_t, void *, size_t *)) \
    X(REQUIRED, 120, cl_int, clGetKernelArgInfo, (cl_kernel, cl_uint, cl_kernel_arg_info, size_t, void *, size_t *)) \
    X(REQUIRED, 100, cl_int, clGetKernelWorkGroupInfo, (cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *)) \
    X(REQUIRED, 100, cl_int, clEnqueueNDRangeKernel, (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *)) \
    X(REQUIRED, 120, cl_int, clEnqueueMarkerWithWaitList, (cl_command_queue, cl_uint, const cl_event *, cl_event *)) \
    X(REQUIRED, 120, cl_int, clEnqueueBarrierWithWaitList, (cl_command_queue, cl_uint, const cl_event *, cl_event *)) \
    X(REQUIRED, 110, cl_event, clCreateUserEvent, (cl_context, cl_int *)) \
    X(REQUIRED, 110, cl_int, clSetUserEventStatus, (cl_event, cl_int)) \
    X(REQUIRED, 100, cl_int, clWaitForEvents, (cl_uint, const cl_event *)) \
    X(REQUIRED, 100, cl_int, clGetEventInfo, (cl_event, cl_event_info, size_t, void *, size_t *)) \
    X(REQUIRED, 100, cl_int, clGetEventProfilingInfo, (cl_event, cl_profiling_info, size_t, void *, size_t *)) \
    X(REQUIRED, 110, cl_int, clSetEventCallback, (cl_event, cl_int, void (*)(cl_event, cl_int, void *), void *)) \
    X(REQUIRED, 100, cl_int, clRetainEvent, (cl_event)) \
    X(REQUIRED, 100, cl_int, clReleaseEvent, (cl_event))

#endif
