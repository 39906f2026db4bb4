// Package cudatwin is the C program that our CUDA and HIP benchmarks compare against:
// the same work as on the Go side, written in C as one would write it for speed,
// in loops that time themselves. It works with the benchmark's own context,
// streams, kernels and memory, so that only the language differs.
package cudatwin

// Config is what a twin shares with the Go side, all of the same context.
type Config struct {
	Library               string    // the loaded driver library's path
	HIP                   bool      // that library is HIP's runtime; handles are HIP's then
	Context               uintptr   // CUcontext; HIP's number of the device, plus one
	Streams               []uintptr // CUstream; operations on one stream use the first
	Empty4, Empty16, Spin uintptr   // CUfunction of kernels/empty.cu and kernels/spin.cu
	X, Y                  uint64    // CUdeviceptr, of Bytes each
	Pinned                []byte    // page-locked host memory, Bytes long, none of Go's
	Bytes                 int       // the largest copy
}

// Call is what Once does.
type Call int

// The calls, each of them one of the driver's.
const (
	LaunchOnce Call = iota // the empty kernel of 4 arguments
	RecordOnce
	MemsetOnce
	CopyOnce // PinnedToDevice
)

// Wait is how a launch is waited for.
type Wait int

// The ways to wait.
const (
	Query       Wait = iota // cuStreamQuery, in a loop
	Synchronize             // cuStreamSynchronize
	Blocking                // cuEventSynchronize on an event made with CU_EVENT_BLOCKING_SYNC
)

// Direction is that of a copy, and of what memory.
type Direction int

// The directions. Those from and to pinned memory, and on the device, only
// enqueue; copies to pageable memory are waited for one by one.
const (
	PinnedToDevice Direction = iota
	DeviceToPinned
	OnDevice
	PageableToDevice
	DeviceToPageable
)
