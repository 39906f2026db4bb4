package discipline

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
	"github.com/triad-gpu/triad/waitpool"
)

// Backend is what the tests must know of a backend, and of the fake driver that this
// process has loaded for it.
type Backend struct {
	Library string // the fake driver's path
	// Opens are the ways to open a device: by its primary context, with one of its
	// own, where a backend has that. The first is the usual one.
	Opens   []func(device int) (driver.Device, error)
	Sources func(name string) (driver.ModuleSource, error)

	Current Current
	Calls   map[string]Calls // by operation; see calls.go
	Events  string           // what the symbols of events have in their names
	Points  Points
	// Lost is a code of a device that is gone, for which errors are ErrDeviceLost.
	Lost int
	// Recover, which may be nil, makes the first device usable again after a fault, where
	// a context that is made anew is still the broken one.
	Recover func(d *control.Driver)
	// HostFunc has a stream call what raises a word in host memory to 1, once.
	HostFunc func(s driver.Stream, word driver.HostMemory) error
	// More are further operations of the backend's own, by name, which must leave a
	// thread's context as it was.
	More map[string]func(dev driver.Device, s driver.Stream) error
}

// Current is how a thread has something current: a context, or a device.
type Current struct {
	// Check is the call by which we look at it, which an operation may make once.
	Check string
	// Enter and Leave do what a user's own C code does on a locked thread: make a
	// device's current, or, with nil, what it has made itself, and take that back.
	Enter, Leave func(d *control.Driver, dev driver.Device)
	// State is what the thread has, in words.
	State func(d *control.Driver) string
	// Do and Undo are calls that a backend makes equally often, Never those that it
	// never makes.
	Do, Undo string
	Never    []string
}

// rig is a driver under control.
type rig struct {
	*testing.T
	Backend
	ctl *control.Driver
}

// Run runs all of the tests, or those of some subjects: "Calls", "Contexts", "Waits",
// "Crowd", "Losses".
func Run(t *testing.T, b Backend, subjects ...string) {
	t.Helper()
	ctl, err := control.Open(b.Library)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 { // what a driver keeps for itself once a device has been open is not left over
		d, err := b.Opens[0](i)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []struct {
		name string
		run  func(*rig)
	}{
		{"Calls", calls}, {"Allocations", allocations}, {"Contexts", contexts}, {"Waits", waits}, {"Crowd", crowd}, {"Losses", losses},
	} {
		for _, want := range subjects {
			if want == s.name {
				t.Run(s.name, func(t *testing.T) { s.run(&rig{t, b, ctl}) })
			}
		}
	}
}

// sub runs a subtest with nothing asked of the driver before it, and after.
func (r *rig) sub(name string, f func(*rig)) {
	r.Run(name, func(t *testing.T) {
		r.ctl.Reset()
		defer r.ctl.Reset()
		f(&rig{t, r.Backend, r.ctl})
	})
}

var background = context.Background()

func (r *rig) ok(err error) {
	r.Helper()
	if err != nil {
		r.Fatalf("unexpected error: %v", err)
	}
}

func (r *rig) open(device int, how int) driver.Device {
	r.Helper()
	d, err := r.Opens[how](device)
	r.ok(err)
	r.Cleanup(func() { r.ok(d.Close()) })
	return d
}

// until waits for a condition.
func (r *rig) until(what string, f func() bool) {
	r.Helper()
	if !drivertest.Eventually(f) {
		r.Fatalf("%s: it does not come to that within %v", what, drivertest.Patience)
	}
}

// within returns what comes from a channel soon.
func within[T any](r *rig, what string, c <-chan T) T {
	r.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(drivertest.Patience):
		r.Fatalf("%s does not come to an end within %v", what, drivertest.Patience)
		panic("unreachable")
	}
}

// set is what an operation needs, on one device.
type set struct {
	dev     driver.Device
	s       driver.Stream
	event   driver.Event
	module  driver.Module
	store   driver.Kernel
	a, b    driver.Memory
	host    driver.HostMemory
	out     *driver.Buffer[uint32]
	slice   []byte
	pattern driver.Pattern
}

type storeArgs struct {
	Out   driver.Ptr[uint32]
	Value uint32
}

// image is the suite's module basic, compiled once.
var image struct {
	sync.Mutex
	driver.ModuleSource
}

func (r *rig) basic(dev driver.Device) driver.Module {
	r.Helper()
	image.Lock()
	defer image.Unlock()
	if image.Code == nil {
		src, err := r.Sources("basic")
		r.ok(err)
		image.ModuleSource = src
	}
	m, err := dev.Load(background, image.ModuleSource, driver.BuildOptions{})
	r.ok(err)
	if image.Kind == driver.SourceText {
		code, err := m.Binary()
		r.ok(err)
		image.Kind, image.Code = driver.SourceBinary, code
	}
	return m
}

// newSet opens nothing; close it before the device.
func (r *rig) newSet(dev driver.Device) *set {
	r.Helper()
	x := &set{dev: dev, slice: make([]byte, 256)}
	var err error
	must := func(e error) { r.Helper(); r.ok(e) }
	x.s, err = dev.NewStream(driver.StreamOptions{})
	must(err)
	x.event, err = dev.NewEvent(driver.EventOptions{})
	must(err)
	x.a, err = dev.Alloc(4096)
	must(err)
	x.b, err = dev.Alloc(4096)
	must(err)
	x.host, err = dev.AllocHost(4096)
	must(err)
	x.out, err = driver.Alloc[uint32](dev, 1)
	must(err)
	x.module = r.basic(dev)
	sig, err := driver.SignatureOf[storeArgs]()
	must(err)
	x.store, err = x.module.Kernel(background, "store", sig)
	must(err)
	x.pattern, err = driver.PatternOf(uint32(7))
	must(err)
	return x
}

func (x *set) close(r *rig) {
	r.Helper()
	for _, c := range []interface{ Close() error }{x.store, x.module, x.out, x.host, x.b, x.a, x.event, x.s} {
		if err := c.Close(); err != nil {
			r.Errorf("closing a %T: %v", c, err)
		}
	}
}

var oneThread = driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}

func (x *set) launch() error {
	a := storeArgs{x.out.Ptr(), 1}
	return x.store.Launch(x.s, oneThread, driver.ArgsOf(&a))
}

// left is what may not grow: objects of ours and of the driver's, and its bytes.
type left struct {
	ours    map[string]int64
	live    int
	bytes   int64
	waiting int
}

func (r *rig) left() left {
	return left{lifetime.Live(), r.ctl.Live("*"), r.ctl.Bytes("*"), waitpool.Default().Stats().InFlight}
}

// oursEnded returns once all objects and waits of ours have ended.
func (r *rig) oursEnded(before left) {
	r.Helper()
	r.until("the end of all objects", func() bool {
		return len(lifetime.More(before.ours)) == 0 && waitpool.Default().Stats().InFlight <= before.waiting
	})
}

// nothingLeft fails unless all comes back to what it was.
func (r *rig) nothingLeft(before left) {
	r.Helper()
	what := ""
	for begin := time.Now(); time.Since(begin) < drivertest.Patience; time.Sleep(50 * time.Microsecond) {
		runtime.Gosched()
		now := r.left()
		what = ""
		if more := lifetime.More(before.ours); len(more) > 0 {
			what = fmt.Sprintf(" of ours %v;", more)
		}
		if now.live > before.live || now.bytes > before.bytes || now.waiting > before.waiting {
			what += fmt.Sprintf(" the driver has %d things and %d bytes, and had %d and %d; %d waits under way, before %d",
				now.live, now.bytes, before.live, before.bytes, now.waiting, before.waiting)
		}
		if what == "" {
			return
		}
	}
	r.Errorf("something is left over:%s", what)
}
