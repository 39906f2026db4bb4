package opencl

import (
	"context"
	"sync/atomic"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Stream is a command queue. It implements driver.Stream; all methods may be
// called from any goroutine.
type Stream struct {
	life   lifetime.Life
	dev    *Device
	raw    handle
	opts   driver.StreamOptions
	stripe uint32 // of lifetime.Shared
}

var streamKind = lifetime.NewKind("opencl stream")

// lastStripe spreads streams over the stripes of lifetime.Shared.
var lastStripe atomic.Uint32

// NewStream implements driver.Device.
func (d *Device) NewStream(opts driver.StreamOptions) (driver.Stream, error) {
	s, err := d.Stream(opts)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Stream makes a command queue (clCreateCommandQueueWithProperties). A priority
// becomes a hint where the device has cl_khr_priority_hints, and is ignored
// elsewhere.
func (d *Device) Stream(opts driver.StreamOptions) (*Stream, error) {
	const op = "clCreateCommandQueueWithProperties"
	if err := d.use(op); err != nil {
		return nil, err
	}
	var properties uint64
	if opts.OutOfOrder {
		if !d.info.OutOfOrder {
			d.life.Release()
			return nil, refused(op, driver.ErrUnsupported, "%s has no out-of-order queues", d.info.Name)
		}
		properties |= queueOutOfOrder
	}
	if opts.Timing {
		properties |= queueProfiling
	}
	raw, code := rawStreamOpen(d.raw, properties, d.priority(opts.Priority))
	if err := failure(op, code, "%+v on %s", opts, d.info.Name); err != nil {
		d.life.Release()
		return nil, err
	}
	s := &Stream{dev: d, raw: raw, opts: opts, stripe: lastStripe.Add(1) % lifetime.Stripes}
	s.life.Init(streamKind, func() {
		rawStreamClose(raw)
		d.life.Release()
	})
	d.streams.Join(s)
	return s, nil
}

// priority is the hint for a priority: the default and devices without hints
// get none.
func (d *Device) priority(p int) uint32 {
	switch {
	case p == 0 || !d.info.StreamPriorities:
		return 0
	case p < 0:
		return queuePriorityHigh
	}
	return queuePriorityLow
}

// use brackets a call on s.
func (s *Stream) use(op string) error {
	if s == nil || !s.life.Acquire() {
		return s.unusable(op)
	}
	return nil
}

// unusable is why no use of s can begin.
func (s *Stream) unusable(op string) error {
	if s == nil {
		return driver.NilStreamError(backendName, op)
	}
	return driver.ClosedError(backendName, op, "stream")
}

// useWith begins a use of s and of memory.
func (s *Stream) useWith(op, which string, mem driver.Memory) (*Memory, error) {
	if s == nil || !s.life.Acquire() {
		return nil, s.unusable(op)
	}
	m, err := memoryOf(op, which, mem, s.dev)
	if err != nil {
		s.life.Release()
	}
	return m, err
}

// endUse ends what useWith began.
func (s *Stream) endUse(m *Memory) {
	m.life.Release()
	s.life.Release()
}

// Device implements driver.Stream. A nil stream has none.
func (s *Stream) Device() driver.Device {
	if s == nil {
		return nil
	}
	return s.dev
}

// Native returns the stream's cl_command_queue as an integer, for a user's own C
// code. It is valid until Close; 0 afterwards. Commands enqueued through it are
// not seen by Query and Wait until a command of ours follows them.
func (s *Stream) Native() uintptr {
	if s == nil || !s.life.Acquire() {
		return 0
	}
	defer s.life.Release()
	return uintptr(rawQueue(s.raw))
}

// Record implements driver.Stream (clEnqueueMarkerWithWaitList).
func (s *Stream) Record(e driver.Event) error {
	const op = "clEnqueueMarkerWithWaitList"
	ev, err := s.eventUse(op, e)
	if err != nil {
		return err
	}
	code := rawEventRecord(s.raw, ev.raw)
	ev.life.Release()
	s.life.Release()
	return failure(op, code, "recording an event")
}

// WaitEvent implements driver.Stream (clEnqueueBarrierWithWaitList).
func (s *Stream) WaitEvent(e driver.Event) error {
	const op = "clEnqueueBarrierWithWaitList"
	ev, err := s.eventUse(op, e)
	if err != nil {
		return err
	}
	code := rawEventWait(s.raw, ev.raw)
	ev.life.Release()
	s.life.Release()
	return failure(op, code, "waiting for an event")
}

// eventUse begins a use of s and of e.
func (s *Stream) eventUse(op string, e driver.Event) (*Event, error) {
	if s == nil || !s.life.Acquire() {
		return nil, s.unusable(op)
	}
	if ours, ok := e.(*Event); ok && ours != nil && ours.dev == s.dev && ours.life.Acquire() {
		return ours, nil
	}
	s.life.Release()
	return nil, notEvent(op, e, s.dev)
}

// Marker enqueues a marker behind the given events, or behind everything
// enqueued so far when there are none, and has out stand for it
// (clEnqueueMarkerWithWaitList). At most 64 events.
func (s *Stream) Marker(out *Event, after ...*Event) error {
	return s.barrier("clEnqueueMarkerWithWaitList", false, out, after)
}

// Barrier is Marker, and holds back later commands until it is reached, also on
// an out-of-order stream (clEnqueueBarrierWithWaitList). out may be nil.
func (s *Stream) Barrier(out *Event, after ...*Event) error {
	return s.barrier("clEnqueueBarrierWithWaitList", true, out, after)
}

func (s *Stream) barrier(op string, barrier bool, out *Event, after []*Event) error {
	if err := s.use(op); err != nil {
		return err
	}
	defer s.life.Release()
	list, done, err := eventList(op, s.dev, after)
	if err != nil {
		return err
	}
	defer done()
	var raw handle
	if out != nil {
		if _, err := eventOf(op, out, s.dev); err != nil {
			return err
		}
		defer out.life.Release()
		raw = out.raw
	} else if !barrier {
		return refused(op, driver.ErrInvalidValue, "a marker needs an event to stand for it")
	}
	return failure(op, rawStreamBarrier(s.raw, list, barrier, raw), "behind %d events", len(after))
}

// Flush implements driver.Stream (clFlush).
func (s *Stream) Flush() error {
	if err := s.use("clFlush"); err != nil {
		return err
	}
	code := rawStreamFlush(s.raw)
	s.life.Release()
	return failure("clFlush", code, "")
}

// Query implements driver.Stream (clGetEventInfo on a marker).
func (s *Stream) Query() (bool, error) {
	if err := s.use("Stream.Query"); err != nil {
		return false, err
	}
	if rawStreamIdle(s.raw) {
		s.life.Release()
		return true, nil
	}
	done, code := rawStreamQuery(s.raw)
	if done {
		code = rawStreamFailure(s.raw)
	}
	s.life.Release()
	if code < 0 {
		return false, commandFailure("Stream.Query", code)
	}
	return done, nil
}

// Wait implements driver.Stream. It enqueues a marker, flushes and looks in one
// crossing; a stream that is known to be idle costs none.
func (s *Stream) Wait(ctx context.Context) error {
	if err := s.use("Stream.Wait"); err != nil {
		return err
	}
	if rawStreamIdle(s.raw) {
		s.life.Release()
		return nil
	}
	w, err := takeWaiter("Stream.Wait")
	if err != nil {
		s.life.Release()
		return err
	}
	w.stream = s
	rawWaitStream(w.raw, s.raw)
	return w.wait(ctx, s.dev)
}

// Close implements driver.Stream (clReleaseCommandQueue).
func (s *Stream) Close() error {
	if s == nil {
		return nil
	}
	if s.life.Close() {
		s.dev.streams.Part(s)
	}
	return nil
}

// streamOf is the stream of the contract as ours, on the device that the other
// objects of a call belong to. It begins no use.
func streamOf(op string, s driver.Stream, d *Device) (*Stream, error) {
	ours, ok := s.(*Stream)
	switch {
	case s == nil || ok && ours == nil:
		return nil, driver.NilStreamError(backendName, op)
	case !ok:
		return nil, refused(op, driver.ErrDeviceMismatch, "the stream is a %T, not one of this backend", s)
	case ours.dev != d:
		return nil, refused(op, driver.ErrDeviceMismatch, "the stream is of %s (device id %d), the other object of %s (device id %d)",
			ours.dev.info.Name, ours.dev.id, d.info.Name, d.id)
	}
	return ours, nil
}
