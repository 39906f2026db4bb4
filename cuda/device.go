package cuda

import (
	"context"
	"fmt"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/driver/staging"
	"github.com/triad-gpu/triad/driver/waiters"
)

// Device is an opened CUDA device with its primary context, which other libraries
// in the process share, or with a context of its own. It implements driver.Device;
// all methods may be called from any goroutine: each call makes the context
// current for its own time, and puts back what was.
type Device struct {
	life   lifetime.Life
	raw    handle
	native int32 // the CUdevice
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

// DeviceOptions are for Open. The zero value opens the primary context as it is.
type DeviceOptions struct {
	// OwnContext makes a context of its own (cuCtxCreate) instead of retaining the
	// primary one. Memory and streams of it are not those of other libraries.
	OwnContext bool
	// Flags are for the context (CU_CTX_…). Those of a primary context that is
	// active already stay as they are.
	Flags ContextFlags
}

// ContextFlags are CU_CTX_… of the driver.
type ContextFlags uint32

// The flags of contexts that make a difference here. How the driver's own blocking
// calls wait is of little concern: few calls of this package make them.
const (
	SpinSync       ContextFlags = 1   // CU_CTX_SCHED_SPIN
	YieldSync      ContextFlags = 2   // CU_CTX_SCHED_YIELD
	BlockingSync   ContextFlags = 4   // CU_CTX_SCHED_BLOCKING_SYNC
	KeepLocalMem   ContextFlags = 16  // CU_CTX_LMEM_RESIZE_TO_MAX
	SynchronousOps ContextFlags = 128 // CU_CTX_SYNC_MEMOPS
)

var deviceKind = lifetime.NewKind("cuda device")

// Open opens the device of that index, as Backend().Devices lists them
// (cuDevicePrimaryCtxRetain). It may be opened any number of times; the primary
// context is shared, what is made through each opening isn't.
func Open(index int, opts DeviceOptions) (*Device, error) {
	f, err := find(index)
	if err != nil {
		return nil, err
	}
	open := rawDeviceOpen
	flags := uint32(opts.Flags)
	switch {
	case opts.OwnContext:
		open = rawDeviceOwn
	case flags == 0:
		flags = ^uint32(0)
	}
	if opts.OwnContext && !load().Has("cuCtxCreate_v4") && !load().Has("cuCtxCreate_v2") {
		return nil, unsupported("cuCtxCreate", "cuCtxCreate_v2 or cuCtxCreate_v4", "CUDA 3.2")
	}
	raw, op, code := open(f.id, flags)
	if err := failure(op, code, "for %s", f.info.Name); err != nil {
		return nil, err
	}
	return newDevice(f, raw), nil
}

// Wrap opens a device with a CUcontext that the user's own code made, and keeps:
// it must stay valid until the Device and everything made through it are closed.
func Wrap(index int, ctx uintptr) (*Device, error) {
	f, err := find(index)
	if err != nil {
		return nil, err
	}
	if ctx == 0 {
		return nil, refused("Wrap", driver.ErrInvalidContext, "the context is null")
	}
	raw, op, code := rawDeviceBorrow(f.id, foreign(ctx))
	if err := failure(op, code, "the context %#x for %s", ctx, f.info.Name); err != nil {
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

// Native returns the CUdevice and the CUcontext, for a user's own C code. They are
// valid until Close; 0 afterwards.
func (d *Device) Native() (device int32, context uintptr) {
	if d == nil || !d.life.Acquire() {
		return 0, 0
	}
	defer d.life.Release()
	return d.native, native(rawContext(d.raw))
}

// ComputeCapability is the device's generation: 9, 0 for an H200.
func (d *Device) ComputeCapability() (major, minor int) { return d.facts.major, d.facts.minor }

// UUID identifies the device, or the part of it that is visible
// (cuDeviceGetUuid_v2).
func (d *Device) UUID() [16]byte { return d.facts.uuid }

// UUIDText is the UUID as NVIDIA's tools write it: "GPU-…".
func (d *Device) UUIDText() string {
	u := d.facts.uuid
	return fmt.Sprintf("GPU-%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// PCI is the device's place on the bus, such as "0000:00:06.0"
// (cuDeviceGetPCIBusId).
func (d *Device) PCI() string { return d.facts.pci }

// Attribute asks for one of the device's attributes (cuDeviceGetAttribute).
func (d *Device) Attribute(a Attribute) (int, error) {
	const op = "cuDeviceGetAttribute"
	if err := d.use(op); err != nil {
		return 0, err
	}
	defer d.life.Release()
	v, code := rawDeviceAttribute(d.native, int(a))
	return v, d.failure(op, code, "%v of %s", a, d.info.Name)
}

// MemInfo implements driver.Device (cuMemGetInfo). What this package's pool keeps
// for the next allocation is not free to others, and counts as used.
func (d *Device) MemInfo() (free, total uint64, err error) {
	const op = "cuMemGetInfo"
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

// Reset destroys the primary context, with all memory, streams and modules that this
// process has in it, also those of other libraries (cuDevicePrimaryCtxReset). Objects
// made before fail with ErrDeviceLost, and are to be closed; open the device anew.
//
// It is the way on after a fault, where there is one: drivers for H200 don't let a
// process use a device again after one of its kernels failed, whatever it destroys.
// Then the error is the fault, and a new process is the way on. ErrUnsupported for
// contexts other than the primary one, which are destroyed by closing them.
func (d *Device) Reset() error {
	const op = "cuDevicePrimaryCtxReset"
	if err := d.use(op); err != nil {
		return err
	}
	defer d.life.Release()
	code, again := rawDeviceReset(d.raw)
	switch {
	case code == codeInvalidContext:
		return refused(op, driver.ErrUnsupported, "the device was opened with a context other than the primary one; close it and what was made through it, and open it anew")
	case code == codeContextDestroyed:
		return nil // somebody else was first
	case code == 0 && again != 0:
		return failure("cuDevicePrimaryCtxRetain", again, "the context was destroyed, and the driver does not let this process use %s again: start another one", d.info.Name)
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

// Close implements driver.Device (cuDevicePrimaryCtxRelease, cuCtxDestroy).
func (d *Device) Close() error {
	if d == nil {
		return nil
	}
	d.onClose.Run()
	d.life.Close()
	return nil
}
