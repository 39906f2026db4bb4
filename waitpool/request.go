package waitpool

import (
	"sync"
	"sync/atomic"
	"time"
)

// A road is how a wait that was handed over ends.
type road uint8

const (
	roadNone     road = iota
	roadWord          // the poller sees the counter
	roadNotified      // C code fires a triad_signal
	roadSignal        // Go code fires a Signal
	roadBlocking      // a worker returns from CWait or Wait
	roadPolled        // the poller sees CPoll succeed
	roadSelf          // the waiter polls by itself
	roadOverflow      // a goroutine of its own returns from CWait or Wait
	roadDirect        // the waiter itself called CWait or Wait
	roadFailed        // subscribe refused, and there is no other road
)

var roadCounter = [...]counter{
	roadWord: countWord, roadNotified: countNotified, roadSignal: countNotified,
	roadBlocking: countBlocking, roadPolled: countPolled, roadSelf: countPolled,
	roadOverflow: countOverflow, roadDirect: countDirect,
}

// A waiter is the part of a request that doesn't depend on its types.
type waiter struct {
	block  // the C side's part
	pool   *Pool
	road   road
	ended  bool   // the operation has; the fields below are valid
	coded  bool   // outcome says how; otherwise the typed result does
	native bool   // the C side ends it, and has the outcome
	limit  bool   // counted in pool.blocked
	event  *event // where the waiter parks; nil: on wake

	outcome int64
	wake    chan struct{} // holds the token of an operation that has ended

	// Go functions that workers and overflow goroutines call, bound once.
	run      func()
	overflow func()

	// order carries the race detector from waiter to worker and back: it can't
	// see that the C side orders them.
	order atomic.Uint32

	gen   uint64
	armed atomic.Uint64 // gen while a Signal may end the wait, else 0

	timer *time.Timer
	due   time.Duration // when timer fires, on the clock of since
}

// started is the origin of since.
var started = time.Now()

// since is a monotonic clock.
func since() time.Duration { return time.Since(started) }

// tick returns a channel that receives after d, or somewhat earlier: a timer
// that still runs from an earlier wait is good enough, so that short waits don't
// pay for setting it.
func (w *waiter) tick(d time.Duration) <-chan time.Time {
	now := since()
	if left := w.due - now; left > d/4 && left <= d {
		return w.timer.C
	}
	w.due = now + d
	if w.timer == nil {
		w.timer = time.NewTimer(d)
	} else {
		w.timer.Reset(d)
	}
	return w.timer.C
}

// A request is a wait that was handed over. It belongs to the goroutine that
// waits, or, once that has abandoned it, to the goroutine that keeps it.
type request[O, R any] struct {
	waiter
	obj    O
	result result[R]
	next   *request[O, R]
}

// A freeList keeps the requests of a kind that aren't in use. They hold nothing
// of the waits that they served.
type freeList[O, R any] struct {
	mu    sync.Mutex
	first *request[O, R]
	n     int
}

// maxFree bounds the idle requests of a kind.
const maxFree = 1024

// take returns an empty request.
func (k *Kind[O, R]) take() *request[O, R] {
	l := &k.free
	l.mu.Lock()
	r := l.first
	if r != nil {
		l.first = r.next
		l.n--
		l.mu.Unlock()
		r.next = nil
		return r
	}
	l.mu.Unlock()
	r = &request[O, R]{}
	r.pool = k.pool
	r.wake = make(chan struct{}, 1)
	wait := k.spec.Wait
	r.run = func() {
		r.order.Load()
		guardWait(wait, r.obj, &r.result)
		r.order.Add(1)
	}
	r.overflow = func() {
		r.pool.overflowEnter()
		defer func() {
			r.pool.overflowLeave()
			r.wake <- struct{}{}
		}()
		if r.coded {
			r.outcome = r.callWait()
		} else {
			r.run()
		}
	}
	attachBlock(r, &r.waiter)
	return r
}

// put takes back a request whose wait has ended, emptied.
func (k *Kind[O, R]) put(r *request[O, R]) {
	var obj O
	r.obj = obj
	r.result = result[R]{}
	r.outcome = 0
	r.road, r.ended, r.coded, r.native = roadNone, false, false, false
	k.detach(r)
	l := &k.free
	l.mu.Lock()
	if l.n < maxFree {
		r.next = l.first
		l.first = r
		l.n++
	}
	l.mu.Unlock()
}

// detach gives up what a request holds of the pool.
func (k *Kind[O, R]) detach(r *request[O, R]) {
	r.leave()
	if r.limit {
		r.limit = false
		k.pool.blocked.Add(-1)
	}
}
