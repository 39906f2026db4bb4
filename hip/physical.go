package hip

import (
	"os"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Physical is memory without an address, which AddressRange.Map gives it one in
// (hipMemGenericAllocationHandle_t). All methods may be called from any goroutine. What
// is mapped keeps it alive.
type Physical struct {
	life lifetime.Life
	dev  *Device
	raw  uint64
	size uint64
}

var physicalKind = lifetime.NewKind("hip physical memory")

// PhysicalOptions are for NewPhysical. The zero value is memory of the device.
type PhysicalOptions struct {
	Where     Location // the zero Location is the device
	Shareable bool     // can be exported to other processes
}

// Granularity is what the sizes of physical memory, and the places and sizes of what
// is mapped, are multiples of, in bytes, and what they should be multiples of for
// speed (hipMemGetAllocationGranularity).
func (d *Device) Granularity(opts PhysicalOptions) (minimum, recommended uint64, err error) {
	const op = "hipMemGetAllocationGranularity"
	if err := d.virtualUse(op); err != nil {
		return 0, 0, err
	}
	defer d.life.Release()
	opts.Where = opts.Where.or(d)
	minimum, code := rawGranularity(d.raw, opts, false)
	if code == 0 {
		recommended, code = rawGranularity(d.raw, opts, true)
	}
	return minimum, recommended, d.failure(op, code, "%+v", opts)
}

// virtualUse begins a use of a device that can map memory.
func (d *Device) virtualUse(op string) error {
	if err := d.use(op); err != nil {
		return err
	}
	err := since(op, "the form of its structs that is used here", 60000)
	if err == nil {
		err = d.lacks(op, AttrVirtualMemoryManagementSupported, "management of virtual memory")
	}
	if err != nil {
		d.life.Release()
	}
	return err
}

// NewPhysical allocates physical memory (hipMemCreate). size must be a multiple of
// the granularity.
func (d *Device) NewPhysical(size uint64, opts PhysicalOptions) (*Physical, error) {
	const op = "hipMemCreate"
	if err := d.virtualUse(op); err != nil {
		return nil, err
	}
	p, err := d.newPhysical(op, size, opts)
	if err != nil {
		d.life.Release()
	}
	return p, err
}

func (d *Device) newPhysical(op string, size uint64, opts PhysicalOptions) (*Physical, error) {
	opts.Where = opts.Where.or(d)
	unit, code := rawGranularity(d.raw, opts, false)
	if code != 0 {
		return nil, d.failure(op, code, "memory at %v", opts.Where)
	}
	if size == 0 || size%unit != 0 {
		return nil, refused(op, driver.ErrInvalidValue, "%d bytes; multiples of %d are possible", size, unit)
	}
	h, code := rawPhysicalNew(d.raw, opts, size)
	if code != 0 {
		return nil, d.allocFailure(op, code, size)
	}
	return d.physical(h, size), nil
}

func (d *Device) physical(h, size uint64) *Physical {
	p := &Physical{dev: d, raw: h, size: size}
	p.life.Init(physicalKind, func() {
		rawPhysicalRelease(d.raw, h)
		d.life.Release()
	})
	return p
}

func (p *Physical) use(op string) error {
	if p == nil {
		return refused(op, driver.ErrInvalidValue, "the physical memory is nil; make it with Device.NewPhysical")
	}
	if !p.life.Acquire() {
		return driver.ClosedError(backendName, op, "physical memory")
	}
	return nil
}

// Size in bytes; 0 for a nil one.
func (p *Physical) Size() uint64 {
	if p == nil {
		return 0
	}
	return p.size
}

// Export gives out a file descriptor that stands for the memory, for another process
// to import (hipMemExportToShareableHandle): pass it on over a Unix socket together
// with the size, and close it. The memory must have been made shareable.
func (p *Physical) Export() (*os.File, error) {
	const op = "hipMemExportToShareableHandle"
	if err := p.use(op); err != nil {
		return nil, err
	}
	defer p.life.Release()
	fd, code := rawPhysicalExport(p.dev.raw, p.raw)
	if code != 0 {
		return nil, p.dev.failure(op, code, "only memory made with PhysicalOptions.Shareable can be exported")
	}
	return os.NewFile(uintptr(fd), "hip physical memory"), nil
}

// ImportPhysical is physical memory of another process, or of this one, by a
// descriptor that its Export gave out (hipMemImportFromShareableHandle). The driver
// doesn't tell its size, which therefore is given; a mapping beyond the true one
// fails. The descriptor may be closed afterwards. The memory is there until each
// process has given it up.
func (d *Device) ImportPhysical(f *os.File, size uint64) (*Physical, error) {
	const op = "hipMemImportFromShareableHandle"
	if f == nil {
		return nil, refused(op, driver.ErrInvalidValue, "the file is nil; it comes from Physical.Export")
	}
	if err := d.virtualUse(op); err != nil {
		return nil, err
	}
	h, code := rawPhysicalImport(d.raw, f.Fd())
	if code != 0 {
		defer d.life.Release()
		return nil, d.failure(op, code, "the file %s, which must come from Physical.Export", f.Name())
	}
	return d.physical(h, size), nil
}

// Close gives the memory up (hipMemRelease) once nothing of it is mapped any more.
func (p *Physical) Close() error {
	if p != nil {
		p.life.Close()
	}
	return nil
}
