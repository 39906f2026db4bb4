//go:build cgo && linux

package opencl

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -I${SRCDIR}/../cgo_headers
#cgo LDFLAGS: -ldl -lpthread

// A launch neither keeps the arguments' address nor calls back, so that they may
// stay on the goroutine's stack; nor do the other calls of warm paths.
#cgo noescape triad_cl_launch
#cgo nocallback triad_cl_launch
#cgo noescape triad_cl_launch_grid
#cgo nocallback triad_cl_launch_grid
#cgo noescape ref_stream_query
#cgo nocallback ref_stream_query
#cgo noescape ref_event_query
#cgo nocallback ref_event_query
#cgo nocallback ref_record
#cgo nocallback ref_wait_event
#cgo nocallback ref_flush
#cgo nocallback ref_copy
#cgo nocallback ref_copy_rect
#cgo nocallback ref_fill
#cgo nocallback ref_wait_done

#include <stdlib.h>
#include "triad_opencl.h"

// The calls of warm paths with handles as integers: what has a pointer's type cgo
// looks up on each call, for the case that it is Go's.
#define STREAM(s) ((triad_cl_stream *)(s))
#define EVENT(e) ((triad_cl_event *)(e))
static int ref_stream_query(uintptr_t s, cl_int *code) { return triad_cl_stream_query(STREAM(s), code); }
static int ref_event_query(uintptr_t e, cl_int *code) { return triad_cl_event_query(EVENT(e), code); }
static cl_int ref_record(uintptr_t s, uintptr_t e) { return triad_cl_event_record(STREAM(s), EVENT(e)); }
static cl_int ref_wait_event(uintptr_t s, uintptr_t e) { return triad_cl_event_wait(STREAM(s), EVENT(e)); }
static cl_int ref_flush(uintptr_t s) { return triad_cl_stream_flush(STREAM(s)); }
static cl_int ref_copy(uintptr_t s, triad_cl_loc dst, triad_cl_loc src, uint64_t n) {
    return triad_cl_copy_async(STREAM(s), dst, src, n);
}
static cl_int ref_copy_rect(uintptr_t s, triad_cl_loc dst, triad_cl_rect dr, triad_cl_loc src, triad_cl_rect sr,
                            uint64_t bytes, uint64_t rows, uint64_t slices) {
    return triad_cl_copy_rect(STREAM(s), dst, dr, src, sr, bytes, rows, slices);
}
static cl_int ref_fill(uintptr_t s, triad_cl_loc dst, uint64_t n, uint64_t lo, uint64_t hi, uint32_t len) {
    return triad_cl_fill(STREAM(s), dst, n, lo, hi, len);
}
static int ref_wait_done(uintptr_t w, int told) { return triad_cl_wait_done((triad_cl_wait *)w, told); }
*/
import "C"

import (
	"sync/atomic"
	"unsafe"

	_ "github.com/triad-gpu/triad/cgo_headers" // carries the headers when vendored
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/bounds"
	"github.com/triad-gpu/triad/driver/library"
)

// usable says why this build can't use OpenCL; "" when it can.
const usable = ""

func rawLoad(path string) (found, failure string) {
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))
	var text, at [512]C.char
	if C.triad_cl_load(cpath, &text[0], C.size_t(len(text)), &at[0], C.size_t(len(at))) != 0 {
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
		if C.triad_cl_missing(i, &name, &version) == 0 {
			return all
		}
		all = append(all, library.Symbol{Name: C.GoString(name), Version: int(version)})
	}
}

// rawInfo stores a property into buf and returns how many bytes it has; with an
// empty buf it only returns that.
func rawInfo(what int, object, second handle, param uint32, buf []byte) (int, int32) {
	var got C.size_t
	code := C.triad_cl_info(C.int(what), object, second, C.uint32_t(param), C.size_t(len(buf)), bytesAddr(buf), &got)
	return int(got), int32(code)
}

// rawArgInfo is rawInfo of a kernel's i-th argument.
func rawArgInfo(kernel handle, i int, param uint32, buf []byte) (int, int32) {
	var got C.size_t
	code := C.triad_cl_arg_info(C.cl_kernel(kernel), C.uint32_t(i), C.uint32_t(param), C.size_t(len(buf)), bytesAddr(buf), &got)
	return int(got), int32(code)
}

func rawPlatforms() ([]handle, int32) {
	var ids [64]C.cl_platform_id
	var n C.cl_uint
	code := C.triad_cl_platforms(&ids[0], C.cl_uint(len(ids)), &n)
	list := make([]handle, 0, n)
	for _, id := range ids[:min(int(n), len(ids))] {
		list = append(list, handle(id))
	}
	return list, int32(code)
}

func rawDevices(platform handle) ([]handle, int32) {
	var ids [256]C.cl_device_id
	var n C.cl_uint
	code := C.triad_cl_devices(C.cl_platform_id(platform), &ids[0], C.cl_uint(len(ids)), &n)
	list := make([]handle, 0, n)
	for _, id := range ids[:min(int(n), len(ids))] {
		list = append(list, handle(id))
	}
	return list, int32(code)
}

func rawDeviceOpen(platform, id handle) (handle, int32) {
	var code C.cl_int
	d := C.triad_cl_device_open(C.cl_platform_id(platform), C.cl_device_id(id), &code)
	return handle(d), int32(code)
}

func rawDeviceClose(d handle) { C.triad_cl_device_close((*C.triad_cl_device)(d)) }

// rawDeviceLeft has e stand for what a closed stream has left to do.
func rawDeviceLeft(d, e handle) bool {
	return C.triad_cl_device_left((*C.triad_cl_device)(d), (*C.triad_cl_event)(e)) != 0
}

func rawContext(d handle) handle { return handle((*C.triad_cl_device)(d).ctx) }

func rawStreamOpen(d handle, properties uint64, priority uint32) (handle, int32) {
	var code C.cl_int
	s := C.triad_cl_stream_open((*C.triad_cl_device)(d), C.uint64_t(properties), C.uint32_t(priority), &code)
	return handle(s), int32(code)
}

func rawStreamClose(s handle)  { C.triad_cl_stream_close((*C.triad_cl_stream)(s)) }
func rawQueue(s handle) handle { return handle((*C.triad_cl_stream)(s).q) }

func rawStreamFlush(s handle) int32 { return int32(C.ref_flush(ref(s))) }

func rawStreamQuery(s handle) (bool, int32) {
	var code C.cl_int
	done := C.ref_stream_query(ref(s), &code)
	return done != 0, int32(code)
}

// rawStreamBarrier enqueues a barrier or marker; out may be nil.
func rawStreamBarrier(s handle, events []uintptr, barrier bool, out handle) int32 {
	var b C.int
	if barrier {
		b = 1
	}
	return int32(C.triad_cl_stream_barrier((*C.triad_cl_stream)(s), cWords(events), C.uint32_t(len(events)), b, (*C.triad_cl_event)(out)))
}

func cWords(list []uintptr) *C.uintptr_t {
	return (*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(list)))
}

func rawEventNew() handle            { return handle(C.triad_cl_event_new()) }
func rawEventFree(e handle)          { C.triad_cl_event_free((*C.triad_cl_event)(e)) }
func rawEventNative(e handle) handle { return handle((*C.triad_cl_event)(e).ev) }

func rawEventRecord(s, e handle) int32 {
	return int32(C.ref_record(ref(s), ref(e)))
}

func rawEventWait(s, e handle) int32 {
	return int32(C.ref_wait_event(ref(s), ref(e)))
}

func rawEventQuery(e handle) (bool, int32) {
	var code C.cl_int
	done := C.ref_event_query(ref(e), &code)
	return done != 0, int32(code)
}

func rawEventTimes(e handle) ([4]uint64, int32) {
	var t [4]C.uint64_t
	code := C.triad_cl_event_times((*C.triad_cl_event)(e), &t[0])
	return [4]uint64{uint64(t[0]), uint64(t[1]), uint64(t[2]), uint64(t[3])}, int32(code)
}

func rawEventUser(d, e handle) int32 {
	return int32(C.triad_cl_event_user((*C.triad_cl_device)(d), (*C.triad_cl_event)(e)))
}

func rawEventComplete(e handle, status int32) int32 {
	return int32(C.triad_cl_event_complete((*C.triad_cl_event)(e), C.cl_int(status)))
}

// rawWaitFuncs are the C functions that waitpool calls on a wait.
func rawWaitFuncs() (poll, block, subscribe unsafe.Pointer) {
	return C.triad_cl_wait_poll, C.triad_cl_wait_block, C.triad_cl_wait_subscribe
}

func rawWaitNew() handle   { return handle(C.triad_cl_wait_new()) }
func rawWaitFree(w handle) { C.triad_cl_wait_free((*C.triad_cl_wait)(w)) }

// rawStreamIdle tells whether all that was enqueued is known to have finished,
// without failures that nobody has been told of. It is plain reading of C memory
// and no crossing.
func rawStreamIdle(s handle) bool {
	p := (*C.triad_cl_stream)(s)
	// done first: it follows submitted, so that what is read after it is at least
	// as large.
	done := atomic.LoadUint64((*uint64)(unsafe.Pointer(&p.done)))
	return done >= atomic.LoadUint64((*uint64)(unsafe.Pointer(&p.submitted))) && !unreported(p)
}

// unreported tells whether the stream may have a failure to report.
func unreported(p *C.triad_cl_stream) bool {
	return atomic.LoadInt32((*int32)(unsafe.Pointer(&p.failed))) != 0 || atomic.LoadUint32((*uint32)(unsafe.Pointer(&p.holding))) != 0
}

// rawStreamFailure takes the failure that nobody has been told of; 0 if there is
// none, which costs no crossing.
func rawStreamFailure(s handle) int32 {
	p := (*C.triad_cl_stream)(s)
	if !unreported(p) {
		return 0
	}
	return int32(C.triad_cl_stream_failure(p))
}

// rawWaitDone gives a wait back; false when its callback will free it. told says
// whether the waiter learnt the outcome.
func rawWaitDone(w handle, told bool) bool {
	p := (*C.triad_cl_wait)(w)
	if p.ev == nil {
		// The first poll found the operation finished, or could not start it:
		// nothing is held, and the crossing is saved.
		p.started = 0
		return true
	}
	var t C.int
	if told {
		t = 1
	}
	return C.ref_wait_done(ref(w), t) != 0
}

func rawWaitStream(w, s handle) {
	p := (*C.triad_cl_wait)(w)
	p.what, p.stream, p.event = waitStream, (*C.triad_cl_stream)(s), nil
}

func rawWaitEvent(w, e handle) {
	p := (*C.triad_cl_wait)(w)
	p.what, p.stream, p.event = waitEvent, nil, (*C.triad_cl_event)(e)
}

func rawWaitCopy(w, s handle, dst, src loc, n uint64) {
	p := (*C.triad_cl_wait)(w)
	p.what, p.stream, p.event = waitCopy, (*C.triad_cl_stream)(s), nil
	p.dst, p.src, p.bytes = cLoc(dst), cLoc(src), C.uint64_t(n)
}

// ref is a handle as an integer.
func ref(h handle) C.uintptr_t { return C.uintptr_t(uintptr(h)) }

func cLoc(l loc) C.triad_cl_loc {
	return C.triad_cl_loc{at: C.uint64_t(l.at), addr: C.uint64_t(l.addr), buffer: ref(l.buffer), offset: C.uint64_t(l.offset)}
}

func rawBufferNew(d handle, flags, size uint64, host handle) (handle, int32) {
	var code C.cl_int
	m := C.triad_cl_buffer_new((*C.triad_cl_device)(d), C.uint64_t(flags), C.size_t(size), host, &code)
	return handle(m), int32(code)
}

func rawBufferSub(parent handle, origin, size uint64) (handle, int32) {
	var code C.cl_int
	m := C.triad_cl_buffer_sub(C.cl_mem(parent), C.size_t(origin), C.size_t(size), &code)
	return handle(m), int32(code)
}

func rawBufferFree(m handle) int32 { return int32(C.triad_cl_buffer_free(C.cl_mem(m))) }

func rawSVMNew(d handle, size uint64, align uint32) handle {
	return handle(C.triad_cl_svm_new((*C.triad_cl_device)(d), C.size_t(size), C.uint32_t(align)))
}

func rawSVMFree(d, p, cover handle) int32 {
	return int32(C.triad_cl_svm_free((*C.triad_cl_device)(d), p, C.cl_mem(cover)))
}

func rawHostNew(d handle, size uint64) (m, p handle, code int32) {
	var at unsafe.Pointer
	var c C.cl_int
	m = handle(C.triad_cl_host_new((*C.triad_cl_device)(d), C.size_t(size), &at, &c))
	return m, at, int32(c)
}

func rawHostFree(d, m, p handle) int32 {
	return int32(C.triad_cl_host_free((*C.triad_cl_device)(d), C.cl_mem(m), p))
}

func rawCopy(s handle, dst, src loc, n uint64) int32 {
	return int32(C.ref_copy(ref(s), cLoc(dst), cLoc(src), C.uint64_t(n)))
}

func rawCopyRect(s handle, dst loc, dr bounds.Region, src loc, sr bounds.Region, bytes, rows, slices uint64) int32 {
	return int32(C.ref_copy_rect(ref(s), cLoc(dst), cRect(dr), cLoc(src), cRect(sr),
		C.uint64_t(bytes), C.uint64_t(rows), C.uint64_t(slices)))
}

func cRect(r bounds.Region) C.triad_cl_rect {
	return C.triad_cl_rect{offset: C.uint64_t(r.Offset), row: C.uint64_t(r.Row), slice: C.uint64_t(r.Slice)}
}

func rawFill(s handle, dst loc, n uint64, lo, hi uint64, size uint32) int32 {
	return int32(C.ref_fill(ref(s), cLoc(dst), C.uint64_t(n), C.uint64_t(lo), C.uint64_t(hi), C.uint32_t(size)))
}

func rawProgramNew(d handle, kind int, code []byte) (handle, int32) {
	var result C.cl_int
	p := C.triad_cl_program_new((*C.triad_cl_device)(d), C.int(kind), bytesAddr(code), C.size_t(len(code)), &result)
	return handle(p), int32(result)
}

func rawProgramBuild(d, p handle, options string) int32 {
	text := C.CString(options)
	defer C.free(unsafe.Pointer(text))
	return int32(C.triad_cl_program_build((*C.triad_cl_device)(d), C.cl_program(p), text))
}

func rawProgramConstant(p handle, id uint32, value []byte) int32 {
	return int32(C.triad_cl_program_constant(C.cl_program(p), C.uint32_t(id), C.size_t(len(value)), bytesAddr(value)))
}

// rawProgramBinary gets the binary, whose size is known, by way of C memory:
// OpenCL wants a pointer to a pointer.
func rawProgramBinary(p handle, size int) ([]byte, int32) {
	mem := C.malloc(C.size_t(max(size, 1)))
	defer C.free(mem)
	code := C.triad_cl_program_binary(C.cl_program(p), C.size_t(size), mem)
	return C.GoBytes(mem, C.int(size)), int32(code)
}

func rawProgramFree(p handle) int32 { return int32(C.triad_cl_program_free(C.cl_program(p))) }

func rawKernelProbe(p handle, name string) (handle, int32) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var code C.cl_int
	k := C.triad_cl_kernel_probe(C.cl_program(p), text, &code)
	return handle(k), int32(code)
}

func rawKernelRelease(k handle) int32 { return int32(C.triad_cl_kernel_release(C.cl_kernel(k))) }

// rawKernelNew makes the C side of a kernel, which takes first over, and writes its
// plan; nil, with first released, when there is no memory.
func rawKernelNew(p handle, name string, first handle, plan []planParam) handle {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	k := C.triad_cl_kernel_new(C.cl_program(p), text, C.cl_kernel(first))
	if k == nil {
		rawKernelRelease(first)
		return nil
	}
	room := C.triad_cl_kernel_params(k, C.uint32_t(len(plan)))
	if room == nil {
		C.triad_cl_kernel_free(k)
		return nil
	}
	for i, q := range plan {
		unsafe.Slice(room, len(plan))[i] = C.triad_cl_param{offset: C.uint32_t(q.offset), size: C.uint32_t(q.size), kind: C.uint32_t(q.kind)}
	}
	return handle(k)
}

func rawKernelFree(k handle) { C.triad_cl_kernel_free((*C.triad_cl_kernel)(k)) }

// rawKernelNative is the kernel's cl_kernel that is never launched.
func rawKernelNative(k handle) handle { return handle((*C.triad_cl_kernel)(k).first) }

// rawLaunchGrid is rawLaunch of a grid of blocks.
func rawLaunchGrid(stream, kernel handle, grid, block driver.Dim3, args unsafe.Pointer) (code int32, arg int) {
	r := C.triad_cl_launch_grid(C.triad_cl_launch_grid_shape{
		stream: ref(stream),
		kernel: ref(kernel),
		grid:   [3]C.uint32_t{C.uint32_t(grid.X), C.uint32_t(grid.Y), C.uint32_t(grid.Z)},
		block:  [3]C.uint32_t{C.uint32_t(block.X), C.uint32_t(block.Y), C.uint32_t(block.Z)},
	}, (*C.uint8_t)(args))
	return int32(r), int(r>>32) - 1
}

// rawLaunch sets the arguments and enqueues, in one crossing. It returns
// OpenCL's code and, where an argument was refused, its index.
func rawLaunch(stream, kernel, out handle, sh shape, args unsafe.Pointer, waits []uintptr) (code int32, arg int) {
	l := C.triad_cl_launch_shape{
		stream: ref(stream),
		kernel: ref(kernel),
		out:    ref(out),
		dims:   C.uint32_t(sh.dims),
		nwaits: C.uint32_t(len(waits)),
		global: [3]C.size_t{C.size_t(sh.global[0]), C.size_t(sh.global[1]), C.size_t(sh.global[2])},
		local:  [3]C.size_t{C.size_t(sh.local[0]), C.size_t(sh.local[1]), C.size_t(sh.local[2])},
		offset: [3]C.size_t{C.size_t(sh.offset[0]), C.size_t(sh.offset[1]), C.size_t(sh.offset[2])},
	}
	if sh.local[0] != 0 {
		l.has_local = 1
	}
	if sh.offset != [3]uint64{} {
		l.has_offset = 1
	}
	r := C.triad_cl_launch(l, (*C.uint8_t)(args), cWords(waits))
	return int32(r), int(r>>32) - 1
}
