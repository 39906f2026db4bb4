package waitpool

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"
)

// A Spec says how to wait for one kind of operation: O is what stands for an
// operation under way, R what it yields. At least one of Wait, Poll, Subscribe,
// CWait, CPoll, CSubscribe and Word is set; the more are, the more roads a wait
// can take. A wait first looks (CPoll, Word or Poll), then takes the first road
// that is open: Word, CSubscribe, Subscribe, a worker in CWait or Wait, CPoll on
// the polling thread, Poll. With PolicyLatency CPoll comes before CWait and
// Wait.
//
// The functions are called by one thread at a time for one operation, but for
// different operations at the same time.
type Spec[O, R any] struct {
	// Name appears in errors.
	Name string

	// Wait blocks until the operation has ended. Called at most once.
	Wait func(O) (R, error)

	// Poll reports whether the operation has ended, and if so how. It must not
	// block: it runs on the waiting goroutine. Not called again once it has
	// reported true.
	Poll func(O) (R, bool, error)

	// Subscribe arranges that the signal is fired when the operation ends; this
	// may happen before it returns. An error says that the signal will not be
	// fired: one that is ErrNotArranged sends the wait along another road, any
	// other ends it.
	Subscribe func(O, Signal) error

	// CPoll, CWait and CSubscribe are a triad_poll_fn, a triad_wait_fn and a
	// triad_subscribe_fn (see cgo_headers/triad_wait.h): C functions, called
	// with what Object returns, that never enter Go.
	CPoll, CWait, CSubscribe unsafe.Pointer

	// Object returns the C object handed to the C functions; required with them.
	// It must be C memory, valid until Release.
	Object func(O) unsafe.Pointer

	// Result turns the outcome of a C function, of Signal.Fire, or of a reached
	// word (0) into the typed result. It runs on the waiting goroutine, and not
	// at all for abandoned waits. Without it such waits return R's zero value.
	Result func(O, int64) (R, error)

	// Word returns a counter in memory that the device raises, and the value
	// that means that the operation has ended.
	//
	// With CPoll, a wait first asks that, as often as it spins, and Word only when
	// it is handed over: so CPoll can be what begins the operation, and Word may
	// return the zero Word, which sends the wait along another road. From then on
	// CPoll is the watchdog for words that are never written, because the device
	// failed, and is asked rarely.
	Word func(O) Word

	// Release is called exactly once for every wait that began, when its
	// operation has ended for good: before Wait returns, or, for an abandoned
	// wait, later and on another goroutine. It is not called when Wait returned
	// ErrClosed.
	Release func(O)

	// DeferCancel makes Wait return only when the operation has ended. If the
	// context is done by then and the operation succeeded, Wait returns its
	// result together with the context's error.
	DeferCancel bool
}

// A Word is a counter in C memory that only rises, and the value to wait for.
// One of Addr32 and Addr64 is set; the other is nil. The counter may
// wrap around: it has reached Target when it is ahead of it by less than half
// its range. The memory must stay valid until Release.
type Word struct {
	Addr32 *uint32
	Addr64 *uint64
	Target uint64 // its low half for Addr32

	// Pace is what has been learnt of the object's waits; it may be nil.
	Pace *Pace
}

// there tells whether there is a counter.
func (w *Word) there() bool { return w.Addr32 != nil || w.Addr64 != nil }

// reached looks at the counter.
func (w *Word) reached() bool {
	if w.Addr32 != nil {
		return int32(atomic.LoadUint32(w.Addr32)-uint32(w.Target)) >= 0
	}
	return int64(atomic.LoadUint64(w.Addr64)-w.Target) >= 0
}

func (w *Word) raw() (addr uintptr, wide bool) {
	if w.Addr32 != nil {
		return uintptr(unsafe.Pointer(w.Addr32)), false
	}
	return uintptr(unsafe.Pointer(w.Addr64)), true
}

func (s *Spec[O, R]) check() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("waitpool: NewKind: %q %w", s.Name, fmt.Errorf(format, args...))
	}
	c := s.CPoll != nil || s.CWait != nil || s.CSubscribe != nil
	switch {
	case s.Wait == nil && s.Poll == nil && s.Subscribe == nil && !c && s.Word == nil:
		return fail("has no function to wait with; set Wait, Poll, Subscribe, CWait, CPoll, CSubscribe or Word")
	case c && s.Object == nil:
		return fail("has C functions but no Object that returns what they are called with")
	case (c || s.Word != nil) && !native:
		return fail("has C functions or a Word: %w", ErrUnsupported)
	}
	return nil
}

// A Kind waits for one kind of operation. It is made once, usually in a
// package-level variable, and may be used by any number of goroutines.
type Kind[O, R any] struct {
	spec Spec[O, R]
	pool *Pool

	poll, wait, subscribe uintptr // the C functions

	misses counterLine // waits that outlasted the spin budget, in a row
	free   freeList[O, R]
}

// NewKind makes a kind on pool p; nil means Default().
func NewKind[O, R any](p *Pool, s Spec[O, R]) (*Kind[O, R], error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if p == nil {
		p = Default()
	}
	if p.engine == nil {
		return nil, fmt.Errorf("waitpool: NewKind: %q: the pool was not made with New", s.Name)
	}
	if s.CPoll != nil || s.CWait != nil || s.CSubscribe != nil || s.Word != nil {
		if err := p.engine.broken; err != nil {
			return nil, fmt.Errorf("waitpool: NewKind: %q: %w", s.Name, errors.Join(err, ErrUnsupported))
		}
	}
	return &Kind[O, R]{spec: s, pool: p, poll: uintptr(s.CPoll), wait: uintptr(s.CWait), subscribe: uintptr(s.CSubscribe)}, nil
}

// object returns the address of the C object.
func (k *Kind[O, R]) object(obj O) uintptr {
	if k.spec.Object == nil {
		return 0
	}
	return uintptr(k.spec.Object(obj))
}

// counterLine is a counter with a cache line to itself.
type counterLine struct {
	_ [64]byte
	atomic.Uint32
	_ [60]byte
}

// stripe spreads goroutines over counters, by where their stack is.
func stripe() uint {
	var here byte
	return uint(uintptr(unsafe.Pointer(&here)) >> 13)
}
