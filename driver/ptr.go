package driver

import (
	"math"
	"math/bits"
)

// Ptr is a typed device pointer as a kernel parameter: eight bytes, an integer
// to Go, never followed by the garbage collector and never dereferenced on the
// host. The zero Ptr is the null pointer.
//
// On CUDA, HIP and OpenCL devices with coarse-grain shared virtual memory it is
// a real address and can be offset. On other OpenCL devices it stands for a
// whole buffer (a cl_mem handle, marked by its highest bit) and can't be.
//
// A Ptr does not keep its memory alive: the Buffer that it came from must stay
// open until the last launch that uses it has been enqueued.
type Ptr[T any] struct {
	_    [0]*T // makes Ptr[A] and Ptr[B] inconvertible, and leaves them comparable
	bits uint64
}

// PtrHandleBit marks a Ptr that is a buffer handle rather than an address. No
// user-space address on amd64 or arm64 has this bit.
const PtrHandleBit = uint64(1) << 63

// PtrClosed is the Addr of memory that was closed: a handle of nothing, which
// every launch refuses with ErrClosed. The null pointer would be launched.
const PtrClosed = PtrHandleBit

// PtrFrom makes a typed pointer of what Memory.Addr returned, or of a device
// address from elsewhere.
func PtrFrom[T any](bits uint64) Ptr[T] { return Ptr[T]{bits: bits} }

// Bits is the value that is handed to the driver.
func (p Ptr[T]) Bits() uint64 { return p.bits }

// IsNil tells whether p is the null pointer.
func (p Ptr[T]) IsNil() bool { return p.bits == 0 }

// IsHandle tells whether p stands for a whole buffer and can't be offset.
func (p Ptr[T]) IsHandle() bool { return p.bits&PtrHandleBit != 0 }

// Offset is p moved by n elements of T, which may be negative. It fails with
// ErrUnsupported where p is a buffer handle: there, take a Buffer.Slice, which
// makes a sub-buffer, or pass the offset to the kernel as a parameter. Bounds
// are not checked: an address doesn't know its allocation.
func (p Ptr[T]) Offset(n int) (Ptr[T], error) {
	if n == 0 {
		return p, nil
	}
	if p.IsHandle() {
		return Ptr[T]{}, Errorf("driver", "Ptr.Offset", ErrUnsupported,
			"this device has no shared virtual memory, so the pointer is a buffer handle and cannot be moved by %d elements; use Buffer.Slice, or pass the offset as a kernel parameter", n)
	}
	if p.bits == 0 {
		return Ptr[T]{}, Errorf("driver", "Ptr.Offset", ErrInvalidValue, "the null pointer cannot be moved by %d elements", n)
	}
	hi, by := bits.Mul64(magnitude(n), uint64(sizeOf[T]()))
	to := p.bits + by
	if n < 0 {
		to = p.bits - by
	}
	if hi != 0 || by > PtrHandleBit || to == 0 || to&PtrHandleBit != 0 {
		return Ptr[T]{}, Errorf("driver", "Ptr.Offset", ErrInvalidValue, "address %#x cannot be moved by %d elements of %d bytes: no address is there", p.bits, n, sizeOf[T]())
	}
	return Ptr[T]{bits: to}, nil
}

// magnitude is |n|, of the least int too.
func magnitude(n int) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// Cast reinterprets a pointer as one to another type.
func Cast[U, T any](p Ptr[T]) Ptr[U] { return Ptr[U]{bits: p.bits} }

// Local is local memory (OpenCL) or dynamic shared memory (CUDA, HIP) as a
// kernel parameter: room for so many elements of T per work-group.
//
// In OpenCL it matches a __local pointer parameter. In CUDA and HIP it matches
// no parameter: the sizes of all Local fields are added to the launch's dynamic
// shared memory, in field order, each aligned to 16 bytes.
type Local[T any] struct {
	_     [0]*T
	bytes uint64
}

// LocalOf is local memory for n elements. A negative n counts as 0 bytes, and a
// size beyond 64 bits as the largest there is; a launch refuses both.
func LocalOf[T any](n int) Local[T] {
	hi, bytes := bits.Mul64(uint64(max(n, 0)), uint64(sizeOf[T]()))
	if hi != 0 {
		bytes = math.MaxUint64
	}
	return Local[T]{bytes: bytes}
}

// Bytes is the size in bytes.
func (l Local[T]) Bytes() uint64 { return l.bytes }
