package waitpool

import (
	"sync/atomic"
	"time"
)

// Stats is what a pool has done so far. Counters only rise; each is exact, but
// they are read one after the other while waits go on.
type Stats struct {
	// How waits ended that were not handed over.
	Idle uint64 // finished at the first look
	Spun uint64 // finished while the waiter spun

	// Waits handed over, by the road taken.
	Word     uint64 // a counter in memory
	Notified uint64 // a completion notification
	Blocking uint64 // a worker in a blocking call
	Polled   uint64 // the polling thread, or the waiter's own Go poll function
	Overflow uint64 // a thread of its own, since no worker was free
	Direct   uint64 // a blocking call by the waiter itself, being a worker

	SpunAfter uint64 // handed over and finished while the waiter still spun
	Parked    uint64 // goroutine parked
	Abandoned uint64 // context done before the operation
	Backstops uint64 // lost notifications that a poll made good

	// IgnoredSignals counts notifications fired once too often, or after a poll
	// had made them good. Those fired by C code are counted for the process.
	IgnoredSignals uint64

	// Wakeups counts the system calls by which C threads woke goroutines, in the
	// process. One may wake any number of them.
	Wakeups uint64

	// Goroutines of the pool watch words that are about to be raised, from C. LookedOut
	// is how long they have done so: processor time that is no thread's of the pool. Seen
	// counts the parked waiters that they woke.
	LookedOut time.Duration
	Seen      uint64

	// As things stand now.
	InFlight     int // waits handed over and not ended
	Workers      int // worker threads alive
	IdleWorkers  int // of these, without work
	Spinning     int // of these, not yet asleep
	Queued       int // waits that queue for an overflow thread
	LongestQueue int // the most that ever queued
	Looking      int // waits in their first look in C
	MostLooking  int // of these, at most
	LookQueue    int // waits that queue for it, since it does not return for many others
}

// HandedOver is the number of waits that left the waiter's own thread.
func (s Stats) HandedOver() uint64 {
	return s.Word + s.Notified + s.Blocking + s.Polled + s.Overflow
}

// Waits is the number of waits begun.
func (s Stats) Waits() uint64 { return s.Idle + s.Spun + s.HandedOver() + s.Direct }

// counter indexes the counters of a stripe.
type counter int

const (
	countIdle counter = iota
	countSpun
	countWord
	countNotified
	countBlocking
	countPolled
	countOverflow
	countDirect
	countSpunAfter
	countParked
	countAbandoned
	countBackstops
	countIgnored
	numCounters
)

// counters are striped by the goroutine's stack, so that waiters don't share a
// cache line merely to be counted.
type counters [16]struct {
	n [numCounters]atomic.Uint64
	_ [128 - (numCounters*8)%128]byte
}

func (c *counters) add(what counter) { c[stripe()%uint(len(c))].n[what].Add(1) }

func (c *counters) sum(what counter) (n uint64) {
	for i := range c {
		n += c[i].n[what].Load()
	}
	return n
}

// Stats returns what the pool has done and how it stands.
func (p *Pool) Stats() Stats {
	c := &p.counters
	s := Stats{
		Idle: c.sum(countIdle), Spun: c.sum(countSpun), Word: c.sum(countWord),
		Notified: c.sum(countNotified), Blocking: c.sum(countBlocking),
		Polled: c.sum(countPolled), Overflow: c.sum(countOverflow),
		Direct: c.sum(countDirect), SpunAfter: c.sum(countSpunAfter),
		Parked: c.sum(countParked), Abandoned: c.sum(countAbandoned),
		Backstops:      c.sum(countBackstops),
		IgnoredSignals: c.sum(countIgnored) + ignoredSignals(),
		Wakeups:        posts(),
		InFlight:       int(p.inflight.Load() &^ closing),
		Queued:         int(p.queued.Load()),
		LongestQueue:   int(p.longest.Load()),
	}
	s.Looking, s.LookQueue = p.looks.count()
	s.MostLooking = p.looks.most()
	if p.engine != nil {
		s.LookedOut, s.Seen = time.Duration(p.engine.looked.Load()), p.engine.seen.Load()
		s.Workers, s.IdleWorkers, s.Spinning = p.engine.count()
	}
	return s
}
