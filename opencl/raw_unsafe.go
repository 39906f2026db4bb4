package opencl

import "unsafe"

// handle is a pointer into C memory: an OpenCL object, or one of the structs of
// triad_opencl.h.
//
// The functions of raw_cgo.go take and return handles and plain values, one
// crossing each, and know nothing of lifetimes; raw_nocgo_unsafe.go has the same
// functions for builds without cgo, in which nothing can be opened. Everything
// else of the package is ordinary Go on top of them.
type handle = unsafe.Pointer

// What info asks; TRIAD_CL_PLATFORM and so on in C.
const (
	ofPlatform = iota + 1
	ofDevice
	ofProgram
	ofBuild
	ofKernel
	ofWorkGroup
)

// loc is one end of a copy.
type loc struct {
	at     uint64 // atSVM, atBuffer or atHost
	addr   uint64 // for atSVM and atHost
	buffer handle // for atBuffer; for the others a buffer that covers the memory, or nil
	offset uint64 // bytes
}

// Where a loc is; TRIAD_CL_AT_SVM and so on in C.
const (
	atSVM = iota
	atBuffer
	atHost
)

// What a wait is for; TRIAD_CL_WAIT_STREAM and so on in C.
const (
	waitStream = iota
	waitEvent
	waitCopy
)

// shape is a launch's sizes: fixed arrays, so that passing it costs nothing.
type shape struct {
	dims          uint32
	global, local [3]uint64
	offset        [3]uint64
}

// bytesAddr is the address of b's first byte, for C; nil for an empty b.
func bytesAddr(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// word is the address as a number, for a wait's ends. The memory is kept where
// it is by whoever asks.
func word(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) }

// hostBytes views page-locked memory.
func hostBytes(p handle, n uint64) []byte { return unsafe.Slice((*byte)(p), n) }

// uintptrsOf are handles as C gets a list of them.
func uintptrsOf(list []handle) []uintptr {
	out := make([]uintptr, len(list))
	for i, h := range list {
		out[i] = uintptr(h)
	}
	return out
}

// argPtr is what a kernel's Ptr parameter gets for a buffer.
func argPtr(buffer handle) uint64 { return word(buffer) | ptrHandleBit }

// addrAt is p moved by off bytes.
func addrAt(p handle, off uint64) handle { return unsafe.Add(p, off) }
