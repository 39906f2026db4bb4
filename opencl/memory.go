package opencl

import (
	"sync"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Memory is device memory: coarse-grain shared virtual memory with a real
// address where the device has it, a buffer object elsewhere; or a part of
// either. It implements driver.Memory; all methods may be called from any
// goroutine.
type Memory struct {
	life lifetime.Life
	dev  *Device
	at   uint64  // atSVM, atBuffer or atHost
	root *Memory // the whole allocation; itself, but for slices
	size uint64
	off  uint64 // from the beginning of root

	addr   handle // atSVM, atHost: of this memory's first byte
	buffer handle // atBuffer: this memory; atHost: the mapped buffer

	mu    sync.Mutex
	cover handle // atSVM, root only: a buffer laid over it, made when first needed
}

var (
	memoryKind = lifetime.NewKind("opencl memory")
	sliceKind  = lifetime.NewKind("opencl memory slice")
	hostKind   = lifetime.NewKind("opencl host memory")
)

const ptrHandleBit = driver.PtrHandleBit

// Alloc implements driver.Device (clSVMAlloc, clCreateBuffer).
func (d *Device) Alloc(size uint64) (driver.Memory, error) {
	var m *Memory
	var err error
	if d != nil && d.svm {
		m, err = d.AllocSVM(size)
	} else {
		m, err = d.AllocBuffer(size)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// AllocSVM allocates coarse-grain shared virtual memory (clSVMAlloc);
// ErrUnsupported where the device has none. The host reaches it through copies.
func (d *Device) AllocSVM(size uint64) (*Memory, error) {
	const op = "clSVMAlloc"
	if err := d.use(op); err != nil {
		return nil, err
	}
	if err := d.tooLarge(op, size); err != nil {
		d.life.Release()
		return nil, err
	}
	m := &Memory{dev: d, at: atSVM, size: size}
	m.root = m
	if !d.svm {
		d.life.Release()
		return nil, unsupported(op, "clSVMAlloc with coarse-grain buffers", "OpenCL 2.0", d.info.Version)
	}
	if size > 0 {
		if m.addr = rawSVMNew(d.raw, size, 0); m.addr == nil {
			d.life.Release()
			return nil, d.outOfMemory(op, -4, size)
		}
	}
	m.life.Init(memoryKind, func() {
		if m.addr != nil {
			rawSVMFree(d.raw, m.addr, m.cover)
		}
		d.life.Release()
	})
	return m, nil
}

// AllocBuffer allocates a buffer object (clCreateBuffer), also where the device
// has shared virtual memory. Its Addr is a handle and can't be offset.
func (d *Device) AllocBuffer(size uint64) (*Memory, error) {
	const op = "clCreateBuffer"
	if err := d.use(op); err != nil {
		return nil, err
	}
	if err := d.tooLarge(op, size); err != nil {
		d.life.Release()
		return nil, err
	}
	m := &Memory{dev: d, at: atBuffer, size: size}
	m.root = m
	if size > 0 {
		var code int32
		if m.buffer, code = rawBufferNew(d.raw, memReadWrite, size, nil); code != 0 {
			d.life.Release()
			if codes[code].kind == driver.ErrOutOfMemory {
				return nil, d.outOfMemory(op, code, size)
			}
			return nil, failure(op, code, "%s", driver.ByteSize(size))
		}
	}
	m.life.Init(memoryKind, func() {
		if m.buffer != nil {
			rawBufferFree(m.buffer)
		}
		d.life.Release()
	})
	return m, nil
}

// tooLarge refuses what can't be: some drivers end the process over it.
func (d *Device) tooLarge(op string, size uint64) error {
	if size > d.info.MaxAlloc && size > d.info.Memory {
		return d.outOfMemory(op, -4, size)
	}
	return nil
}

func (d *Device) outOfMemory(op string, code int32, size uint64) error {
	return failure(op, code, "%s requested; the device has %s, and allows %s in one allocation",
		driver.ByteSize(size), driver.ByteSize(d.info.Memory), driver.ByteSize(d.info.MaxAlloc))
}

// Device implements driver.Memory.
func (m *Memory) Device() driver.Device { return m.dev }

// Size implements driver.Memory.
func (m *Memory) Size() uint64 { return m.size }

// Addr implements driver.Memory.
func (m *Memory) Addr() uint64 {
	switch {
	case m == nil || m.life.Closed():
		return driver.PtrClosed
	case m.size == 0 || m.at == atHost:
		return 0
	case m.at == atBuffer:
		return argPtr(m.buffer)
	}
	return word(m.addr)
}

// Native returns the cl_mem or the shared virtual address, as an integer, for a
// user's own C code. It is valid until Close; 0 afterwards.
func (m *Memory) Native() uintptr {
	if m == nil || m.life.Closed() {
		return 0
	}
	if m.at == atBuffer {
		return uintptr(m.buffer)
	}
	return uintptr(m.addr)
}

// Slice implements driver.Memory (clCreateSubBuffer, where memory is a buffer).
func (m *Memory) Slice(off, n uint64) (driver.Memory, error) {
	const op = "clCreateSubBuffer"
	if err := m.use(op); err != nil {
		return nil, err
	}
	if off > m.size || n > m.size-off {
		m.life.Release()
		return nil, refused(op, driver.ErrInvalidValue, "%d bytes from %d of %d", n, off, m.size)
	}
	part := &Memory{dev: m.dev, at: m.at, root: m.root, size: n, off: m.off + off}
	var own handle
	if n > 0 {
		if m.at != atBuffer {
			part.addr, part.buffer = addrAt(m.addr, off), m.buffer
		} else {
			// A sub-buffer of a sub-buffer isn't allowed: take the whole one's.
			var code int32
			if a := m.dev.align; a > 0 && part.off%a != 0 {
				m.life.Release()
				return nil, refused(op, driver.ErrInvalidValue, "offset %d is no multiple of %d, to which %s aligns sub-buffers", part.off, a, m.dev.info.Name)
			}
			if own, code = rawBufferSub(m.root.buffer, part.off, n); code != 0 {
				m.life.Release()
				return nil, failure(op, code, "%d bytes from %d of %d", n, part.off, m.root.size)
			}
			part.buffer = own
		}
	}
	part.life.Init(sliceKind, func() {
		if own != nil {
			rawBufferFree(own)
		}
		m.life.Release()
	})
	return part, nil
}

func (m *Memory) use(op string) error {
	if m == nil {
		return refused(op, driver.ErrInvalidValue, "the memory is nil")
	}
	if !m.life.Acquire() {
		return driver.ClosedError(backendName, op, "memory")
	}
	return nil
}

// Close implements driver.Memory. A buffer object is freed by OpenCL once the
// commands that use it have finished; shared virtual memory behind everything
// that has been enqueued on the device (clEnqueueSVMFree).
func (m *Memory) Close() error {
	if m != nil {
		m.life.Close()
	}
	return nil
}

// loc is m as an end of a copy, off bytes into it.
func (m *Memory) loc(off uint64) loc {
	switch m.at {
	case atBuffer:
		return loc{at: atBuffer, buffer: m.buffer, offset: off}
	case atHost:
		return loc{at: atHost, addr: word(m.addr), buffer: m.buffer, offset: off}
	}
	return loc{at: atSVM, addr: word(m.root.addr), offset: m.off + off}
}

// whole is loc(0) by way of the whole allocation's buffer: PoCL 3.1 crashes in
// rectangular copies of sub-buffers.
func (m *Memory) whole() loc {
	if m.at == atBuffer {
		return loc{at: atBuffer, buffer: m.root.buffer, offset: m.off}
	}
	return m.loc(0)
}

// covered gives l, a place in m, a buffer if it has none: rectangular copies, and
// copies between a buffer object and shared virtual memory, exist for buffers
// only. OpenCL lets a buffer share the storage of shared virtual memory.
func (m *Memory) covered(op string, l *loc) error {
	if m.at != atSVM || m.size == 0 {
		return nil
	}
	r := m.root
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cover != nil {
		l.buffer = r.cover
		return nil
	}
	buffer, code := rawBufferNew(r.dev.raw, memReadWrite|memUseHostPtr, r.size, r.addr)
	if err := failure(op, code, "laying a buffer over %s of shared virtual memory", driver.ByteSize(r.size)); err != nil {
		return err
	}
	r.cover, l.buffer = buffer, buffer
	return nil
}

// HostMemory is page-locked host memory: a buffer that the driver keeps on the
// host, mapped for its whole life. It implements driver.HostMemory.
type HostMemory struct {
	Memory
	bytes []byte
}

// AllocHost implements driver.Device (clCreateBuffer with
// CL_MEM_ALLOC_HOST_PTR, clEnqueueMapBuffer).
func (d *Device) AllocHost(size uint64) (driver.HostMemory, error) {
	const op = "clCreateBuffer"
	if err := d.use(op); err != nil {
		return nil, err
	}
	if err := d.tooLarge(op, size); err != nil {
		d.life.Release()
		return nil, err
	}
	h := &HostMemory{Memory: Memory{dev: d, at: atHost, size: size}}
	h.root = &h.Memory
	if size > 0 {
		var code int32
		if h.buffer, h.addr, code = rawHostNew(d.raw, size); h.buffer == nil {
			d.life.Release()
			if code == 0 || codes[code].kind == driver.ErrOutOfMemory {
				return nil, d.outOfMemory(op, min(code, -4), size)
			}
			return nil, failure(op, code, "%s of page-locked host memory", driver.ByteSize(size))
		}
		h.bytes = hostBytes(h.addr, size)
	}
	h.life.Init(hostKind, func() {
		if h.buffer != nil {
			rawHostFree(d.raw, h.buffer, h.addr)
		}
		d.life.Release()
	})
	return h, nil
}

// Close implements driver.HostMemory; see Memory.Close.
func (h *HostMemory) Close() error {
	if h == nil {
		return nil
	}
	return h.Memory.Close()
}

// Bytes implements driver.HostMemory; nil once closed.
func (h *HostMemory) Bytes() []byte {
	if h == nil || h.life.Closed() {
		return nil
	}
	return h.bytes
}

// memoryOf is memory of the contract as ours, in use until its life's Release.
func memoryOf(op, which string, m driver.Memory, d *Device) (*Memory, error) {
	var ours *Memory
	switch m := m.(type) {
	case *Memory:
		ours = m
	case *HostMemory:
		if m != nil {
			ours = &m.Memory
		}
	}
	if ours != nil && ours.dev == d && ours.life.Acquire() {
		return ours, nil
	}
	return nil, notMemory(op, which, m, ours, d)
}

// notMemory is why m, which is ours if it is this backend's, is of no use to d.
func notMemory(op, which string, m driver.Memory, ours *Memory, d *Device) error {
	if ours == nil {
		switch m.(type) {
		case nil, *Memory, *HostMemory:
			return refused(op, driver.ErrInvalidValue, "the %s is nil; make memory with Device.Alloc", which)
		}
		return refused(op, driver.ErrDeviceMismatch, "the %s is a %T, not memory of this backend", which, m)
	}
	if ours.dev != d {
		return refused(op, driver.ErrDeviceMismatch, "the %s is of %s (device id %d), the stream of %s (device id %d)",
			which, ours.dev.info.Name, ours.dev.id, d.info.Name, d.id)
	}
	return driver.ClosedError(backendName, op, "memory")
}
