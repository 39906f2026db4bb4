package kernelcache

import (
	"context"

	"github.com/triad-gpu/triad/driver"
)

// flights are things of one kind that are made once per key, however many
// goroutines ask for them at the same time. The table's lock guards them.
type flights[K comparable, V closer] struct {
	m map[K]*flight[V]
}

type closer interface{ Close() error }

// flight is one thing being made, or made. Failures leave the map, so that the
// next call tries again.
type flight[V closer] struct {
	done chan struct{} // closed when val and err are set
	val  V
	err  error
}

// do is the value for key, made by calling mk unless it is there or under way.
//
// mk runs on a goroutine of its own, so that no caller's context can end it for
// the others. Its context has the values of the first caller's, and ends when
// the device is closed, and with that the wait for it.
func (fs *flights[K, V]) do(ctx context.Context, t *table, key K, mk func(context.Context) (V, error)) (V, error) {
	var none V
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return none, t.closedError()
	}
	f := fs.m[key]
	if f == nil {
		f = &flight[V]{done: make(chan struct{})}
		fs.m[key] = f
		go fs.run(context.WithoutCancel(ctx), t, key, f, mk)
	}
	t.mu.Unlock()

	select {
	case <-f.done: // first, so that what is there is had even with a context that has ended
		return f.val, f.err
	default:
	}
	select {
	case <-f.done:
		return f.val, f.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// run makes a flight's value.
func (fs *flights[K, V]) run(ctx context.Context, t *table, key K, f *flight[V], mk func(context.Context) (V, error)) {
	ctx, cancel := context.WithCancel(ctx)
	defer context.AfterFunc(t.ctx, cancel)()
	defer cancel()

	// Stands if mk ends its goroutine, as a test's FailNow does.
	val, err := *new(V), error(driver.Errorf("kernelcache", "resolve", nil, "the backend ended the goroutine that was loading the kernel"))
	defer func() {
		t.mu.Lock()
		late := t.closed && err == nil // drop could not see it
		switch {
		case t.closed:
			f.err = t.closedError()
		case err != nil:
			f.err = err
			delete(fs.m, key)
		default:
			f.val = val
		}
		close(f.done) // under the lock, for take
		t.mu.Unlock()
		if late {
			val.Close()
		}
	}()
	val, err = mk(ctx)
}

// take empties the map and returns what had been made.
func (fs *flights[K, V]) take() []V {
	var made []V
	for _, f := range fs.m {
		select {
		case <-f.done:
			made = append(made, f.val)
		default: // run will see that the table is closed
		}
	}
	fs.m = nil
	return made
}
