package fake

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/triad-gpu/triad/cuda"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// process is the driver of this process.
var process struct {
	sync.Mutex
	tried bool
	ctl   *control.Driver
	paths fakedriver.Paths
	err   error
}

// load loads the fake driver, once.
func load(d Driver) error {
	process.Lock()
	defer process.Unlock()
	if !process.tried {
		process.tried = true
		process.err = loadNow(d)
	}
	return process.err
}

func loadNow(d Driver) error {
	o, err := d.options()
	if err != nil {
		return err
	}
	if process.paths, err = fakedriver.Build(o); err != nil {
		return err
	}
	if process.ctl, err = control.Open(process.paths.Cuda); err != nil {
		return err
	}
	if err := process.ctl.Serve(run); err != nil {
		return err
	}
	// Kernels that are Go functions are of no use to another process, and what is
	// compiled here of none to a real driver.
	if os.Getenv("TRIAD_CACHE") == "" {
		if err := os.Setenv("TRIAD_CACHE", "off"); err != nil {
			return err
		}
	}
	for name, value := range map[string]string{"TRIAD_CUDA_LIBRARY": process.paths.Cuda, "TRIAD_NVRTC_LIBRARY": process.paths.Nvrtc} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	report := cuda.Backend().Probe() // loads a driver, if that hasn't happened
	if report.Loaded != process.paths.Cuda {
		what := report.Loaded
		if what == "" {
			what = "none, which was found out"
		}
		return driver.Errorf("fake", "Start", driver.ErrInvalidContext, "a process loads a driver once, and this one has loaded %s before the fake one; "+
			"call fake.Main from TestMain, which comes first, or give the tests with the fake driver a package of their own", what)
	}
	return report.Err
}

// Main is for a package's TestMain: it loads the fake driver before a test can load
// another one, runs the tests, and ends the process. Where the fake driver can't be
// had the tests run all the same, and Start skips them.
//
//	func TestMain(m *testing.M) { fake.Main(m, fake.Driver{}) }
func Main(m *testing.M, d Driver) {
	if err := load(d); err != nil && !errors.Is(err, driver.ErrUnavailable) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// turn is held by the test that has the fake driver, and holder is its name.
var (
	turn   = make(chan struct{}, 1)
	mu     sync.Mutex // guards holder
	holder string
)

// patience is how long a test waits for its turn.
const patience = 2 * time.Minute

func take(t testing.TB) {
	t.Helper()
	mu.Lock()
	have := holder
	mu.Unlock()
	if have != "" && (t.Name() == have || strings.HasPrefix(t.Name(), have+"/")) {
		t.Fatalf("fake: %s has started the fake driver already; for more devices set Model.Devices and use Device.Other", have)
	}
	select {
	case turn <- struct{}{}:
	case <-time.After(patience):
		t.Fatalf("fake: %s has had the fake driver for %v, and one test at a time has it; if it is parallel, it must call t.Parallel before fake.Start", have, patience)
	}
	mu.Lock()
	holder = t.Name()
	mu.Unlock()
}

func leave() {
	mu.Lock()
	holder = ""
	mu.Unlock()
	<-turn
}

// Start gives a test fake devices of a model, and opens the first of them by way of
// package cuda. Everything ends with the test: the faults that it asked for, and the
// device. Where the fake driver can't be had the test is skipped, or fails if
// TRIAD_REQUIRE lists "fake"; it fails where another driver was loaded before.
func Start(t testing.TB, m Model) *Device {
	t.Helper()
	if err := m.check(); err != nil {
		t.Fatal(err)
	}
	if err := load(Driver{}); err != nil {
		drivertest.Unavailable(t, "fake", err)
	}
	take(t)
	t.Cleanup(leave)
	d := &Device{t: t, ctl: process.ctl, model: m}
	d.model.Devices = max(m.Devices, 1)
	if err := d.renew(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		d.ctl.Reset() // what waits goes on, so that all can end
		_ = d.Close()
		d.forget()
	})
	return d
}

// settle gives what an earlier test closed a moment to come to its end, which streams
// under way may put off: it would be counted as this test's. A test may have left a
// device open, so the moment is short.
func settle() {
	for end := time.Now().Add(time.Second); lifetime.Live()["cuda device"] > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// renew begins from scratch: no faults, fresh primary contexts, a context of the
// test's own.
func (d *Device) renew() error {
	settle()
	d.ctl.Reset()
	d.ctl.Seed(d.model.Seed)
	if err := d.ctl.Devices(d.model.Name, d.model.Devices, d.model.Memory); err != nil {
		return err
	}
	for i := range d.model.Devices {
		// An earlier test may have left it broken, and itself have left it open.
		d.ctl.Call("cuDevicePrimaryCtxReset_v2", uintptr(i))
	}
	var err error
	if d.Device, err = cuda.Open(0, cuda.DeviceOptions{OwnContext: true}); err != nil {
		return err
	}
	d.live, d.bytes = make(map[string]int), make(map[string]int64)
	for _, kind := range handleKinds {
		d.live[kind] = d.ctl.Live(kind)
	}
	for _, kind := range memoryKinds {
		d.bytes[kind] = d.ctl.Bytes(kind)
	}
	d.ctl.ResetCounts()
	return nil
}
