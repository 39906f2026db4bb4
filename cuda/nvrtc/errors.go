package nvrtc

import (
	"fmt"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/compile"
)

// backendName is the backend whose errors this package's are.
const backendName = "cuda"

// creating is the call that refuses a program.
var creating = compile.Caller{Backend: backendName, Op: "nvrtcCreateProgram"}

// The codes that this package tells apart.
const (
	codeInvalidInput   = 3
	codeInvalidProgram = 4
	codeInvalidOption  = 5
	codeCompilation    = 6
	codeBuiltins       = 7
	codeBadName        = 10
	codeCancelled      = 16
)

// codes gives NVRTC's codes their names and the sentinels that they match.
var codes = map[int32]struct {
	name string
	kind error
}{
	1:                  {"NVRTC_ERROR_OUT_OF_MEMORY", driver.ErrOutOfMemory},
	2:                  {"NVRTC_ERROR_PROGRAM_CREATION_FAILURE", driver.ErrBuild},
	codeInvalidInput:   {"NVRTC_ERROR_INVALID_INPUT", driver.ErrInvalidValue},
	codeInvalidProgram: {"NVRTC_ERROR_INVALID_PROGRAM", driver.ErrInvalidValue},
	codeInvalidOption:  {"NVRTC_ERROR_INVALID_OPTION", driver.ErrBuild},
	codeCompilation:    {"NVRTC_ERROR_COMPILATION", driver.ErrBuild},
	codeBuiltins:       {"NVRTC_ERROR_BUILTIN_OPERATION_FAILURE", driver.ErrBuild},
	8:                  {"NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION", driver.ErrInvalidValue},
	9:                  {"NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION", driver.ErrInvalidValue},
	codeBadName:        {"NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID", driver.ErrNotFound},
	11:                 {"NVRTC_ERROR_INTERNAL_ERROR", driver.ErrBuild},
	12:                 {"NVRTC_ERROR_TIME_FILE_WRITE_FAILED", driver.ErrBuild},
	13:                 {"NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED", driver.ErrBuild},
	14:                 {"NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED", driver.ErrBuild},
	15:                 {"NVRTC_ERROR_PCH_CREATE", driver.ErrBuild},
	codeCancelled:      {"NVRTC_ERROR_CANCELLED", driver.ErrBuild},
	17:                 {"NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED", driver.ErrBuild},
	18:                 {"NVRTC_ERROR_BUSY", driver.ErrBuild},
}

// codeName is a code's name; NVRTC is asked for those that this package doesn't
// know.
func codeName(code int32) string {
	if c, ok := codes[code]; ok {
		return c.name
	}
	return rawCodeName(code)
}

// failure is the error of a call that returned code; nil for success. detail says
// what was asked.
func failure(op string, code int32, detail string, args ...any) error {
	if code == 0 {
		return nil
	}
	kind := codes[code].kind
	if kind == nil {
		kind = driver.ErrBuild
	}
	return &driver.Error{Backend: backendName, Op: op, Code: int(code), Name: codeName(code), Detail: fmt.Sprintf(detail, args...), Kind: kind}
}

// refused is the error of a call that this package does not even make.
func refused(op string, kind error, format string, args ...any) error {
	return driver.Errorf(backendName, op, kind, format, args...)
}
