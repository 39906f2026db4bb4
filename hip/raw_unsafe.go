package hip

import "unsafe"

// handle is a pointer into C memory: a HIP object, or one of the structs of
// triad_hip_c.h.
//
// The functions of the raw_…_cgo.go files take and return handles and plain
// values, one crossing each, and know nothing of lifetimes; raw_nocgo_unsafe.go
// has the same functions for builds without cgo, in which nothing can be opened.
// Everything else of the package is ordinary Go on top of them.
type handle = unsafe.Pointer

// planParam is one parameter of a kernel's plan in C.
type planParam struct{ offset, size, kind uint32 }

// The kinds of planParam; TRIAD_HIP_ARG_VALUE and so on in C.
const (
	argValue = iota
	argPointer
	argLocal
)

// Which ends of a copy are host memory; TRIAD_HIP_TO_HOST and so on in C.
const (
	toHost   = 1
	fromHost = 2
)

// bytesAddr is the address of b's first byte, for C; nil for an empty b.
func bytesAddr(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// word is the address as a number.
func word(p unsafe.Pointer) uint64 { return uint64(uintptr(p)) }

// native is a handle of the driver as a number, for a user's own C code.
func native(p handle) uintptr { return uintptr(p) }

// foreign is a user's handle.
func foreign(p uintptr) handle { return *(*handle)(unsafe.Pointer(&p)) }

// hostBytes views page-locked memory.
func hostBytes(p handle, n uint64) []byte { return unsafe.Slice((*byte)(p), n) }

// wordAt is the counter at p.
func wordAt(p handle) *uint32 { return (*uint32)(p) }

// addrAt is p moved by off bytes.
func addrAt(p handle, off uint64) handle { return unsafe.Add(p, off) }
