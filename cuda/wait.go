package cuda

import (
	"context"
	"sync"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/waiters"
	"github.com/triad-gpu/triad/waitpool"
)

// waiter is one wait under way: its C side, and what it keeps alive. Waiters are
// pooled; one holds nothing while it is in the pool.
type waiter struct {
	raw    handle
	dev    *Device
	op     string  // for errors
	stream *Stream // in use by the wait, or nil
	event  *Event  // in use by the wait, or nil
	mem    *Memory // in use by a copy, or nil
	pin    waiters.Pin
	slot   handle // of the device's staging memory, in use by a copy
	staged uint64 // bytes of it
	into   []byte // where they go, if not to the device, and until they are there
	listed bool   // in the device's deliveries
	crowd  bool   // counted in the device's crowd
}

type none = struct{}

type waitKind = waitpool.Kind[*waiter, none]

// kinds are the ways to wait.
//
// A stream raises a word in host memory, which costs a command of its own and is
// seen by a thread that watches many words at once, with no call of the driver.
// Where there is no word, and for events, the driver is asked, and later blocks a
// worker. Copies from and to memory that CUDA has not pinned are made by a worker.
//
// When more streams are waited for than the device has channels, they are asked for
// rather than given words to write: see waiters.Crowd.
type kinds struct {
	stream, crowded, event, copy *waitKind
	err                          error
}

// channels is how many channels the driver uses.
var channels = sync.OnceValue(func() int { return waiters.Channels("CUDA_DEVICE_MAX_CONNECTIONS", 8, 32) })

// onStream is the way to wait for a stream just now.
func (w *waiter) onStream() *waitKind {
	w.crowd = true
	if w.dev.crowd.Join(channels()) {
		rawWaitWithoutWord(w.raw)
		return waits().crowded
	}
	return waits().stream
}

var waits = sync.OnceValue(func() (k kinds) {
	poll, block := rawWaitFuncs()
	spec := waitpool.Spec[*waiter, none]{
		Name:    "CUDA event",
		CPoll:   poll,
		CWait:   block,
		Object:  func(w *waiter) handle { return w.raw },
		Result:  func(w *waiter, outcome int64) (none, error) { return none{}, w.outcome(outcome) },
		Release: (*waiter).release,
	}
	if k.event, k.err = waitpool.NewKind(nil, spec); k.err != nil {
		return k
	}
	spec.Name, spec.CWait = "CUDA streams", nil
	if k.crowded, k.err = waitpool.NewKind(nil, spec); k.err != nil {
		return k
	}
	spec.Name, spec.CWait = "CUDA stream", block
	spec.Word = func(w *waiter) waitpool.Word {
		at, target := rawWaitWord(w.raw)
		return waitpool.Word{Addr32: wordAt(at), Target: uint64(target), Pace: w.pace()}
	}
	if k.stream, k.err = waitpool.NewKind(nil, spec); k.err != nil {
		return k
	}
	spec.Name, spec.Word, spec.CPoll = "CUDA copy", nil, nil
	k.copy, k.err = waitpool.NewKind(nil, spec)
	return k
})

// enqueueFailed is TRIAD_CU_ENQUEUE_FAILED: the outcome is the code of a call that
// began the wait, not of what was waited for.
const enqueueFailed = int64(1) << 32

func (w *waiter) outcome(outcome int64) error {
	if outcome == 0 {
		return nil
	}
	return w.dev.commandFailure(w.op, int32(outcome&(enqueueFailed-1)))
}

// pace is that of the stream; nil for one that is at its end.
func (w *waiter) pace() *waitpool.Pace {
	if w.stream == nil {
		return nil
	}
	return &w.stream.pace
}

// idle are the waiters that are in use by no wait.
var idle waiters.Idle[*waiter]

func takeWaiter(op string, d *Device) (*waiter, error) {
	if w, ok := idle.Take(); ok {
		w.op, w.dev = op, d
		return w, nil
	}
	raw := rawWaitNew()
	if raw == nil {
		return nil, refused(op, driver.ErrOutOfMemory, "no memory for a wait")
	}
	return &waiter{raw: raw, op: op, dev: d}, nil
}

// release runs once the operation has ended, also when its waiter left long before:
// it gives up what the wait kept alive, and pools the waiter.
func (w *waiter) release() {
	if w.listed {
		w.dev.deliveries.Remove(w)
		w.listed = false
	}
	reached := rawWaitDone(w.raw)
	w.pin.Release()
	if w.slot != nil {
		if reached && w.into != nil {
			w.Deliver()
		}
		w.into = nil
		w.dev.stage.Put(w.slot, w.staged)
		w.slot = nil
	}
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
	if w.crowd {
		w.dev.crowd.Leave()
		w.crowd = false
	}
	w.dev = nil
	if !idle.Put(w) {
		rawWaitFree(w.raw)
	}
}

// wait parks until the operation has ended. A context that is done already does not
// keep a finished operation from being seen as such.
func (w *waiter) wait(ctx context.Context, kind *waitKind) error {
	if kind == nil {
		op := w.op
		w.release()
		return &driver.Error{Backend: backendName, Op: op, Detail: "there is no way to wait", Err: waits().err}
	}
	if ctx == nil {
		ctx = context.Background()
	}
	d := w.dev
	if w.into != nil && ctx.Done() != nil {
		w.listed = true
		d.deliveries.Add(w)
	}
	_, err := kind.Wait(ctx, w)
	d.deliveries.Settle()
	if err == nil {
		d.discards.Rest()
	}
	return err
}
