package waitpool

// A Signal reports that an operation has ended, to the wait whose
// Spec.Subscribe received it. It may be copied and kept, and fired from any
// goroutine.
type Signal struct {
	w   *waiter
	gen uint64
}

// Fire ends the wait with the outcome, which Spec.Result turns into a result. It
// reports whether it did: a wait ends once, and firing again, or after the wait
// has ended otherwise, is counted and does nothing.
func (s Signal) Fire(outcome int64) bool {
	if s.w == nil {
		return false
	}
	if !s.w.armed.CompareAndSwap(s.gen, 0) {
		s.w.pool.counters.add(countIgnored)
		return false
	}
	s.w.outcome = outcome
	s.w.wake <- struct{}{}
	return true
}

// arm returns the signal of the wait that begins.
func (w *waiter) arm() Signal {
	w.gen++
	w.armed.Store(w.gen)
	return Signal{w, w.gen}
}

// disarm takes the wait back; false when the signal has been fired, so that a
// token is or will be in w.wake.
func (w *waiter) disarm() bool { return w.armed.CompareAndSwap(w.gen, 0) }
