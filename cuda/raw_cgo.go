//go:build cgo && linux

package cuda

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -I${SRCDIR}/../cgo_headers
#cgo LDFLAGS: -ldl -lpthread

#cgo noescape ref_event_elapsed
#cgo nocallback ref_event_elapsed
#cgo nocallback ref_stream_query
#cgo nocallback ref_event_query
#cgo nocallback ref_record
#cgo nocallback ref_wait_event

#include <stdlib.h>
#include "triad_cuda.h"

// The calls of warm paths with handles as integers: what has a pointer's type cgo
// looks up on each call, for the case that it is Go's.
#define STREAM(s) ((triad_cu_stream *)(s))
#define EVENT(e) ((triad_cu_event *)(e))
static CUresult ref_stream_query(uintptr_t s) { return triad_cu_stream_query(STREAM(s)); }
static CUresult ref_event_query(uintptr_t e) { return triad_cu_event_query(EVENT(e)); }
static CUresult ref_record(uintptr_t s, uintptr_t e) { return triad_cu_event_record(STREAM(s), EVENT(e)); }
static CUresult ref_wait_event(uintptr_t s, uintptr_t e) { return triad_cu_event_wait(STREAM(s), EVENT(e)); }
static CUresult ref_event_elapsed(uintptr_t from, uintptr_t to, float *ms) {
    return triad_cu_event_elapsed(EVENT(from), EVENT(to), ms);
}
*/
import "C"

import (
	"sync/atomic"
	"unsafe"

	_ "github.com/triad-gpu/triad/cgo_headers" // carries the headers when vendored
	"github.com/triad-gpu/triad/driver/library"
)

// usable says why this build can't use CUDA; "" when it can.
const usable = ""

func rawLoad(path string) (found, failure string) {
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))
	var text, at [512]C.char
	if C.triad_cu_load(cpath, &text[0], C.size_t(len(text)), &at[0], C.size_t(len(at))) != 0 {
		return "", C.GoString(&text[0])
	}
	if found = C.GoString(&at[0]); found == "" {
		found = path
	}
	return found, ""
}

func rawMissing() []library.Symbol {
	var all []library.Symbol
	for i := C.int(0); ; i++ {
		var name *C.char
		var version C.int
		if C.triad_cu_missing(i, &name, &version) == 0 {
			return all
		}
		all = append(all, library.Symbol{Name: C.GoString(name), Version: int(version)})
	}
}

// rawByProc is row i of the table of functions, and whether cuGetProcAddress and
// the dynamic linker agree on it: 1, 0, or -1 where only one of them knows it.
func rawByProc(i int) (symbol string, version, agree int, ok bool) {
	var name *C.char
	var v, a C.int
	if C.triad_cu_by_proc(C.int(i), &name, &v, &a) == 0 {
		return "", 0, 0, false
	}
	return C.GoString(name), int(v), int(a), true
}

func rawInit() (version int, code int32) {
	var v C.int
	code = int32(C.triad_cu_init(&v))
	return int(v), code
}

func rawDeviceCount() (int, int32) {
	var n C.int
	code := C.triad_cu_device_count(&n)
	return int(n), int32(code)
}

func rawDeviceGet(ordinal int) (id int32, code int32) {
	var d C.CUdevice
	code = int32(C.triad_cu_device_get(C.int(ordinal), &d))
	return int32(d), code
}

func rawDeviceName(id int32) (string, int32) {
	var buf [256]C.char
	code := C.triad_cu_device_name(C.CUdevice(id), &buf[0], C.int(len(buf)))
	return C.GoString(&buf[0]), int32(code)
}

func rawDevicePCI(id int32) (string, int32) {
	var buf [64]C.char
	code := C.triad_cu_device_pci(C.CUdevice(id), &buf[0], C.int(len(buf)))
	return C.GoString(&buf[0]), int32(code)
}

func rawDeviceByPCI(text string) (id int32, code int32) {
	ctext := C.CString(text)
	defer C.free(unsafe.Pointer(ctext))
	var d C.CUdevice
	code = int32(C.triad_cu_device_by_pci(ctext, &d))
	return int32(d), code
}

func rawDeviceUUID(id int32) (uuid [16]byte, code int32) {
	code = int32(C.triad_cu_device_uuid(C.CUdevice(id), (*C.uint8_t)(&uuid[0])))
	return uuid, code
}

func rawDeviceMemory(id int32) (uint64, int32) {
	var n C.size_t
	code := C.triad_cu_device_memory(C.CUdevice(id), &n)
	return uint64(n), int32(code)
}

func rawDeviceAttribute(id int32, attribute int) (int, int32) {
	var v C.int
	code := C.triad_cu_device_attribute(C.CUdevice(id), C.int(attribute), &v)
	return int(v), int32(code)
}

func rawMemInfo(d handle) (free, total uint64, code int32) {
	var f, t C.size_t
	code = int32(C.triad_cu_mem_info((*C.triad_cu_device)(d), &f, &t))
	return uint64(f), uint64(t), code
}

// rawDeviceOpen opens the device with its primary context; failed is the call that
// did.
func rawDeviceOpen(id int32, flags uint32) (d handle, failed string, code int32) {
	var c C.CUresult
	var call *C.char
	d = handle(C.triad_cu_device_open(C.CUdevice(id), C.uint32_t(flags), &c, &call))
	return d, C.GoString(call), int32(c)
}

// rawDeviceOwn opens the device with a context of its own.
func rawDeviceOwn(id int32, flags uint32) (d handle, failed string, code int32) {
	var c C.CUresult
	var call *C.char
	d = handle(C.triad_cu_device_own(C.CUdevice(id), C.uint32_t(flags), &c, &call))
	return d, C.GoString(call), int32(c)
}

// rawDeviceBorrow opens the device with a user's context.
func rawDeviceBorrow(id int32, ctx handle) (d handle, failed string, code int32) {
	var c C.CUresult
	var call *C.char
	d = handle(C.triad_cu_device_borrow(C.CUdevice(id), C.CUcontext(ctx), &c, &call))
	return d, C.GoString(call), int32(c)
}

// rawDeviceReset resets the primary context; again is what comes of retaining it
// afterwards.
func rawDeviceReset(d handle) (code, again int32) {
	var c C.CUresult
	code = int32(C.triad_cu_device_reset((*C.triad_cu_device)(d), &c))
	return code, int32(c)
}

func rawDeviceClose(d handle)     { C.triad_cu_device_close((*C.triad_cu_device)(d)) }
func rawDeviceDead(d handle) bool { return C.triad_cu_device_dead((*C.triad_cu_device)(d)) != 0 }
func rawDeviceBusy(d handle) bool { return C.triad_cu_device_busy((*C.triad_cu_device)(d)) != 0 }
func rawContext(d handle) handle  { return handle((*C.triad_cu_device)(d).ctx) }
func rawHasPool(d handle) bool    { return (*C.triad_cu_device)(d).pool != nil }

func rawStreamOpen(d handle, flags uint32, priority int) (handle, int32) {
	var code C.CUresult
	s := C.triad_cu_stream_open((*C.triad_cu_device)(d), C.uint32_t(flags), C.int(priority), &code)
	return handle(s), int32(code)
}

func rawStreamBorrow(d, native handle) (handle, int32) {
	var code C.CUresult
	s := C.triad_cu_stream_borrow((*C.triad_cu_device)(d), C.CUstream(native), &code)
	return handle(s), int32(code)
}

func rawStreamClose(s handle) int32 { return int32(C.triad_cu_stream_close((*C.triad_cu_stream)(s))) }

// rawStreamNative is the CUstream.
func rawStreamNative(s handle) handle { return handle((*C.triad_cu_stream)(s).s) }

// rawStreamShare notes that others may enqueue on the stream from now on.
func rawStreamShare(s handle) {
	atomic.StoreUint32((*uint32)(unsafe.Pointer(&(*C.triad_cu_stream)(s).shared)), 1)
}

func rawStreamQuery(s handle) int32 { return int32(C.ref_stream_query(ref(s))) }

func rawStreamCapturing(s handle) (bool, int32) {
	var code C.CUresult
	yes := C.triad_cu_stream_capturing((*C.triad_cu_stream)(s), &code)
	return yes != 0, int32(code)
}

// rawStreamIdle tells whether everything enqueued is known to have finished.
func rawStreamIdle(s handle) bool {
	p := (*C.triad_cu_stream)(s)
	if p.borrowed != 0 || atomic.LoadUint32((*uint32)(unsafe.Pointer(&p.shared))) != 0 {
		return false
	}
	done := atomic.LoadUint64((*uint64)(unsafe.Pointer(&p.done)))
	return done >= atomic.LoadUint64((*uint64)(unsafe.Pointer(&p.submitted)))
}

// rawStreamCounts is how many commands were enqueued, and how many are known to have
// finished.
func rawStreamCounts(s handle) (submitted, done uint64) {
	p := (*C.triad_cu_stream)(s)
	return atomic.LoadUint64((*uint64)(unsafe.Pointer(&p.submitted))), atomic.LoadUint64((*uint64)(unsafe.Pointer(&p.done)))
}

func rawEventOpen(d handle, flags uint32) (handle, int32) {
	var code C.CUresult
	e := C.triad_cu_event_open((*C.triad_cu_device)(d), C.uint32_t(flags), &code)
	return handle(e), int32(code)
}

func rawEventClose(e handle) int32     { return int32(C.triad_cu_event_close((*C.triad_cu_event)(e))) }
func rawEventNative(e handle) handle   { return handle((*C.triad_cu_event)(e).ev) }
func rawEventRecord(s, e handle) int32 { return int32(C.ref_record(ref(s), ref(e))) }
func rawEventWait(s, e handle) int32   { return int32(C.ref_wait_event(ref(s), ref(e))) }
func rawEventQuery(e handle) int32     { return int32(C.ref_event_query(ref(e))) }

func rawEventRecorded(e handle) bool {
	return atomic.LoadUint32((*uint32)(unsafe.Pointer(&(*C.triad_cu_event)(e).recorded))) != 0
}

func rawEventElapsed(from, to handle) (float32, int32) {
	var ms C.float
	code := C.ref_event_elapsed(ref(from), ref(to), &ms)
	return float32(ms), int32(code)
}

// rawWaitFuncs are the C functions that waitpool calls on a wait.
func rawWaitFuncs() (poll, block unsafe.Pointer) {
	return C.triad_cu_wait_poll, C.triad_cu_wait_block
}

func rawWaitNew() handle   { return handle(C.triad_cu_wait_new()) }
func rawWaitFree(w handle) { C.triad_cu_wait_free((*C.triad_cu_wait)(w)) }

// rawWaitDone makes w ready for its next use. It tells whether the operation came
// to its end, rather than failed, and notes what that says of the stream.
func rawWaitDone(w handle) (reached bool) {
	p := (*C.triad_cu_wait)(w)
	s := p.stream
	reached = rawWaitReached(w)
	if s != nil && reached {
		done, upto := (*uint64)(unsafe.Pointer(&s.done)), uint64(p.upto)
		for have := atomic.LoadUint64(done); have < upto && !atomic.CompareAndSwapUint64(done, have, upto); {
			have = atomic.LoadUint64(done)
		}
	}
	*p = C.triad_cu_wait{}
	return reached
}

// rawWaitReached tells whether the operation is known to have come to its end.
func rawWaitReached(w handle) bool {
	p := (*C.triad_cu_wait)(w)
	if atomic.LoadUint32((*uint32)(unsafe.Pointer(&p.reached))) != 0 {
		return true
	}
	// Others may have seen the stream pass it before.
	if upto := atomic.LoadUint64((*uint64)(unsafe.Pointer(&p.upto))); upto != 0 && atomic.LoadUint64((*uint64)(unsafe.Pointer(&p.stream.done))) >= upto {
		return true
	}
	return atomic.LoadUint32((*uint32)(unsafe.Pointer(&p.has_word))) != 0 &&
		int32(atomic.LoadUint32((*uint32)(unsafe.Pointer(p.stream.cell)))-uint32(p.target)) >= 0
}

func rawWaitStream(w, s handle) {
	p := (*C.triad_cu_wait)(w)
	p.what, p.stream = C.TRIAD_CU_WAIT_STREAM, (*C.triad_cu_stream)(s)
}

func rawWaitEvent(w, e handle) {
	p := (*C.triad_cu_wait)(w)
	p.what, p.event = C.TRIAD_CU_WAIT_EVENT, (*C.triad_cu_event)(e)
}

// rawWaitWithoutWord has the wait ask the driver only.
func rawWaitWithoutWord(w handle) { (*C.triad_cu_wait)(w).no_word = 1 }

// rawWaitStreamCopy is rawWaitStream, with a copy between device memory and
// page-locked memory before.
func rawWaitStreamCopy(w, s handle, dst, src, n uint64) {
	rawWaitStream(w, s)
	p := (*C.triad_cu_wait)(w)
	p.dst, p.src, p.bytes = C.uint64_t(dst), C.uint64_t(src), C.uint64_t(n)
}

// rawWaitCopy is for copies from or to other memory, made by a worker. begin must stay
// in its place.
func rawWaitCopy(w, s handle, dst, src, n uint64, begin *uint32) {
	p := (*C.triad_cu_wait)(w)
	p.what, p.stream = C.TRIAD_CU_WAIT_COPY, (*C.triad_cu_stream)(s)
	p.dst, p.src, p.bytes = C.uint64_t(dst), C.uint64_t(src), C.uint64_t(n)
	p.begin = (*C.uint32_t)(begin)
}

// rawWaitWord is the word that a wait is for, and the number to wait for; nil if
// there is none. From then on a look at the wait asks the driver too.
func rawWaitWord(w handle) (at handle, target uint32) {
	p := (*C.triad_cu_wait)(w)
	p.watched = 1
	if p.has_word == 0 {
		return nil, 0
	}
	return handle(p.stream.cell), uint32(p.target)
}

// ref is a handle as an integer.
func ref(h handle) C.uintptr_t { return C.uintptr_t(uintptr(h)) }

// rawWriteValue and rawWaitValue enqueue commands on 4 or, if wide, 8 bytes of
// memory.
func rawWriteValue(s handle, at, value uint64, wide bool) int32 {
	return int32(C.triad_cu_write_value((*C.triad_cu_stream)(s), C.uint64_t(at), C.uint64_t(value), flag(wide)))
}

func rawWaitValue(s handle, at, value uint64, how uint32, wide bool) int32 {
	return int32(C.triad_cu_wait_value((*C.triad_cu_stream)(s), C.uint64_t(at), C.uint64_t(value), C.uint32_t(how), flag(wide)))
}

func flag(b bool) C.int {
	if b {
		return 1
	}
	return 0
}
