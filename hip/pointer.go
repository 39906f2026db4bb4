package hip

import "github.com/triad-gpu/triad/driver"

// PointerKind says what lies at an address.
type PointerKind uint32

// The kinds of memory (hipMemoryType).
const (
	PointerUnknown PointerKind = 0 // nothing that HIP knows of: host memory as any, or none at all
	PointerHost    PointerKind = 1 // page-locked host memory
	PointerDevice  PointerKind = 2 // device memory, or managed memory
)

// String names the kind.
func (k PointerKind) String() string {
	switch k {
	case PointerUnknown:
		return "unknown memory"
	case PointerHost:
		return "page-locked host memory"
	case PointerDevice:
		return "device memory"
	}
	return "memory of another kind"
}

// PointerInfo is what the driver knows of an address (hipPointerGetAttributes). What
// it doesn't tell is 0.
type PointerInfo struct {
	Kind       PointerKind
	Device     int    // the hipDevice_t; -2 if there is none
	Base, Size uint64 // the allocation
	DeviceAddr uint64 // where the device sees it
	HostAddr   uint64 // where the host sees it
	ID         uint64 // of the allocation, never used again in this process
	Managed    bool
}

// pointerFacts is triad_hip_pointer_facts.
type pointerFacts struct {
	kind           uint32
	device         int32
	at, host       uint64
	base, size, id uint64
	managed        bool
}

// PointerInfo tells what lies at an address, whoever allocated it
// (hipPointerGetAttributes). An address that HIP doesn't know is no error.
func (d *Device) PointerInfo(addr uint64) (PointerInfo, error) {
	const op = "hipPointerGetAttributes"
	if err := d.use(op); err != nil {
		return PointerInfo{}, err
	}
	defer d.life.Release()
	return d.pointer(op, addr)
}

func (d *Device) pointer(op string, addr uint64) (PointerInfo, error) {
	f, code := rawPointer(d.raw, addr)
	if code == codeInvalidValue {
		return PointerInfo{Device: deviceNone}, nil
	}
	if code != 0 {
		return PointerInfo{}, d.failure(op, code, "of %#x", addr)
	}
	return PointerInfo{
		Kind: PointerKind(f.kind), Device: int(f.device), Base: f.base, Size: f.size,
		DeviceAddr: f.at, HostAddr: f.host, ID: f.id, Managed: f.managed,
	}, nil
}

// WrapMemory is memory that other code has allocated, on this device:
// device memory, managed memory, or page-locked host memory. addr and size
// must lie in one allocation, and stay valid until the result and everything made of
// it are closed and what uses it has finished. Close leaves the memory alone.
// ErrDeviceMismatch for memory of another device.
func (d *Device) WrapMemory(addr, size uint64) (*Memory, error) {
	const op = "WrapMemory"
	if err := d.use(op); err != nil {
		return nil, err
	}
	info, err := d.checkForeign(op, addr, size)
	if err != nil {
		d.life.Release()
		return nil, err
	}
	m := d.memoryAt(addr, size, originForeign, d.life.Release)
	m.host = info.Kind == PointerHost && !info.Managed
	return m, nil
}

func (d *Device) checkForeign(op string, addr, size uint64) (PointerInfo, error) {
	info, err := d.pointer(op, addr)
	switch {
	case err != nil:
		return info, err
	case info.Kind != PointerHost && info.Kind != PointerDevice:
		return info, refused(op, driver.ErrInvalidValue, "%#x is no address that HIP knows; was the memory freed?", addr)
	case info.Kind == PointerDevice && info.Device != int(d.native) && !info.Managed:
		return info, refused(op, driver.ErrDeviceMismatch, "%#x is memory of device %d, not of device %d, %s", addr, info.Device, d.native, d.info.Name)
	case info.DeviceAddr != addr:
		return info, refused(op, driver.ErrUnsupported, "%s sees the memory at %#x, the host at %#x; only what both see at one address can be wrapped", d.info.Name, info.DeviceAddr, addr)
	}
	return info, info.covers(op, addr, size)
}

// covers refuses a range that reaches beyond the allocation.
func (info PointerInfo) covers(op string, addr, size uint64) error {
	if info.Size == 0 { // the driver doesn't tell
		return nil
	}
	if left := info.Base + info.Size - addr; addr < info.Base || size > left {
		return refused(op, driver.ErrInvalidValue, "%d bytes at %#x; the allocation has %d bytes at %#x, %d of them from there on",
			size, addr, info.Size, info.Base, left)
	}
	return nil
}

// within refuses a range that reaches beyond its allocation, as far as the driver
// knows it.
func (d *Device) within(op string, addr, size uint64) error {
	info, err := d.pointer(op, addr)
	if err != nil {
		return err
	}
	return info.covers(op, addr, size)
}
