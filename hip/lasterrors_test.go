//go:build cgo && linux

package hip

import (
	"io"
	"runtime"
	"slices"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// Whatever fails on the way, nothing of it is left for a user's code that asks with
// hipGetLastError: neither where we return it, nor where we go on without.
func TestNoErrorIsLeftBehind(t *testing.T) {
	for _, version := range []int{60000, 0} { // hipErrorNotReady counts as an error, and doesn't
		env := withRuntime(t, version, "devices=2")
		drivertest.RunChild(t, "TestNoErrorIsLeftBehindInChild", env...)
	}
}

func TestNoErrorIsLeftBehindInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	fake, err := control.Open(load().Path)
	check(t, err)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	use(t, func(string) {}) // what is done once
	fake.ResetCounts()
	use(t, func(string) {})
	var called []string
	for _, symbol := range fake.Symbols() {
		if fake.Calls(symbol) > 0 && symbol != "hipGetLastError" {
			called = append(called, symbol)
		}
	}
	// Of those whose failure stays inside.
	for _, symbol := range []string{"hipStreamWriteValue32", "hipHostRegister", "hipMemPoolSetAttribute", "hipMemPoolTrimTo", "hipStreamQuery",
		"hipSetDeviceFlags", "hipDeviceGetAttribute", "hipThreadExchangeStreamCaptureMode", "hipStreamIsCapturing", "hipEventDestroy"} {
		if !slices.Contains(called, symbol) {
			t.Errorf("the test does not call %s", symbol)
		}
	}
	codes := []int{codeOutOfMemory, codeNotSupported}
	if !testing.Short() {
		codes = append(codes, codeInvalidValue, 708, 999) // hipErrorSetOnActiveProcess, hipErrorUnknown
	}
	for _, symbol := range called {
		for _, code := range codes {
			for _, when := range []control.When{control.Once, control.Always} {
				fake.Fail(symbol, code, when)
				use(t, func(step string) {
					if left := fake.Call("hipGetLastError"); left != 0 {
						t.Errorf("%s failed with %d, %v: after %s error %d is left behind", symbol, code, when, step, left)
					}
				})
				fake.Fail(symbol, 0, control.Never)
			}
		}
	}
}

// use opens a device and does a little of everything, whatever fails; after is called
// behind each step.
func use(t *testing.T, after func(step string)) {
	step := func(name string, do func()) {
		do()
		after(name)
	}
	var d *Device
	step("Open", func() { d, _ = Open(0, DeviceOptions{Flags: BlockingSync}) })
	if d == nil {
		return
	}
	defer step("Device.Close", func() { _ = d.Close() })
	var s, other *Stream
	var e *Event
	step("Device.Stream", func() { s, _ = d.Stream(driver.StreamOptions{}) })
	defer step("Stream.Close", func() { _ = s.Close() })
	step("Device.Stream", func() { other, _ = d.Stream(driver.StreamOptions{}) })
	defer step("Stream.Close", func() { _ = other.Close() })
	step("Device.Event", func() { e, _ = d.Event(driver.EventOptions{}) })
	defer step("Event.Close", func() { _ = e.Close() })
	if s == nil || other == nil || e == nil {
		return
	}
	other.Native() // it is asked whether it has finished
	var all []io.Closer
	step("making everything", func() { all = everything(t, d, s) })
	for _, c := range all {
		step("Close of one", func() { _ = c.Close() })
	}
	step("AllocPlain of too much", func() { _, _ = d.AllocPlain(1 << 60) })
	step("Stream.Alloc of too much", func() { _, _ = s.Alloc(1 << 60) })
	step("Alloc of too much", func() { _, _ = d.Alloc(1 << 60) })
	step("Record", func() { _ = s.Record(e) })
	step("Record", func() { _ = other.Record(e) })
	step("Event.Query", func() { _, _ = e.Query() })
	var m *Memory
	step("Stream.Alloc", func() { m, _ = s.Alloc(64) })
	if m != nil {
		step("CopyFromHost", func() { _ = s.CopyFromHost(background, m, 0, make([]byte, 64)) })
		step("CopyToHost", func() { _ = s.CopyToHost(background, make([]byte, 64), m, 0) })
		step("Record", func() { _ = other.Record(e) })
		step("Memory.Close behind streams", func() { _ = m.Close() })
	}
	step("Stream.Wait", func() { _ = s.Wait(background) })
	step("Stream.Query", func() { _, _ = s.Query() })
	step("Stream.Query", func() { _, _ = other.Query() })
	step("PointerInfo", func() { _, _ = d.PointerInfo(64) })
	step("CanAccessPeer", func() { _, _ = d.CanAccessPeer(d) })
	step("Device.Wait", func() { _ = d.Wait(background) })
}
