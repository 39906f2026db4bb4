//go:build cgo && linux

package cuda

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// faultEnv says which fault a child process is to meet.
const faultEnv = "TRIAD_TEST_FAULT"

// faultCodes are kernels of testdata/faults.cu, and what the driver calls what they do.
var faultCodes = map[string]int{"poke": 700, "trap": 719, "misaligned": 716}

// A kernel that fails is reported to who waits for it, is kept as the first fault,
// and everything else fails with it, without hanging or ending the process.
func TestFaults(t *testing.T) {
	open(t)
	for name := range faultCodes {
		t.Run(name, func(t *testing.T) { drivertest.RunChild(t, "TestOneFault", faultEnv+"="+name) })
	}
}

// breaker prepares what has a stream fail in a way of that name.
func breaker(t *testing.T, d *Device, name string) func(s *Stream) {
	t.Helper()
	if isFake() {
		fake, err := control.Open(os.Getenv(libraryEnv))
		check(t, err)
		e, err := d.Event(driver.EventOptions{})
		check(t, err)
		return func(s *Stream) {
			// No command begins before all is said: another stream's could meet the
			// fault, and the record would fail with it.
			fake.Hold(true)
			fake.FaultNext(faultCodes[name])
			check(t, s.Record(e))
			_ = e.Close()
			fake.Hold(false)
		}
	}
	text, err := os.ReadFile("testdata/faults.cu")
	check(t, err)
	m, err := d.LoadModule(context.Background(), driver.ModuleSource{Kind: driver.SourceText, Name: "faults.cu", Code: text}, driver.BuildOptions{})
	check(t, err)
	type args struct{ P driver.Ptr[uint32] }
	sig, err := driver.SignatureOf[args]()
	check(t, err)
	k, err := m.Bind(context.Background(), name, sig)
	check(t, err)
	mem, err := d.Alloc(512)
	check(t, err)
	a, threads := args{driver.PtrFrom[uint32](mem.Addr())}, uint32(1)
	if name == "poke" {
		a.P = driver.PtrFrom[uint32](8)
	}
	if _, fault := faultCodes[name]; !fault {
		threads = 64
	}
	return func(s *Stream) {
		check(t, k.Launch(s, driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: threads}}, driver.ArgsOf(&a)))
		_, _, _ = m.Close(), k.Close(), mem.Close()
	}
}

func TestOneFault(t *testing.T) {
	drivertest.OnlyAsChild(t)
	name := os.Getenv(faultEnv)
	before := lifetime.Live()
	d, err := Open(0, DeviceOptions{})
	check(t, err)
	s, err := d.Stream(driver.StreamOptions{})
	check(t, err)
	other, err := d.Stream(driver.StreamOptions{})
	check(t, err)
	ev, err := d.Event(driver.EventOptions{})
	check(t, err)
	mem, err := d.Alloc(1 << 20)
	check(t, err)
	host, err := d.AllocHost(1 << 20)
	check(t, err)
	// A driver may load modules only while the device stands still.
	module := loadStore(t, d)
	breakStream := breaker(t, d, name)
	release := hold(t, other)
	check(t, other.Record(ev))
	waits := make(chan error, 2)
	go func() { waits <- other.Wait(context.Background()) }()
	go func() { waits <- ev.Wait(context.Background()) }()

	breakStream(s)
	err = within(t, "the wait for the stream that failed", func() error { return s.Wait(context.Background()) })
	checkFault(t, "Wait", err, faultCodes[name])
	first := d.Fault()
	if first == nil || !strings.Contains(first.Error(), "CUDA_ERROR_") {
		t.Fatalf("the first fault is %v", first)
	}
	release()
	for range 2 {
		select {
		case err := <-waits:
			if err == nil && isFake() {
				continue // it was let go before it met the fault
			}
			checkFault(t, "a wait on another stream", err, faultCodes[name])
		case <-time.After(drivertest.Patience):
			t.Fatal("a wait on another stream does not end")
		}
	}

	sig, err := driver.SignatureOf[storeArgs]()
	check(t, err)
	calls := map[string]func() error{
		"Stream.Wait":  func() error { return other.Wait(context.Background()) },
		"Record":       func() error { return s.Record(ev) },
		"Query":        func() error { _, err := s.Query(); return err },
		"Alloc":        func() error { _, err := d.Alloc(1 << 20); return err },
		"AllocHost":    func() error { _, err := d.AllocHost(100); return err },
		"NewStream":    func() error { _, err := d.NewStream(driver.StreamOptions{}); return err },
		"Copy":         func() error { return s.Copy(mem, 0, host, 0, 100) },
		"CopyFromHost": func() error { return s.CopyFromHost(context.Background(), mem, 0, make([]byte, 100)) },
		"CopyToHost":   func() error { return s.CopyToHost(context.Background(), make([]byte, 100), mem, 0) },
		"large copy":   func() error { return s.CopyToHost(context.Background(), make([]byte, 1<<20), mem, 0) },
		"Kernel":       func() error { _, err := module.Bind(context.Background(), "store", sig); return err },
		"Load": func() error {
			_, err := d.LoadModule(context.Background(), driver.ModuleSource{Kind: driver.SourcePTX, Name: "x.ptx", Code: []byte(".version 7.0\n.target sm_50\n.address_size 64\n")}, driver.BuildOptions{})
			return err
		},
	}
	for what, call := range calls {
		err := within(t, what, call)
		if what == "Kernel" && err == nil {
			continue // the driver need not be asked
		}
		checkFault(t, what, err, faultCodes[name])
		var e *driver.Error
		if errors.As(err, &e) && e.Err != nil && !errors.Is(err, first) {
			t.Errorf("%s: %v does not point at the first fault %v", what, err, first)
		}
	}

	for _, c := range []interface{ Close() error }{s, other, ev, mem, host, module} {
		if err := within(t, "Close", c.Close); err != nil {
			t.Errorf("closing a %T: %v", c, err)
		}
	}
	err = within(t, "Reset", d.Reset)
	if isFake() {
		check(t, err)
	} else if !errors.Is(err, driver.ErrDeviceFault) || !strings.Contains(err.Error(), "start another") {
		t.Errorf("Reset: %v", err)
	}
	if _, err := d.Alloc(100); !errors.Is(err, driver.ErrDeviceLost) {
		t.Errorf("Alloc after Reset: %v; want ErrDeviceLost", err)
	}
	check(t, d.Close())
	drivertest.LiveReturns(t, before)
	again, err := Open(0, DeviceOptions{})
	if isFake() {
		check(t, err)
		loadStore(t, again)
		check(t, again.Close())
	} else if !errors.Is(err, driver.ErrDeviceFault) {
		t.Errorf("opening the device again: %v", err)
	}
}

func loadStore(t *testing.T, d *Device) *Module {
	t.Helper()
	src, err := drivertest.Sources(".cu")("basic")
	check(t, err)
	m, err := d.LoadModule(context.Background(), src, driver.BuildOptions{})
	check(t, err)
	return m
}

func checkFault(t *testing.T, what string, err error, code int) {
	t.Helper()
	var e *driver.Error
	if !errors.Is(err, driver.ErrDeviceFault) || !errors.As(err, &e) || e.Code != code {
		t.Errorf("%s: %v; want a device fault, %d", what, err, code)
	}
}

// within fails when a call does not come to an end.
func within(t *testing.T, what string, call func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return err
	case <-time.After(drivertest.Patience):
		t.Fatalf("%s did not come to an end", what)
		return nil
	}
}
