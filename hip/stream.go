package hip

import (
	"context"
	"sync/atomic"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/driver/staging"
	"github.com/triad-gpu/triad/waitpool"
)

// Stream is a HIP stream. It implements driver.Stream; all methods may be called
// from any goroutine.
type Stream struct {
	life     lifetime.Life
	dev      *Device
	raw      handle
	borrowed bool
	stripe   uint32 // of lifetime.Shared
	uploads  staging.Uploads[handle]
	guests   lifetime.Guests
	pace     waitpool.Pace
}

var streamKind = lifetime.NewKind("hip stream")

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

// streamNonBlocking is hipStreamNonBlocking: the stream and the legacy default
// stream don't wait for each other.
const streamNonBlocking = 1

// Stream makes a stream that does not wait for the legacy default stream
// (hipStreamCreateWithPriority with hipStreamNonBlocking). Priorities beyond the
// device's range count as its ends.
func (d *Device) Stream(opts driver.StreamOptions) (*Stream, error) {
	const op = "hipStreamCreateWithPriority"
	if opts.OutOfOrder {
		return nil, refused(op, driver.ErrUnsupported, "HIP has no out-of-order streams; use several streams and events")
	}
	return d.stream(op, streamNonBlocking, opts.Priority)
}

// BlockingStream makes a stream that waits for the legacy default stream, and that
// one for it, as hipStreamCreate's do (hipStreamCreateWithPriority).
func (d *Device) BlockingStream(opts driver.StreamOptions) (*Stream, error) {
	return d.stream("hipStreamCreateWithPriority", 0, opts.Priority)
}

func (d *Device) stream(op string, flags uint32, priority int) (*Stream, error) {
	if err := d.use(op); err != nil {
		return nil, err
	}
	raw, code := rawStreamOpen(d.raw, flags, priority)
	if err := d.failure(op, code, "priority %d on %s", priority, d.info.Name); err != nil {
		d.life.Release()
		return nil, err
	}
	return d.join(raw, false), nil
}

// WrapStream is a stream that the user's own code made on the device, or the legacy
// default stream, which is null. It must stay valid until the result is closed, which
// leaves it alone. What that code enqueues on it is waited for like our own commands.
// Since HIP 5.6 a stream of another device is refused (hipStreamGetDevice).
func (d *Device) WrapStream(stream uintptr) (*Stream, error) {
	const op = "hipStreamGetDevice"
	if err := d.use(op); err != nil {
		return nil, err
	}
	switch stream {
	case 1: // hipStreamLegacy, by its name
		stream = 0
	case 2:
		d.life.Release()
		return nil, refused(op, driver.ErrUnsupported, "the default stream of each thread is another one each time a goroutine changes threads; make a stream, or wrap the legacy one (0)")
	}
	raw, code := rawStreamBorrow(d.raw, foreign(stream))
	if err := d.failure(op, code, "the stream %#x, which must be one of the device", stream); err != nil {
		d.life.Release()
		return nil, err
	}
	return d.join(raw, true), nil
}

// join makes the Go side of a stream. It holds a use of d, which ends with it.
func (d *Device) join(raw handle, borrowed bool) *Stream {
	s := &Stream{dev: d, raw: raw, borrowed: borrowed, stripe: lastStripe.Add(1) % lifetime.Stripes}
	s.life.Init(streamKind, s.leave)
	d.streams.Join(s)
	return s
}

// leave ends a stream after its last use. As long as commands are under way it
// stays, for memory must not be freed before they have finished.
func (s *Stream) leave() {
	if rawStreamIdle(s.raw) {
		s.end()
		return
	}
	s.dev.streams.Leave(s.drain, s.end)
}

// end gives a stream up that has done all that it was given.
func (s *Stream) end() {
	s.uploads.Close(&s.dev.stage)
	rawStreamClose(s.raw)
	s.dev.life.Release()
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

// Native returns the hipStream_t as an integer, for a user's own C code. It is valid
// until Close; 0 afterwards. From now on the stream is asked before it counts as
// idle, since others may enqueue on it: each time that memory is closed, too.
func (s *Stream) Native() uintptr {
	if s == nil || !s.life.Acquire() {
		return 0
	}
	defer s.life.Release()
	rawStreamShare(s.raw)
	return native(rawStreamNative(s.raw))
}

// Record implements driver.Stream (hipEventRecord).
func (s *Stream) Record(e driver.Event) error {
	const op = "hipEventRecord"
	ev, err := s.eventUse(op, e)
	if err != nil {
		return err
	}
	code := rawEventRecord(s.raw, ev.raw)
	ev.life.Release()
	s.life.Release()
	if code == 0 {
		return nil
	}
	return s.dev.failure(op, code, "recording an event")
}

// WaitEvent implements driver.Stream (hipStreamWaitEvent).
func (s *Stream) WaitEvent(e driver.Event) error {
	const op = "hipStreamWaitEvent"
	ev, err := s.eventUse(op, e)
	if err != nil {
		return err
	}
	code := rawEventWait(s.raw, ev.raw)
	ev.life.Release()
	s.life.Release()
	if code == 0 {
		return nil
	}
	return s.dev.failure(op, code, "waiting for an event")
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

// Flush implements driver.Stream: HIP holds nothing back.
func (s *Stream) Flush() error {
	if err := s.use("Stream.Flush"); err != nil {
		return err
	}
	s.life.Release()
	return nil
}

// Query implements driver.Stream (hipStreamQuery). ErrUnsupported for a stream that
// is being captured, whose capture that call would end.
func (s *Stream) Query() (bool, error) {
	if err := s.use("hipStreamQuery"); err != nil {
		return false, err
	}
	defer s.life.Release()
	if rawStreamIdle(s.raw) {
		s.dev.deliveries.Settle()
		return true, nil
	}
	switch code := rawStreamQuery(s.raw); code {
	case 0:
		s.dev.deliveries.Settle()
		return true, nil
	case codeNotReady:
		return false, nil
	default:
		return false, s.dev.commandFailure("hipStreamQuery", code)
	}
}

// Wait implements driver.Stream (hipStreamWriteValue32, hipStreamQuery). It has the
// stream raise a word in host memory, and watches that; a stream that is known to
// be idle costs nothing. ErrUnsupported for a stream that is being captured.
func (s *Stream) Wait(ctx context.Context) error {
	if err := s.use("Stream.Wait"); err != nil {
		return err
	}
	return s.wait(ctx)
}

// wait is Wait for who holds a use of s, which it takes over.
func (s *Stream) wait(ctx context.Context) error {
	// A context that has ended leaves no time for a word to be written.
	ended := ctx != nil && ctx.Err() != nil
	if rawStreamIdle(s.raw) || ended && rawStreamQuery(s.raw) == 0 {
		s.dev.deliveries.Settle()
		s.dev.discards.Rest()
		s.life.Release()
		return nil
	}
	w, err := takeWaiter("Stream.Wait", s.dev)
	if err != nil {
		s.life.Release()
		return err
	}
	w.stream = s
	rawWaitStream(w.raw, s.raw)
	return w.wait(ctx, w.onStream())
}

// Capturing tells whether the stream is being captured (hipStreamIsCapturing).
func (s *Stream) Capturing() (bool, error) {
	const op = "hipStreamIsCapturing"
	if err := s.use(op); err != nil {
		return false, err
	}
	defer s.life.Release()
	yes, code := rawStreamCapturing(s.raw)
	return yes, s.dev.failure(op, code, "")
}

// Close implements driver.Stream (hipStreamDestroy).
func (s *Stream) Close() error {
	if s == nil {
		return nil
	}
	s.dev.streams.Part(s)
	s.life.Close()
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
