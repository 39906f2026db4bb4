package driver

import (
	"errors"
	"fmt"
	"strings"
)

// Sentinels, to be matched with errors.Is. A backend's errors are *Error (or
// *BuildError) values that match the sentinel of their kind.
var (
	// ErrUnavailable: this build or machine cannot use the backend at all: no
	// cgo, an unsupported operating system, or a library that does not load.
	ErrUnavailable = errors.New("backend unavailable")
	// ErrLibraryNotFound: no usable driver library was found. Also matches
	// ErrUnavailable. The error lists what was tried and why each failed.
	ErrLibraryNotFound = fmt.Errorf("%w: driver library not found", ErrUnavailable)
	// ErrNoDevice: the library works, and there is no device to open.
	ErrNoDevice = errors.New("no device")
	// ErrUnsupported: the device, driver or driver version lacks the feature.
	ErrUnsupported = errors.New("unsupported")
	// ErrClosed: the object was closed before or during the call.
	ErrClosed = errors.New("closed")
	// ErrOutOfMemory: device or host memory for the request is not to be had.
	ErrOutOfMemory = errors.New("out of memory")
	// ErrInvalidValue: an argument is out of its range; nothing was done.
	ErrInvalidValue = errors.New("invalid value")
	// ErrInvalidContext: a native handle of another context was used.
	ErrInvalidContext = errors.New("invalid context")
	// ErrDeviceMismatch: two objects of one call belong to different devices.
	ErrDeviceMismatch = errors.New("objects of different devices")
	// ErrNotReady: the result asked for does not exist yet.
	ErrNotReady = errors.New("not ready")
	// ErrNotFound: no kernel, global or file of that name.
	ErrNotFound = errors.New("not found")
	// ErrSignature: a kernel's parameters and the Go argument struct differ.
	ErrSignature = errors.New("argument mismatch")
	// ErrBuild: a program did not compile or link; the error has the log.
	ErrBuild = errors.New("build failed")
	// ErrLaunch: a launch was refused or failed while it ran.
	ErrLaunch = errors.New("launch failed")
	// ErrDeviceFault: a command failed on the device while it ran.
	ErrDeviceFault = errors.New("device fault")
	// ErrDeviceLost: the device is gone or unusable until it is reset.
	ErrDeviceLost = errors.New("device lost")
)

// Error is what a backend's calls fail with.
//
// It reads "cuda: cuMemAlloc: out of memory (2): 4.0 GiB requested, 1.2 GiB
// free": the backend, the driver's own name for the call, the driver's name
// and number for the failure, and in Detail what was asked and what would work.
type Error struct {
	Backend string // "opencl", "cuda", "hip", or the package whose own check it is: "driver", "kernelcache"
	Op      string // the driver manual's name of the call, or ours where none was made
	Code    int    // the driver's number; 0 where the driver was not asked
	Name    string // the driver's name of Code, such as CL_OUT_OF_RESOURCES
	Detail  string // what was asked, which limit was hit, what would work
	Kind    error  // the sentinel this error matches; may be nil
	Err     error  // an underlying error; may be nil
}

// Error implements error.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Backend)
	if e.Op != "" {
		b.WriteString(": ")
		b.WriteString(e.Op)
	}
	switch {
	case e.Name != "":
		b.WriteString(": ")
		b.WriteString(e.Name)
		if e.Code != 0 {
			fmt.Fprintf(&b, " (%d)", e.Code)
		}
	case e.Kind != nil:
		b.WriteString(": ")
		b.WriteString(e.Kind.Error())
	}
	if e.Detail != "" {
		b.WriteString(": ")
		b.WriteString(e.Detail)
	}
	if e.Err != nil {
		b.WriteString(": ")
		b.WriteString(e.Err.Error())
	}
	return b.String()
}

// Unwrap lets errors.Is and errors.As see the sentinel and the cause.
func (e *Error) Unwrap() []error {
	var errs []error
	if e.Kind != nil {
		errs = append(errs, e.Kind)
	}
	if e.Err != nil {
		errs = append(errs, e.Err)
	}
	return errs
}

// BuildError is a program that did not compile or link. It matches ErrBuild.
type BuildError struct {
	Backend string
	Op      string // clBuildProgram, nvrtcCompileProgram, cuModuleLoadDataEx, …
	Code    int
	Name    string // the driver's name of Code
	Device  string // the device that it was built for
	Options string // the options as the compiler got them
	Log     string // the compiler's log, whole
	Line    string // the first source line that the log complains of, with its number; may be ""
}

// Error gives the first line of trouble and the log.
func (e *BuildError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s (%d): for %s", e.Backend, e.Op, e.Name, e.Code, e.Device)
	if e.Options != "" {
		fmt.Fprintf(&b, " with options %q", e.Options)
	}
	if e.Line != "" {
		b.WriteString("\n  ")
		b.WriteString(e.Line)
	}
	if log := strings.TrimSpace(e.Log); log != "" {
		b.WriteString("\n")
		b.WriteString(log)
	}
	return b.String()
}

// Is matches ErrBuild.
func (e *BuildError) Is(target error) bool { return target == ErrBuild }

// Errorf makes an *Error of the contract's own checks: no driver was asked.
// Backends use it with their name and the call that they refused to make.
func Errorf(backend, op string, kind error, format string, args ...any) *Error {
	return &Error{Backend: backend, Op: op, Kind: kind, Detail: fmt.Sprintf(format, args...)}
}

// ClosedError is the error of a call on an object that was closed.
func ClosedError(backend, op, what string) *Error {
	return Errorf(backend, op, ErrClosed, "the %s was closed", what)
}

// ByteSize formats a number of bytes for error texts: "4.0 GiB", "512 B".
func ByteSize(n uint64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	f, i := float64(n)/1024, 0
	for f >= 1023.95 && i < len(units)-1 { // would be printed as 1024.0
		f /= 1024
		i++
	}
	return fmt.Sprintf("%.1f %ciB", f, units[i])
}
