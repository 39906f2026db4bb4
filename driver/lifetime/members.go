package lifetime

import (
	"context"
	"errors"
	"sync"
)

// Members are a device's objects of a kind that have work under way, its streams: those
// that are open, and what is left of those that were closed. The zero value has none;
// any goroutine may use it.
type Members[S comparable] struct {
	mu   sync.Mutex
	open map[S]struct{}
	left map[chan struct{}]struct{} // closed when nothing is left
}

// Join adds one that was opened.
func (v *Members[S]) Join(s S) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.open == nil {
		v.open = make(map[S]struct{})
	}
	v.open[s] = struct{}{}
}

// Part takes one away that is being closed.
func (v *Members[S]) Part(s S) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.open, s)
}

// Leave sees to what one has left that was closed with work under way, on a goroutine of
// its own: it waits for the work, tells those who wait for the device, and ends the
// object.
func (v *Members[S]) Leave(wait, end func()) {
	gone := make(chan struct{})
	v.mu.Lock()
	if v.left == nil {
		v.left = make(map[chan struct{}]struct{})
	}
	v.left[gone] = struct{}{}
	v.mu.Unlock()
	go func() {
		wait()
		v.mu.Lock()
		delete(v.left, gone)
		v.mu.Unlock()
		close(gone)
		end()
	}()
}

// Wait waits for all that there are now. life is an object's; wait waits for one that
// is in use, and gives up that use. Once ctx is done, its error is returned.
func (v *Members[S]) Wait(ctx context.Context, life func(S) *Life, wait func(context.Context, S) error) error {
	var open []S
	var left []chan struct{}
	v.mu.Lock()
	for s := range v.open {
		if life(s).Acquire() {
			open = append(open, s)
		}
	}
	for gone := range v.left {
		left = append(left, gone)
	}
	v.mu.Unlock()
	var errs []error
	for _, s := range open {
		if ctx.Err() == nil {
			errs = append(errs, wait(ctx, s))
		} else {
			life(s).Release()
		}
	}
	for _, gone := range left {
		select {
		case <-gone:
		case <-ctx.Done():
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return errors.Join(errs...)
}
