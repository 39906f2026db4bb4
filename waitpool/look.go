package waitpool

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"time"
)

// A first look is a call of C on the waiter's own thread. As a rule it returns at once.
// Where it does not, since a driver hangs, each waiter would keep a thread, and a
// program with ten thousand of them is ended by Go. So there is a number of first looks
// that may be under way at once, which only such calls ever reach; further waiters park
// until there is room. Like the counters the room is striped, so that waiters on many
// cores don't share a cache line.
type looks [16]lookRoom

type lookRoom struct {
	most   int64
	now    atomic.Int64
	queued atomic.Int64
	room   chan struct{} // holds a token once there may be room for one that queues
	_      [128 - 4*8]byte
}

// fewestLooks is how many may be under way at least in each stripe. With every
// processor busy in a look, and Go's scheduler having given up on some, there is room
// for all of them in one.
const fewestLooks = 16

func (l *looks) init() {
	for i := range l {
		l[i].most = int64(max(fewestLooks, 2*runtime.GOMAXPROCS(0)))
		l[i].room = make(chan struct{}, 1)
	}
}

func (l *looks) mine() *lookRoom { return &l[stripe()%uint(len(l))] }

// count is how many looks are under way, and how many waiters queue for theirs.
func (l *looks) count() (now, queued int) {
	for i := range l {
		now += int(l[i].now.Load())
		queued += int(l[i].queued.Load())
	}
	return now, queued
}

// most is how many looks may be under way at once.
func (l *looks) most() (n int) {
	for i := range l {
		n += int(l[i].most)
	}
	return n
}

// enter counts a look in, and tells whether there was room for it; if not, queue is next.
func (l *lookRoom) enter() bool { return l.now.Add(1) <= l.most }

// queue, after enter, returns once there is room for a look; false when done came first.
func (l *lookRoom) queue(done <-chan struct{}) bool {
	l.now.Add(-1)
	l.queued.Add(1)
	defer l.queued.Add(-1)
	// Who leaves lowers now, then looks whether any queue; who queues has said so, then
	// looks whether there is room. One of them sees the other. Who counts itself in for
	// a moment may keep another from seeing room, and looks itself afterwards.
	for !l.try() {
		select {
		case <-l.room:
		case <-done:
			return false
		}
	}
	l.pass() // what has been told of one may be room for several
	return true
}

func (l *lookRoom) try() bool {
	for {
		n := l.now.Load()
		if n >= l.most {
			return false
		}
		if l.now.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// leave ends a look.
func (l *lookRoom) leave() {
	l.now.Add(-1)
	if l.queued.Load() > 0 {
		l.pass()
	}
}

// pass tells one that queues that there may be room.
func (l *lookRoom) pass() {
	select {
	case l.room <- struct{}{}:
	default:
	}
}

// look is the first look with a C poll function; looked is false when ctx is done
// before there is room for it.
func (k *Kind[O, R]) look(ctx context.Context, object uintptr, spin time.Duration) (o outcome, looked bool) {
	l := k.pool.looks.mine()
	if !l.enter() {
		done := ctx.Done()
		if k.spec.DeferCancel {
			done = nil
		}
		if !l.queue(done) {
			return o, false
		}
	}
	o = tryPoll(k.poll, object, spin)
	l.leave()
	return o, true
}

// lookLater makes the first look of a wait that its waiter has abandoned before there
// was room for one, and has the wait kept from there on.
func (k *Kind[O, R]) lookLater(obj O, object uintptr) {
	o, _ := k.look(context.Background(), object, 0)
	if !o.done {
		var word Word
		if k.spec.Word != nil {
			word = k.spec.Word(obj)
		}
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := k.handOver(ended, obj, object, word); !errors.Is(err, ErrClosed) {
			return // its end releases obj
		}
	}
	if k.spec.Release != nil {
		k.spec.Release(obj)
	}
}
