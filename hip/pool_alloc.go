package hip

import (
	"os"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Alloc allocates memory of the opening's own pool in the order of the stream
// (hipMallocFromPoolAsync): what is enqueued on s from now on may use it, and
// other streams once they have waited for an event of s recorded from now on. It
// waits for nothing. ErrUnsupported for devices without memory pools, and for a stream
// that is being captured.
//
// Close frees the memory behind everything that this opening's streams have been given.
// Where no stream but s has something to do, s keeps it, without a call of the runtime's,
// for its next Alloc of exactly that many bytes: at most 4 pieces and 64 MiB in all, those
// that were closed last. They are given back when s is closed, by Trim of Device.Pool, and
// when memory runs out. Debug builds (the tag triad_debug) keep nothing.
func (s *Stream) Alloc(size uint64) (*Memory, error) {
	const op = "hipMallocFromPoolAsync"
	if err := s.use(op); err != nil {
		return nil, err
	}
	defer s.life.Release()
	d := s.dev
	if err := d.poolUse(op); err != nil {
		return nil, err
	}
	addr, err := s.allocOn(op, nil, size)
	if err != nil {
		d.life.Release()
		return nil, err
	}
	home, keep := s.raw, spare(size)
	return d.memoryAt(addr, size, originPool, func() {
		if addr != 0 {
			rawFree(d.raw, addr, home, keep)
		}
		d.life.Release()
	}), nil
}

// keepsNothing is so in debug builds, so that tools see what is used after it was closed.
// Tests of what is kept change it.
var keepsNothing = lifetime.Debug

// spare is how much a stream may keep of size bytes that are closed.
func spare(size uint64) uint64 {
	if keepsNothing {
		return 0
	}
	return size
}

// AllocOn is Stream.Alloc with memory of this pool.
func (p *Pool) AllocOn(s *Stream, size uint64) (*Memory, error) {
	const op = "hipMallocFromPoolAsync"
	if err := p.use(op); err != nil {
		return nil, err
	}
	m, err := p.allocOn(op, s, size)
	if err != nil {
		p.life.Release()
	}
	return m, err
}

// allocOn takes over a use of p where it succeeds.
func (p *Pool) allocOn(op string, s *Stream, size uint64) (*Memory, error) {
	if err := s.use(op); err != nil {
		return nil, err
	}
	defer s.life.Release()
	switch {
	case s.dev != p.dev:
		return nil, refused(op, driver.ErrDeviceMismatch, "the stream is of %s (device id %d), the pool of %s (device id %d)",
			s.dev.info.Name, s.dev.id, p.dev.info.Name, p.dev.id)
	case p.imported:
		return nil, refused(op, driver.ErrUnsupported, "the pool is of another process, which allocates; use ImportPointer")
	}
	addr, err := s.allocOn(op, p.raw, size)
	if err != nil {
		return nil, err
	}
	return p.memoryAt(addr, size, s.raw), nil
}

func (s *Stream) allocOn(op string, pool handle, size uint64) (uint64, error) {
	if size == 0 {
		return 0, nil
	}
	addr, code := rawAllocOn(s.raw, pool, size)
	switch code {
	case 0:
		return addr, nil
	case codeCaptureUnsupported:
		return 0, refused(op, driver.ErrUnsupported, "the stream is being captured; allocate before, or on another stream")
	}
	return 0, s.dev.allocFailure(op, code, size)
}

// memoryAt is memory of the pool, which holds a use of it. It is freed in stream
// order; home is the stream that it was allocated on, nil if none.
func (p *Pool) memoryAt(addr, size uint64, home handle) *Memory {
	return p.dev.memoryAt(addr, size, originPool, func() {
		if addr != 0 {
			rawFree(p.dev.raw, addr, home, 0)
		}
		p.life.Release()
	})
}

// Export gives out a file descriptor that stands for the pool, for another process
// to import (hipMemPoolExportToShareableHandle): pass it on over a Unix socket, and
// close it. The pool must have been made shareable.
func (p *Pool) Export() (*os.File, error) {
	const op = "hipMemPoolExportToShareableHandle"
	if err := p.use(op); err != nil {
		return nil, err
	}
	defer p.life.Release()
	fd, code := rawPoolExport(p.dev.raw, p.raw)
	if code != 0 {
		return nil, p.dev.failure(op, code, "only pools made with PoolOptions.Shareable can be exported")
	}
	return os.NewFile(uintptr(fd), "hip pool"), nil
}

// ImportPool is a pool of another process, by a descriptor that its Export gave out
// (hipMemPoolImportFromShareableHandle). The descriptor may be closed afterwards.
// Nothing can be allocated from it here; ImportPointer takes what the other process
// has allocated.
func (d *Device) ImportPool(f *os.File) (*Pool, error) {
	const op = "hipMemPoolImportFromShareableHandle"
	if f == nil {
		return nil, refused(op, driver.ErrInvalidValue, "the file is nil; it comes from Pool.Export of another process")
	}
	if err := d.poolUse(op); err != nil {
		return nil, err
	}
	raw, code := rawPoolImport(d.raw, f.Fd())
	if code != 0 {
		d.life.Release()
		return nil, d.failure(op, code, "the file %s, which must come from Pool.Export", f.Name())
	}
	p := d.newPool(raw, func() {
		rawPoolDestroy(d.raw, raw)
		d.life.Release()
	})
	p.imported = true
	return p, nil
}

// PoolPointer stands for memory of a pool in another process
// (hipMemPoolPtrExportData).
type PoolPointer [64]byte

// ExportPointer describes memory of an exported pool, for a process that has
// imported the pool (hipMemPoolExportPointer). m must stay open as long as the other
// process uses it, and is to be allocated there before it is used here: wait for the
// stream.
func (p *Pool) ExportPointer(m driver.Memory) (PoolPointer, error) {
	const op = "hipMemPoolExportPointer"
	if err := p.use(op); err != nil {
		return PoolPointer{}, err
	}
	defer p.life.Release()
	ours, err := memoryOf(op, "memory", m, p.dev)
	if err != nil {
		return PoolPointer{}, err
	}
	defer ours.life.Release()
	if ours.root.from != originPool || ours.root != ours || ours.size == 0 {
		return PoolPointer{}, refused(op, driver.ErrInvalidValue, "only what AllocOn has returned can be exported, as a whole")
	}
	data, code := rawPoolExportPointer(p.dev.raw, ours.addr)
	return data, p.dev.failure(op, code, "%s of a pool, which must be shareable", driver.ByteSize(ours.size))
}

// ImportPointer is memory of size bytes that another process has allocated from the
// pool (hipMemPoolImportPointer). It must be closed here before it is there.
func (p *Pool) ImportPointer(at PoolPointer, size uint64) (*Memory, error) {
	const op = "hipMemPoolImportPointer"
	if err := p.use(op); err != nil {
		return nil, err
	}
	addr, code := rawPoolImportPointer(p.dev.raw, p.raw, at)
	if code != 0 {
		p.life.Release()
		return nil, p.dev.failure(op, code, "%s of an imported pool", driver.ByteSize(size))
	}
	m := p.memoryAt(addr, size, nil)
	if err := p.dev.within(op, addr, size); err != nil {
		_ = m.Close()
		return nil, err
	}
	return m, nil
}
