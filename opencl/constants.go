package opencl

// The values of OpenCL's constants that Go code asks with, by the names that
// they have in CL/cl.h. A test compares them with triad_cl.h.
const (
	platformVersion    = 0x901 // CL_PLATFORM_VERSION
	platformName       = 0x902 // CL_PLATFORM_NAME
	platformVendor     = 0x903 // CL_PLATFORM_VENDOR
	platformExtensions = 0x904 // CL_PLATFORM_EXTENSIONS

	deviceTypeCPU         = 2 // CL_DEVICE_TYPE_CPU
	deviceTypeGPU         = 4 // CL_DEVICE_TYPE_GPU
	deviceTypeAccelerator = 8 // CL_DEVICE_TYPE_ACCELERATOR

	deviceType                  = 0x1000 // CL_DEVICE_TYPE
	deviceMaxComputeUnits       = 0x1002 // CL_DEVICE_MAX_COMPUTE_UNITS
	deviceMaxWorkGroupSize      = 0x1004 // CL_DEVICE_MAX_WORK_GROUP_SIZE
	deviceMaxWorkItemSizes      = 0x1005 // CL_DEVICE_MAX_WORK_ITEM_SIZES
	deviceMaxClockFrequency     = 0x100C // CL_DEVICE_MAX_CLOCK_FREQUENCY
	deviceMaxMemAllocSize       = 0x1010 // CL_DEVICE_MAX_MEM_ALLOC_SIZE
	deviceMaxParameterSize      = 0x1017 // CL_DEVICE_MAX_PARAMETER_SIZE
	deviceMemBaseAddrAlign      = 0x1019 // CL_DEVICE_MEM_BASE_ADDR_ALIGN
	deviceDoubleFPConfig        = 0x1032 // CL_DEVICE_DOUBLE_FP_CONFIG
	deviceGlobalMemSize         = 0x101F // CL_DEVICE_GLOBAL_MEM_SIZE
	deviceLocalMemSize          = 0x1023 // CL_DEVICE_LOCAL_MEM_SIZE
	deviceHostUnifiedMemory     = 0x1035 // CL_DEVICE_HOST_UNIFIED_MEMORY
	deviceQueueOnHostProperties = 0x102A // CL_DEVICE_QUEUE_ON_HOST_PROPERTIES
	deviceName                  = 0x102B // CL_DEVICE_NAME
	deviceVendor                = 0x102C // CL_DEVICE_VENDOR
	driverVersion               = 0x102D // CL_DRIVER_VERSION
	deviceVersion               = 0x102F // CL_DEVICE_VERSION
	deviceExtensions            = 0x1030 // CL_DEVICE_EXTENSIONS
	deviceSVMCapabilities       = 0x1053 // CL_DEVICE_SVM_CAPABILITIES
	deviceILVersion             = 0x105B // CL_DEVICE_IL_VERSION

	svmCoarseGrainBuffer = 1 // CL_DEVICE_SVM_COARSE_GRAIN_BUFFER

	queueOutOfOrder   = 1 // CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
	queueProfiling    = 2 // CL_QUEUE_PROFILING_ENABLE
	queuePriorityHigh = 1 // CL_QUEUE_PRIORITY_HIGH_KHR
	queuePriorityMed  = 2 // CL_QUEUE_PRIORITY_MED_KHR
	queuePriorityLow  = 4 // CL_QUEUE_PRIORITY_LOW_KHR

	memReadWrite  = 1 // CL_MEM_READ_WRITE
	memUseHostPtr = 8 // CL_MEM_USE_HOST_PTR

	programBinarySizes = 0x1165 // CL_PROGRAM_BINARY_SIZES
	programKernelNames = 0x1168 // CL_PROGRAM_KERNEL_NAMES
	programBuildLog    = 0x1183 // CL_PROGRAM_BUILD_LOG

	kernelNumArgs             = 0x1191 // CL_KERNEL_NUM_ARGS
	kernelArgAddressQualifier = 0x1196 // CL_KERNEL_ARG_ADDRESS_QUALIFIER
	kernelArgTypeName         = 0x1198 // CL_KERNEL_ARG_TYPE_NAME
	kernelArgName             = 0x119A // CL_KERNEL_ARG_NAME
	argAddressGlobal          = 0x119B // CL_KERNEL_ARG_ADDRESS_GLOBAL
	argAddressLocal           = 0x119C // CL_KERNEL_ARG_ADDRESS_LOCAL
	argAddressConstant        = 0x119D // CL_KERNEL_ARG_ADDRESS_CONSTANT
	argAddressPrivate         = 0x119E // CL_KERNEL_ARG_ADDRESS_PRIVATE

	kernelWorkGroupSize        = 0x11B0 // CL_KERNEL_WORK_GROUP_SIZE
	kernelCompileWorkGroupSize = 0x11B1 // CL_KERNEL_COMPILE_WORK_GROUP_SIZE
	kernelLocalMemSize         = 0x11B2 // CL_KERNEL_LOCAL_MEM_SIZE
	kernelPreferredMultiple    = 0x11B3 // CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE
	kernelPrivateMemSize       = 0x11B4 // CL_KERNEL_PRIVATE_MEM_SIZE
)
