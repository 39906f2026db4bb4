//go:build linux && cgo && (amd64 || arm64)

package waitpool

/*
#include "engine.h"
*/
import "C"

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// A block is the C side's part of a request: a tw_request, in C memory, freed
// when the Go part is collected.
type block struct {
	c      *C.tw_request
	addr   C.uintptr_t // of c
	listed bool        // in the table waiters
}

// handle is what has to be given back for a block.
type handle struct {
	c  *C.tw_request
	id uint32
}

// attachBlock gives r, which holds w, its block.
func attachBlock[O, R any](r *request[O, R], w *waiter) {
	h := handle{id: waiters.reserve()}
	h.c = C.tw_request_new(C.uint32_t(h.id))
	if h.c == nil {
		panic("waitpool: out of C memory")
	}
	w.c, w.addr = h.c, C.uintptr_t(uintptr(unsafe.Pointer(h.c)))
	runtime.AddCleanup(r, func(h handle) {
		C.tw_request_free(h.c)
		waiters.release(h.id)
	}, h)
}

// prepare fills the block in for a wait that begins.
func (w *waiter) prepare(object, poll, wait uintptr, word *Word) {
	c := w.c
	c.object = *(*unsafe.Pointer)(unsafe.Pointer(&object))
	c.poll = *(*C.triad_poll_fn)(unsafe.Pointer(&poll))
	c.wait = *(*C.triad_wait_fn)(unsafe.Pointer(&wait))
	c.word = nil
	if word.Addr32 != nil || word.Addr64 != nil {
		addr, wide := word.raw()
		c.word = *(*unsafe.Pointer)(unsafe.Pointer(&addr))
		c.target = C.uint64_t(word.Target)
		c.wide = C.uint32_t(cbool(wide))
	}
}

// settle says how the waiter of a pending request is to be woken: by an event of
// its own if it can't be cancelled and one is free, else through the dispatcher.
// It returns false if the request is done, so that nobody will wake it.
func (w *waiter) settle(alone bool) bool {
	park := uint64(C.TW_LISTED)
	if alone {
		if w.event = takeEvent(); w.event != nil {
			park = C.TW_EVENT | uint64(w.event.fd)<<8
		}
	}
	if w.event == nil {
		w.listed = true
		waiters.set(uint32(w.c.id), w)
	}
	return atomic.CompareAndSwapUint64(w.state(), C.TW_PENDING, park)
}

// leave gives up what settle took.
func (w *waiter) leave() {
	if w.event != nil {
		putEvent(w.event)
		w.event = nil
	}
	if w.listed {
		w.listed = false
		waiters.set(uint32(w.c.id), nil)
	}
}

func (w *waiter) state() *uint64 { return (*uint64)(unsafe.Pointer(&w.c.state)) }

func (w *waiter) object() uintptr { return uintptr(w.c.object) }

func (w *waiter) getOutcome() int64 {
	if w.native {
		return int64(w.c.result)
	}
	return w.outcome
}

// took is how long the word took that ended.
func (w *waiter) took() time.Duration { return time.Duration(w.c.took) }

// setOutcome stores an outcome that the C side doesn't know of.
func (w *waiter) setOutcome(o int64) {
	w.native = false
	w.outcome = o
}

func (w *waiter) subscribe(fn uintptr, spin time.Duration) status {
	return status(C.tw_subscribe(w.addr, C.uintptr_t(fn), C.uint64_t(spin)))
}

func (w *waiter) subcode() int { return int(int32(w.c.subcode)) }

func (w *waiter) claim() bool { return C.tw_claim(w.addr) != 0 }

// callWait makes the blocking call on this thread.
func (w *waiter) callWait() int64 {
	return int64(C.tw_call_wait(C.uintptr_t(uintptr(unsafe.Pointer(w.c.wait))), C.uintptr_t(uintptr(w.c.object))))
}

// done reports whether the C side has finished the request.
func (w *waiter) done() bool {
	return atomic.LoadUint64(w.state()) == C.TW_DONE
}

// awaitToken waits for a completion that is on its way.
func (w *waiter) awaitToken() {
	if w.event != nil {
		w.parkEvent(false, 0)
	} else {
		<-w.wake
	}
}
