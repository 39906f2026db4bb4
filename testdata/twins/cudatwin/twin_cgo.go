//go:build cgo && linux

package cudatwin

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -I${SRCDIR}/../../../cgo_headers
#cgo LDFLAGS: -ldl -lpthread

#cgo noescape cutwin_once
#cgo nocallback cutwin_once

#include <stdlib.h>
#include "twin.h"

// Handles come as integers, because CUDA's are C memory that Go never follows.
static cutwin *open_words(uintptr_t ctx, int streams, uintptr_t empty4, uintptr_t empty16, uintptr_t spin,
                          uintptr_t pinned, size_t size) {
	cutwin *t = calloc(1, sizeof *t);
	if (!t) return 0;
	t->stream = calloc(streams, sizeof *t->stream);
	if (!t->stream) {
		free(t);
		return 0;
	}
	t->ctx = (CUcontext)ctx;
	t->streams = streams;
	t->empty4 = (CUfunction)empty4;
	t->empty16 = (CUfunction)empty16;
	t->spin = (CUfunction)spin;
	t->pinned = (char *)pinned;
	t->size = size;
	return t;
}

static void set_stream(cutwin *t, int i, uintptr_t s) { t->stream[i] = (CUstream)s; }
*/
import "C"

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	_ "github.com/triad-gpu/triad/cgo_headers" // a changed header rebuilds this package
)

// Twin is one C program's state. It is used by one goroutine at a time.
type Twin struct{ raw *C.cutwin }

// Open makes a twin. What Config names must outlive it.
func Open(c Config) (*Twin, error) {
	if len(c.Streams) == 0 || len(c.Pinned) < c.Bytes {
		return nil, fmt.Errorf("C twin: %d streams and %d bytes of page-locked memory; at least 1 and %d are needed", len(c.Streams), len(c.Pinned), c.Bytes)
	}
	path := C.CString(c.Library)
	defer C.free(unsafe.Pointer(path))
	var text [512]C.char
	hip := C.int(0)
	if c.HIP {
		hip = 1
	}
	if C.cutwin_load(path, hip, &text[0], C.size_t(len(text))) != 0 {
		return nil, fmt.Errorf("C twin: %s", C.GoString(&text[0]))
	}
	raw := C.open_words(C.uintptr_t(c.Context), C.int(len(c.Streams)), C.uintptr_t(c.Empty4), C.uintptr_t(c.Empty16),
		C.uintptr_t(c.Spin), C.uintptr_t(uintptr(unsafe.Pointer(unsafe.SliceData(c.Pinned)))), C.size_t(c.Bytes))
	if raw == nil {
		return nil, errors.New("C twin: no memory")
	}
	raw.x, raw.y = C.CUdeviceptr(c.X), C.CUdeviceptr(c.Y)
	for i, s := range c.Streams {
		C.set_stream(raw, C.int(i), C.uintptr_t(s))
	}
	t := &Twin{raw}
	if code := C.cutwin_open(raw); code != 0 {
		t.Close()
		return nil, failed(-int64(code))
	}
	return t, nil
}

// Close frees what the twin made.
func (t *Twin) Close() { C.cutwin_close(t.raw) }

// Launch launches n times the empty kernel of 4 or 16 arguments. Only the calls
// count. The stream is waited for after every `every`.
func (t *Twin) Launch(args, n, every int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_LAUNCH, how: C.int(args), n: C.long(n), every: C.long(every)})
}

// LaunchThreads launches with 4 arguments from so many threads, each with a
// stream of its own, n times each. The waits after every `every` count as well.
func (t *Twin) LaunchThreads(threads, n, every int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_LAUNCH_THREADS, threads: C.int(threads), n: C.long(n), every: C.long(every)})
}

// LaunchWait launches the empty kernel and waits, n times.
func (t *Twin) LaunchWait(how Wait, n int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_LAUNCH_WAIT, how: C.int(how), n: C.long(n)})
}

// SpinWait launches a kernel that runs for the given time and waits, n times. It
// returns n times the median of one, so that a few that were disturbed don't
// count.
func (t *Twin) SpinWait(how Wait, device time.Duration, n int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_LAUNCH_WAIT, how: C.int(how), n: C.long(n), device_ns: C.int64_t(device.Nanoseconds()), median: 1})
}

// SpinThreads has so many threads, each with a stream of its own, launch a kernel
// that runs for the given time and call cuStreamSynchronize, n times each.
func (t *Twin) SpinThreads(threads int, device time.Duration, n int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_SPIN_THREADS, threads: C.int(threads), n: C.long(n), device_ns: C.int64_t(device.Nanoseconds())})
}

// IdleWait calls cuStreamSynchronize on an idle stream, n times.
func (t *Twin) IdleWait(n int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_IDLE_WAIT, n: C.long(n)})
}

// Record records an event, n times; the calls count.
func (t *Twin) Record(n, every int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_RECORD, n: C.long(n), every: C.long(every)})
}

// Query asks for the status of an event that was reached, n times.
func (t *Twin) Query(n int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_QUERY, n: C.long(n)})
}

// Memset fills device memory with a word of 32 bits, n times; the calls count.
func (t *Twin) Memset(bytes, n, every int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_MEMSET, bytes: C.size_t(bytes), n: C.long(n), every: C.long(every)})
}

// Copy copies, n times; the calls count.
func (t *Twin) Copy(d Direction, bytes, n, every int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_COPY, how: C.int(d), bytes: C.size_t(bytes), n: C.long(n), every: C.long(every)})
}

// Bulk is Copy, but the waits after every `every` count as well.
func (t *Twin) Bulk(d Direction, bytes, n, every int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_BULK, how: C.int(d), bytes: C.size_t(bytes), n: C.long(n), every: C.long(every)})
}

// AllocFree allocates and frees device memory in stream order, n times; the calls
// count. The device's memory pool keeps what is freed.
func (t *Twin) AllocFree(bytes, n, every int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_ALLOC, bytes: C.size_t(bytes), n: C.long(n), every: C.long(every)})
}

// Nothing calls a C function that does nothing through a pointer, n times, in C.
func (t *Twin) Nothing(n int) (time.Duration, error) {
	return t.do(C.cutwin_job{what: C.CUTWIN_NOTHING, n: C.long(n)})
}

// calls are the jobs by Call.
var calls = [...]C.int{LaunchOnce: C.CUTWIN_LAUNCH, RecordOnce: C.CUTWIN_RECORD, MemsetOnce: C.CUTWIN_MEMSET, CopyOnce: C.CUTWIN_COPY}

// Once makes one call, for as much as a call of C from Go costs that does nothing else.
func (t *Twin) Once(what Call, bytes int) error {
	if code := C.cutwin_once(t.raw, calls[what], C.size_t(bytes)); code != 0 {
		return failed(-int64(code))
	}
	return nil
}

// Cross calls that function from Go, once.
func Cross() { C.cutwin_nothing() }

func (t *Twin) do(j C.cutwin_job) (time.Duration, error) {
	ns := C.cutwin_do(t.raw, j)
	if ns < 0 {
		return 0, failed(int64(ns))
	}
	return time.Duration(ns), nil
}

func failed(code int64) error { return fmt.Errorf("C twin: the driver's code %d", -code) }
