package fake

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// controls are what a test asks of the driver behind its device.
type controls struct {
	t     testing.TB
	lib   *library
	ctl   *control.Driver
	model Model
	live  map[string]int // when the test began
	bytes map[string]int64

	mu     sync.Mutex
	funcs  []uint64 // registered for the test
	errors []error
}

func (d *controls) started() *controls { return d }

// begin gives a test the driver: it waits for its turn, and has open open the device.
func (l *library) begin(t testing.TB, m Model, o func() (fakedriver.Options, error), open func() (driver.Device, error)) *controls {
	t.Helper()
	if err := m.check(l); err != nil {
		t.Fatal(err)
	}
	if err := l.load(o); err != nil {
		drivertest.Unavailable(t, "fake", err)
	}
	l.take(t)
	t.Cleanup(l.leave)
	d := &controls{t: t, lib: l, ctl: l.ctl.Load(), model: m}
	d.model.Devices = max(m.Devices, 1)
	dev, err := d.renew(open)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		d.ctl.Reset() // what waits goes on, so that all can end
		_ = dev.Close()
		d.forget()
	})
	return d
}

// renew begins from scratch: no faults, devices on which nothing was done, an opening
// of the test's own.
func (d *controls) renew(open func() (driver.Device, error)) (driver.Device, error) {
	d.lib.settle()
	d.ctl.Reset()
	d.ctl.Seed(d.model.Seed)
	if err := d.ctl.Devices(d.model.Name, d.model.Devices, d.model.Memory); err != nil {
		return nil, err
	}
	func() {
		runtime.LockOSThread() // which device is meant may be the thread's
		defer runtime.UnlockOSThread()
		for i := range d.model.Devices {
			// An earlier test may have left it broken, and itself have left it open.
			d.lib.reset(d.ctl, i)
		}
	}()
	dev, err := open()
	if err != nil {
		return nil, err
	}
	d.live, d.bytes = make(map[string]int), make(map[string]int64)
	for _, kind := range handleKinds {
		d.live[kind] = d.ctl.Live(kind)
	}
	for _, kind := range memoryKinds {
		d.bytes[kind] = d.ctl.Bytes(kind)
	}
	d.ctl.ResetCounts()
	return dev, nil
}

// each does something for every symbol of a call.
func (d *controls) each(call string, do func(symbol string)) {
	d.t.Helper()
	list, err := d.lib.symbolsOf(call)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, symbol := range list {
		do(symbol)
	}
}

// Fail lets calls of a function of the driver return a code; "*" is all functions.
// Where the function stands for several symbols, each counts for itself.
func (d *controls) Fail(call string, code Code, when When) {
	d.t.Helper()
	d.each(call, func(symbol string) { d.ctl.Fail(symbol, int(code), when.when) })
}

// FailMemory lets allocations of the device's memory fail, as if it had run out. The
// driver has a function that allocates in stream order, which packages cuda and hip use
// where a device has memory pools, and one that does not; each counts for itself.
// They try once more after waiting for memory that is about to come back,
// so that a program does not notice Once; SetMemory says what it does notice.
func (d *controls) FailMemory(when When) {
	d.t.Helper()
	for _, call := range d.lib.memory {
		d.Fail(call, OutOfMemory, when)
	}
}

// Latency lets each call of a function take so much longer; "*" is all functions.
func (d *controls) Latency(call string, t time.Duration) {
	d.t.Helper()
	d.each(call, func(symbol string) { d.ctl.Latency(symbol, t) })
}

// KernelLatency lets kernels of a name take so much longer; "*" is all others.
func (d *controls) KernelLatency(kernel string, t time.Duration) { d.ctl.KernelLatency(kernel, t) }

// Block lets calls of a function wait at their beginning until release is called.
func (d *controls) Block(call string) (release func()) {
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
func (d *controls) Blocked(call string) (n int) {
	d.t.Helper()
	d.each(call, func(symbol string) { n += d.ctl.Blocked(symbol) })
	return n
}

// Hold keeps all streams from beginning any command until release is called.
func (d *controls) Hold() (release func()) {
	d.ctl.Hold(true)
	return func() { d.ctl.Hold(false) }
}

func (d *controls) fault(code Code) { d.ctl.FaultNext(int(code)) }

// Lose takes a device away: every call on it returns the code, and its contexts stay
// broken. 0 is the index of the device that Start opened.
func (d *controls) Lose(index int, code Code) { d.ctl.LoseDevice(index, int(code)) }

// Return brings a lost device back, for contexts that are made from now on.
func (d *controls) Return(index int) { d.ctl.LoseDevice(index, 0) }

// SetMemory changes how many bytes of memory each device has. What is allocated
// stays, even beyond that.
func (d *controls) SetMemory(bytes uint64) {
	d.t.Helper()
	if err := d.ctl.Devices(d.model.Name, d.model.Devices, bytes); err != nil {
		d.t.Fatal(err)
	}
}

// Calls is how often a function was called since the test began or ResetCounts; "*"
// is all functions.
func (d *controls) Calls(call string) (n int) {
	d.t.Helper()
	d.each(call, func(symbol string) { n += d.ctl.Calls(symbol) })
	return n
}

// KernelRuns is how many grids of a kernel began since then; "*" is all kernels.
func (d *controls) KernelRuns(kernel string) int { return d.ctl.KernelRuns(kernel) }

// ResetCounts sets the counts of calls and of kernels to 0.
func (d *controls) ResetCounts() { d.ctl.ResetCounts() }

var (
	handleKinds = []string{"*", "context", "stream", "event", "module", "array", "mipmap", "texture", "surface", "pool", "graph", "physical", "memory", "device", "host", "registered", "managed", "mapped"}
	memoryKinds = []string{"*", "device", "host", "registered", "managed", "mapped"}
)

// Live is how many things of a kind were made since the test began and still exist:
// "context", "stream", "event", "module", "array", "mipmap", "texture",
// "surface", "pool", "graph", "physical"; "memory" for allocations, or one kind of
// them: "device", "host", "registered", "managed", "mapped"; "*" for everything.
// What package cuda or hip keeps for itself until the device is closed is among them.
func (d *controls) Live(kind string) int {
	d.t.Helper()
	if !slices.Contains(handleKinds, kind) {
		d.t.Fatalf("fake: there is no kind %q; there are %s", kind, strings.Join(handleKinds, ", "))
	}
	return d.ctl.Live(kind) - d.live[kind]
}

// Bytes is how much memory of a kind was allocated since the test began and not
// freed: "device", "host" (page-locked), "registered", "managed", "mapped"; "*" for
// all that was allocated.
func (d *controls) Bytes(kind string) int64 {
	d.t.Helper()
	if !slices.Contains(memoryKinds, kind) {
		d.t.Fatalf("fake: there is no kind of memory %q; there are %s", kind, strings.Join(memoryKinds, ", "))
	}
	return d.ctl.Bytes(kind) - d.bytes[kind]
}

// KernelErr is what kernels that are Go functions have returned, joined; nil if
// nothing but nil.
func (d *controls) KernelErr() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return errors.Join(d.errors...)
}
