package cuda

import (
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Pool is memory of a device that is allocated and freed in the order of streams,
// and kept in between (CUmemoryPool). All methods may be called from any goroutine.
// What was allocated from a pool keeps it alive.
type Pool struct {
	life     lifetime.Life
	dev      *Device
	raw      handle
	imported bool // from another process, which allocates
}

var poolKind = lifetime.NewKind("cuda pool")

// PoolOptions are for NewPool. The zero value is a pool without a limit, that gives
// what is free back to the device whenever a stream is waited for.
type PoolOptions struct {
	// MaxSize limits the pool, in bytes, rounded up by the driver; 0 for no limit.
	// Since CUDA 12.2.
	MaxSize uint64
	// Keep is how many free bytes the pool holds on to, for the next allocations
	// (PoolReleaseThreshold).
	Keep uint64
	// Shareable pools can be exported to other processes.
	Shareable bool
}

// NewPool makes a pool (cuMemPoolCreate). ErrUnsupported for devices without
// AttrMemoryPoolsSupported.
func (d *Device) NewPool(opts PoolOptions) (*Pool, error) {
	const op = "cuMemPoolCreate"
	if err := d.poolUse(op); err != nil {
		return nil, err
	}
	if opts.MaxSize > 0 {
		if err := since(op, "PoolOptions.MaxSize", 12020); err != nil {
			d.life.Release()
			return nil, err
		}
	}
	raw, code := rawPoolNew(d.raw, opts.MaxSize, opts.Keep, opts.Shareable)
	if code != 0 {
		d.life.Release()
		return nil, d.failure(op, code, "a pool of at most %s (0: no limit) that keeps %s, shareable: %t",
			driver.ByteSize(opts.MaxSize), driver.ByteSize(opts.Keep), opts.Shareable)
	}
	return d.newPool(raw, func() {
		rawPoolDestroy(d.raw, raw)
		d.life.Release()
	}), nil
}

// DefaultPool is the pool that the driver has made for the device, which other
// libraries of this process use as well (cuDeviceGetDefaultMemPool). Close leaves it
// alone.
func (d *Device) DefaultPool() (*Pool, error) { return d.poolOf("cuDeviceGetDefaultMemPool", false) }

// CurrentPool is the pool of allocations that name none (cuMemAllocAsync,
// cudaMallocAsync), which are those of other libraries: this package names its pool
// (cuDeviceGetMemPool). Close leaves it alone.
func (d *Device) CurrentPool() (*Pool, error) { return d.poolOf("cuDeviceGetMemPool", true) }

func (d *Device) poolOf(op string, current bool) (*Pool, error) {
	if err := d.poolUse(op); err != nil {
		return nil, err
	}
	raw, code := rawPoolOfDevice(d.raw, current)
	if code != 0 {
		d.life.Release()
		return nil, d.failure(op, code, "of %s", d.info.Name)
	}
	return d.newPool(raw, d.life.Release), nil
}

// Pool is the pool that Alloc takes memory from, which is this opening's own. It
// keeps what is freed, and streams keep what was (see Stream.Alloc). Trim gives back both;
// asking for PoolUsedCurrent has streams give back theirs, which nobody uses. Close leaves
// the pool alone.
func (d *Device) Pool() (*Pool, error) {
	if err := d.poolUse("Device.Pool"); err != nil {
		return nil, err
	}
	return d.newPool(rawPoolOwn(d.raw), d.life.Release), nil
}

// newPool makes the Go side of a pool. free ends a use of d.
func (d *Device) newPool(raw handle, free func()) *Pool {
	p := &Pool{dev: d, raw: raw}
	p.life.Init(poolKind, free)
	return p
}

// poolUse begins a use of a device that has pools.
func (d *Device) poolUse(op string) error {
	if err := d.use(op); err != nil {
		return err
	}
	if d.pooled {
		return nil
	}
	defer d.life.Release()
	if err := d.lacks(op, AttrMemoryPoolsSupported, "memory pools"); err != nil {
		return err
	}
	return refused(op, driver.ErrUnsupported, "%s was opened without memory pools", d.info.Name)
}

func (p *Pool) use(op string) error {
	if p == nil {
		return refused(op, driver.ErrInvalidValue, "the pool is nil; make one with Device.NewPool")
	}
	if !p.life.Acquire() {
		return driver.ClosedError(backendName, op, "pool")
	}
	return nil
}

// SetCurrent makes p the pool of allocations that name none (cuDeviceSetMemPool),
// for the whole process. It stops being that when it is destroyed.
func (p *Pool) SetCurrent() error {
	const op = "cuDeviceSetMemPool"
	if err := p.use(op); err != nil {
		return err
	}
	defer p.life.Release()
	return p.dev.failure(op, rawPoolMakeCurrent(p.dev.raw, p.raw), "on %s", p.dev.info.Name)
}

// PoolAttribute is something that a pool can be asked for, or told
// (CUmemPool_attribute).
type PoolAttribute int32

// The attributes of pools. The first three are 0 or 1, the others bytes. The
// current sizes can't be set, and the high ones to 0 only, which has them start at
// the current ones again.
const (
	PoolReuseFollowEvents PoolAttribute = 1 // reuse what was freed on another stream, behind an event that this one waits for
	PoolReuseIfFinished   PoolAttribute = 2 // reuse what was freed on another stream once that has come to it
	PoolReuseByWaiting    PoolAttribute = 3 // reuse what was freed on another stream by having this one wait for it
	PoolReleaseThreshold  PoolAttribute = 4 // free memory up to this is kept
	PoolReservedCurrent   PoolAttribute = 5 // taken from the device
	PoolReservedHigh      PoolAttribute = 6
	PoolUsedCurrent       PoolAttribute = 7 // allocated from the pool
	PoolUsedHigh          PoolAttribute = 8
)

// Attribute asks for one of the pool's attributes (cuMemPoolGetAttribute).
func (p *Pool) Attribute(a PoolAttribute) (uint64, error) {
	const op = "cuMemPoolGetAttribute"
	if err := p.use(op); err != nil {
		return 0, err
	}
	defer p.life.Release()
	v, code := rawPoolGet(p.dev.raw, p.raw, int32(a))
	return v, p.dev.failure(op, code, "attribute %d", a)
}

// SetAttribute sets one of the pool's attributes (cuMemPoolSetAttribute).
func (p *Pool) SetAttribute(a PoolAttribute, value uint64) error {
	const op = "cuMemPoolSetAttribute"
	if err := p.use(op); err != nil {
		return err
	}
	defer p.life.Release()
	switch a {
	case PoolReservedCurrent, PoolUsedCurrent:
		return refused(op, driver.ErrInvalidValue, "attribute %d is what the pool has now, which can't be set", a)
	case PoolReservedHigh, PoolUsedHigh:
		if value != 0 {
			return refused(op, driver.ErrInvalidValue, "attribute %d can be set to 0 only, not to %d", a, value)
		}
	}
	return p.dev.failure(op, rawPoolSet(p.dev.raw, p.raw, int32(a), value), "attribute %d to %d", a, value)
}

// Trim gives free memory back to the device until the pool has no more than keep
// bytes, or nothing that is free (cuMemPoolTrimTo).
func (p *Pool) Trim(keep uint64) error {
	const op = "cuMemPoolTrimTo"
	if err := p.use(op); err != nil {
		return err
	}
	defer p.life.Release()
	return p.dev.failure(op, rawPoolTrim(p.dev.raw, p.raw, keep), "to %s", driver.ByteSize(keep))
}

// SetAccess lets another device use the pool's memory, present and future, or no
// longer (cuMemPoolSetAccess). The pool's own device always may.
func (p *Pool) SetAccess(who Location, access Access) error {
	const op = "cuMemPoolSetAccess"
	if err := p.use(op); err != nil {
		return err
	}
	defer p.life.Release()
	who = who.or(p.dev)
	return p.dev.failure(op, rawPoolSetAccess(p.dev.raw, p.raw, who, access), "%d for %v to memory of device %d", access, who, p.dev.native)
}

// Access tells what a device may do with the pool's memory (cuMemPoolGetAccess).
func (p *Pool) Access(who Location) (Access, error) {
	const op = "cuMemPoolGetAccess"
	if err := p.use(op); err != nil {
		return 0, err
	}
	defer p.life.Release()
	who = who.or(p.dev)
	a, code := rawPoolGetAccess(p.dev.raw, p.raw, who)
	return Access(a), p.dev.failure(op, code, "of %v to memory of device %d", who, p.dev.native)
}

// Native returns the CUmemoryPool as an integer, for a user's own C code; 0 once
// closed.
func (p *Pool) Native() uintptr {
	if p == nil || !p.life.Acquire() {
		return 0
	}
	defer p.life.Release()
	return native(p.raw)
}

// Device is the pool's device; nil for a nil pool.
func (p *Pool) Device() *Device {
	if p == nil {
		return nil
	}
	return p.dev
}

// Close destroys the pool once all memory of it is freed (cuMemPoolDestroy). Pools
// that NewPool and ImportPool have not made stay.
func (p *Pool) Close() error {
	if p != nil {
		p.life.Close()
	}
	return nil
}
