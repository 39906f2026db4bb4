package kernelcache

import (
	"context"
	"errors"

	"github.com/triad-gpu/triad/driver"
)

// flights are things of one kind that are made once per key, however many
// goroutines ask for them at the same time. The table's lock guards them.
type flights[K comparable, V closer] struct {
	m map[K]*flight[V]
}

type closer interface{ Close() error }

// flight is one thing being made, or made. Failures leave the map, so that the
// next call tries again, but for those that are to be kept.
type flight[V closer] struct {
	done   chan struct{} // closed when val and err are set
	val    V
	err    error
	phases *phases // until it has ended
}

// landed is a flight that has ended well.
func landed[V closer](val V) *flight[V] { return &flight[V]{done: closedChan, val: val} }

var closedChan = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// made tells whether the flight has ended well.
func (f *flight[V]) made() bool { return f.ended() && f.err == nil }

func (f *flight[V]) ended() bool {
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

// request says who asks for what is made, and how.
type request struct {
	// current tells whether what is made is still wanted when it is there; if not,
	// it is closed, and the waiters get errStale.
	current func() bool
	keep    bool      // remember a failure
	phases  *phases   // told what is under way, if this request begins it
	obs     *observer // may be nil
}

// errStale is the error of a flight whose source was redefined meanwhile.
var errStale = errors.New("the source was redefined")

// do is the value for key, made by calling mk unless it is there or under way;
// there tells whether it was.
//
// mk runs on a goroutine of its own, so that no caller's context can end it for
// the others. Its context has the values of the first caller's, and ends when
// the device is closed, and with that the wait for it.
func (fs *flights[K, V]) do(ctx context.Context, t *table, key K, r request, mk func(context.Context) (V, error)) (val V, there bool, err error) {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return val, false, t.closedError()
	}
	f := fs.m[key]
	if f != nil && f.ended() && (f.err == nil || r.keep) {
		t.mu.Unlock() // first, so that what is there is had even with a context that has ended
		return f.val, true, f.err
	}
	if f == nil || f.ended() {
		f = &flight[V]{done: make(chan struct{}), phases: r.phases}
		fs.m[key] = f
		go fs.run(context.WithoutCancel(ctx), t, key, f, r, mk)
	}
	under := f.phases
	t.mu.Unlock()

	if r.obs != nil {
		r.obs.watch(ctx, under, f.done)
	}
	select {
	case <-f.done:
		return f.val, false, f.err
	case <-ctx.Done():
		return val, false, ctx.Err()
	}
}

// run makes a flight's value.
func (fs *flights[K, V]) run(ctx context.Context, t *table, key K, f *flight[V], r request, mk func(context.Context) (V, error)) {
	ctx, cancel := context.WithCancel(ctx)
	defer context.AfterFunc(t.ctx, cancel)()
	defer cancel()

	val, err := *new(V), errGoroutineEnded()
	defer func() {
		t.mu.Lock()
		// Who redefines a source changes its text before it goes through the table:
		// either it sees what we leave there, or we see that the text has changed.
		stale := !r.current()
		drop := (t.closed || stale) && err == nil
		switch {
		case t.closed:
			f.err = t.closedError()
		case stale:
			f.err = errStale
		case err != nil:
			f.err = err
		default:
			f.val = val
		}
		if f.err != nil && !(r.keep && isVerdict(f.err)) && fs.m[key] == f {
			delete(fs.m, key)
		}
		f.phases = nil
		close(f.done) // under the lock, for take
		t.mu.Unlock()
		if drop {
			val.Close()
		}
	}()
	val, err = mk(ctx)
}

// errGoroutineEnded stands until a backend has returned: a call of it may end its
// goroutine instead, as a test's FailNow does.
func errGoroutineEnded() error {
	return driver.Errorf("kernelcache", "resolve", nil, "the backend ended the goroutine that was loading the kernel")
}

// isVerdict tells whether an error is about the kernel, so that trying again can
// only give it again.
func isVerdict(err error) bool {
	for _, kind := range []error{driver.ErrBuild, driver.ErrSignature, driver.ErrNotFound, driver.ErrUnsupported} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// take empties the map and returns what had been made.
func (fs *flights[K, V]) take() []V {
	var made []V
	for _, f := range fs.m {
		if f.made() { // else run will see that the table is closed
			made = append(made, f.val)
		}
	}
	fs.m = nil
	return made
}
