package opencl

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/triad-gpu/triad/driver"
)

const idSource = `__kernel void note(__global uint *x) {
	x[get_global_id(0)] = (uint)(get_global_offset(0) << 24 | get_local_size(0) << 16 | get_group_id(0) << 8 | get_local_id(0) + 1);
}
__kernel void box(__global uint *x) {
	atomic_add(&x[get_global_id(0) + 16 * get_global_id(1) + 256 * get_global_id(2)], 1);
}`

type noteArgs struct{ X driver.Ptr[uint32] }

// Devices may refuse it, OpenCL 3.0's too; then the error says what is wrong.
func TestGlobalSizeNeedNotBeAMultipleOfTheGroup(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	k := kernel[noteArgs](t, d, idSource, "note")
	b := buffer(t, s, make([]uint32, 16))
	a := noteArgs{b.Ptr()}
	if err := k.Enqueue(s, NDRange{Global: [3]uint64{10}, Local: [3]uint64{4}}, driver.ArgsOf(&a), nil, nil); err != nil {
		wantIs(t, "Enqueue", err, driver.ErrInvalidValue, "no multiple", "10", "4", "note")
		return
	}
	var want [16]uint32
	for i := range uint32(10) {
		size := uint32(4)
		if i >= 8 {
			size = 2 // the last group is short
		}
		want[i] = size<<16 | i/4<<8 | i%4 + 1
	}
	if diff := cmp.Diff(want[:], values(t, s, b)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestGlobalOffsetMovesTheIDs(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	b := buffer(t, s, make([]uint32, 16))
	a := noteArgs{b.Ptr()}
	check(t, kernel[noteArgs](t, d, idSource, "note").Enqueue(s, NDRange{Global: [3]uint64{4}, Local: [3]uint64{2}, Offset: [3]uint64{7}}, driver.ArgsOf(&a), nil, nil))
	var want [16]uint32
	for i := range uint32(4) {
		want[7+i] = 7<<24 | 2<<16 | i/2<<8 | i%2 + 1
	}
	if diff := cmp.Diff(want[:], values(t, s, b)); diff != "" {
		t.Errorf("one dimension (-want +got):\n%s", diff)
	}
	cube := buffer(t, s, make([]uint32, 4096))
	a = noteArgs{cube.Ptr()}
	r := NDRange{Global: [3]uint64{3, 2, 4}, Offset: [3]uint64{1, 5, 9}}
	check(t, kernel[noteArgs](t, d, idSource, "box").Enqueue(s, r, driver.ArgsOf(&a), nil, nil))
	got := values(t, s, cube)
	for i, v := range got {
		x, y, z := uint64(i%16), uint64(i/16%16), uint64(i/256)
		in := x >= 1 && x < 4 && y >= 5 && y < 7 && z >= 9 && z < 13
		if in != (v == 1) {
			t.Fatalf("the work-item at %d %d %d ran %d times", x, y, z, v)
		}
	}
}

func TestEnqueueRefusesEmptyRanges(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	k := kernel[noteArgs](t, d, idSource, "note")
	a := noteArgs{buffer(t, s, make([]uint32, 16)).Ptr()}
	wantIs(t, "no work-items", k.Enqueue(s, NDRange{}, driver.ArgsOf(&a), nil, nil), driver.ErrInvalidValue, "empty", "note")
	wantIs(t, "no stream", k.Enqueue(nil, NDRange{Global: [3]uint64{1}}, driver.ArgsOf(&a), nil, nil), driver.ErrInvalidValue, "nil")
}

func TestEnqueueWaitsForEventsAndGivesOne(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	for _, o := range []driver.StreamOptions{{}, {OutOfOrder: true}} {
		if o.OutOfOrder && !d.info.OutOfOrder {
			continue
		}
		s := testStream(t, d, o)
		k := kernel[storeArgs](t, d, storeSource, "store")
		x, y := buffer(t, s, []uint32{0}), buffer(t, s, []uint32{0})
		r := NDRange{Global: [3]uint64{1}}
		gate, first, second, never := userEvent(t, d), testEvent(t, d), testEvent(t, d), testEvent(t, d)
		a := storeArgs{x.Ptr(), 1}
		check(t, k.Enqueue(s, r, driver.ArgsOf(&a), []*Event{gate, never}, first))
		a = storeArgs{y.Ptr(), 2}
		check(t, k.Enqueue(s, r, driver.ArgsOf(&a), []*Event{first}, second))
		for i, e := range []*Event{first, second} {
			if done, err := e.Query(); done || err != nil {
				t.Errorf("%+v: event %d before the gate is open: done %v, error %v", o, i, done, err)
			}
		}
		check(t, gate.Complete())
		within(t, "the second launch", func() {
			if err := second.Wait(t.Context()); err != nil {
				t.Error(err)
			}
		})
		if done, err := first.Query(); !done || err != nil {
			t.Errorf("%+v: the first event after the second: done %v, error %v", o, done, err)
		}
		if gx, gy := values(t, s, x)[0], values(t, s, y)[0]; gx != 1 || gy != 2 {
			t.Errorf("%+v: got %d and %d", o, gx, gy)
		}
	}
}

func TestWaitListsAreBoundedAndChecked(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	k := kernel[storeArgs](t, d, storeSource, "store")
	a := storeArgs{buffer(t, s, []uint32{0}).Ptr(), 1}
	r := NDRange{Global: [3]uint64{1}}
	e := testEvent(t, d)
	check(t, s.Record(e))
	full := make([]*Event, MaxEvents)
	for i := range full {
		full[i] = e
	}
	check(t, k.Enqueue(s, r, driver.ArgsOf(&a), full, nil))
	check(t, s.Marker(testEvent(t, d), full...))
	wantIs(t, "one too many", k.Enqueue(s, r, driver.ArgsOf(&a), append(full, e), nil), driver.ErrInvalidValue, "65", "64")
	wantIs(t, "one too many for a barrier", s.Barrier(nil, append(full, e)...), driver.ErrInvalidValue, "64")
	wantIs(t, "a nil event", k.Enqueue(s, r, driver.ArgsOf(&a), []*Event{e, nil}, nil), driver.ErrInvalidValue, "nil")
	closed := testEvent(t, d)
	check(t, closed.Close())
	wantIs(t, "a closed event", k.Enqueue(s, r, driver.ArgsOf(&a), []*Event{e, closed}, nil), driver.ErrClosed)
	wantIs(t, "a closed event to stand for it", k.Enqueue(s, r, driver.ArgsOf(&a), nil, closed), driver.ErrClosed)
	far := testEvent(t, testDevice(t, DeviceOptions{}))
	wantIs(t, "another device's event", k.Enqueue(s, r, driver.ArgsOf(&a), []*Event{far}, nil), driver.ErrDeviceMismatch)
	wantIs(t, "a marker for nothing", s.Marker(nil, e), driver.ErrInvalidValue)
	// Refused calls hold none of their events.
	check(t, s.Wait(t.Context()))
	before := eventKind.Live()
	check(t, e.Close())
	if eventKind.Live() != before-1 {
		t.Error("an event of refused calls stays alive")
	}
}

func TestMarkersAndBarriersWaitForTheirEvents(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{OutOfOrder: d.info.OutOfOrder})
	k := kernel[storeArgs](t, d, storeSource, "store")
	x := buffer(t, s, []uint32{0})
	gate, marker, barrier := userEvent(t, d), testEvent(t, d), testEvent(t, d)
	check(t, s.Marker(marker, gate))
	check(t, s.Barrier(barrier, gate))
	a := storeArgs{x.Ptr(), 5}
	check(t, k.Launch(s, one, driver.ArgsOf(&a)))
	check(t, s.Flush())
	for name, e := range map[string]*Event{"marker": marker, "barrier": barrier} {
		if done, err := e.Query(); done || err != nil {
			t.Errorf("the %s before its event: done %v, error %v", name, done, err)
		}
	}
	if done, err := s.Query(); done || err != nil {
		t.Errorf("the stream before the event: done %v, error %v", done, err)
	}
	check(t, gate.Complete())
	within(t, "the barrier", func() { check(t, barrier.Wait(t.Context())) })
	within(t, "the marker", func() { check(t, marker.Wait(t.Context())) })
	check(t, s.Wait(t.Context()))
	if got := values(t, s, x)[0]; got != 5 {
		t.Errorf("got %d", got)
	}
}

func TestTimesAreInOrder(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{Timing: true})
	k := kernel[storeArgs](t, d, storeSource, "store")
	a := storeArgs{buffer(t, s, make([]uint32, 64)).Ptr(), 1}
	var last Times
	for i := range 3 {
		e := testEvent(t, d)
		check(t, k.Enqueue(s, NDRange{Global: [3]uint64{64}}, driver.ArgsOf(&a), nil, e))
		check(t, e.Wait(t.Context()))
		now, err := e.Times()
		check(t, err)
		if now.Queued > now.Submitted || now.Submitted > now.Started || now.Started > now.Ended || now.Queued <= 0 {
			t.Errorf("launch %d: %+v", i, now)
		}
		if now.Started < last.Ended {
			t.Errorf("launch %d started at %v, before the one before it ended at %v", i, now.Started, last.Ended)
		}
		last = now
	}
}

func TestTimesNeedATimingStreamAndAReachedEvent(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s, timed := testStream(t, d, driver.StreamOptions{}), testStream(t, d, driver.StreamOptions{Timing: true})
	e := testEvent(t, d)
	_, err := e.Times()
	wantIs(t, "never recorded", err, driver.ErrNotReady)
	check(t, s.Record(e))
	check(t, e.Wait(t.Context()))
	_, err = e.Times()
	wantIs(t, "without timing", err, driver.ErrUnsupported, "StreamOptions.Timing")
	gate := userEvent(t, d)
	check(t, timed.Marker(e, gate))
	_, err = e.Times()
	wantIs(t, "before the end", err, driver.ErrNotReady)
	check(t, gate.Complete())
	check(t, e.Wait(t.Context()))
	_, err = e.Times()
	check(t, err)
}
