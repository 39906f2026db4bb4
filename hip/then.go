package hip

import (
	"context"

	"github.com/triad-gpu/triad/driver"
)

// HostFunc has a thread of the driver's call a C function, void fn(void *user), once
// the stream gets there; what is enqueued behind waits for its return
// (hipLaunchHostFunc, since HIP 5.3). Both are addresses in C. The function must not
// call HIP, nor Go: a Go function exported to C could wait for a thread of Go's that
// waits for the stream. Nothing is retained, so what user points at must live until then. The
// runtime need not call it when the device has failed. For a Go function, see Then.
func (s *Stream) HostFunc(fn, user uintptr) error {
	const op = "hipLaunchHostFunc"
	if err := s.use(op); err != nil {
		return err
	}
	defer s.life.Release()
	if fn == 0 {
		return refused(op, driver.ErrInvalidValue, "the function is null")
	}
	return s.dev.optional(op, rawStreamHost(s.raw, fn, user), "HIP 5.3", "the function at %#x", fn)
}

// Then calls f on a goroutine of its own once everything that was enqueued before the
// call has finished, with nil, or with the error that Wait would have returned. It
// does not wait; commands enqueued later are not waited for, and f holds none of them
// up. Meanwhile the goroutine is parked, and the stream stays alive, also after its
// Close. What Then itself returns is an error of enqueueing, and then f is not called:
// ErrUnsupported for a stream that is being captured.
func (s *Stream) Then(f func(error)) error {
	const op = "Stream.Then"
	if err := s.use(op); err != nil {
		return err
	}
	if f == nil {
		s.life.Release()
		return refused(op, driver.ErrInvalidValue, "the function is nil")
	}
	if rawStreamIdle(s.raw) {
		s.life.Release()
		go f(nil)
		return nil
	}
	w, err := takeWaiter(op, s.dev)
	if err != nil {
		s.life.Release()
		return err
	}
	w.stream = s
	rawWaitStream(w.raw, s.raw)
	// The first look has the stream raise its word: what comes later is behind that.
	done, outcome, word := rawWaitLook(w.raw)
	switch {
	case done && outcome&enqueueFailed != 0:
		err = w.outcome(outcome)
		w.release()
		return err
	case done:
		err = w.outcome(outcome)
		w.release()
		go f(err)
		return nil
	case word:
		go func() { f(w.wait(context.Background(), w.onStream())) }()
		return nil
	}
	// Without a word the driver would be asked for all that the stream has by then.
	e, err := s.mark(op)
	w.release()
	if err != nil {
		return err
	}
	go func() {
		err := e.Wait(context.Background())
		_ = e.Close()
		f(err)
	}()
	return nil
}

// mark is an event recorded now. The caller has a use of s.
func (s *Stream) mark(op string) (*Event, error) {
	e, err := s.dev.event("hipEventCreateWithFlags", eventBlockingSync|eventDisableTiming)
	if err != nil {
		return nil, err
	}
	if code := rawEventRecord(s.raw, e.raw); code != 0 {
		_ = e.Close()
		return nil, s.dev.failure(op, code, "recording an event")
	}
	return e, nil
}
