//go:build linux && cgo && (amd64 || arm64)

package waitpool

/*
#include "engine.h"
*/
import "C"

import "runtime"

// submitWord has the word of w watched: by the lookout while the wait is young, or about
// to end, where that takes nobody's processor; otherwise by the poller. apart says that
// the waiter is to be woken through its channel.
//
// A thread that was asleep needs 10 to 20 µs to wake up on a machine with idle
// processors. The poller has to wake such a one, by way of the netpoller. The lookout is
// a goroutine that isn't locked to its thread: having readied the waiter it makes room
// for it on the thread that saw the word.
func (e *engine) submitWord(w *waiter) (st status, apart bool) {
	if e.opt.Policy == PolicyEconomy || !load.spare.Load() {
		return e.submitPoller(w), false
	}
	e.startPoller()
	if C.tw_submit_word(e.addr(), w.addr, C.uint64_t(w.pace.expect())) != 0 {
		e.startLookout()
	}
	return pending, true
}

func (e *engine) startLookout() {
	e.threads.Add(1)
	go e.lookout()
}

// lookOut is the lookout: it watches words until none is left that is young.
func (e *engine) lookOut() {
	defer e.threads.Done()
	for {
		s := C.tw_look_out(e.addr())
		e.looked.Add(int64(s.ns))
		e.seen.Add(wakeAll(s.ended))
		if s.more == 0 {
			return // which lets the waiter run that was woken last
		}
		if s.ended != nil {
			runtime.Gosched() // likewise
		}
	}
}
