package opencl

import (
	"context"
	"errors"
	"fmt"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Device is an opened OpenCL device with a context of its own. It implements
// driver.Device; all methods may be called from any goroutine.
type Device struct {
	life     lifetime.Life
	raw      handle
	native   handle // the cl_device_id
	id       driver.DeviceID
	info     *driver.DeviceInfo
	version  int // 300 for OpenCL 3.0
	compiler string
	align    uint64
	svm      bool // memory is allocated as shared virtual memory
	notifies bool // waits ask for a callback
	// abortsOnFailure: PoCL 3.1 uses events that it has freed when one fails that
	// others depend on.
	abortsOnFailure bool

	streams lifetime.Members[*Stream]
	onClose lifetime.Hooks
}

// DeviceOptions are for Open.
type DeviceOptions struct {
	// BuffersOnly has Alloc make buffer objects even where the device has
	// coarse-grain shared virtual memory. Pointers are then buffer handles, which
	// can't be offset.
	BuffersOnly bool
}

var deviceKind = lifetime.NewKind("opencl device")

// Open opens the device of that index, as Backend().Devices lists them
// (clCreateContext). It may be opened any number of times.
func Open(index int, opts DeviceOptions) (*Device, error) {
	list, err := listDevices()
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= len(list) {
		infos, _ := backend{}.Devices()
		return nil, refused("Open", driver.ErrNoDevice, "there is no device %d; there are:\n%s", index, driver.List(infos))
	}
	f := list[index]
	if f.version < 120 {
		return nil, refused("Open", driver.ErrUnsupported, "%s speaks %q; OpenCL 1.2 or later is needed", f.info.Name, f.info.Version)
	}
	raw, code := rawDeviceOpen(f.platform, f.id)
	if err := failure("clCreateContext", code, "for %s", f.info.Name); err != nil {
		return nil, err
	}
	d := &Device{
		raw: raw, native: f.id, id: driver.NewDeviceID(), info: f.info, version: f.version, compiler: f.compiler,
		align:    infoUint(ofDevice, f.id, nil, deviceMemBaseAddrAlign) / 8,
		svm:      f.info.RealAddresses && !opts.BuffersOnly,
		notifies: f.info.Class == driver.ClassCPU,

		abortsOnFailure: isOldPoCL(f.info),
	}
	if !d.svm && f.info.RealAddresses {
		info := *f.info
		info.RealAddresses = false
		d.info = &info
	}
	d.life.Init(deviceKind, func() { rawDeviceClose(raw) })
	return d, nil
}

func isOldPoCL(info *driver.DeviceInfo) bool {
	var major int
	n, _ := fmt.Sscanf(info.Driver, "%d.", &major)
	return info.Platform == "Portable Computing Language" && n == 1 && major < 5
}

// ID implements driver.Device.
func (d *Device) ID() driver.DeviceID { return d.id }

// Info implements driver.Device.
func (d *Device) Info() *driver.DeviceInfo { return d.info }

// CompilerID implements driver.Compiler: names and versions of the platform, the
// device and the driver.
func (d *Device) CompilerID() string { return d.compiler }

// Native returns the device's cl_device_id and cl_context as integers, for a
// user's own C code. They are valid until Close; 0 afterwards.
func (d *Device) Native() (device, context uintptr) {
	if d == nil || !d.life.Acquire() {
		return 0, 0
	}
	defer d.life.Release()
	return uintptr(d.native), uintptr(rawContext(d.raw))
}

// MemInfo implements driver.Device: OpenCL knows the total, but not what is
// free, so it fails with ErrUnsupported; the total is in Info.
func (d *Device) MemInfo() (free, total uint64, err error) {
	if err := d.use("MemInfo"); err != nil {
		return 0, 0, err
	}
	defer d.life.Release()
	return 0, d.info.Memory, refused("MemInfo", driver.ErrUnsupported, "OpenCL does not report free memory; the total is %s", driver.ByteSize(d.info.Memory))
}

// use brackets a call that makes a child of d.
func (d *Device) use(op string) error {
	if d == nil {
		return refused(op, driver.ErrInvalidValue, "the device is nil")
	}
	if !d.life.Acquire() {
		return driver.ClosedError(backendName, op, "device")
	}
	return nil
}

// Wait implements driver.Device: it waits for each stream in turn, and for what
// closed streams have left.
func (d *Device) Wait(ctx context.Context) error {
	if err := d.use("Device.Wait"); err != nil {
		return err
	}
	defer d.life.Release()
	if ctx == nil {
		ctx = context.Background()
	}
	err := d.streams.Wait(ctx, streamLife, func(ctx context.Context, s *Stream) error {
		defer s.life.Release()
		// A stream closed in the meantime is its closer's business.
		if err := s.Wait(ctx); !errors.Is(err, driver.ErrClosed) {
			return err
		}
		return nil
	})
	if ctx.Err() != nil {
		return err
	}
	return errors.Join(err, d.waitLeft(ctx))
}

func streamLife(s *Stream) *lifetime.Life { return &s.life }

// waitLeft waits for the commands of streams that were closed before them.
func (d *Device) waitLeft(ctx context.Context) error {
	e, err := d.Event()
	if errors.Is(err, driver.ErrClosed) {
		return nil // closed in the meantime, with nobody to tell
	}
	if err != nil {
		return err
	}
	defer e.Close()
	for rawDeviceLeft(d.raw, e.raw) {
		if err := e.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// OnClose implements driver.Device.
func (d *Device) OnClose(f func()) {
	if d == nil {
		f()
		return
	}
	d.onClose.Add(f)
}

// Close implements driver.Device.
func (d *Device) Close() error {
	if d == nil {
		return nil
	}
	d.onClose.Run()
	d.life.Close()
	return nil
}
