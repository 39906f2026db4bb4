package hip

import (
	"context"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/driver/staging"
	"github.com/triad-gpu/triad/driver/waiters"
)

// Device is an opened HIP device. What the process has on it, such as peer access and
// flags, it has in common with other openings and with other libraries. It implements
// driver.Device; all methods may be called from any goroutine: each call makes the
// device the thread's current one for its own time, and puts back what was.
type Device struct {
	life   lifetime.Life
	raw    handle
	native int32 // the hipDevice_t, which is the ordinal
	id     driver.DeviceID
	info   *driver.DeviceInfo
	facts  facts
	faults faults
	stage  staging.Pool[handle]
	pooled bool // allocations come from a pool

	deliveries staging.Deliveries[*waiter]
	discards   lifetime.Discards
	crowd      waiters.Crowd // waits for streams under way

	streams lifetime.Members[*Stream]
	onClose lifetime.Hooks
}

// DeviceOptions are for Open. The zero value opens the device as it is.
type DeviceOptions struct {
	// Flags are for the device (hipSetDeviceFlags). Runtimes that can't change those
	// of a device in use leave them as they are.
	Flags DeviceFlags
}

// DeviceFlags are hipDevice… of the runtime, for all who use the device in this
// process.
type DeviceFlags uint32

// The flags of devices that make a difference here. How the runtime's own blocking
// calls wait is of little concern: few calls of this package make them.
const (
	SpinSync     DeviceFlags = 1  // hipDeviceScheduleSpin
	YieldSync    DeviceFlags = 2  // hipDeviceScheduleYield
	BlockingSync DeviceFlags = 4  // hipDeviceScheduleBlockingSync
	KeepLocalMem DeviceFlags = 16 // hipDeviceLmemResizeToMax
)

var deviceKind = lifetime.NewKind("hip device")

// Open opens the device of that index, as Backend().Devices lists them. It may be
// opened any number of times; what is made through each opening is not the others'.
func Open(index int, opts DeviceOptions) (*Device, error) {
	f, err := find(index)
	if err != nil {
		return nil, err
	}
	flags := uint32(opts.Flags)
	if flags == 0 {
		flags = ^uint32(0)
	}
	// Without its architecture nothing can be compiled for it, and to say so now is better.
	if code := f.facts.archCode; code != 0 && code != codeNotSupported {
		return nil, failure("hipGetDeviceProperties", code, "for %s", f.info.Name)
	}
	raw, op, code := rawDeviceOpen(f.id, flags)
	if err := failure(op, code, "for %s", f.info.Name); err != nil {
		return nil, err
	}
	return newDevice(f, raw), nil
}

func find(index int) (found, error) {
	list, err := listDevices()
	if err != nil {
		return found{}, err
	}
	if index < 0 || index >= len(list) {
		infos, _ := backend{}.Devices()
		return found{}, refused("Open", driver.ErrNoDevice, "there is no device %d; there are:\n%s", index, driver.List(infos))
	}
	return list[index], nil
}

func newDevice(f found, raw handle) *Device {
	d := &Device{
		raw: raw, native: f.id, id: driver.NewDeviceID(), info: f.info, facts: f.facts, pooled: rawHasPool(raw),
	}
	d.initStaging()
	d.discards.Init(&d.life, func() bool { return rawDeviceBusy(raw) }, d.drain)
	d.life.Init(deviceKind, func() {
		d.discards.Free() // every stream has come to its end
		d.stage.Close()
		rawDeviceClose(raw)
	})
	return d
}

// ID implements driver.Device.
func (d *Device) ID() driver.DeviceID { return d.id }

// Info implements driver.Device.
func (d *Device) Info() *driver.DeviceInfo { return d.info }

// Native returns the hipDevice_t, which is the device's ordinal, for a user's own C code.
// It is -1 after Close.
func (d *Device) Native() (device int32) {
	if d == nil || !d.life.Acquire() {
		return -1
	}
	defer d.life.Release()
	return d.native
}

// ComputeCapability is the device's generation in numbers: 9, 4 for a gfx942. Arch is
// what tells devices apart.
func (d *Device) ComputeCapability() (major, minor int) { return d.facts.major, d.facts.minor }

// Arch is the architecture with its features, as compilers take it:
// "gfx90a:sramecc+:xnack-" (gcnArchName of hipGetDeviceProperties).
func (d *Device) Arch() string { return d.facts.arch }

// UUID identifies the device (hipDeviceGetUuid).
func (d *Device) UUID() [16]byte { return d.facts.uuid }

// UUIDText is the UUID as AMD's tools write it: "GPU-…". The runtime gives that
// name's 16 letters rather than a number.
func (d *Device) UUIDText() string { return "GPU-" + uuidText(d.facts.uuid) }

// PCI is the device's place on the bus, such as "0000:00:06.0"
// (hipDeviceGetPCIBusId).
func (d *Device) PCI() string { return d.facts.pci }

// Attribute asks for one of the device's attributes (hipDeviceGetAttribute).
func (d *Device) Attribute(a Attribute) (int, error) {
	const op = "hipDeviceGetAttribute"
	if err := d.use(op); err != nil {
		return 0, err
	}
	defer d.life.Release()
	v, code := rawDeviceAttribute(d.native, int(a))
	return v, d.failure(op, code, "%v of %s", a, d.info.Name)
}

// MemInfo implements driver.Device (hipMemGetInfo). What this package's pool keeps
// for the next allocation is not free to others, and counts as used.
func (d *Device) MemInfo() (free, total uint64, err error) {
	const op = "hipMemGetInfo"
	if err := d.use(op); err != nil {
		return 0, 0, err
	}
	defer d.life.Release()
	free, total, code := rawMemInfo(d.raw)
	return free, total, d.failure(op, code, "")
}

// use brackets a call on d.
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
// closed streams have left. Commands that a user's own code enqueued on streams of
// its own are not waited for.
func (d *Device) Wait(ctx context.Context) error {
	if err := d.use("Device.Wait"); err != nil {
		return err
	}
	defer d.life.Release()
	if ctx == nil {
		ctx = context.Background()
	}
	err := d.streams.Wait(ctx, streamLife, func(ctx context.Context, s *Stream) error { return s.wait(ctx) })
	if ctx.Err() == nil {
		d.discards.Rest()
	}
	return err
}

// Reset destroys all that this process has on the device: memory, streams and modules,
// also those of other libraries (hipDeviceReset). Objects made before fail with
// ErrDeviceLost, and are to be closed; open the device anew.
//
// It is the way on after a fault, where there is one. Most faults of kernels, such as
// an access outside of memory, are no errors to the runtime: it ends the process.
func (d *Device) Reset() error {
	const op = "hipDeviceReset"
	if err := d.use(op); err != nil {
		return err
	}
	defer d.life.Release()
	code := rawDeviceReset(d.raw)
	if code == codeContextDestroyed {
		return nil // somebody else was first
	}
	return failure(op, code, "of %s", d.info.Name)
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
