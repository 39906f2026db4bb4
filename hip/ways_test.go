//go:build cgo && linux

package hip

import (
	"context"
	"io"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

// The runtime's own ways: its calls that block although they are called asynchronous,
// those that free at once or wait, by their version, and its trust in handles.
func TestTheRuntimesOwnWays(t *testing.T) {
	for _, version := range []int{60400, 0} { // hipFree waits for the device, and doesn't
		drivertest.RunChild(t, "TestTheRuntimesOwnWaysInChild", withRuntime(t, version, "devices=1")...)
	}
}

func TestTheRuntimesOwnWaysInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	fake, err := control.Open(load().Path)
	check(t, err)
	for _, x := range []struct {
		name string
		test func(t *testing.T, d *Device, fake *control.Driver)
	}{
		{"CopiesThatBlockHoldNoCaller", copiesBlock},
		{"WhatIsInUseIsNotFreed", freesWait},
		{"StaleStreamsNeverReachTheRuntime", staleStreams},
	} {
		t.Run(x.name, func(t *testing.T) {
			drivertest.LeavesNothing(t)
			x.test(t, open(t), fake)
		})
	}
}

// Copies from and to memory that is not page-locked, too large to be staged, are made by
// a worker, for hipMemcpyAsync returns when they have been made. A caller whose context
// ends leaves, and others go on.
func copiesBlock(t *testing.T, d *Device, fake *control.Driver) {
	const n = 33 << 20
	s, other := newStream(t, d), newStream(t, d)
	m, err := d.AllocPlain(n)
	check(t, err)
	defer m.Close()
	small := memorytest.Scratch(t, d, 64)
	for what, copies := range map[string]func(context.Context, []byte) error{
		"CopyFromHost": func(ctx context.Context, b []byte) error { return s.CopyFromHost(ctx, m, 0, b) },
		"CopyToHost":   func(ctx context.Context, b []byte) error { return s.CopyToHost(ctx, b, m, 0) },
	} {
		release := fake.Block("hipMemcpyAsync")
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error)
		go func() { left <- copies(ctx, make([]byte, n)) }()
		if !drivertest.Eventually(func() bool { return fake.Blocked("hipMemcpyAsync") == 1 }) {
			t.Fatalf("%s of %d bytes does not call hipMemcpyAsync", what, n)
		}
		cancel()
		wantIs(t, what+" that blocks, and whose context ends", <-left, context.Canceled)
		if fake.Blocked("hipMemcpyAsync") != 1 {
			t.Errorf("%s: the call has returned", what)
		}
		check(t, other.Fill(small, 0, 64, driver.Pattern{Len: 1}))
		check(t, other.Wait(t.Context()))
		release()
		// It had begun, and goes on, not ordered with what the stream is given meanwhile.
		if !drivertest.Eventually(func() bool { return fake.Blocked("hipMemcpyAsync") == 0 }) {
			t.Errorf("%s: the call does not go on", what)
		}
	}
	check(t, d.Wait(t.Context()))
}

// hipFree waits for the device before HIP 7.0 and frees at once since then, which is too
// early; so memory, modules and page-locked memory go once nothing runs.
func freesWait(t *testing.T, d *Device, fake *control.Driver) {
	s := newStream(t, d)
	for symbol, made := range map[string]func() io.Closer{
		"hipFree": func() io.Closer {
			m, err := d.AllocPlain(4096)
			check(t, err)
			check(t, s.Fill(m, 0, 4096, driver.Pattern{Len: 1}))
			return m
		},
		"hipHostFree": func() io.Closer {
			h, err := d.HostAlloc(4096, 0)
			check(t, err)
			check(t, s.Copy(h, 0, memorytest.Scratch(t, d, 4096), 0, 4096))
			return h
		},
		"hipHostUnregister": func() io.Closer {
			host, free := memorytest.OutsideOfGo(t, 4096)
			t.Cleanup(free)
			h, err := d.Register(host, 0)
			check(t, err)
			check(t, s.Copy(h, 0, memorytest.Scratch(t, d, 4096), 0, 4096))
			return h
		},
		"hipModuleUnload": func() io.Closer {
			m := functions(t, d)
			k := bind[storeArgs](t, m, "store")
			check(t, k.Launch(s, one, driver.ArgsOf(&storeArgs{words(t, newStream(t, d), 1).Ptr(), 1})))
			check(t, k.Close())
			return m
		},
	} {
		c := made()
		check(t, d.Wait(t.Context()))
		e := newEvent(t, d)
		fake.Hold(true)
		check(t, s.Record(e))
		before := fake.Calls(symbol)
		check(t, c.Close())
		if n := fake.Calls(symbol) - before; n != 0 {
			t.Errorf("%s was called %d times while the device is busy", symbol, n)
		}
		fake.Hold(false)
		check(t, s.Wait(t.Context()))
		// Devices of earlier tests may end now, and call it as well.
		if !drivertest.Eventually(func() bool { return fake.Calls(symbol) > before }) {
			t.Errorf("%s was not called once the device was done", symbol)
		}
	}
}

// Since HIP 7.0 a handle that is no stream's any more ends the process. One that was
// closed, or whose device was reset, is refused with no call of the runtime.
func staleStreams(t *testing.T, d *Device, fake *control.Driver) {
	m := memorytest.Scratch(t, d, 64)
	e := newEvent(t, d)
	closed, stale := newStream(t, d), newStream(t, d)
	check(t, closed.Close())
	calls := func(s *Stream) map[string]error {
		_, query := s.Query()
		_, capturing := s.Capturing()
		_, alloc := s.Alloc(64)
		_, priority := s.Priority()
		return map[string]error{
			"Query": query, "Capturing": capturing, "Alloc": alloc, "Priority": priority, "Record": s.Record(e), "WaitEvent": s.WaitEvent(e),
			"Fill": s.Fill(m, 0, 64, driver.Pattern{Len: 1}), "Copy": s.Copy(m, 0, m, 32, 32), "CopyFromHost": s.CopyFromHost(background, m, 0, make([]byte, 64)),
			"WriteValue32": s.WriteValue32(m, 0, 1), "WaitValue32": s.WaitValue32(m, 0, 1, AtLeast), "HostFunc": s.HostFunc(1, 0),
		}
	}
	before := fake.Calls("*")
	for what, err := range calls(closed) {
		wantIs(t, what+" on a closed stream", err, driver.ErrClosed, "stream")
	}
	if n := fake.Calls("*") - before; n != 0 {
		t.Errorf("a closed stream led to %d calls of the runtime", n)
	}
	check(t, stale.Record(e)) // known to have something to do
	check(t, d.Reset())
	before = fake.Calls("*")
	for what, err := range calls(stale) {
		wantIs(t, what+" on a stream of before the reset", err, driver.ErrDeviceLost, "reset")
	}
	wantIs(t, "Wait on a stream of before the reset", stale.Wait(t.Context()), driver.ErrDeviceLost, "reset")
	check(t, stale.Close())
	if n := fake.Calls("*") - before; n != 0 {
		t.Errorf("a stream of before the reset led to %d calls of the runtime", n)
	}
}
