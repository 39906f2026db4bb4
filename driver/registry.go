package driver

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Backend is what a backend registers. Its methods may be called from any
// goroutine. Registering opens nothing; the first call of Probe, Devices or Open
// loads the library.
type Backend interface {
	// Name is the selector's first part: "opencl", "cuda", "hip".
	Name() string
	// Probe reports what was tried and found; it does not fail.
	Probe() Report
	// Devices lists the devices, in the order of their indices. ErrNoDevice where
	// the library works and there is none.
	Devices() ([]*DeviceInfo, error)
	// Open opens the device of that index.
	Open(index int) (Device, error)
}

// Report is what a backend found on this machine.
type Report struct {
	Backend   string
	Libraries []LibraryAttempt // in the order of trying
	Loaded    string           // the library in use; "" if none
	Version   string           // of the driver or loader
	Platforms []string
	Devices   []*DeviceInfo
	Missing   []string // optional symbols that the library lacks
	Err       error    // why there is no device; nil if there is one
}

// LibraryAttempt is one library that was tried, and why it was not used.
type LibraryAttempt struct {
	Path string
	Err  string // "" for the one in use
}

var registry struct {
	sync.Mutex
	backends []Backend
}

// Register makes a backend known to Open. The package driver/all registers all
// backends of this module. Registering a name twice panics.
func Register(b Backend) {
	registry.Lock()
	defer registry.Unlock()
	for _, have := range registry.backends {
		if have.Name() == b.Name() {
			panic("driver: Register called twice for backend " + b.Name())
		}
	}
	registry.backends = append(registry.backends, b)
}

// Backends lists the registered backends in the order of their registration.
func Backends() []Backend {
	registry.Lock()
	defer registry.Unlock()
	return slices.Clone(registry.backends)
}

// Open opens a device.
//
//   - "auto" or "": what the environment variable TRIAD_DEVICE selects; without
//     it the first GPU of any backend in the order of registration, else the
//     first accelerator, else any device;
//   - "opencl", "cuda", "hip": that backend's first device by the same order;
//   - "opencl:1": by index;
//   - "opencl:cpu", "opencl:gpu", "opencl:accelerator": the first of that class;
//   - "opencl:NAME": the first whose name, vendor, platform or version contains
//     NAME, whatever the case.
//
// An error for a selector that fits nothing lists the devices that there are.
// Each call opens anew; close what it returns.
func Open(selector string) (Device, error) {
	given := strings.TrimSpace(selector)
	from := ""
	if given == "" || given == "auto" {
		if env := strings.TrimSpace(os.Getenv("TRIAD_DEVICE")); env != "" && env != "auto" {
			given, from = env, " (from TRIAD_DEVICE)"
		}
	}
	backends := Backends()
	if len(backends) == 0 {
		return nil, Errorf("driver", "Open", ErrUnavailable, "no backend is registered; import _ \"github.com/triad-gpu/triad/driver/all\"")
	}
	if given == "" || given == "auto" {
		return openAuto(backends)
	}
	name, which, _ := strings.Cut(given, ":")
	for _, b := range backends {
		if b.Name() == strings.ToLower(strings.TrimSpace(name)) {
			return openIn(b, strings.TrimSpace(which), given, from)
		}
	}
	names := make([]string, len(backends))
	for i, b := range backends {
		names[i] = b.Name()
	}
	return nil, Errorf("driver", "Open", ErrInvalidValue,
		"selector %q%s names no backend; registered: %s; a selector is auto, a backend, or backend:index, backend:class or backend:name",
		given, from, strings.Join(names, ", "))
}

// classOrder is how "auto" prefers devices.
var classOrder = []DeviceClass{ClassGPU, ClassAccelerator, ClassCPU, ClassOther}

func openAuto(backends []Backend) (Device, error) {
	lists := make([][]*DeviceInfo, len(backends))
	var errs []error
	for i, b := range backends {
		var err error
		if lists[i], err = b.Devices(); err != nil {
			errs = append(errs, err)
		}
	}
	for _, class := range classOrder {
		for i, b := range backends {
			for _, d := range lists[i] {
				if classOf(d) == class {
					return b.Open(d.Index)
				}
			}
		}
	}
	return nil, &Error{Backend: "driver", Op: "Open", Kind: ErrNoDevice, Detail: "no backend has a device", Err: errors.Join(errs...)}
}

func openIn(b Backend, which, given, from string) (Device, error) {
	devices, err := b.Devices()
	if err != nil {
		return nil, err
	}
	if i, ok := pick(devices, which); ok {
		return b.Open(i)
	}
	return nil, Errorf("driver", "Open", ErrNoDevice, "selector %q%s fits none of the devices of %s:\n%s", given, from, b.Name(), List(devices))
}

// pick finds the device that the part of a selector behind the colon means.
func pick(devices []*DeviceInfo, which string) (int, bool) {
	if which == "" {
		for _, class := range classOrder {
			if i, ok := pickClass(devices, class); ok {
				return i, true
			}
		}
		return 0, false
	}
	if i, err := strconv.Atoi(which); err == nil {
		for _, d := range devices {
			if d.Index == i {
				return i, true
			}
		}
		return 0, false
	}
	want := strings.ToLower(which)
	if slices.Contains(classOrder, DeviceClass(want)) {
		return pickClass(devices, DeviceClass(want))
	}
	for _, d := range devices {
		for _, s := range []string{d.Name, d.Vendor, d.Platform, d.Version} {
			if strings.Contains(strings.ToLower(s), want) {
				return d.Index, true
			}
		}
	}
	return 0, false
}

func pickClass(devices []*DeviceInfo, class DeviceClass) (int, bool) {
	for _, d := range devices {
		if classOf(d) == class {
			return d.Index, true
		}
	}
	return 0, false
}

// classOf takes a class that this package doesn't know for ClassOther, so that
// "any device" means any.
func classOf(d *DeviceInfo) DeviceClass {
	if slices.Contains(classOrder, d.Class) {
		return d.Class
	}
	return ClassOther
}

// List formats devices for people, one a line, each with the selector that opens
// it.
func List(devices []*DeviceInfo) string {
	if len(devices) == 0 {
		return "  (none)"
	}
	lines := make([]string, len(devices))
	for i, d := range devices {
		lines[i] = fmt.Sprintf("  %s:%d  %s (%s, %s, %s)", d.Backend, d.Index, d.Name, d.Class, d.Version, ByteSize(d.Memory))
	}
	return strings.Join(lines, "\n")
}
