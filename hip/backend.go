package hip

import (
	"github.com/triad-gpu/triad/driver"
)

// Backend is this package as the contract's backend, for driver.Register. The
// package driver/all registers it.
func Backend() driver.Backend { return backend{} }

type backend struct{}

func (backend) Name() string { return backendName }

func (backend) Devices() ([]*driver.DeviceInfo, error) {
	list, err := listDevices()
	if err != nil {
		return nil, err
	}
	infos := make([]*driver.DeviceInfo, len(list))
	for i := range list {
		infos[i] = list[i].info
	}
	return infos, nil
}

func (backend) Open(index int) (driver.Device, error) {
	d, err := Open(index, DeviceOptions{})
	if err != nil {
		return nil, err // not a nil *Device in an interface
	}
	return d, nil
}

func (backend) Probe() driver.Report {
	lib := load()
	r := driver.Report{Backend: backendName, Libraries: lib.Attempts, Loaded: lib.Path, Err: lib.Err}
	if lib.Path != "" {
		r.Version, r.Missing = versionText(lib.version), lib.MissingNames()
	}
	if r.Err != nil {
		return r
	}
	var b backend
	r.Devices, r.Err = b.Devices()
	return r
}
