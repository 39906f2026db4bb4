//go:build linux && cgo && (amd64 || arm64)

package waitpool

/*
#cgo CFLAGS: -I${SRCDIR}/../cgo_headers -O2 -Wall
#cgo noescape tw_try_poll
#cgo nocallback tw_try_poll
#cgo noescape tw_try_word
#cgo nocallback tw_try_word
#cgo noescape tw_submit_worker
#cgo nocallback tw_submit_worker
#cgo noescape tw_submit_poller
#cgo nocallback tw_submit_poller
#cgo noescape tw_submit_word
#cgo nocallback tw_submit_word
#cgo noescape tw_look_out
#cgo nocallback tw_look_out
#cgo noescape tw_subscribe
#cgo nocallback tw_subscribe
#cgo noescape tw_call_wait
#cgo nocallback tw_call_wait
#cgo noescape tw_claim
#cgo nocallback tw_claim
#include <stdlib.h>
#include "engine.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	_ "github.com/triad-gpu/triad/cgo_headers" // carries the headers when vendored
)

// native says that this build has the C side.
const native = true

// status is what submitting a request led to.
type status int

const (
	finished status = C.TW_FINISHED
	pending  status = C.TW_PENDING
	refused  status = C.TW_REFUSED
)

// outcome is what stage 1 saw.
type outcome struct {
	result int64
	done   bool
	spun   bool
}

func tryPoll(poll, object uintptr, spin time.Duration) outcome {
	o := C.tw_try_poll(C.uintptr_t(poll), C.uintptr_t(object), C.uint64_t(spin))
	return outcome{int64(o.result), o.done != 0, o.spun != 0}
}

func tryWord(w *Word, spin time.Duration) outcome {
	addr, wide := w.raw()
	o := C.tw_try_word(C.uintptr_t(addr), C.uint64_t(w.Target), cbool(wide), C.uint64_t(spin))
	return outcome{int64(o.result), o.done != 0, o.spun != 0}
}

func cbool(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

func setPressure(on bool)    { C.tw_set_pressure(cbool(on)) }
func refreshCPUs()           { C.tw_refresh_cpus() }
func ignoredSignals() uint64 { return uint64(C.tw_ignored_signals()) }
func posts() uint64          { return uint64(C.tw_posts()) }

// An engine is the C side of a pool, and the threads that live in it.
type engine struct {
	c       *C.tw_pool
	broken  error
	opt     Options
	threads sync.WaitGroup

	mu     sync.Mutex // guards what follows
	alive  int        // workers started
	gone   bool
	poller atomic.Bool // started; written under mu

	looked  atomic.Int64  // nanoseconds that lookouts have looked
	seen    atomic.Uint64 // waiters that they woke
	scout   uint32        // the number by which the C side has a lookout started
	lookout func()        // looks out; bound once, so that starting it allocates nothing
}

func policyOf(o Options) C.tw_policy {
	const us, ms = C.uint64_t(time.Microsecond), C.uint64_t(time.Millisecond)
	c := C.tw_policy{linger: 50 * us, young: 150 * us, poll_spin: 50 * us, word_spin: 150 * us, poll_min: 20 * us, poll_max: 2 * ms,
		watch_min: 10 * ms, watch_max: 250 * ms, age_shift: 4, word_shift: 7, slack: 1000}
	switch o.Policy {
	case PolicyLatency:
		c.linger, c.young, c.poll_spin, c.word_spin = 500*us, 1*ms, 1<<62, 1<<62
	case PolicyEconomy:
		c.linger, c.young, c.poll_spin, c.word_spin, c.poll_min, c.poll_max = 0, 0, 0, 0, 100*us, 20*ms
		c.age_shift, c.word_shift, c.slack = 3, 3, 0
	}
	return c
}

func newEngine(o Options) (*engine, error) {
	if err := startDispatcher(); err != nil {
		return nil, err
	}
	load.observe() // the first look at a metric allocates
	policy := policyOf(o)
	e := &engine{opt: o, scout: waiters.reserve()}
	e.c = C.tw_pool_new(C.int(o.Workers), &policy, C.uint32_t(e.scout))
	if e.c == nil {
		waiters.release(e.scout)
		return nil, errors.New("out of C memory")
	}
	e.lookout = e.lookOut
	waiters.set(e.scout, &waiter{serve: e.startLookout})
	return e, nil
}

// brokenEngine refuses everything, so that waits take the roads without it.
func brokenEngine(err error) *engine { return &engine{broken: err} }

func (e *engine) addr() C.uintptr_t { return C.uintptr_t(uintptr(unsafe.Pointer(e.c))) }

// stop ends the threads, once nothing is in flight.
func (e *engine) stop() {
	if e.broken != nil {
		return
	}
	e.mu.Lock()
	e.gone = true
	C.tw_pool_stop(e.c, C.int(e.alive))
	e.mu.Unlock()
	e.threads.Wait()
	e.mu.Lock()
	C.tw_pool_free(e.c)
	waiters.set(e.scout, nil)
	waiters.release(e.scout)
	e.c, e.alive = nil, 0
	e.mu.Unlock()
}

func (e *engine) count() (workers, idle, spinning int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.c == nil || e.gone {
		return 0, 0, 0
	}
	for i := range e.alive {
		switch e.state(i) {
		case C.TW_IDLE:
			spinning++
			idle++
		case C.TW_ASLEEP:
			idle++
		}
	}
	return e.alive, idle, spinning
}

// state is that of worker i.
func (e *engine) state(i int) C.int { return C.tw_worker_state(e.c, C.int(i)) }

// submitWorker hands w to an idle worker, or to a new one.
func (e *engine) submitWorker(w *waiter, spin time.Duration) status {
	if e.broken != nil {
		return refused
	}
	st := status(C.tw_submit_worker(e.addr(), w.addr, C.uint64_t(spin)))
	if st != refused {
		return st
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.alive == e.opt.Workers {
		return refused
	}
	C.tw_worker_start(e.c, C.int(e.alive), w.c)
	e.thread(fmt.Sprintf("triad-wait-%d", e.alive), func(i C.int) { C.tw_worker_run(e.c, i) })
	e.alive++
	return pending
}

func (e *engine) submitPoller(w *waiter) status {
	e.startPoller()
	C.tw_submit_poller(e.addr(), w.addr)
	return pending
}

func (e *engine) startPoller() {
	if e.poller.Load() {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.poller.Load() {
		e.thread("triad-poll", func(C.int) { C.tw_poller_run(e.c) })
		e.poller.Store(true)
	}
}

// thread starts a thread that lives in C until the pool stops. Its goroutine
// stays locked, so that the thread, with its name, ends with it. e.mu is held.
func (e *engine) thread(name string, run func(index C.int)) {
	index := C.int(e.alive)
	e.threads.Add(1)
	go func() {
		defer e.threads.Done()
		elsewhere(func() {
			s := C.CString(name)
			C.tw_thread_begin(s, policyOf(e.opt).slack)
			C.free(unsafe.Pointer(s))
			run(index)
		})
	}()
}

// elsewhere runs f locked to a thread other than the program's first. That one's
// name is the program's, and Go can't end it.
func elsewhere(f func()) {
	runtime.LockOSThread()
	if C.tw_first_thread() == 0 {
		f()
		return
	}
	// As long as this goroutine holds the first thread, another gets another.
	begun, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread()
		close(begun)
		f()
	}()
	<-begun
	runtime.UnlockOSThread()
	<-ended
}

// idle reports whether worker i is.
func (e *engine) idle(i int) bool { return e.state(i) != C.TW_BUSY }
