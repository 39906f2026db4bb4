package hip

import (
	"fmt"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// IndexByPCI is the index, for Open, of the device at a place on the bus, such as
// "0000:00:06.0" (hipDeviceGetByPCIBusId). ErrNoDevice if none that this process sees
// is there.
func IndexByPCI(address string) (int, error) {
	const op = "hipDeviceGetByPCIBusId"
	list, err := listDevices()
	if err != nil {
		return 0, err
	}
	if strings.ContainsRune(address, 0) {
		return 0, noSuch(op, list, "place on the bus", address)
	}
	id, code := rawDeviceByPCI(address)
	switch code {
	case 0:
	case codeInvalidDevice, codeInvalidValue:
		return 0, noSuch(op, list, "place on the bus", address)
	default:
		return 0, failure(op, code, "%q", address)
	}
	for i := range list {
		if list[i].id == id {
			return i, nil
		}
	}
	return 0, noSuch(op, list, "place on the bus", address)
}

// IndexByUUID is the index, for Open, of the device of a UUID as AMD's tools write it,
// with or without "GPU-" before (hipDeviceGetUuid). The beginning of one is enough if
// it is one device's only. ErrNoDevice if none that this process sees has it,
// ErrInvalidValue if several do.
func IndexByUUID(text string) (int, error) {
	const op = "hipDeviceGetUuid"
	list, err := listDevices()
	if err != nil {
		return 0, err
	}
	want := strings.TrimPrefix(strings.ToLower(text), "gpu-")
	var hits []int
	for i := range list {
		if want != "" && strings.HasPrefix(uuidText(list[i].facts.uuid), want) {
			hits = append(hits, i)
		}
	}
	switch len(hits) {
	case 0:
		return 0, noSuch(op, list, "UUID", text)
	case 1:
		return hits[0], nil
	}
	return 0, refused(op, driver.ErrInvalidValue, "%q is the beginning of the UUIDs of devices %v", text, hits)
}

// noSuch is the error of a device that isn't there, with those that are.
func noSuch(op string, list []found, what, asked string) error {
	var b strings.Builder
	for i := range list {
		fmt.Fprintf(&b, "\n  %d  %s  GPU-%s  %s", i, list[i].facts.pci, uuidText(list[i].facts.uuid), list[i].info.Name)
	}
	return refused(op, driver.ErrNoDevice, "no device has the %s %q; there are:%s", what, asked, b.String())
}

// uuidText is the UUID as text: AMD's are 16 hexadecimal digits already, and other
// bytes are written in the usual way.
func uuidText(u [16]byte) string {
	digits := strings.ToLower(string(u[:]))
	if strings.Trim(digits, "0123456789abcdef") == "" {
		return digits
	}
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// AttributeValue is an attribute of a device, with its value.
type AttributeValue struct {
	Attribute Attribute
	Value     int
}

// Attributes are all attributes that the device answers, by number
// (hipDeviceGetAttribute). A driver leaves out those that are newer than it.
func (d *Device) Attributes() ([]AttributeValue, error) {
	if err := d.use("hipDeviceGetAttribute"); err != nil {
		return nil, err
	}
	defer d.life.Release()
	list := make([]AttributeValue, 0, len(attributeNames))
	for a := range attributeNames {
		if v, code := rawDeviceAttribute(d.native, int(a)); code == 0 {
			list = append(list, AttributeValue{a, v})
		}
	}
	slices.SortFunc(list, func(x, y AttributeValue) int { return int(x.Attribute - y.Attribute) })
	return list, nil
}
