package lifetime

import "sync/atomic"

// Stripes is the number of separate counters in a Shared.
const Stripes = 16

// Shared is a Life for objects that many cores use at once, such as a kernel
// that sixteen threads launch on streams of their own: the count is spread over
// cache lines, so that uses by different stripes do not contend. A use names its
// stripe, for instance a number that its stream was given, below Stripes.
type Shared struct {
	stripes [Stripes]stripe
	closed  atomic.Bool
	dead    atomic.Bool
	kind    *Kind
	free    func()
	leak    leakRecord
}

type stripe struct {
	uses atomic.Int64
	_    [120]byte // two lines: the adjacent-line prefetcher pulls pairs
}

// Init starts the life; see Life.Init.
func (s *Shared) Init(kind *Kind, free func()) {
	s.kind, s.free = kind, free
	kind.live.Add(1)
	s.leak.born(kind)
}

// Acquire begins a use on a stripe; false once the object is closed, and then
// there is nothing to release. See Life.Acquire for objects without Init.
func (s *Shared) Acquire(stripe uint32) bool {
	if s.kind == nil {
		return false
	}
	s.stripes[stripe%Stripes].uses.Add(1)
	// A use that sees closed unset was counted before Close set it, so Close's
	// look at the stripes can't miss it: both sides are sequentially consistent.
	if !s.closed.Load() {
		return true
	}
	s.Release(stripe)
	return false
}

// Release ends a use that was begun on the stripe.
func (s *Shared) Release(stripe uint32) {
	s.stripes[stripe%Stripes].uses.Add(-1)
	if s.closed.Load() {
		s.endIfUnused()
	}
}

// Close forbids further uses; see Life.Close.
func (s *Shared) Close() bool {
	if s.kind == nil || !s.closed.CompareAndSwap(false, true) {
		return false
	}
	s.endIfUnused()
	return true
}

// Closed tells whether Close was called.
func (s *Shared) Closed() bool { return s.closed.Load() }

func (s *Shared) endIfUnused() {
	for i := range s.stripes {
		if s.stripes[i].uses.Load() != 0 {
			return // whoever holds this use comes here when it ends
		}
	}
	if s.dead.CompareAndSwap(false, true) {
		s.kind.live.Add(-1)
		s.leak.died()
		s.free()
	}
}
