package opencl

import (
	"fmt"

	"github.com/triad-gpu/triad/driver"
)

// codes gives OpenCL's codes their names and the sentinels that they match.
// Those without a sentinel of their own match driver.ErrInvalidValue: OpenCL's
// remaining codes all say that an argument was wrong.
var codes = map[int32]struct {
	name string
	kind error
}{
	0:     {"CL_SUCCESS", nil},
	-1:    {"CL_DEVICE_NOT_FOUND", driver.ErrNoDevice},
	-2:    {"CL_DEVICE_NOT_AVAILABLE", driver.ErrDeviceLost},
	-3:    {"CL_COMPILER_NOT_AVAILABLE", driver.ErrUnsupported},
	-4:    {"CL_MEM_OBJECT_ALLOCATION_FAILURE", driver.ErrOutOfMemory},
	-5:    {"CL_OUT_OF_RESOURCES", driver.ErrOutOfMemory},
	-6:    {"CL_OUT_OF_HOST_MEMORY", driver.ErrOutOfMemory},
	-7:    {"CL_PROFILING_INFO_NOT_AVAILABLE", driver.ErrNotReady},
	-8:    {"CL_MEM_COPY_OVERLAP", driver.ErrInvalidValue},
	-9:    {"CL_IMAGE_FORMAT_MISMATCH", driver.ErrInvalidValue},
	-10:   {"CL_IMAGE_FORMAT_NOT_SUPPORTED", driver.ErrUnsupported},
	-11:   {"CL_BUILD_PROGRAM_FAILURE", driver.ErrBuild},
	-12:   {"CL_MAP_FAILURE", driver.ErrOutOfMemory},
	-13:   {"CL_MISALIGNED_SUB_BUFFER_OFFSET", driver.ErrInvalidValue},
	-14:   {"CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", driver.ErrDeviceFault},
	-15:   {"CL_COMPILE_PROGRAM_FAILURE", driver.ErrBuild},
	-16:   {"CL_LINKER_NOT_AVAILABLE", driver.ErrUnsupported},
	-17:   {"CL_LINK_PROGRAM_FAILURE", driver.ErrBuild},
	-18:   {"CL_DEVICE_PARTITION_FAILED", driver.ErrInvalidValue},
	-19:   {"CL_KERNEL_ARG_INFO_NOT_AVAILABLE", driver.ErrUnsupported},
	-30:   {"CL_INVALID_VALUE", driver.ErrInvalidValue},
	-31:   {"CL_INVALID_DEVICE_TYPE", driver.ErrInvalidValue},
	-32:   {"CL_INVALID_PLATFORM", driver.ErrInvalidValue},
	-33:   {"CL_INVALID_DEVICE", driver.ErrInvalidValue},
	-34:   {"CL_INVALID_CONTEXT", driver.ErrInvalidContext},
	-35:   {"CL_INVALID_QUEUE_PROPERTIES", driver.ErrUnsupported},
	-36:   {"CL_INVALID_COMMAND_QUEUE", driver.ErrInvalidValue},
	-37:   {"CL_INVALID_HOST_PTR", driver.ErrInvalidValue},
	-38:   {"CL_INVALID_MEM_OBJECT", driver.ErrInvalidValue},
	-39:   {"CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", driver.ErrInvalidValue},
	-40:   {"CL_INVALID_IMAGE_SIZE", driver.ErrInvalidValue},
	-41:   {"CL_INVALID_SAMPLER", driver.ErrInvalidValue},
	-42:   {"CL_INVALID_BINARY", driver.ErrBuild},
	-43:   {"CL_INVALID_BUILD_OPTIONS", driver.ErrBuild},
	-44:   {"CL_INVALID_PROGRAM", driver.ErrInvalidValue},
	-45:   {"CL_INVALID_PROGRAM_EXECUTABLE", driver.ErrInvalidValue},
	-46:   {"CL_INVALID_KERNEL_NAME", driver.ErrNotFound},
	-47:   {"CL_INVALID_KERNEL_DEFINITION", driver.ErrInvalidValue},
	-48:   {"CL_INVALID_KERNEL", driver.ErrInvalidValue},
	-49:   {"CL_INVALID_ARG_INDEX", driver.ErrSignature},
	-50:   {"CL_INVALID_ARG_VALUE", driver.ErrSignature},
	-51:   {"CL_INVALID_ARG_SIZE", driver.ErrSignature},
	-52:   {"CL_INVALID_KERNEL_ARGS", driver.ErrSignature},
	-53:   {"CL_INVALID_WORK_DIMENSION", driver.ErrInvalidValue},
	-54:   {"CL_INVALID_WORK_GROUP_SIZE", driver.ErrInvalidValue},
	-55:   {"CL_INVALID_WORK_ITEM_SIZE", driver.ErrInvalidValue},
	-56:   {"CL_INVALID_GLOBAL_OFFSET", driver.ErrInvalidValue},
	-57:   {"CL_INVALID_EVENT_WAIT_LIST", driver.ErrInvalidValue},
	-58:   {"CL_INVALID_EVENT", driver.ErrInvalidValue},
	-59:   {"CL_INVALID_OPERATION", driver.ErrUnsupported},
	-60:   {"CL_INVALID_GL_OBJECT", driver.ErrInvalidValue},
	-61:   {"CL_INVALID_BUFFER_SIZE", driver.ErrOutOfMemory},
	-62:   {"CL_INVALID_MIP_LEVEL", driver.ErrInvalidValue},
	-63:   {"CL_INVALID_GLOBAL_WORK_SIZE", driver.ErrInvalidValue},
	-64:   {"CL_INVALID_PROPERTY", driver.ErrUnsupported},
	-65:   {"CL_INVALID_IMAGE_DESCRIPTOR", driver.ErrInvalidValue},
	-66:   {"CL_INVALID_COMPILER_OPTIONS", driver.ErrBuild},
	-67:   {"CL_INVALID_LINKER_OPTIONS", driver.ErrBuild},
	-68:   {"CL_INVALID_DEVICE_PARTITION_COUNT", driver.ErrInvalidValue},
	-69:   {"CL_INVALID_PIPE_SIZE", driver.ErrInvalidValue},
	-70:   {"CL_INVALID_DEVICE_QUEUE", driver.ErrInvalidValue},
	-71:   {"CL_INVALID_SPEC_ID", driver.ErrInvalidValue},
	-72:   {"CL_MAX_SIZE_RESTRICTION_EXCEEDED", driver.ErrInvalidValue},
	-1001: {"CL_PLATFORM_NOT_FOUND_KHR", driver.ErrNoDevice},
}

const backendName = "opencl"

// failure is the error of an OpenCL call that returned code; nil for success.
// detail says what was asked.
func failure(op string, code int32, detail string, args ...any) error {
	if code == 0 {
		return nil
	}
	e := &driver.Error{Backend: backendName, Op: op, Code: int(code), Kind: driver.ErrInvalidValue}
	if c, ok := codes[code]; ok {
		e.Name, e.Kind = c.name, c.kind
	} else {
		e.Name = "unknown OpenCL error"
	}
	if detail != "" {
		e.Detail = fmt.Sprintf(detail, args...)
	}
	return e
}

// commandFailure is the error of a command that ended with a negative status: it
// was enqueued, and failed on the device.
func commandFailure(op string, status int32) error {
	e := &driver.Error{Backend: backendName, Op: op, Code: int(status), Name: "execution failed", Kind: driver.ErrDeviceFault,
		Detail: "a command enqueued before failed on the device"}
	switch c := codes[status]; {
	case c.kind == driver.ErrOutOfMemory:
		e.Name, e.Kind = c.name, c.kind
	case c.kind == driver.ErrDeviceFault:
		e.Name = c.name
	}
	return e
}

// refused is the error of a call that this package does not even make.
func refused(op string, kind error, format string, args ...any) error {
	return driver.Errorf(backendName, op, kind, format, args...)
}

// unsupported says which symbol a feature needs, and what there is instead.
func unsupported(op, symbol, need, have string) error {
	return refused(op, driver.ErrUnsupported, "needs %s of %s or later; the device speaks %s", symbol, need, have)
}
