package driver

import (
	"context"
	"sync/atomic"
	"time"
)

// DeviceClass is a coarse kind of device, as selectors name it.
type DeviceClass string

// The classes of devices.
const (
	ClassGPU         DeviceClass = "gpu"
	ClassCPU         DeviceClass = "cpu"
	ClassAccelerator DeviceClass = "accelerator"
	ClassOther       DeviceClass = "other"
)

// DeviceInfo describes a device that can be opened. Sizes are in bytes; what a
// backend doesn't know is zero.
type DeviceInfo struct {
	Backend  string // "opencl"
	Index    int    // within the backend; "opencl:1" opens Index 1
	Name     string
	Vendor   string
	Platform string // OpenCL's platform; the driver's name elsewhere
	Version  string // what the device speaks: "OpenCL 3.0", "compute capability 9.0", "gfx942"
	Driver   string // driver version
	Class    DeviceClass

	Memory           uint64 // global memory
	MaxAlloc         uint64 // largest single allocation
	LocalMemory      uint64 // local (shared) memory per work-group (block)
	MaxParamBytes    uint32 // kernel arguments
	ComputeUnits     uint32 // compute units, multiprocessors
	ClockMHz         uint32
	MaxBlockVolume   uint64    // threads in a block
	MaxBlock         [3]uint64 // in each dimension
	MaxGrid          [3]uint64 // blocks in each dimension; 0 where there is no limit
	WarpSize         uint32    // preferred work-group multiple elsewhere
	UnifiedMemory    bool      // host and device share their memory
	RealAddresses    bool      // Ptr is an address and can be offset
	DoublePrecision  bool
	HalfPrecision    bool
	OutOfOrder       bool // StreamOptions.OutOfOrder is supported
	SPIRV            bool // modules in SPIR-V are accepted
	StreamPriorities bool
	Extensions       []string
}

// DeviceID tells opened devices apart within the process. It is never reused.
type DeviceID uint64

var lastDeviceID atomic.Uint64

// NewDeviceID is for backends: an id that no device has had, never 0.
func NewDeviceID() DeviceID { return DeviceID(lastDeviceID.Add(1)) }

// Device is an opened device with a context of its own (OpenCL) or its primary
// context (CUDA, HIP). All methods may be called from any goroutine.
//
// Streams, events, memory and modules keep their device alive: after Close they
// still work, and the native context goes when the last of them is closed.
type Device interface {
	// ID is unique within the process and constant.
	ID() DeviceID
	// Info describes the device. The result is shared; don't change it.
	Info() *DeviceInfo
	// MemInfo reports free and total device memory in bytes; ErrUnsupported
	// where the driver cannot tell (OpenCL).
	MemInfo() (free, total uint64, err error)

	// NewStream makes a queue of commands.
	NewStream(StreamOptions) (Stream, error)
	// NewEvent makes an event that has not been recorded.
	NewEvent(EventOptions) (Event, error)
	// Alloc allocates device memory. Its content is undefined. 0 bytes are
	// allowed and give memory whose Addr is 0.
	Alloc(bytes uint64) (Memory, error)
	// AllocHost allocates page-locked host memory that the device copies from
	// and to without staging.
	AllocHost(bytes uint64) (HostMemory, error)
	// Load builds or loads a module. A long compile runs in the driver; when ctx
	// ends first, Load returns its error and the result is dropped once it is
	// there.
	Load(ctx context.Context, src ModuleSource, opts BuildOptions) (Module, error)

	// Wait parks the goroutine until everything enqueued on the device's streams
	// so far has finished (cuCtxSynchronize; clFinish on every queue).
	Wait(ctx context.Context) error
	// OnClose has f called when Close is called for the first time, before it
	// returns; at once if that has happened. f must not call the device's Close.
	OnClose(f func())
	// Close gives the device up. Later calls of New…, Alloc… and Load fail with
	// ErrClosed.
	Close() error
}

// StreamOptions are wishes for a stream; the zero value is an in-order stream
// of default priority.
type StreamOptions struct {
	// Priority is 0 for the default, negative for more urgent, positive for less.
	// Devices without priorities ignore it.
	Priority int
	// OutOfOrder lets the device reorder commands that no event orders.
	// ErrUnsupported where the backend has no such streams (CUDA, HIP).
	OutOfOrder bool
	// Timing keeps timestamps for events, at some cost in OpenCL, where
	// Event.Elapsed needs it. CUDA and HIP time events on any stream.
	Timing bool
}

// Stream is a queue of commands on one device. All methods may be called from
// any goroutine; commands of one goroutine are enqueued in its order.
//
// No command method waits for the device, but for CopyFromHost and CopyToHost.
// Drivers may hold commands back until Query, Wait, Record or Flush is called.
type Stream interface {
	Device() Device
	// Copy enqueues a copy of n bytes between device memory and device or
	// page-locked host memory, in any combination (cuMemcpyAsync,
	// clEnqueueCopyBuffer). Ranges beyond the end and, within one allocation,
	// ranges that overlap are refused with ErrInvalidValue. Both memories must
	// stay open until the call has returned.
	Copy(dst Memory, dstOff uint64, src Memory, srcOff uint64, n uint64) error
	// CopyRect enqueues a copy of a two- or three-dimensional region; see Rect.
	CopyRect(dst Memory, dstRect Rect, src Memory, srcRect Rect, size Extent) error
	// Fill enqueues filling n bytes with a pattern. off and n are multiples of the
	// pattern's length (cuMemsetD8Async and its kin, clEnqueueFillBuffer).
	Fill(dst Memory, off, n uint64, p Pattern) error
	// CopyFromHost copies src into dst at off, in stream order, and parks the
	// goroutine until src may be changed again. When ctx ends first it returns
	// ctx's error; the copy goes on, and src is kept alive and must not be
	// changed until the stream has passed it. A copy that the driver has not been
	// given by then is left out.
	CopyFromHost(ctx context.Context, dst Memory, off uint64, src []byte) error
	// CopyToHost copies from src at off into dst, in stream order, and parks the
	// goroutine until dst is filled. When ctx ends first it returns ctx's error;
	// dst is kept alive, and written, until the stream has passed the copy. A copy
	// that the driver has not been given by then is left out.
	CopyToHost(ctx context.Context, dst []byte, src Memory, off uint64) error

	// Record makes e stand for everything enqueued so far (cuEventRecord; a
	// marker in OpenCL). It replaces what e stood for.
	Record(e Event) error
	// WaitEvent has later commands of this stream wait for what e stands for now
	// (cuStreamWaitEvent). An event never recorded is no obstacle.
	WaitEvent(e Event) error
	// Flush has the driver start what it may be holding back (clFlush).
	Flush() error
	// Query tells whether everything enqueued so far has finished. The error is
	// that of a command that failed.
	Query() (bool, error)
	// Wait parks the goroutine until everything enqueued so far has finished, and
	// reports a command that failed. When ctx ends first it returns ctx's error;
	// the commands go on.
	Wait(ctx context.Context) error
	// Close gives the stream up. Commands already enqueued run to their end.
	Close() error
}

// EventOptions are wishes for an event.
type EventOptions struct {
	// NoTiming makes the event cheaper where the backend can; Elapsed then fails.
	NoTiming bool
}

// Event stands for a point in a stream. All methods may be called from any
// goroutine.
type Event interface {
	Device() Device
	// Query tells whether the recorded point was reached; true for an event
	// never recorded.
	Query() (bool, error)
	// Wait parks the goroutine until the recorded point is reached; see
	// Stream.Wait.
	Wait(ctx context.Context) error
	// Elapsed is the device's time from start to this event. Both must have been
	// recorded on streams with timing and reached; else ErrNotReady, or
	// ErrUnsupported without timing.
	Elapsed(start Event) (time.Duration, error)
	// Close gives the event up. Commands that wait for it still do.
	Close() error
}
