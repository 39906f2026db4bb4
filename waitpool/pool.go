package waitpool

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

var (
	// ErrClosed is returned by waits on a pool that is closed. Such a wait
	// touched nothing: in particular Spec.Release has not been called.
	ErrClosed = errors.New("waitpool: the pool is closed")

	// ErrUnsupported is returned for what this build can't do: C functions and
	// words need Linux on amd64 or arm64 and CGO_ENABLED=1.
	ErrUnsupported = errors.New("waitpool: not supported by this build")

	// ErrNotArranged says that no notification will come. A Spec.Subscribe that
	// returns it, or an error that wraps it, sends the wait along another road
	// if its kind has one.
	ErrNotArranged = errors.New("waitpool: no notification could be arranged")

	// ErrGoexit is returned by a wait whose wait function, running on a worker,
	// called runtime.Goexit (as testing.T.FailNow does).
	ErrGoexit = errors.New("waitpool: the wait function called runtime.Goexit")
)

// A Policy weighs the delay of a wake-up against the processor time spent on
// waiting. The figures are for one pending wait that lasts a second.
type Policy int

const (
	// PolicyDefault spins for microseconds and then polls at intervals of a
	// sixteenth of the wait's age, at most 2 ms: at most 5 % of a core.
	PolicyDefault Policy = iota
	// PolicyLatency polls without sleeping while anything that can be polled is
	// pending: at most one core, whatever the number of waits.
	PolicyLatency
	// PolicyEconomy never spins and polls at most every 100 µs, less often as
	// the wait grows older, down to once in 20 ms (Go functions: 5 ms, 200 ms):
	// at most 0.5 % of a core.
	PolicyEconomy
)

// String returns the policy's name.
func (p Policy) String() string {
	switch p {
	case PolicyDefault:
		return "default"
	case PolicyLatency:
		return "latency"
	case PolicyEconomy:
		return "economy"
	}
	return fmt.Sprintf("Policy(%d)", int(p))
}

// Options sets up a pool. The zero value is good for most programs.
type Options struct {
	// Workers bounds the threads that sit in blocking waits; 0 means as many as
	// GOMAXPROCS, but 4 at least and 16 at most. They start on demand, stay, and
	// sleep when idle. One more thread polls for everybody, also on demand.
	Workers int

	// Overflow bounds, together with Workers, the blocking calls made on
	// goroutines started for them: those of Go functions, and those of C functions
	// that can't be polled and find every worker taken. 0 means 128. Further ones
	// queue, without a thread, until one of these ends. A program in which one
	// such wait can end only after another has begun needs room for both.
	Overflow int

	// Spin is how long a waiter stays in C and looks again and again before it
	// parks; 0 means the policy's own: 20 µs, with PolicyLatency 50 µs, with
	// PolicyEconomy none. The budget is a bound: a pool spins less or not at all
	// for kinds whose operations outlast it, on a single processor, and while
	// goroutines queue for processors.
	Spin time.Duration

	// Policy is PolicyDefault, PolicyLatency or PolicyEconomy.
	Policy Policy
}

func (o Options) resolve() (Options, error) {
	switch {
	case o.Workers < 0:
		return o, fmt.Errorf("waitpool: New: Workers is %d; it must be zero or more", o.Workers)
	case o.Workers > maxWorkers:
		return o, fmt.Errorf("waitpool: New: Workers is %d; at most %d are supported", o.Workers, maxWorkers)
	case o.Overflow < 0:
		return o, fmt.Errorf("waitpool: New: Overflow is %d; it must be zero or more", o.Overflow)
	case o.Overflow > maxOverflow:
		return o, fmt.Errorf("waitpool: New: Overflow is %d; at most %d is supported", o.Overflow, maxOverflow)
	case o.Spin < 0:
		return o, fmt.Errorf("waitpool: New: Spin is %v; it must be zero or more", o.Spin)
	case o.Policy < PolicyDefault || o.Policy > PolicyEconomy:
		return o, fmt.Errorf("waitpool: New: Policy is %d; use PolicyDefault, PolicyLatency or PolicyEconomy", int(o.Policy))
	}
	if o.Workers == 0 {
		o.Workers = min(max(runtime.GOMAXPROCS(0), 4), 16)
	}
	if o.Overflow == 0 {
		o.Overflow = 128
	}
	if o.Spin == 0 {
		o.Spin = [...]time.Duration{20 * time.Microsecond, 50 * time.Microsecond, 0}[o.Policy]
	}
	return o, nil
}

const (
	maxWorkers  = 1024
	maxOverflow = 1 << 20
)

// A Pool waits for operations on behalf of any number of goroutines, with few
// threads. All its methods may be called from any goroutine.
type Pool struct {
	opt    Options
	engine *engine
	shared bool // the default pool: can't be closed

	closed atomic.Bool
	once   sync.Once
	ended  chan struct{} // closed when everything has stopped

	_        [64]byte
	inflight atomic.Int64 // waits beyond stage 1, plus closing once closed
	drained  chan struct{}
	drain    sync.Once

	looks looks // first looks under way

	blocked  atomic.Int64  // workers taken by waits that could be polled
	room     chan struct{} // a token per overflow wait
	queued   atomic.Int64  // overflow waits without a token
	longest  atomic.Int64
	counters counters
}

// closing is added to Pool.inflight by Shutdown.
const closing = 1 << 62

// New returns a pool, without starting any thread. It fails on options out of
// range, and when the system refuses the process's one event descriptor.
func New(o Options) (*Pool, error) {
	o, err := o.resolve()
	if err != nil {
		return nil, err
	}
	p := &Pool{
		opt:     o,
		ended:   make(chan struct{}),
		drained: make(chan struct{}),
		room:    make(chan struct{}, o.Workers+o.Overflow),
	}
	p.looks.init()
	if p.engine, err = newEngine(o); err != nil {
		return nil, fmt.Errorf("waitpool: New: %w", err)
	}
	return p, nil
}

var defaultPool = sync.OnceValue(func() *Pool {
	p, err := New(Options{})
	if err != nil {
		// Only the event descriptor can fail. Waits on Go functions go on.
		o, _ := Options{}.resolve()
		p = &Pool{opt: o, ended: make(chan struct{}), drained: make(chan struct{}),
			room: make(chan struct{}, o.Workers+o.Overflow), engine: brokenEngine(err)}
		p.looks.init()
	}
	p.shared = true
	return p
})

// Default returns the pool that NewKind(nil, …) uses. It is made on first use
// and lives as long as the program.
func Default() *Pool { return defaultPool() }

// Close closes the pool: later waits fail with ErrClosed, those under way go on.
// It returns when they have ended, abandoned ones and their Release included,
// and the pool's threads are gone. Closing again waits again and returns nil.
// The default pool can't be closed, and a wait function must not close the pool
// that runs it.
func (p *Pool) Close() error { return p.Shutdown(context.Background()) }

// Shutdown is Close, except that it stops waiting when ctx is done and returns
// the context's error. The pool is closed all the same, and its threads go when
// the last operation ends.
func (p *Pool) Shutdown(ctx context.Context) error {
	if p.engine == nil {
		return errors.New("waitpool: Close: the pool was not made with New")
	}
	if ctx == nil {
		return errors.New("waitpool: Shutdown: the context is nil; use context.Background()")
	}
	if p.shared {
		return errors.New("waitpool: Close: the default pool can't be closed; make one with New")
	}
	p.once.Do(func() {
		p.closed.Store(true)
		if p.inflight.Add(closing) == closing {
			p.drain.Do(func() { close(p.drained) })
		}
		go func() {
			<-p.drained
			p.engine.stop()
			close(p.ended)
		}()
	})
	select {
	case <-p.ended:
		return nil
	default:
	}
	select {
	case <-p.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enter counts a wait in; false when the pool is closed.
func (p *Pool) enter() bool {
	if p.inflight.Add(1) > closing {
		p.exit()
		return false
	}
	return true
}

// exit counts a wait out.
func (p *Pool) exit() {
	if p.inflight.Add(-1) == closing {
		p.drain.Do(func() { close(p.drained) })
	}
}

// mayBlock counts a wait in that could be polled, but would rather block. Such
// waits leave a worker to those that have no choice.
func (p *Pool) mayBlock(w *waiter) bool {
	if int(p.blocked.Add(1)) < p.opt.Workers {
		w.limited = true
		return true
	}
	p.blocked.Add(-1)
	return false
}

// unblock counts it out.
func (p *Pool) unblock(w *waiter) {
	if w.limited {
		w.limited = false
		p.blocked.Add(-1)
	}
}

// enterRoom takes a token for a goroutine that makes a blocking call, in turn.
func (p *Pool) enterRoom() {
	select {
	case p.room <- struct{}{}:
		return
	default:
	}
	n := p.queued.Add(1)
	for {
		old := p.longest.Load()
		if n <= old || p.longest.CompareAndSwap(old, n) {
			break
		}
	}
	p.room <- struct{}{}
	p.queued.Add(-1)
}

func (p *Pool) leaveRoom() { <-p.room }

// full reports whether enterRoom would have to queue.
func (p *Pool) full() bool { return len(p.room) == cap(p.room) }
