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

// stripe is the number of uses, plus openBit until Close.
type stripe struct {
	atomic.Int64
	_ [120]byte // two lines: the adjacent-line prefetcher pulls pairs
}

// Init starts the life; see Life.Init.
func (s *Shared) Init(kind *Kind, free func()) {
	s.kind, s.free = kind, free
	kind.live.Add(1)
	s.leak.born(kind)
	for i := range s.stripes {
		s.stripes[i].Store(openBit)
	}
}

// Acquire begins a use on a stripe; false once the object is closed, and then
// there is nothing to release. See Life.Acquire for objects without Init.
func (s *Shared) Acquire(stripe uint32) bool {
	return s.stripes[stripe%Stripes].Add(1) > openBit || s.refuse(stripe)
}

// refuse takes back the use that Acquire counted.
//
//go:noinline
func (s *Shared) refuse(stripe uint32) bool {
	s.stripes[stripe%Stripes].Add(-1)
	s.endIfUnused()
	return false
}

// Release ends a use that was begun on the stripe.
func (s *Shared) Release(stripe uint32) {
	if s.stripes[stripe%Stripes].Add(-1) < openBit {
		s.released(stripe)
	}
}

// released is Release on a stripe that is closed.
//
//go:noinline
func (s *Shared) released(stripe uint32) {
	if n := s.stripes[stripe%Stripes].Load(); n < 0 || n == openBit-1 {
		panic("lifetime: Release without Acquire of a " + s.kind.name)
	}
	s.endIfUnused()
}

// Close forbids further uses; see Life.Close.
func (s *Shared) Close() bool {
	if s.kind == nil {
		return false
	}
	// Whoever calls it closes all stripes: nobody returns while one is open.
	for i := range s.stripes {
		s.stripes[i].And(^openBit)
	}
	first := s.closed.CompareAndSwap(false, true)
	s.endIfUnused()
	return first
}

// Closed tells whether Close was called, or Init never.
func (s *Shared) Closed() bool { return s.kind == nil || s.closed.Load() }

// endIfUnused is called by whoever has lowered a stripe: the last of them finds all
// at 0.
func (s *Shared) endIfUnused() {
	for i := range s.stripes {
		if s.stripes[i].Load() != 0 {
			return
		}
	}
	if s.kind != nil && s.dead.CompareAndSwap(false, true) {
		s.free() // see Life.end
		s.leak.died()
		s.kind.live.Add(-1)
	}
}
