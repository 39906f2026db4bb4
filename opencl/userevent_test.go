package opencl

import (
	"context"
	"errors"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

func TestUserEventsAreSetOnce(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	e := userEvent(t, d)
	if done, err := e.Query(); done || err != nil {
		t.Errorf("before Complete: done %v, error %v", done, err)
	}
	check(t, e.Complete())
	if done, err := e.Query(); !done || err != nil {
		t.Errorf("after Complete: done %v, error %v", done, err)
	}
	wantIs(t, "Complete again", e.Complete(), driver.ErrUnsupported, "once")
	wantIs(t, "Fail afterwards", e.setStatus(-5), driver.ErrUnsupported, "once")
	wantIs(t, "Fail with a success", userEvent(t, d).Fail(0), driver.ErrInvalidValue, "negative")
	wantIs(t, "Complete of no user event", testEvent(t, d).Complete(), driver.ErrInvalidValue)
	closed := userEvent(t, d)
	check(t, closed.Complete())
	check(t, closed.Close())
	wantIs(t, "Complete of a closed event", closed.Complete(), driver.ErrClosed)
}

func TestAFailureReachesThoseWhoDependOnIt(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	k := kernel[storeArgs](t, d, storeSource, "store")
	for _, mode := range []string{"Enqueue", "WaitEvent"} {
		t.Run(mode, func(t *testing.T) {
			s, other := testStream(t, d, driver.StreamOptions{}), testStream(t, d, driver.StreamOptions{})
			x := buffer(t, s, []uint32{3})
			gate, out := userEvent(t, d), testEvent(t, d)
			a := storeArgs{x.Ptr(), 9}
			if mode == "Enqueue" {
				check(t, k.Enqueue(s, NDRange{Global: [3]uint64{1}}, driver.ArgsOf(&a), []*Event{gate}, out))
			} else {
				check(t, s.WaitEvent(gate))
				check(t, s.Record(out))
			}
			check(t, s.Flush())
			check(t, gate.setStatus(-7777))
			within(t, "the wait for the stream", func() {
				wantIs(t, "Stream.Wait", s.Wait(context.Background()), driver.ErrDeviceFault)
			})
			if mode == "Enqueue" {
				within(t, "the wait for the launch", func() {
					wantIs(t, "Event.Wait", out.Wait(context.Background()), driver.ErrDeviceFault)
				})
				_, err := out.Query()
				wantIs(t, "Event.Query", err, driver.ErrDeviceFault)
			}
			// It was told, and stays with its stream.
			within(t, "further waits", func() {
				if err := other.Wait(context.Background()); err != nil {
					t.Errorf("another stream: %v", err)
				}
			})
			y := buffer(t, other, []uint32{0})
			a = storeArgs{y.Ptr(), 4}
			check(t, k.Launch(other, one, driver.ArgsOf(&a)))
			if got := values(t, other, y)[0]; got != 4 {
				t.Errorf("another stream stored %d", got)
			}
		})
	}
}

func TestAFailureWhoseWaiterHasLeftIsTold(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	gate := userEvent(t, d)
	check(t, s.WaitEvent(gate))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Wait(ctx) }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("the wait that was abandoned: %v", err)
	}
	check(t, gate.setStatus(-1234))
	within(t, "the wait", func() { wantIs(t, "Wait", s.Wait(context.Background()), driver.ErrDeviceFault) })
}

func TestAStreamWorksOnAfterAFailure(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	k := kernel[storeArgs](t, d, storeSource, "store")
	x := buffer(t, s, []uint32{0})
	gate := userEvent(t, d)
	check(t, s.WaitEvent(gate))
	check(t, gate.setStatus(-42))
	within(t, "the wait", func() { wantIs(t, "Wait", s.Wait(context.Background()), driver.ErrDeviceFault) })
	within(t, "what came later", func() {
		a := storeArgs{x.Ptr(), 6}
		check(t, k.Launch(s, one, driver.ArgsOf(&a)))
		check(t, s.Wait(context.Background()))
	})
	if got := values(t, s, x)[0]; got != 6 {
		t.Errorf("got %d", got)
	}
}

// Where the driver ends the process over a failed event, Fail refuses, and the
// event can still be completed; elsewhere what waits for it fails.
func TestFailIsRefusedWhereItEndsTheProcess(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	gate := userEvent(t, d)
	check(t, s.WaitEvent(gate))
	if d.abortsOnFailure {
		wantIs(t, "Fail", gate.Fail(-5), driver.ErrUnsupported, "PoCL", d.info.Driver)
		check(t, gate.Complete())
		check(t, s.Wait(t.Context()))
		return
	}
	check(t, gate.Fail(-5))
	wantIs(t, "Wait", s.Wait(t.Context()), driver.ErrDeviceFault)
}

func TestOldPoCLIsTold(t *testing.T) {
	for _, x := range []struct {
		platform, driver string
		old              bool
	}{
		{"Portable Computing Language", "3.1+debian", true},
		{"Portable Computing Language", "1.8", true},
		{"Portable Computing Language", "5.0+debian", false},
		{"Portable Computing Language", "6.0", false},
		{"Portable Computing Language", "unknown", false},
		{"NVIDIA CUDA", "3.1", false},
	} {
		if got := isOldPoCL(&driver.DeviceInfo{Platform: x.platform, Driver: x.driver}); got != x.old {
			t.Errorf("%s %s: old %v; want %v", x.platform, x.driver, got, x.old)
		}
	}
}
