// Package lifetime counts the uses of a backend's native objects, so that Close
// is idempotent, safe while others use the object, and refuses them afterwards.
// It is for authors of backends.
//
// An object embeds a Life. Every call on the object is bracketed by Acquire and
// Release; so is the life of every child, which makes a child keep its parents
// alive. Close forbids further Acquires and gives up the owner's own use. Who
// gives up the last use frees the native object: whoever that is, exactly once,
// and never while a call is under way.
package lifetime

import "sync/atomic"

// Life is the use count of one object. Init must come before anything else.
type Life struct {
	// state is the number of uses, the owner's included, plus openBit until Close, and
	// deadBit once free was called.
	state atomic.Int64
	kind  *Kind
	free  func()
	leak  leakRecord
}

const (
	openBit = int64(1) << 62
	deadBit = int64(1) << 61
)

// Init starts a life with the owner's use. free releases the native object and
// the uses of parents; it is called exactly once, by whoever gives up the last
// use. It must not block for long.
func (l *Life) Init(kind *Kind, free func()) {
	l.kind, l.free = kind, free
	kind.live.Add(1)
	l.leak.born(kind)
	l.state.Store(openBit | 1)
}

// Acquire begins a use; false once the object is closed, and then there is
// nothing to release. An object that was never made, with no Init, is like one
// that was closed.
func (l *Life) Acquire() bool {
	// Small enough to stand in its callers, as Release is: between calls of a
	// driver, which leave the caches cold, each call of a function takes some ns more.
	return l.state.Add(1) > openBit || l.refuse()
}

// refuse takes back the use that Acquire counted.
//
//go:noinline
func (l *Life) refuse() bool {
	if l.kind == nil {
		l.state.Add(-1)
		return false
	}
	l.Release()
	return false
}

// Release ends a use.
func (l *Life) Release() {
	if n := l.state.Add(-1); n <= openBit {
		l.released(n)
	}
}

// released is Release where it left n, which is no open object in use.
//
//go:noinline
func (l *Life) released(n int64) {
	switch {
	case n == 0:
		// An Acquire that fails raises the count for a moment and comes back here
		// through its own Release; the dead bit lets only one of us free.
		if l.state.CompareAndSwap(0, deadBit) {
			l.end()
		}
	case n == openBit || n&(deadBit-1) > deadBit/2: // the owner's use, or below zero
		panic("lifetime: Release without Acquire of a " + l.kind.name)
	}
}

// Close forbids further uses and gives up the owner's own. It tells whether this
// was the first Close. The native object is freed with the last use, which may
// be before Close returns or later.
func (l *Life) Close() bool {
	for {
		n := l.state.Load()
		if n&openBit == 0 {
			return false
		}
		if l.state.CompareAndSwap(n, n&^openBit) {
			l.Release()
			return true
		}
	}
}

// Closed tells whether Close was called, or Init never.
func (l *Life) Closed() bool { return l.state.Load()&openBit == 0 }

// end frees the object. It is alive until that is done: who finds none alive finds
// nothing of them under way.
func (l *Life) end() {
	l.free()
	l.leak.died()
	l.kind.live.Add(-1)
}
