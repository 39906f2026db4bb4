//go:build cgo && linux

package cltwin

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -I${SRCDIR}/../../../cgo_headers
#cgo LDFLAGS: -ldl -lpthread

#include <stdlib.h>
#include "twin.h"

// Handles come as integers, because OpenCL's are C memory that Go never follows.
static twin *open_words(uintptr_t device, uintptr_t ctx, uintptr_t program, int svm, size_t size, cl_int *code) {
	return twin_open((cl_device_id)device, (cl_context)ctx, (cl_program)program, svm, size, code);
}
*/
import "C"

import (
	"fmt"
	"time"
	"unsafe"

	_ "github.com/triad-gpu/triad/cgo_headers" // a changed header rebuilds this package
)

// Twin is one C program's state. It is used by one goroutine at a time.
type Twin struct{ raw *C.twin }

// Open makes a twin. What Config names must outlive it.
func Open(c Config) (*Twin, error) {
	path := C.CString(c.Library)
	defer C.free(unsafe.Pointer(path))
	var text [512]C.char
	if C.twin_load(path, &text[0], C.size_t(len(text))) != 0 {
		return nil, fmt.Errorf("C twin: %s", C.GoString(&text[0]))
	}
	var shared C.int
	if c.Shared {
		shared = 1
	}
	var code C.cl_int
	raw := C.open_words(C.uintptr_t(c.Device), C.uintptr_t(c.Context), C.uintptr_t(c.Program), shared, C.size_t(c.Bytes), &code)
	if raw == nil {
		return nil, failed(C.int64_t(code))
	}
	return &Twin{raw}, nil
}

// Close frees what the twin made.
func (t *Twin) Close() { C.twin_close(t.raw) }

// Launch launches n times the empty kernel of 0, 4 or 16 arguments, setting them
// each time, and waits after every `every`. The waits count.
func (t *Twin) Launch(args, n, every int) (time.Duration, error) {
	return took(C.twin_launch(t.raw, C.int(args), 0, C.long(n), C.long(every)))
}

// LaunchCalls is Launch, but only the calls count, not the waits.
func (t *Twin) LaunchCalls(args, n, every int) (time.Duration, error) {
	return took(C.twin_launch(t.raw, C.int(args), 1, C.long(n), C.long(every)))
}

// LaunchThreads is Launch with 4 arguments on so many threads, each with a queue
// and a kernel object of its own, n launches each.
func (t *Twin) LaunchThreads(threads, n, every int) (time.Duration, error) {
	return took(C.twin_launch_threads(t.raw, C.int(threads), C.long(n), C.long(every)))
}

// LaunchWait launches and waits, n times.
func (t *Twin) LaunchWait(how Wait, n int) (time.Duration, error) {
	return took(C.twin_launch_wait(t.raw, C.int(how), C.long(n)))
}

// IdleWait calls clFinish on an idle queue, n times.
func (t *Twin) IdleWait(n int) (time.Duration, error) {
	return took(C.twin_idle_wait(t.raw, 0, C.long(n)))
}

// ReachedWait calls clWaitForEvents on an event that was reached, n times.
func (t *Twin) ReachedWait(n int) (time.Duration, error) {
	return took(C.twin_idle_wait(t.raw, 1, C.long(n)))
}

// Copy copies, n times. Copies to and from the host block; those on the device
// are waited for after every `every`.
func (t *Twin) Copy(d Direction, bytes, n, every int) (time.Duration, error) {
	return took(C.twin_copy(t.raw, C.int(d), C.size_t(bytes), C.long(n), C.long(every)))
}

// Record enqueues and flushes a marker, n times, and waits after every `every`.
func (t *Twin) Record(n, every int) (time.Duration, error) {
	return took(C.twin_record(t.raw, C.long(n), C.long(every)))
}

// Query asks for the status of an event that was reached, n times.
func (t *Twin) Query(n int) (time.Duration, error) {
	return took(C.twin_query(t.raw, C.long(n)))
}

func took(ns C.int64_t) (time.Duration, error) {
	if ns < 0 {
		return 0, failed(ns)
	}
	return time.Duration(ns), nil
}

func failed(code C.int64_t) error { return fmt.Errorf("C twin: OpenCL's code %d", int64(code)) }
