package driver

import "context"

// Memory is a piece of device memory, or page-locked host memory, untyped. All
// methods may be called from any goroutine.
type Memory interface {
	Device() Device
	// Size in bytes.
	Size() uint64
	// Addr is what a kernel's pointer parameter gets (see Ptr): the address, or a
	// buffer handle marked with PtrHandleBit; PtrClosed once closed.
	Addr() uint64
	// Slice is the part of n bytes from off. It shares the memory and keeps it
	// alive, and is closed on its own. Where memory is a buffer handle, off must
	// be a multiple of the device's base alignment; the error names it.
	Slice(off, n uint64) (Memory, error)
	// Close frees the memory once every command enqueued on the device so far has
	// finished; it does not wait for that.
	Close() error
}

// HostMemory is page-locked host memory.
type HostMemory interface {
	Memory
	// Bytes is the memory itself. It must not be touched after Close, nor, as
	// with any memory, while a copy to or from it is under way.
	Bytes() []byte
}

// Extent is the size of a region to copy: bytes in a row, rows in a slice,
// slices. Zero rows or slices count as 1.
type Extent struct{ Bytes, Rows, Slices uint64 }

// Rect places a region in memory: its first byte is at Offset, its rows are
// RowPitch bytes apart and its slices SlicePitch bytes. A pitch of 0 stands for
// densely packed rows or slices. A SlicePitch is a multiple of the RowPitch.
type Rect struct{ Offset, RowPitch, SlicePitch uint64 }

// Pattern is what memory is filled with: 1, 2, 4, 8 or 16 bytes. It is a value,
// so that filling allocates nothing.
type Pattern struct {
	Bytes [16]byte // the first Len of them count
	Len   uint8
}

// PatternOf is v's bytes as a pattern. It fails with ErrInvalidValue where v's
// size is none of 1, 2, 4, 8 and 16 bytes.
func PatternOf[T any](v T) (Pattern, error) {
	one := [1]T{v}
	b := bytesOf(one[:])
	switch len(b) {
	case 1, 2, 4, 8, 16:
		p := Pattern{Len: uint8(len(b))}
		copy(p.Bytes[:], b)
		return p, nil
	}
	return Pattern{}, Errorf("driver", "PatternOf", ErrInvalidValue, "a pattern of %d bytes; 1, 2, 4, 8 and 16 are possible", len(b))
}

// Buffer is device memory for n elements of T. T is laid out as on the device:
// numbers, vectors, and structs that SignatureOf would accept. All methods may
// be called from any goroutine.
type Buffer[T any] struct {
	mem Memory
	n   int
}

// Alloc allocates a buffer of n elements on dev, its content undefined. n may be
// 0. It fails with ErrOutOfMemory when there is no room, and with ErrSignature
// for a T that devices cannot hold (one with Go pointers, say).
func Alloc[T any](dev Device, n int) (*Buffer[T], error) {
	size, err := bufferSize[T]("Alloc", dev, n)
	if err != nil {
		return nil, err
	}
	m, err := dev.Alloc(size)
	if err != nil {
		return nil, err
	}
	return &Buffer[T]{mem: m, n: n}, nil
}

// BufferOf views memory that was allocated otherwise as a buffer of as many
// elements as fit. The buffer's Close closes m.
func BufferOf[T any](m Memory) (*Buffer[T], error) {
	if m == nil {
		return nil, Errorf("driver", "BufferOf", ErrInvalidValue, "the memory is nil; allocate it with Device.Alloc")
	}
	if err := checkElem[T](); err != nil {
		return nil, err
	}
	return &Buffer[T]{mem: m, n: int(m.Size() / uint64(sizeOf[T]()))}, nil
}

// Len is the number of elements.
func (b *Buffer[T]) Len() int { return b.n }

// Memory is the untyped memory.
func (b *Buffer[T]) Memory() Memory { return b.mem }

// Ptr is the buffer as a kernel parameter. After Close it is one that launches
// refuse.
func (b *Buffer[T]) Ptr() Ptr[T] { return Ptr[T]{bits: b.mem.Addr()} }

// CopyFrom copies all of src to the buffer's beginning; see Stream.CopyFromHost.
func (b *Buffer[T]) CopyFrom(ctx context.Context, s Stream, src []T) error {
	if err := b.checkCopy("Buffer.CopyFrom", s, len(src)); err != nil {
		return err
	}
	return s.CopyFromHost(ctx, b.mem, 0, bytesOf(src))
}

// CopyTo fills all of dst from the buffer's beginning; see Stream.CopyToHost.
func (b *Buffer[T]) CopyTo(ctx context.Context, s Stream, dst []T) error {
	if err := b.checkCopy("Buffer.CopyTo", s, len(dst)); err != nil {
		return err
	}
	return s.CopyToHost(ctx, bytesOf(dst), b.mem, 0)
}

// CopyBuffer enqueues a copy of n elements from the beginning of src to the
// beginning of b; see Stream.Copy.
func (b *Buffer[T]) CopyBuffer(s Stream, src *Buffer[T], n int) error {
	if err := b.checkCopy("Buffer.CopyBuffer", s, n); err != nil {
		return err
	}
	if err := src.checkCopy("Buffer.CopyBuffer (source)", s, n); err != nil {
		return err
	}
	return s.Copy(b.mem, 0, src.mem, 0, uint64(n)*uint64(sizeOf[T]()))
}

// CopyFromPinned enqueues a copy of all of src to the buffer's beginning; src
// must not be changed until the stream has passed it.
func (b *Buffer[T]) CopyFromPinned(s Stream, src *HostBuffer[T]) error {
	if err := b.checkCopy("Buffer.CopyFromPinned", s, src.n); err != nil {
		return err
	}
	return s.Copy(b.mem, 0, src.mem, 0, uint64(src.n)*uint64(sizeOf[T]()))
}

// CopyToPinned enqueues a copy from the buffer's beginning that fills dst.
func (b *Buffer[T]) CopyToPinned(s Stream, dst *HostBuffer[T]) error {
	if err := b.checkCopy("Buffer.CopyToPinned", s, dst.n); err != nil {
		return err
	}
	return s.Copy(dst.mem, 0, b.mem, 0, uint64(dst.n)*uint64(sizeOf[T]()))
}

// Fill enqueues setting every element to v, whose size must be 1, 2, 4, 8 or 16
// bytes.
func (b *Buffer[T]) Fill(s Stream, v T) error {
	if err := b.checkCopy("Buffer.Fill", s, 0); err != nil {
		return err
	}
	p, err := PatternOf(v)
	if err != nil {
		return err
	}
	return s.Fill(b.mem, 0, uint64(b.n)*uint64(sizeOf[T]()), p)
}

// Slice is the part from element lo up to hi. It shares the memory and is closed
// on its own; see Memory.Slice.
func (b *Buffer[T]) Slice(lo, hi int) (*Buffer[T], error) {
	if lo < 0 || hi < lo || hi > b.n {
		return nil, Errorf("driver", "Buffer.Slice", ErrInvalidValue, "elements %d up to %d of a buffer of %d", lo, hi, b.n)
	}
	size := uint64(sizeOf[T]())
	m, err := b.mem.Slice(uint64(lo)*size, uint64(hi-lo)*size)
	if err != nil {
		return nil, err
	}
	return &Buffer[T]{mem: m, n: hi - lo}, nil
}

// Close frees the memory in stream order; see Memory.Close.
func (b *Buffer[T]) Close() error { return b.mem.Close() }

func (b *Buffer[T]) checkCopy(op string, s Stream, n int) error {
	if s == nil {
		return NilStreamError("driver", op)
	}
	if n < 0 || n > b.n {
		return Errorf("driver", op, ErrInvalidValue, "%d elements, and the buffer has %d", n, b.n)
	}
	return nil
}

// HostBuffer is page-locked host memory for n elements of T.
type HostBuffer[T any] struct {
	mem HostMemory
	n   int
}

// AllocHost allocates page-locked host memory for n elements, its content
// undefined.
func AllocHost[T any](dev Device, n int) (*HostBuffer[T], error) {
	size, err := bufferSize[T]("AllocHost", dev, n)
	if err != nil {
		return nil, err
	}
	m, err := dev.AllocHost(size)
	if err != nil {
		return nil, err
	}
	return &HostBuffer[T]{mem: m, n: n}, nil
}

// Len is the number of elements.
func (b *HostBuffer[T]) Len() int { return b.n }

// Memory is the untyped memory.
func (b *HostBuffer[T]) Memory() HostMemory { return b.mem }

// Slice is the memory itself, not to be touched after Close; nil then.
func (b *HostBuffer[T]) Slice() []T { return sliceOf[T](b.mem.Bytes()) }

// Ptr is the memory as a kernel parameter, where the device can read host
// memory; else the null pointer.
func (b *HostBuffer[T]) Ptr() Ptr[T] { return Ptr[T]{bits: b.mem.Addr()} }

// Close frees the memory in stream order; see Memory.Close.
func (b *HostBuffer[T]) Close() error { return b.mem.Close() }

// NilStreamError is the error of a call that was given no stream.
func NilStreamError(backend, op string) error {
	return Errorf(backend, op, ErrInvalidValue, "the stream is nil; make one with Device.NewStream")
}

func bufferSize[T any](op string, dev Device, n int) (uint64, error) {
	if dev == nil {
		return 0, Errorf("driver", op, ErrInvalidValue, "the device is nil; open one with driver.Open")
	}
	if n < 0 {
		return 0, Errorf("driver", op, ErrInvalidValue, "%d elements", n)
	}
	if err := checkElem[T](); err != nil {
		return 0, err
	}
	size := uint64(sizeOf[T]())
	if uint64(n) > (1<<62)/max(size, 1) {
		return 0, Errorf("driver", op, ErrOutOfMemory, "%d elements of %s", n, ByteSize(size))
	}
	return uint64(n) * size, nil
}
