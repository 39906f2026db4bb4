//go:build linux && cgo && (amd64 || arm64)

// Package twins holds what waitpool's tests and benchmarks need in C: a
// make-believe device whose operations end on demand, and the plain C programs
// that the benchmarks are compared with.
package twins

/*
#cgo CFLAGS: -I${SRCDIR}/../../../cgo_headers -O2 -Wall
#cgo LDFLAGS: -lpthread
#cgo noescape op_wait
#cgo nocallback op_wait
#cgo noescape op_wait_nothing
#cgo nocallback op_wait_nothing
#cgo noescape op_poll
#cgo nocallback op_poll
#include "twins.h"

static void *fn_poll(void) { return (void *)op_poll; }
static void *fn_wait(void) { return (void *)op_wait; }
static void *fn_subscribe(void) { return (void *)op_subscribe; }
static void *fn_nothing(void) { return (void *)op_wait_nothing; }
*/
import "C"

import (
	"time"
	"unsafe"

	_ "github.com/triad-gpu/triad/cgo_headers" // carries the headers when vendored
)

// The device's triad_poll_fn, triad_wait_fn and triad_subscribe_fn, and a
// triad_wait_fn that returns 7 at once.
var (
	Poll      = C.fn_poll()
	Wait      = C.fn_wait()
	Subscribe = C.fn_subscribe()
	Nothing   = C.fn_nothing()
)

// How an operation answers a subscription.
const (
	Keep   = C.SUB_KEEP   // fires when the operation ends
	Inside = C.SUB_INSIDE // fires before subscribe returns
	Twice  = C.SUB_TWICE  // fires twice
	Never  = C.SUB_NEVER  // loses the notification
	Refuse = C.SUB_REFUSE // returns -59
)

// An Op is an operation of the device, in C memory.
type Op struct{ c *C.op }

// New returns an operation under way.
func New() Op { return Op{C.op_new()} }

// Free frees the operation.
func (o Op) Free() { C.op_free(o.c) }

// Reset starts the operation anew.
func (o Op) Reset() { C.op_reset(o.c) }

// Object returns the C object.
func (o Op) Object() unsafe.Pointer { return unsafe.Pointer(o.c) }

// Mode sets how the operation answers a subscription.
func (o Op) Mode(m int) { o.c.mode = C.uint32_t(m) }

// Result sets the outcome of an operation that ends by itself.
func (o Op) Result(r int64) { o.c.result = C.int64_t(r) }

// After makes the operation end by itself after d, seen by polls and blocking
// calls only.
func (o Op) After(d time.Duration) { o.c.due = C.now_ns() + C.uint64_t(d) }

// Submit makes the device's thread end the operation after d.
func (o Op) Submit(d time.Duration) {
	C.device_start()
	C.device_submit(o.c, C.uint64_t(d))
}

// Finish ends the operation.
func (o Op) Finish(result int64) { C.op_finish(o.c, C.int64_t(result)) }

// FireAgain fires the last signal received, once more.
func (o Op) FireAgain(result int64) { C.op_fire_again(o.c, C.int64_t(result)) }

// Subscribed reports whether a signal has been received.
func (o Op) Subscribed() bool { return C.op_subscribed(o.c) != 0 }

// Polls returns how often the operation has been polled.
func (o Op) Polls() int { return int(C.op_polls(o.c)) }

// Block is the blocking call made directly.
func (o Op) Block() int64 { return int64(C.op_wait(unsafe.Pointer(o.c))) }

// Spin waits for the end without sleeping, on this thread.
func (o Op) Spin() { C.op_spin(o.c) }

// Look is a poll made from Go.
func (o Op) Look() (result int64, done bool) {
	var r C.int64_t
	done = C.op_poll(unsafe.Pointer(o.c), &r) != 0
	return int64(r), done
}

// BlockNothing is an empty blocking call.
func BlockNothing() int64 { return int64(C.op_wait_nothing(nil)) }

// Word32 and Word64 return the counters that ending the operation raises by one.
func (o Op) Word32() *uint32 { return (*uint32)(unsafe.Pointer(&o.c.word32)) }

// Word64 is the 64-bit counter.
func (o Op) Word64() *uint64 { return (*uint64)(unsafe.Pointer(&o.c.word64)) }

// SpinPair makes n round trips between two spinning threads.
func SpinPair(n int) time.Duration { return time.Duration(C.spin_pair(C.uint64_t(n))) }

// FutexPair makes n round trips between two threads that sleep on a futex.
func FutexPair(n int) time.Duration { return time.Duration(C.futex_pair(C.uint64_t(n))) }

// Nap sleeps n times, in C.
func Nap(n int, each time.Duration) { C.nap(C.uint64_t(n), C.uint64_t(each)) }

// CPU returns the processor time that the process has used.
func CPU() time.Duration { return time.Duration(C.cpu_ns()) }
