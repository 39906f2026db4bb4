package cuda

import (
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/driver/places"
)

// AddressRange is a range of reserved addresses, in which physical memory is mapped
// piece by piece: memory that grows without moving. All methods may be called from
// any goroutine. What is mapped keeps the range.
type AddressRange struct {
	life lifetime.Life
	dev  *Device
	span Memory                  // the root of all memory here; only its place and size count
	maps places.Places[*Mapping] // also those that are being unmapped
}

// Mapping is physical memory at its place in a range. It is a driver.Memory.
type Mapping struct {
	Memory
	in *AddressRange
	of *Physical
}

var (
	rangeKind   = lifetime.NewKind("cuda address range")
	mappingKind = lifetime.NewKind("cuda mapping")
)

// Reserve reserves size bytes of addresses, a multiple of the granularity, aligned
// to a power of two or, with 0, as the driver likes (cuMemAddressReserve). Addresses
// cost no memory.
func (d *Device) Reserve(size, align uint64) (*AddressRange, error) {
	const op = "cuMemAddressReserve"
	if err := d.virtualUse(op); err != nil {
		return nil, err
	}
	r, err := d.reserve(op, size, align)
	if err != nil {
		d.life.Release()
	}
	return r, err
}

func (d *Device) reserve(op string, size, align uint64) (*AddressRange, error) {
	unit, code := rawGranularity(d.raw, PhysicalOptions{Where: d.Location()}, false)
	if code != 0 {
		return nil, d.failure(op, code, "the granularity of %s", d.info.Name)
	}
	switch {
	case size == 0 || size%unit != 0:
		return nil, refused(op, driver.ErrInvalidValue, "%d bytes; multiples of %d are possible", size, unit)
	case align&(align-1) != 0:
		return nil, refused(op, driver.ErrInvalidValue, "an alignment of %d; powers of two are possible", align)
	}
	at, code := rawReserve(d.raw, size, align, 0)
	if code != 0 {
		return nil, d.failure(op, code, "%s of addresses, aligned to %d", driver.ByteSize(size), align)
	}
	r := &AddressRange{dev: d, span: Memory{dev: d, addr: at, size: size, from: originMapped}}
	r.span.root = &r.span
	r.life.Init(rangeKind, func() {
		rawUnreserve(d.raw, at, size)
		d.life.Release()
	})
	return r, nil
}

func (r *AddressRange) use(op string) error {
	if r == nil {
		return refused(op, driver.ErrInvalidValue, "the range is nil; make one with Device.Reserve")
	}
	if !r.life.Acquire() {
		return driver.ClosedError(backendName, op, "address range")
	}
	return nil
}

// Addr is the first address; driver.PtrClosed once closed.
func (r *AddressRange) Addr() uint64 {
	if r == nil || r.life.Closed() {
		return driver.PtrClosed
	}
	return r.span.addr
}

// Size in bytes; 0 for a nil range.
func (r *AddressRange) Size() uint64 {
	if r == nil {
		return 0
	}
	return r.span.size
}

// Map maps physical memory, as a whole, at off of the range, a multiple of the
// granularity (cuMemMap), and lets the range's device read and write it
// (cuMemSetAccess). The memory may be another device's, if the range's can reach it,
// and may be mapped in several places.
//
// Closing the mapping unmaps it (cuMemUnmap) once everything that this opening's
// streams have been given has finished; until then its place is taken. Wait for the
// device first where the place is needed at once.
func (r *AddressRange) Map(off uint64, p *Physical) (*Mapping, error) {
	const op = "cuMemMap"
	if err := r.use(op); err != nil {
		return nil, err
	}
	if err := p.use(op); err != nil {
		r.life.Release()
		return nil, err
	}
	m := &Mapping{in: r, of: p}
	if err := r.enter(op, m, off); err != nil {
		p.life.Release()
		r.life.Release()
		return nil, err
	}
	return m, nil
}

// enter maps, and gives m its place. It takes over the uses of r and p where it
// succeeds, and a use of the device in addition.
func (r *AddressRange) enter(op string, m *Mapping, off uint64) error {
	d, n := r.dev, m.of.size
	if err := checks(op).Range("range", r.span.size, off, n); err != nil {
		return err
	}
	unit, code := rawGranularity(d.raw, PhysicalOptions{Where: d.Location()}, false)
	if code != 0 {
		return d.failure(op, code, "the granularity of %s", d.info.Name)
	}
	if n == 0 || n%unit != 0 || off%unit != 0 {
		return refused(op, driver.ErrInvalidValue, "%d bytes at offset %d; multiples of %d are possible", n, off, unit)
	}
	at := r.span.addr + off
	there, taken, err := r.maps.Put(at, n, m, func() error {
		if err := d.use(op); err != nil {
			return err
		}
		if code := rawMap(d.raw, at, n, m.of.raw); code != 0 {
			d.life.Release()
			return d.failure(op, code, "%s of physical memory of device %d at offset %d", driver.ByteSize(n), m.of.dev.native, off)
		}
		m.dev, m.addr, m.size, m.root = d, at, n, &r.span
		m.life.Init(mappingKind, m.leave)
		return nil
	})
	if taken {
		return refused(op, driver.ErrInvalidValue, "%d bytes at offset %d, where %d bytes at offset %d are mapped%s",
			n, off, there.Size, there.At-r.span.addr, stillThere(there.Piece))
	}
	return err
}

func stillThere(m *Mapping) string {
	if m.life.Closed() {
		return "; that was closed, and is unmapped once the device has done with it"
	}
	return ""
}

// leave ends a mapping after its last use.
func (m *Mapping) leave() {
	d, r := m.dev, m.in
	d.discards.Discard(true, func() {
		r.maps.Remove(m, func() { rawUnmap(d.raw, m.addr, m.size) })
		m.of.life.Release()
		r.life.Release()
	})
}

// View is memory of n bytes at off of the range, which may lie in several mappings
// that follow each other. It keeps them, and is closed on its own.
func (r *AddressRange) View(off, n uint64) (*Memory, error) {
	const op = "AddressRange.View"
	if err := r.use(op); err != nil {
		return nil, err
	}
	defer r.life.Release()
	if err := checks(op).Range("range", r.span.size, off, n); err != nil {
		return nil, err
	}
	held, err := r.hold(op, off, n)
	if err != nil {
		return nil, err
	}
	if err := r.dev.use(op); err != nil {
		release(held)
		return nil, err
	}
	v := &Memory{dev: r.dev, root: &r.span, size: n, addr: r.span.addr + off}
	v.life.Init(sliceKind, func() {
		release(held)
		r.dev.life.Release()
	})
	return v, nil
}

// hold begins a use of each mapping that n bytes at off lie in.
func (r *AddressRange) hold(op string, off, n uint64) ([]*Mapping, error) {
	at := r.span.addr + off
	held, gap := r.maps.Through(at, n, func(m *Mapping) bool { return m.life.Acquire() })
	if gap < at+n {
		release(held)
		return nil, refused(op, driver.ErrInvalidValue, "%d bytes at offset %d; from offset %d on nothing is mapped", n, off, gap-r.span.addr)
	}
	return held, nil
}

// release may end mappings.
func release(held []*Mapping) {
	for _, m := range held {
		m.life.Release()
	}
}

// Close gives the addresses back (cuMemAddressFree) once nothing is mapped there any
// more.
func (r *AddressRange) Close() error {
	if r != nil {
		r.life.Close()
	}
	return nil
}

func (m *Mapping) memory() *Memory {
	if m == nil {
		return nil
	}
	return &m.Memory
}

// SetAccess says what a device, or the host, may do with the mapped memory
// (cuMemSetAccess). The range's own device may read and write it from the start; the
// zero Location stands for that.
func (m *Mapping) SetAccess(who Location, access Access) error {
	const op = "cuMemSetAccess"
	if err := m.memory().use(op); err != nil {
		return err
	}
	defer m.life.Release()
	who = who.or(m.dev)
	return m.dev.failure(op, rawSetAccess(m.dev.raw, m.addr, m.size, who, access), "%d for %v to memory of device %d", access, who, m.of.dev.native)
}

// Access tells what a device, or the host, may do with the mapped memory
// (cuMemGetAccess).
func (m *Mapping) Access(who Location) (Access, error) {
	const op = "cuMemGetAccess"
	if err := m.memory().use(op); err != nil {
		return 0, err
	}
	defer m.life.Release()
	who = who.or(m.dev)
	a, code := rawGetAccess(m.dev.raw, m.addr, who)
	return Access(a), m.dev.failure(op, code, "of %v to memory of device %d", who, m.of.dev.native)
}

// Close unmaps the memory; see AddressRange.Map.
func (m *Mapping) Close() error { return m.memory().Close() }
