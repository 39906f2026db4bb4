package fake

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/triad-gpu/triad/cuda"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// Device is a fake device, opened: a device of package cuda's, and what there is to
// ask of the driver behind it. Any goroutine may use it. What it asks for holds for
// the whole driver, other devices and openings included, until the test ends.
//
// A name that the driver doesn't know fails the test at once.
type Device struct {
	*cuda.Device

	t     testing.TB
	ctl   *control.Driver
	model Model
	live  map[string]int // when the test began
	bytes map[string]int64

	mu     sync.Mutex
	funcs  []uint64 // registered for the test
	errors []error
}

// Other opens another of the model's devices, with a context of its own; it is
// closed when the test ends.
func (d *Device) Other(index int) *cuda.Device {
	d.t.Helper()
	other, err := cuda.Open(index, cuda.DeviceOptions{OwnContext: true})
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = other.Close() })
	return other
}

// Code is a CUresult. As an error of a kernel that is a Go function it says how the
// kernel faults.
type Code int

// The codes that tests are most often about; others are numbers.
const (
	InvalidValue      Code = 1
	OutOfMemory       Code = 2
	DeviceUnavailable Code = 46
	ECC               Code = 214 // an error of memory that could not be corrected
	IllegalAddress    Code = 700
	LaunchTimeout     Code = 702
	Assert            Code = 710
	LaunchFailed      Code = 719
	NotSupported      Code = 801
	Unknown           Code = 999
)

var codeNames = map[Code]string{
	InvalidValue: "invalid value", OutOfMemory: "out of memory", DeviceUnavailable: "device unavailable", ECC: "uncorrectable error of memory",
	IllegalAddress: "illegal address", LaunchTimeout: "launch timeout", Assert: "assertion", LaunchFailed: "launch failed",
	NotSupported: "not supported", Unknown: "unknown error",
}

// Error implements error.
func (c Code) Error() string {
	if name := codeNames[c]; name != "" {
		return fmt.Sprintf("CUDA's error %d, %s", int(c), name)
	}
	return fmt.Sprintf("CUDA's error %d", int(c))
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

// each does something for every symbol of a call.
func (d *Device) each(call string, do func(symbol string)) {
	d.t.Helper()
	list, err := symbols(call)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, symbol := range list {
		do(symbol)
	}
}

// Fail lets calls of a function of the driver return a code; "*" is all functions.
// Where the function stands for several symbols, each counts for itself.
func (d *Device) Fail(call string, code Code, when When) {
	d.t.Helper()
	d.each(call, func(symbol string) { d.ctl.Fail(symbol, int(code), when.when) })
}

// FailMemory lets allocations of the device's memory fail, as if it had run out. The
// driver has a function that allocates in stream order, which package cuda uses
// where a device has memory pools, and one that does not; each counts for itself.
// Package cuda tries once more after waiting for memory that is about to come back,
// so that a program does not notice Once; SetMemory says what it does notice.
func (d *Device) FailMemory(when When) {
	d.t.Helper()
	for _, call := range []string{"cuMemAllocFromPoolAsync", "cuMemAllocAsync", "cuMemAlloc"} {
		d.Fail(call, OutOfMemory, when)
	}
}

// Latency lets each call of a function take so much longer; "*" is all functions.
func (d *Device) Latency(call string, t time.Duration) {
	d.t.Helper()
	d.each(call, func(symbol string) { d.ctl.Latency(symbol, t) })
}

// KernelLatency lets kernels of a name take so much longer; "*" is all others.
func (d *Device) KernelLatency(kernel string, t time.Duration) { d.ctl.KernelLatency(kernel, t) }

// Block lets calls of a function wait at their beginning until release is called.
func (d *Device) Block(call string) (release func()) {
	d.t.Helper()
	var all []func()
	d.each(call, func(symbol string) { all = append(all, d.ctl.Block(symbol)) })
	return func() {
		for _, release := range all {
			release()
		}
	}
}

// Blocked is how many calls of a function wait because of Block.
func (d *Device) Blocked(call string) (n int) {
	d.t.Helper()
	d.each(call, func(symbol string) { n += d.ctl.Blocked(symbol) })
	return n
}

// Hold keeps all streams from beginning any command until release is called.
func (d *Device) Hold() (release func()) {
	d.ctl.Hold(true)
	return func() { d.ctl.Hold(false) }
}

// Fault breaks the context of the next command that any stream comes to, as a
// kernel's fault would: its calls return the code from then on.
func (d *Device) Fault(code Code) { d.ctl.FaultNext(int(code)) }

// Lose takes a device away: every call on it returns the code, and its contexts stay
// broken. 0 is the index of the device that Start opened.
func (d *Device) Lose(index int, code Code) { d.ctl.LoseDevice(index, int(code)) }

// Return brings a lost device back, for contexts that are made from now on.
func (d *Device) Return(index int) { d.ctl.LoseDevice(index, 0) }

// SetMemory changes how many bytes of memory each device has. What is allocated
// stays, even beyond that.
func (d *Device) SetMemory(bytes uint64) {
	d.t.Helper()
	if err := d.ctl.Devices(d.model.Name, d.model.Devices, bytes); err != nil {
		d.t.Fatal(err)
	}
}

// Calls is how often a function was called since the test began or ResetCounts; "*"
// is all functions.
func (d *Device) Calls(call string) (n int) {
	d.t.Helper()
	d.each(call, func(symbol string) { n += d.ctl.Calls(symbol) })
	return n
}

// KernelRuns is how many grids of a kernel began since then; "*" is all kernels.
func (d *Device) KernelRuns(kernel string) int { return d.ctl.KernelRuns(kernel) }

// ResetCounts sets the counts of calls and of kernels to 0.
func (d *Device) ResetCounts() { d.ctl.ResetCounts() }

var (
	handleKinds = []string{"*", "context", "stream", "event", "module", "library", "array", "mipmap", "texture", "surface", "pool", "graph", "physical", "memory", "device", "host", "registered", "managed", "mapped"}
	memoryKinds = []string{"*", "device", "host", "registered", "managed", "mapped"}
)

// Live is how many things of a kind were made since the test began and still exist:
// "context", "stream", "event", "module", "library", "array", "mipmap", "texture",
// "surface", "pool", "graph", "physical"; "memory" for allocations, or one kind of
// them: "device", "host", "registered", "managed", "mapped"; "*" for everything.
// What package cuda keeps for itself until the device is closed is among them.
func (d *Device) Live(kind string) int {
	d.t.Helper()
	if !slices.Contains(handleKinds, kind) {
		d.t.Fatalf("fake: there is no kind %q; there are %s", kind, strings.Join(handleKinds, ", "))
	}
	return d.ctl.Live(kind) - d.live[kind]
}

// Bytes is how much memory of a kind was allocated since the test began and not
// freed: "device", "host" (page-locked), "registered", "managed", "mapped"; "*" for
// all that was allocated.
func (d *Device) Bytes(kind string) int64 {
	d.t.Helper()
	if !slices.Contains(memoryKinds, kind) {
		d.t.Fatalf("fake: there is no kind of memory %q; there are %s", kind, strings.Join(memoryKinds, ", "))
	}
	return d.ctl.Bytes(kind) - d.bytes[kind]
}

// KernelErr is what kernels that are Go functions have returned, joined; nil if
// nothing but nil.
func (d *Device) KernelErr() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return errors.Join(d.errors...)
}
