package opencl

import (
	"context"
	"sync"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/waiters"
	"github.com/triad-gpu/triad/waitpool"
)

// waiter is one wait under way: its C side, and what it keeps alive. Waiters
// are pooled; one holds nothing while it is in the pool.
type waiter struct {
	raw    handle
	stream *Stream // in use by the wait; nil for waits on events
	event  *Event  // in use by the wait; nil for waits on streams
	op     string  // for errors
	pin    waiters.Pin
	told   bool    // the waiter learnt the outcome
	mem    *Memory // in use by a copy
}

type none = struct{}

// kinds are the two ways to wait. A CPU's driver calls back from its own threads
// at once, which is the cheapest there is; a GPU's callbacks come late (31 µs on
// NVIDIA's, where a poll sees the end after 12.6), so there a worker blocks.
type kinds struct {
	notify, poll *waitpool.Kind[*waiter, none]
	err          error
}

var waits = sync.OnceValue(func() (k kinds) {
	poll, block, subscribe := rawWaitFuncs()
	spec := waitpool.Spec[*waiter, none]{
		Name:    "OpenCL event",
		CPoll:   poll,
		CWait:   block,
		Object:  func(w *waiter) handle { return w.raw },
		Result:  func(w *waiter, outcome int64) (none, error) { return none{}, w.outcome(outcome) },
		Release: (*waiter).release,
	}
	if k.poll, k.err = waitpool.NewKind(nil, spec); k.err != nil {
		return k
	}
	spec.CSubscribe = subscribe
	k.notify, k.err = waitpool.NewKind(nil, spec)
	return k
})

// enqueueFailed is TRIAD_CL_ENQUEUE_FAILED: the outcome is the code of a call.
const enqueueFailed = int64(1) << 32

func (w *waiter) outcome(outcome int64) error {
	w.told = true
	if outcome <= 0 && w.stream != nil {
		// A failure that a wait before this one found, and left before it could be
		// told, or one that the driver did not pass on to our marker.
		if status := rawStreamFailure(w.stream.raw); outcome == 0 {
			outcome = int64(status)
		}
	}
	if outcome == 0 {
		return nil
	}
	if outcome > 0 {
		return failure(w.op, int32(outcome&(enqueueFailed-1)), "")
	}
	return commandFailure(w.op, int32(outcome))
}

// idle are the waiters that are in use by no wait.
var idle waiters.Idle[*waiter]

func takeWaiter(op string) (*waiter, error) {
	if w, ok := idle.Take(); ok {
		w.op = op
		return w, nil
	}
	raw := rawWaitNew()
	if raw == nil {
		return nil, refused(op, driver.ErrOutOfMemory, "no memory for a wait")
	}
	return &waiter{raw: raw, op: op}, nil
}

// release runs once the operation has ended, also when its waiter left long
// before: it gives up what the wait kept alive, and pools the waiter.
func (w *waiter) release() {
	reusable := rawWaitDone(w.raw, w.told)
	w.told = false
	w.pin.Release()
	if w.mem != nil {
		w.mem.life.Release()
		w.mem = nil
	}
	if w.stream != nil {
		w.stream.life.Release()
		w.stream = nil
	}
	if w.event != nil {
		w.event.life.Release()
		w.event = nil
	}
	if !reusable {
		return // its callback frees the C side
	}
	if !idle.Put(w) {
		rawWaitFree(w.raw)
	}
}

// wait parks until the operation has ended. A context that is done already does
// not keep a finished operation from being seen as such.
func (w *waiter) wait(ctx context.Context, d *Device) error {
	k := waits()
	if k.err != nil {
		op := w.op
		w.release()
		return &driver.Error{Backend: backendName, Op: op, Detail: "there is no way to wait", Err: k.err}
	}
	kind := k.poll
	if d.notifies {
		kind = k.notify
	}
	if ctx == nil {
		ctx = context.Background()
	}
	_, err := kind.Wait(ctx, w)
	return err
}
