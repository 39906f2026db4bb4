//go:build cgo && linux

package cuda

import (
	"fmt"
	"os"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
	"github.com/triad-gpu/triad/testdata/fakedriver/discipline"
	"github.com/triad-gpu/triad/testdata/fakedriver/mallocs"
)

// disciplined runs subjects of package discipline's in a process with a fake driver.
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

func TestContextsAreKept(t *testing.T) { disciplined(t, "TestContextsInChild") }
func TestContextsInChild(t *testing.T) { discipline.Run(t, fakeBackend(t), "Contexts") }

func fakeBackend(t *testing.T) discipline.Backend {
	drivertest.OnlyAsChild(t)
	opener := func(o DeviceOptions) func(int) (driver.Device, error) {
		return func(i int) (driver.Device, error) {
			d, err := Open(i, o)
			if err != nil {
				return nil, err
			}
			return d, nil
		}
	}
	return discipline.Backend{
		Library: os.Getenv(libraryEnv),
		Opens:   []func(int) (driver.Device, error){opener(DeviceOptions{}), opener(DeviceOptions{OwnContext: true})},
		Sources: drivertest.Sources(".cu"),
		Current: discipline.Current{
			Check: "cuCtxGetCurrent", Do: "cuCtxPushCurrent_v2", Undo: "cuCtxPopCurrent_v2", Never: []string{"cuCtxSetCurrent"},
			Enter: enterContext, Leave: leaveContext, State: threadState,
		},
		Points: waitPoints, Calls: warmCalls, Events: "Event",
		Lost: 46,
		HostFunc: func(s driver.Stream, word driver.HostMemory) error {
			return s.(*Stream).HostFunc(rawRaiseWord(), uintptr(word.Addr()))
		},
	}
}

// called is a call of the driver's by the tests themselves.
func called(d *control.Driver, symbol string, args ...uintptr) {
	if code := d.Call(symbol, args...); code != 0 {
		panic(fmt.Sprintf("%s: %d", symbol, code))
	}
}

func enterContext(d *control.Driver, dev driver.Device) {
	if dev == nil {
		m := control.NewMemory(1)
		defer m.Free()
		called(d, "cuCtxCreate_v2", m.At(0), 0, 0)
		return
	}
	_, ctx := dev.(*Device).Native()
	called(d, "cuCtxPushCurrent_v2", ctx)
}

func leaveContext(d *control.Driver, dev driver.Device) {
	m := control.NewMemory(1)
	defer m.Free()
	if dev == nil {
		called(d, "cuCtxGetCurrent", m.At(0))
		called(d, "cuCtxDestroy_v2", uintptr(m.Word(0)))
		return
	}
	called(d, "cuCtxPopCurrent_v2", m.At(0))
}

// threadState is the thread's stack of contexts, which is taken down and built again.
func threadState(d *control.Driver) string {
	m := control.NewMemory(1)
	defer m.Free()
	var stack []uintptr
	for {
		called(d, "cuCtxGetCurrent", m.At(0))
		if m.Word(0) == 0 {
			break
		}
		stack = append(stack, uintptr(m.Word(0)))
		called(d, "cuCtxPopCurrent_v2", m.At(0))
	}
	for i := range stack {
		called(d, "cuCtxPushCurrent_v2", stack[len(stack)-1-i])
	}
	return fmt.Sprintf("contexts %#x", stack)
}
