//go:build linux && cgo && (amd64 || arm64)

package waitpool

/*
#include "engine.h"
*/
import "C"

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// An event is an eventfd that one goroutine at a time parks on, in the
// netpoller. The netpoller watches edges, so that nobody has to read it: a
// goroutine that is readied looks at its request's state, and parks again when
// the edge was meant for an earlier wait. Events are the process's and are never
// closed: a thread that is late with its write hits no stranger's descriptor.
type event struct {
	fd      int
	file    *os.File
	raw     syscall.RawConn
	current *waiter
	done    func(uintptr) bool
	due     time.Duration // read deadline, on the clock of since; 0: none
	next    *event
}

var events struct {
	sync.Mutex
	free *event
	n    int
}

// maxEvents bounds the descriptors; waiters beyond share the dispatcher's.
const maxEvents = 64

func takeEvent() *event {
	events.Lock()
	defer events.Unlock()
	if v := events.free; v != nil {
		events.free = v.next
		v.next = nil
		return v
	}
	if events.n == maxEvents {
		return nil
	}
	v, err := newEvent()
	if err != nil {
		events.n = maxEvents // no more descriptors: don't try each time
		return nil
	}
	events.n++
	v.done = func(uintptr) bool { return v.current.done() }
	return v
}

func putEvent(v *event) {
	v.current = nil
	events.Lock()
	v.next = events.free
	events.free = v
	events.Unlock()
}

func newEvent() (*event, error) {
	fd, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return nil, fmt.Errorf("eventfd: %w; the limit on open files (ulimit -n) may be reached", errno)
	}
	f := os.NewFile(fd, "waitpool eventfd")
	raw, err := f.SyscallConn()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &event{fd: int(fd), file: f, raw: raw}, nil
}

// parkEvent parks the goroutine until the request is done, or, with a backstop,
// for about d; it reports which. As with tick, a deadline that an earlier wait
// has set is good enough.
func (w *waiter) parkEvent(backstop bool, d time.Duration) bool {
	v := w.event
	v.current = w
	if backstop {
		now := since()
		if left := v.due - now; left <= d/4 || left > d {
			v.due = now + d
			v.file.SetReadDeadline(started.Add(v.due))
		}
	} else if v.due != 0 {
		v.due = 0
		v.file.SetReadDeadline(time.Time{})
	}
	for {
		err := v.raw.Read(v.done)
		if err == nil {
			return true
		}
		if os.IsTimeout(err) && backstop {
			v.due = 1 // passed
			return w.done()
		}
		panic(fmt.Sprintf("waitpool: parking on an eventfd: %v", err))
	}
}

// The dispatcher is a goroutine parked on the process's eventfd. It readies the
// waiters of everything that is on the C side's list of finished requests.

var dispatcher struct {
	sync.Mutex
	running bool
}

func startDispatcher() error {
	dispatcher.Lock()
	defer dispatcher.Unlock()
	if dispatcher.running {
		return nil
	}
	v, err := newEvent()
	if err != nil {
		return err
	}
	C.tw_init(C.int(v.fd))
	dispatcher.running = true
	go dispatch(v)
	return nil
}

func dispatch(v *event) {
	list := (*unsafe.Pointer)(C.tw_finished_list())
	err := v.raw.Read(func(uintptr) bool {
		for {
			r := (*C.tw_request)(atomic.SwapPointer(list, nil))
			if r == nil {
				return false
			}
			wakeAll(r)
		}
	})
	panic(fmt.Sprintf("waitpool: the dispatcher's eventfd: %v", err))
}

// wakeAll wakes the waiters of a list of requests, and tells how many.
func wakeAll(r *C.tw_request) (n uint64) {
	for r != nil {
		// Once woken, the waiter may use the request again.
		next, id := r.next, uint32(r.id)
		if w := waiters.get(id); w.wake != nil {
			w.wake <- struct{}{}
		} else { // a scout
			w.serve()
		}
		r = next
		n++
	}
	return n
}

// waiters finds the Go part of a request by the number that its C part carries.
var waiters table

// A table grows by chunks that never move. Slots are set only while a request
// is in flight, so that it keeps nothing else alive.
type table struct {
	chunks atomic.Pointer[[]*chunk]
	mu     sync.Mutex // guards growing and what follows
	free   []uint32
	next   uint32
}

type chunk [256]atomic.Pointer[waiter]

func (t *table) get(id uint32) *waiter {
	return (*t.chunks.Load())[id/256][id%256].Load()
}

func (t *table) set(id uint32, w *waiter) {
	(*t.chunks.Load())[id/256][id%256].Store(w)
}

func (t *table) reserve() uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.free); n != 0 {
		id := t.free[n-1]
		t.free = t.free[:n-1]
		return id
	}
	id := t.next
	t.next++
	if id%256 == 0 {
		var grown []*chunk
		if old := t.chunks.Load(); old != nil {
			grown = append(grown, *old...)
		}
		grown = append(grown, new(chunk))
		t.chunks.Store(&grown)
	}
	return id
}

func (t *table) release(id uint32) {
	t.mu.Lock()
	t.free = append(t.free, id)
	t.mu.Unlock()
}
