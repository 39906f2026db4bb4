package waitpool

import (
	"reflect"
	"runtime"
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
	roadBlocking      // a worker returns from CWait
	roadPolled        // the poller sees CPoll succeed
	roadSelf          // the waiter polls by itself
	roadServed        // a goroutine of its own returns from Wait
	roadOverflow      // a goroutine of its own returns from CWait
	roadDirect        // the waiter itself called Wait or CWait
	roadFailed        // subscribe refused, and there is no other road
)

var roadCounter = [...]counter{
	roadWord: countWord, roadNotified: countNotified, roadSignal: countNotified,
	roadBlocking: countBlocking, roadServed: countBlocking, roadPolled: countPolled, roadSelf: countPolled,
	roadOverflow: countOverflow, roadDirect: countDirect,
}

// A waiter is the part of a request that doesn't depend on its types.
type waiter struct {
	block   // the C side's part
	pool    *Pool
	road    road
	ended   bool   // the operation has; the fields below are valid
	coded   bool   // outcome says how; otherwise the typed result does
	native  bool   // the C side ends it, and has the outcome
	apart   bool   // woken through wake, even where nobody else can end the wait
	settled bool   // the C side has been told how to wake the waiter
	limited bool   // counted in pool.blocked
	pace    *Pace  // learns how long the wait took
	event   *event // where the waiter parks; nil: on wake

	outcome int64
	wake    chan struct{} // holds the token of an operation that has ended

	call  func() // makes the blocking call
	serve func() // makes it on a goroutine started for it

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
	// Bound once, so that starting a goroutine allocates nothing.
	r.call = func() {
		if r.coded {
			r.outcome = r.callWait()
		} else {
			guardWait(k.spec.Wait, r.obj, &r.result)
		}
	}
	r.serve = func() { serve(&r.waiter) }
	attachBlock(r, &r.waiter)
	return r
}

// put takes back a request whose wait has ended, emptied.
func (k *Kind[O, R]) put(r *request[O, R]) {
	var obj O
	r.obj = obj
	r.result = result[R]{}
	r.outcome = 0
	r.pace = nil
	r.road, r.ended, r.coded, r.native, r.apart, r.settled = roadNone, false, false, false, false, false
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
	k.pool.unblock(&r.waiter)
}

// serve makes the blocking call of w on a goroutine of its own, when there is
// room for one more. It isn't a method, so that onServer finds it by name.
func serve(w *waiter) {
	w.pool.enterRoom()
	defer func() { // also when the function called runtime.Goexit
		w.pool.leaveRoom()
		w.wake <- struct{}{}
	}()
	w.call()
}

// onServer reports whether this goroutine serves a wait, or runs finalizers or
// cleanups: one that must not queue behind others.
func onServer() bool {
	var pcs [64]uintptr
	for skip := 0; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var f runtime.Frame
			f, more = frames.Next()
			switch f.Function {
			case serverName, "runtime.runFinalizers", "runtime.runCleanups", "runtime.runfinq":
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}

var serverName = runtime.FuncForPC(reflect.ValueOf(serve).Pointer()).Name()
