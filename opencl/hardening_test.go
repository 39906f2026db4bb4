package opencl

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/waiters"
	"github.com/triad-gpu/triad/waitpool"
)

// failing is a stream behind a gate, and the gate. On PoCL 3.1 Fail refuses, since
// what follows can end the process; a barrier and a marker are safe there too.
func failing(t *testing.T) (*Stream, *Event) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	gate := userEvent(t, d)
	check(t, s.WaitEvent(gate))
	if done, err := s.Query(); done || err != nil {
		t.Fatalf("behind a gate: done %v, error %v", done, err)
	}
	return s, gate
}

func queryToEnd(t *testing.T, s *Stream) (failures int) {
	t.Helper()
	if !drivertest.Eventually(func() bool {
		done, err := s.Query()
		if err != nil {
			failures++
		}
		return done
	}) {
		t.Fatal("the stream does not end")
	}
	return failures
}

func TestQueryTellsAFailureOnce(t *testing.T) {
	s, gate := failing(t)
	check(t, gate.setStatus(-5))
	if told := queryToEnd(t, s); told != 1 {
		t.Errorf("told %d times", told)
	}
}

// A marker that a query left behind does not tell of a failure that Wait told.
func TestQueryAfterWaitTellsNoOldFailure(t *testing.T) {
	s, gate := failing(t)
	m, err := s.dev.Alloc(64)
	check(t, err)
	defer m.Close()
	check(t, gate.setStatus(-5))
	wantIs(t, "Wait", s.Wait(t.Context()), driver.ErrDeviceFault)
	check(t, s.Wait(t.Context()))
	check(t, s.Fill(m, 0, 64, driver.Pattern{Len: 1}))
	if told := queryToEnd(t, s); told != 0 {
		t.Errorf("a later fill was told of %d failures", told)
	}
}

func TestNativeHandlesOfClosedObjectsAreZero(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	e := userEvent(t, d)
	k := kernel[storeArgs](t, d, storeSource, "store")
	m, err := d.Alloc(64)
	check(t, err)
	check(t, e.Complete())
	check(t, errors.Join(s.Close(), e.Close(), k.Close(), m.Close(), d.Close()))
	_, ctx := d.Native()
	for name, n := range map[string]uintptr{"stream": s.Native(), "event": e.Native(), "kernel": k.Native(), "memory": m.(*Memory).Native(), "device": ctx} {
		if n != 0 {
			t.Errorf("%s: %#x", name, n)
		}
	}
}

// A build that was left does not read again what belongs to its caller, which
// the race detector would see.
func TestLoadKeepsNothingOfItsCallers(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	for i := range 50 {
		ctx, cancel := context.WithCancel(context.Background())
		opts := driver.BuildOptions{Flags: []string{"-DX=1"}, Defines: []driver.Define{{Name: "A", Value: "1"}}}
		go func() {
			for range i % 20 {
				runtime.Gosched()
			}
			cancel()
		}()
		m, err := d.Load(ctx, driver.ModuleSource{Kind: driver.SourceText, Name: "x", Code: []byte(storeSource)}, opts)
		opts.Flags[0], opts.Defines[0].Value = "-DX=2", "2"
		switch {
		case err == nil:
			check(t, m.Close())
		case !errors.Is(err, context.Canceled):
			t.Error(err)
		}
	}
}

// Notifications that a driver never gives, as PoCL does for failed commands,
// don't use up the places of others.
func TestFailuresLeaveRoomForNotifications(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	pool := waitpool.Default()
	waitAll := func(n int, end func(*Event)) {
		gate := userEvent(t, d)
		var wg sync.WaitGroup
		for range n {
			wg.Add(1)
			go func() {
				defer wg.Done()
				_ = gate.Wait(context.Background())
			}()
		}
		for pool.Stats().InFlight < n {
			runtime.Gosched()
		}
		end(gate)
		wg.Wait()
	}
	for range 3 {
		waitAll(200, func(gate *Event) { check(t, gate.setStatus(-5)) })
	}
	before := pool.Stats().Notified
	waitAll(1, func(gate *Event) { check(t, gate.Complete()) })
	if d.notifies && pool.Stats().Notified == before {
		t.Error("no callback is asked for any more")
	}
}

func TestDeviceWaitCoversClosedStreams(t *testing.T) {
	s, gate := failing(t)
	check(t, s.Close())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	wantIs(t, "Device.Wait while a closed stream's barrier is pending", s.dev.Wait(ctx), context.DeadlineExceeded)
	check(t, gate.Complete())
	check(t, s.dev.Wait(t.Context()))
}

func TestIdleWaitsAreBounded(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	gate := userEvent(t, d)
	var wg sync.WaitGroup
	const n = waiters.MostIdle + 500
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_ = gate.Wait(context.Background())
		}()
	}
	for waitpool.Default().Stats().InFlight < n {
		runtime.Gosched()
	}
	check(t, gate.Complete())
	wg.Wait()
	if n := idle.Len(); n == 0 || n > waiters.MostIdle {
		t.Errorf("%d idle waits are kept; at most %d should be", n, waiters.MostIdle)
	}
}

// A work-group of more dimensions than the global size is not cut.
func TestLocalSizesOfMoreDimensionsAreRefused(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	m, err := driver.Alloc[uint32](d, 16)
	check(t, err)
	defer m.Close()
	k := kernel[storeArgs](t, d, storeSource, "store")
	a := storeArgs{m.Ptr(), 3}
	wantIs(t, "Enqueue", k.Enqueue(s, NDRange{Global: [3]uint64{4}, Local: [3]uint64{2, 2}}, driver.ArgsOf(&a), nil, nil), driver.ErrInvalidValue)
}

// Nil and zero objects give errors and no crash.
func TestNilAndZeroObjectsGiveErrors(t *testing.T) {
	ctx := context.Background()
	src := driver.ModuleSource{Kind: driver.SourceText, Code: []byte("x")}
	for name, f := range map[string]func() error{
		"Device.Wait":            func() error { return (*Device)(nil).Wait(ctx) },
		"Device.MemInfo":         func() error { _, _, err := (*Device)(nil).MemInfo(); return err },
		"Device.Load":            func() error { _, err := (*Device)(nil).Load(ctx, src, driver.BuildOptions{}); return err },
		"Module.Kernel":          func() error { _, err := (*Module)(nil).Kernel(ctx, "x", nil); return err },
		"Module.Binary":          func() error { _, err := (*Module)(nil).Binary(); return err },
		"Kernel.Launch":          func() error { return (*Kernel)(nil).Launch(nil, one, driver.ArgRef{}) },
		"Kernel.Attributes":      func() error { _, err := (*Kernel)(nil).Attributes(); return err },
		"Kernel.Enqueue":         func() error { return (*Kernel)(nil).Enqueue(nil, NDRange{}, driver.ArgRef{}, nil, nil) },
		"Stream.Query":           func() error { _, err := (*Stream)(nil).Query(); return err },
		"Event.Query":            func() error { _, err := (*Event)(nil).Query(); return err },
		"Event.Elapsed":          func() error { _, err := (*Event)(nil).Elapsed(nil); return err },
		"Memory.Slice":           func() error { _, err := (*Memory)(nil).Slice(0, 0); return err },
		"zero Stream.Query":      func() error { _, err := new(Stream).Query(); return err },
		"zero Event.Query":       func() error { _, err := new(Event).Query(); return err },
		"zero Memory.Slice":      func() error { _, err := new(Memory).Slice(0, 0); return err },
		"zero Kernel.Attributes": func() error { _, err := new(Kernel).Attributes(); return err },
		"zero Device.Stream":     func() error { _, err := new(Device).Stream(driver.StreamOptions{}); return err },
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	check(t, errors.Join((*Device)(nil).Close(), (*Module)(nil).Close(), (*Kernel)(nil).Close(), (*Stream)(nil).Close(),
		(*Event)(nil).Close(), (*Memory)(nil).Close(), (*HostMemory)(nil).Close(),
		new(Device).Close(), new(Stream).Close(), new(Event).Close(), new(Memory).Close()))
}
