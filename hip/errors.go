package hip

import (
	"fmt"
	"sync/atomic"

	"github.com/triad-gpu/triad/driver"
)

const backendName = "hip"

// Codes that this package asks for by name.
const (
	codeInvalidValue       = 1   // hipErrorInvalidValue
	codeOutOfMemory        = 2   // hipErrorOutOfMemory
	codeConfiguration      = 9   // hipErrorInvalidConfiguration
	codeInvalidDevice      = 101 // hipErrorInvalidDevice
	codeInvalidImage       = 200 // hipErrorInvalidImage
	codeInvalidContext     = 201 // hipErrorInvalidContext
	codeNoBinary           = 209 // hipErrorNoBinaryForGpu
	codeNotFound           = 500 // hipErrorNotFound
	codeNotReady           = 600 // hipErrorNotReady
	codeContextDestroyed   = 709 // hipErrorContextIsDestroyed
	codeCooperative        = 720 // hipErrorCooperativeLaunchTooLarge
	codeNotSupported       = 801 // hipErrorNotSupported
	codeCaptureUnsupported = 900 // hipErrorStreamCaptureUnsupported
)

// failure is the error of a HIP call that returned code; nil for success. detail
// says what was asked.
func failure(op string, code int32, detail string, args ...any) error {
	if code == 0 {
		return nil
	}
	e := &driver.Error{Backend: backendName, Op: op, Code: int(code), Kind: driver.ErrInvalidValue}
	if c, ok := codes[code]; ok {
		e.Name, e.Kind = c.name, c.kind
	} else {
		e.Name = "unknown HIP error"
	}
	if detail != "" {
		e.Detail = fmt.Sprintf(detail, args...)
	}
	return e
}

// refused is the error of a call that this package does not even make.
func refused(op string, kind error, format string, args ...any) error {
	return driver.Errorf(backendName, op, kind, format, args...)
}

// unsupported says which symbol a feature needs, and what there is instead.
func unsupported(op, symbol, need string) error {
	return refused(op, driver.ErrUnsupported, "needs %s of %s or later; the runtime speaks %s", symbol, need, versionText(load().version))
}

// companions are calls without which others are not made: those that give back what the
// others make, and without which it would be of no use.
var companions = map[string][]string{
	"hipArray3DCreate":        {"hipArrayDestroy"},
	"hipMipmappedArrayCreate": {"hipMipmappedArrayDestroy", "hipMipmappedArrayGetLevel"},
	"hipTexObjectCreate":      {"hipTexObjectDestroy"},
	"hipCreateSurfaceObject":  {"hipDestroySurfaceObject"},
	"hipMemPoolCreate":        {"hipMemPoolSetAttribute"},
	"hipMemAddressReserve":    {"hipMemAddressFree", "hipMemGetAllocationGranularity"},
	"hipMemCreate":            {"hipMemRelease", "hipMemGetAllocationGranularity"},
	"hipMemMap":               {"hipMemUnmap", "hipMemSetAccess"},
	"hipStreamWriteValue64":   {"hipStreamWriteValue32"},
	"hipStreamWaitValue32":    {"hipStreamWriteValue32"},
	"hipStreamWaitValue64":    {"hipStreamWriteValue32"},
}

// lacking is the error of a call that was not made because the runtime lacks it, or one
// of its companions; nil if it has them.
func lacking(op string) error {
	for _, symbol := range append([]string{op}, companions[op]...) {
		for _, m := range load().Missing {
			if m.Name == symbol {
				return unsupported(op, symbol, versionText(m.Version))
			}
		}
	}
	return nil
}

// sticky tells whether a code says that the device is of no use to this process any more: each
// later call fails with the same code, whatever it was, until the device is reset.
func sticky(code int32) bool {
	switch code {
	case 214, 700, 702, 710, 719:
		return true
	}
	return codes[code].kind == driver.ErrDeviceLost
}

// faults has a device's first sticky fault.
type faults struct{ first atomic.Pointer[driver.Error] }

// failure is the package's failure, on a device. The first sticky fault is kept;
// later ones point at it, for whoever meets them did nothing wrong.
func (d *Device) failure(op string, code int32, detail string, args ...any) error {
	if code == 0 {
		return nil
	}
	if code == codeNotSupported {
		if err := lacking(op); err != nil {
			return err
		}
	}
	e := failure(op, code, detail, args...).(*driver.Error)
	if !sticky(code) {
		return e
	}
	if code == codeContextDestroyed && rawDeviceDead(d.raw) {
		e.Detail = join(e.Detail, "the device was reset since this object was made; open it anew")
	}
	if d.faults.first.CompareAndSwap(nil, e) {
		return e
	}
	e.Detail = join(e.Detail, "the device had failed before")
	e.Err = d.faults.first.Load()
	return e
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// commandFailure is the error of a wait that found a failure: of a command that
// was enqueued before, or of the look itself.
func (d *Device) commandFailure(op string, code int32) error {
	if code == codeCaptureUnsupported {
		return refused(op, driver.ErrUnsupported, "the stream is being captured, and nothing of it runs: end the capture, or wait for another stream")
	}
	if sticky(code) {
		return d.failure(op, code, "a command enqueued before failed on %s", d.info.Name)
	}
	return d.failure(op, code, "")
}

// Fault is the first failure that made the device useless, such as an illegal
// address; nil if there was none. See Reset.
func (d *Device) Fault() error {
	if e := d.faults.first.Load(); e != nil {
		return e
	}
	return nil
}
