//go:build cgo && linux

package hip

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
	"github.com/triad-gpu/triad/testdata/fakedriver/discipline"
	"github.com/triad-gpu/triad/testdata/fakedriver/mallocs"
)

// disciplined runs a test of package discipline's in a process with a fake runtime.
func disciplined(t *testing.T, test string, env ...string) {
	t.Helper()
	drivertest.RunChild(t, test, append(withFake(t, "devices=2;memory=4G"), env...)...)
}

func TestCallsAreCounted(t *testing.T) { disciplined(t, "TestCallsInChild") }
func TestCallsInChild(t *testing.T)    { discipline.Run(t, fakeBackend(t), "Calls") }

func TestNothingIsAllocatedInC(t *testing.T) {
	disciplined(t, "TestAllocationsInChild", mallocs.Env(t)...)
}
func TestAllocationsInChild(t *testing.T) { discipline.Run(t, fakeBackend(t), "Allocations") }

func TestDevicesAreKept(t *testing.T)  { disciplined(t, "TestContextsInChild") }
func TestContextsInChild(t *testing.T) { discipline.Run(t, fakeBackend(t), "Contexts") }

func TestWaitsEndWhateverHappens(t *testing.T) { disciplined(t, "TestWaitsInChild") }
func TestWaitsInChild(t *testing.T)            { discipline.Run(t, fakeBackend(t), "Waits") }

func TestCrowdsWait(t *testing.T)   { disciplined(t, "TestCrowdInChild") }
func TestCrowdInChild(t *testing.T) { discipline.Run(t, fakeBackend(t), "Crowd") }

func TestLossesAreSurvived(t *testing.T) { disciplined(t, "TestLossesInChild") }
func TestLossesInChild(t *testing.T)     { discipline.Run(t, fakeBackend(t), "Losses") }

func fakeBackend(t *testing.T) discipline.Backend {
	drivertest.OnlyAsChild(t)
	return discipline.Backend{
		Library: os.Getenv(libraryEnv),
		Opens: []func(int) (driver.Device, error){func(i int) (driver.Device, error) {
			d, err := Open(i, DeviceOptions{})
			if err != nil {
				return nil, err
			}
			return d, nil
		}},
		Sources: drivertest.Sources(".hip"),
		Current: discipline.Current{
			Check: "hipGetDevice", Do: "hipSetDevice", Undo: "hipSetDevice",
			Enter: enterDevice, Leave: leaveDevice, State: threadState,
		},
		Points: waitPoints, Calls: warmCalls, Events: "Event",
		Lost: 709,
		Recover: func(d *control.Driver) {
			thread := make(chan struct{})
			go func() {
				defer close(thread)
				runtime.LockOSThread() // which ends with its device
				called(d, "hipSetDevice", 0)
				called(d, "hipDeviceReset")
			}()
			<-thread
		},
		HostFunc: func(s driver.Stream, word driver.HostMemory) error {
			return s.(*Stream).HostFunc(rawRaiseWord(), uintptr(word.Addr()))
		},
	}
}

// called is a call of the runtime's by the tests themselves.
func called(d *control.Driver, symbol string, args ...uintptr) {
	if code := d.Call(symbol, args...); code != 0 {
		panic(fmt.Sprintf("%s: %d", symbol, code))
	}
}

// enterDevice makes a device current; nil is the second one.
func enterDevice(d *control.Driver, dev driver.Device) {
	device := uintptr(1)
	if dev != nil {
		device = uintptr(dev.(*Device).native)
	}
	called(d, "hipSetDevice", device)
}

// leaveDevice makes that current which threads begin with.
func leaveDevice(d *control.Driver, _ driver.Device) { called(d, "hipSetDevice", 0) }

func threadState(d *control.Driver) string {
	m := control.NewMemory(1)
	defer m.Free()
	called(d, "hipGetDevice", m.At(0))
	return fmt.Sprintf("device %d", m.Word(0))
}

// calm is what brackets calls that a capture on another stream would not survive.
const calm = "hipThreadExchangeStreamCaptureMode"

// warmCalls are what warm operations call; see package discipline. Besides, each may
// look once which device is current.
var warmCalls = map[string]discipline.Calls{
	"launch":                              {"hipModuleLaunchKernel": 1},
	"copy on the device":                  {"hipMemcpyDtoDAsync": 1},
	"copy to the device":                  {"hipMemcpyHtoDAsync": 1},
	"copy to the host":                    {"hipMemcpyDtoHAsync": 1},
	"copy of a rectangle":                 {"hipMemcpy2DAsync": 1},
	"fill":                                {"hipMemsetD32Async": 1},
	"record":                              {"hipEventRecord": 1},
	"wait for an event on a stream":       {"hipStreamWaitEvent": 1},
	"query of a stream that has finished": {"hipStreamIsCapturing": 1, "hipStreamQuery": 1, calm: 2},
	"wait for a stream that has finished": {"hipStreamIsCapturing": 1, "hipStreamWriteValue32": 1},
	"query of an event":                   {"hipEventQuery": 1, calm: 2},
	"wait for an event":                   {"hipEventQuery": 1, calm: 2},
	"upload":                              {"hipStreamIsCapturing": 1, "hipMemcpyHtoDAsync": 1},
	"download":                            {"hipStreamIsCapturing": 1, "hipMemcpyAsync": 1, "hipStreamWriteValue32": 1},
	"allocate and free":                   {"hipMallocFromPoolAsync": 1, "hipStreamSynchronize": 1, "hipFreeAsync": 1, calm: 4},
}

// waitPoints are where waits can be. Devices of the old model write no words.
var waitPoints = discipline.Points{
	Models: []string{"MI300X", "old"},
	Hang:   []string{"hipStreamIsCapturing", "hipEventQuery"},
	Watch: map[string]map[string]string{"MI300X": {
		"Stream.Wait": "hipStreamQuery", "Device.Wait": "hipStreamQuery", "CopyFromHost": "hipStreamQuery", "CopyToHost": "hipStreamQuery",
		"CopyToHost by a worker": "hipStreamQuery",
	}},
	Stand: map[string]map[string]string{
		"MI300X": {"Event.Wait": "hipEventSynchronize"},
		"old": {
			"Stream.Wait": "hipStreamSynchronize", "Device.Wait": "hipStreamSynchronize", "Event.Wait": "hipEventSynchronize",
			"CopyFromHost": "hipStreamSynchronize", "CopyToHost": "hipStreamSynchronize", "CopyToHost by a worker": "hipMemcpyAsync",
		},
	},
}
