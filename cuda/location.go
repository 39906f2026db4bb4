package cuda

import (
	"fmt"

	"github.com/triad-gpu/triad/driver"
)

// Location is where memory can be, and who can use it: a device, or the host
// (CUmemLocation). The zero value stands for the device of the call it is given to.
type Location struct{ kind, id int32 }

// The kinds of places, CU_MEM_LOCATION_TYPE_….
const (
	locationDevice   = 1
	locationHost     = 2
	locationHostNUMA = 3
	locationNearNUMA = 4
)

// HostLocation is the host, wherever in it.
var HostLocation = Location{kind: locationHost}

// NearestNUMALocation is the host's NUMA node that the calling thread runs on. That
// is not known of a goroutine which has not locked its thread. Since CUDA 12.2.
var NearestNUMALocation = Location{kind: locationNearNUMA}

// NUMALocation is one of the host's NUMA nodes. Since CUDA 12.2.
func NUMALocation(node int) Location { return Location{kind: locationHostNUMA, id: int32(node)} }

// Location is the device as a place for memory. The zero Location for a nil device.
func (d *Device) Location() Location {
	if d == nil {
		return Location{}
	}
	return Location{kind: locationDevice, id: d.native}
}

// or is l, or the device's place if l is none.
func (l Location) or(d *Device) Location {
	if l.kind == 0 {
		return d.Location()
	}
	return l
}

// String names the place: "device 0", "host", "NUMA node 1".
func (l Location) String() string {
	switch l.kind {
	case 0:
		return "nowhere in particular"
	case locationDevice:
		return fmt.Sprintf("device %d", l.id)
	case locationHost:
		return "host"
	case locationHostNUMA:
		return fmt.Sprintf("NUMA node %d", l.id)
	case locationNearNUMA:
		return "nearest NUMA node"
	}
	return fmt.Sprintf("place %d of kind %d", l.id, l.kind)
}

// Access is what a device may do with memory (CUmemAccess_flags).
type Access int32

// What may be done.
const (
	NoAccess  Access = 0
	ReadOnly  Access = 1
	ReadWrite Access = 3
)

// lacks is the error of a feature that needs an attribute of the device, where that
// is 0 or unknown; nil where it isn't.
func (d *Device) lacks(op string, a Attribute, feature string) error {
	v, code := rawDeviceAttribute(d.native, int(a))
	switch {
	case code == codeInvalidValue, code == codeNotSupported:
		return refused(op, driver.ErrUnsupported, "whether %s has %s can't be known: %v is unknown to this driver, which speaks %s",
			d.info.Name, feature, a, versionText(load().version))
	case code != 0:
		return d.failure("cuDeviceGetAttribute", code, "%v of %s, which %s needs", a, d.info.Name, feature)
	case v == 0:
		return refused(op, driver.ErrUnsupported, "%s has no %s: its %v is 0", d.info.Name, feature, a)
	}
	return nil
}

// since is the error of a feature that came with a later CUDA than the driver's; nil
// where it has come.
func since(op, feature string, version int) error {
	if have := load().version; have < version {
		return refused(op, driver.ErrUnsupported, "%s came with %s; the driver speaks %s", feature, versionText(version), versionText(have))
	}
	return nil
}
