package fake

import (
	"fmt"
	"io"

	"github.com/triad-gpu/triad/cuda"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/hip"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// Device is a fake device, opened: a device of package cuda's, and what there is to
// ask of the driver behind it. Any goroutine may use it. What it asks for holds for
// the whole driver, other devices and openings included, until the test ends.
//
// A name that the driver doesn't know fails the test at once.
type Device struct {
	*cuda.Device
	*controls
}

// Fault breaks the context of the next command that any stream comes to, as a
// kernel's fault would: its calls return the code from then on.
func (d *Device) Fault(code Code) { d.fault(code) }

// Other opens another of the model's devices, with a context of its own; it is
// closed when the test ends.
func (d *Device) Other(index int) *cuda.Device {
	d.t.Helper()
	return opened(d.controls, func() (*cuda.Device, error) { return cuda.Open(index, cuda.DeviceOptions{OwnContext: true}) })
}

// HIPDevice is a fake device of AMD's, opened: a device of package hip's, and what
// there is to ask of the runtime behind it, as with [Device].
type HIPDevice struct {
	*hip.Device
	*controls
}

// Fault breaks the device of the next command that any stream comes to, as a kernel's
// fault would: calls on it return the code from then on.
func (d *HIPDevice) Fault(code Code) { d.fault(code) }

// Other opens another of the model's devices; it is closed when the test ends.
func (d *HIPDevice) Other(index int) *hip.Device {
	d.t.Helper()
	return opened(d.controls, func() (*hip.Device, error) { return hip.Open(index, hip.DeviceOptions{}) })
}

// Started is a *Device or a *HIPDevice.
type Started interface {
	driver.Device
	started() *controls
}

func opened[D io.Closer](c *controls, open func() (D, error)) D {
	c.t.Helper()
	other, err := open()
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = other.Close() })
	return other
}

// Code is a CUresult or a hipError_t, which mostly have the same numbers. As an error of a kernel that is a Go function it says how the
// kernel faults.
type Code int

// The codes that tests are most often about; others are numbers.
const (
	InvalidValue      Code = 1
	OutOfMemory       Code = 2
	DeviceUnavailable Code = 46 // CUDA's only
	NoDevice          Code = 100
	ECC               Code = 214 // an error of memory that could not be corrected
	IllegalAddress    Code = 700
	LaunchTimeout     Code = 702
	Assert            Code = 710
	LaunchFailed      Code = 719
	NotSupported      Code = 801
	Unknown           Code = 999
)

var codeNames = map[Code]string{
	InvalidValue: "invalid value", OutOfMemory: "out of memory", DeviceUnavailable: "device unavailable", NoDevice: "no device", ECC: "uncorrectable error of memory",
	IllegalAddress: "illegal address", LaunchTimeout: "launch timeout", Assert: "assertion", LaunchFailed: "launch failed",
	NotSupported: "not supported", Unknown: "unknown error",
}

// Error implements error.
func (c Code) Error() string {
	if name := codeNames[c]; name != "" {
		return fmt.Sprintf("the driver's error %d, %s", int(c), name)
	}
	return fmt.Sprintf("the driver's error %d", int(c))
}

// When says which calls fail.
type When struct{ when control.When }

// Which calls fail: the next one, all, none any more.
var (
	Once   = When{control.Once}
	Always = When{control.Always}
	Never  = When{control.Never}
)

// Nth is the n-th call from now, counted from 1.
func Nth(n int) When { return When{control.Nth(uint64(max(n, 0)))} }

// Chance is that share of the calls, by chance; Model.Seed makes it the same ones
// each time, as far as a program makes its calls in the same order.
func Chance(share float64) When { return When{control.Random(min(max(share, 0), 1))} }
