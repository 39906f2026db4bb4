package cuda

import (
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Memory is device memory, or page-locked host memory, or a part of either. It
// implements driver.Memory; all methods may be called from any goroutine.
type Memory struct {
	life lifetime.Life
	dev  *Device
	host bool
	from origin  // of the root
	root *Memory // the whole allocation; itself, but for slices
	size uint64
	addr uint64 // as the device sees it
}

var (
	memoryKind = lifetime.NewKind("cuda memory")
	sliceKind  = lifetime.NewKind("cuda memory slice")
	hostKind   = lifetime.NewKind("cuda host memory")
)

// Alloc implements driver.Device. The memory comes from a pool of this opening's
// own (cuMemAllocFromPoolAsync), which keeps what is freed for the next allocation;
// devices without pools allocate it each time (cuMemAlloc).
func (d *Device) Alloc(size uint64) (driver.Memory, error) {
	if d != nil && !d.pooled {
		return asMemory(d.AllocPlain(size))
	}
	return asMemory(d.alloc("cuMemAllocFromPoolAsync", size,
		func() (uint64, int32) { return rawAlloc(d.raw, size) },
		func(p uint64) { rawFree(d.raw, p, nil, 0) }, false))
}

// asMemory is not a nil *Memory in an interface.
func asMemory(m *Memory, err error) (driver.Memory, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// AllocPlain allocates memory of no pool (cuMemAlloc), as other processes can be
// given it. To free it may take as long as what runs on the device: Close puts
// that off.
func (d *Device) AllocPlain(size uint64) (*Memory, error) {
	m, err := d.alloc("cuMemAlloc", size,
		func() (uint64, int32) { return rawAllocPlain(d.raw, size) },
		func(p uint64) { rawFreePlain(d.raw, p) }, true)
	if err == nil {
		m.from = originPlain
	}
	return m, err
}

// alloc makes memory by a call of the driver's, to be freed by another; mayWait
// says that this one waits for the device.
func (d *Device) alloc(op string, size uint64, call func() (uint64, int32), free func(p uint64), mayWait bool) (*Memory, error) {
	if err := d.use(op); err != nil {
		return nil, err
	}
	m := &Memory{dev: d, size: size}
	m.root = m
	if size > 0 {
		var code int32
		if m.addr, code = call(); code != 0 {
			err := d.allocFailure(op, code, size)
			d.life.Release()
			return nil, err
		}
	}
	m.life.Init(memoryKind, func() {
		if m.addr == 0 {
			d.life.Release()
			return
		}
		d.discards.Discard(mayWait, func() { free(m.addr) })
	})
	return m, nil
}

func (d *Device) allocFailure(op string, code int32, size uint64) error {
	if code != codeOutOfMemory {
		return d.failure(op, code, "%s", driver.ByteSize(size))
	}
	free, total, c := rawMemInfo(d.raw)
	if c != 0 {
		return d.failure(op, code, "%s requested", driver.ByteSize(size))
	}
	return d.failure(op, code, "%s requested, %s free of %s", driver.ByteSize(size), driver.ByteSize(free), driver.ByteSize(total))
}

// Device implements driver.Memory.
func (m *Memory) Device() driver.Device { return m.dev }

// Size implements driver.Memory.
func (m *Memory) Size() uint64 { return m.size }

// Addr implements driver.Memory: the CUdeviceptr, which page-locked host memory has too.
func (m *Memory) Addr() uint64 {
	switch {
	case m == nil || m.life.Closed():
		return driver.PtrClosed
	case m.size == 0:
		return 0
	}
	return m.addr
}

// Slice implements driver.Memory.
func (m *Memory) Slice(off, n uint64) (driver.Memory, error) {
	const op = "Memory.Slice"
	if err := m.use(op); err != nil {
		return nil, err
	}
	if off > m.size || n > m.size-off {
		m.life.Release()
		return nil, refused(op, driver.ErrInvalidValue, "%d bytes from %d of %d", n, off, m.size)
	}
	part := &Memory{dev: m.dev, host: m.host, root: m.root, size: n, addr: m.addr + off}
	part.life.Init(sliceKind, m.life.Release)
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

// Close implements driver.Memory (cuMemFreeAsync, cuMemFree): memory of a pool is
// freed in stream order, behind everything that this opening's streams have been
// given.
func (m *Memory) Close() error {
	if m != nil {
		m.life.Close()
	}
	return nil
}

// HostMemory is page-locked host memory. It implements driver.HostMemory.
type HostMemory struct {
	Memory
	bytes []byte
}

// HostFlags are CU_MEMHOSTALLOC_….
type HostFlags uint32

// The flags of page-locked memory. All of it is portable and mapped: any context
// of this process takes it as page-locked, and kernels can read it.
const (
	WriteCombined HostFlags = 4 // fast for the host to write, very slow to read
)

const hostPortable, hostMapped = 1, 2

// AllocHost implements driver.Device (cuMemHostAlloc).
func (d *Device) AllocHost(size uint64) (driver.HostMemory, error) {
	h, err := d.HostAlloc(size, 0)
	if err != nil {
		return nil, err
	}
	return h, nil
}

// HostAlloc is AllocHost with flags.
func (d *Device) HostAlloc(size uint64, flags HostFlags) (*HostMemory, error) {
	const op = "cuMemHostAlloc"
	if err := d.use(op); err != nil {
		return nil, err
	}
	h := &HostMemory{Memory: Memory{dev: d, host: true, size: size}}
	h.root = &h.Memory
	var p handle
	if size > 0 {
		var code int32
		if p, h.addr, code = rawHostAlloc(d.raw, size, uint32(flags)|hostPortable|hostMapped); code != 0 {
			err := d.failure(op, code, "%s of page-locked host memory", driver.ByteSize(size))
			d.giveUp(p)
			return nil, err
		}
		h.bytes = hostBytes(p, size)
	}
	h.life.Init(hostKind, func() {
		d.giveUp(p)
	})
	return h, nil
}

// giveUp frees page-locked memory, if there is any, and gives up its use of the device.
func (d *Device) giveUp(p handle) {
	if p == nil {
		d.life.Release()
		return
	}
	d.discards.Discard(true, func() { rawHostFree(d.raw, p) })
}

// Bytes implements driver.HostMemory; nil once closed.
func (h *HostMemory) Bytes() []byte {
	if h == nil || h.life.Closed() {
		return nil
	}
	return h.bytes
}

// Close implements driver.HostMemory (cuMemFreeHost), which is put off
// while the device is busy.
func (h *HostMemory) Close() error {
	if h == nil {
		return nil
	}
	return h.Memory.Close()
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
	default:
		if owner, ok := m.(memoryOwner); ok {
			ours = owner.memory()
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
		case nil, *Memory, *HostMemory, memoryOwner:
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
