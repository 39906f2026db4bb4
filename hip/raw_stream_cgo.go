//go:build cgo && linux

package hip

// #include "triad_hip_c.h"
import "C"

// rawStreamAttribute and rawStreamSetAttribute are for attributes that are one int.
func rawStreamAttribute(s handle, which int) (int, int32) {
	var v C.int
	code := C.triad_hip_stream_attribute((*C.triad_hip_stream)(s), C.int(which), &v)
	return int(v), int32(code)
}

func rawStreamSetAttribute(s handle, which, value int) int32 {
	return int32(C.triad_hip_stream_set_attribute((*C.triad_hip_stream)(s), C.int(which), C.int(value)))
}

func rawStreamWindow(s handle) (at, bytes uint64, ratio float32, hit, miss int, code int32) {
	var w C.triad_hip_window
	code = int32(C.triad_hip_stream_window((*C.triad_hip_stream)(s), &w))
	return uint64(w.at), uint64(w.bytes), float32(w.hit_ratio), int(w.hit), int(w.miss), code
}

func rawStreamSetWindow(s handle, at, bytes uint64, ratio float32, hit, miss int) int32 {
	return int32(C.triad_hip_stream_set_window((*C.triad_hip_stream)(s), C.triad_hip_window{
		at: C.uint64_t(at), bytes: C.uint64_t(bytes), hit_ratio: C.float(ratio), hit: C.int32_t(hit), miss: C.int32_t(miss),
	}))
}

func rawStreamFlags(s handle) (uint32, int32) {
	var f C.uint
	code := C.triad_hip_stream_flags((*C.triad_hip_stream)(s), &f)
	return uint32(f), int32(code)
}

func rawStreamPriority(s handle) (int, int32) {
	var p C.int
	code := C.triad_hip_stream_priority((*C.triad_hip_stream)(s), &p)
	return int(p), int32(code)
}

func rawStreamID(s handle) (uint64, int32) {
	var id C.ulonglong
	code := C.triad_hip_stream_id((*C.triad_hip_stream)(s), &id)
	return uint64(id), int32(code)
}

// rawStreamHost enqueues a call of a C function, given by its address.
func rawStreamHost(s handle, fn, user uintptr) int32 {
	return int32(C.triad_hip_stream_host((*C.triad_hip_stream)(s), C.uintptr_t(fn), C.uintptr_t(user)))
}

// rawRaiseWord is the address of a C function for rawStreamHost that stores 1 in the
// 4 bytes at user; tests, which have no C of their own, need one.
func rawRaiseWord() uintptr { return uintptr(C.triad_hip_raise_word()) }

// rawWaitLook looks at a wait, which begins it if this is the first look. outcome is
// that of waitpool's poll functions. word tells whether a word is waited for.
func rawWaitLook(w handle) (done bool, outcome int64, word bool) {
	var r C.int64_t
	done = C.triad_hip_wait_poll(w, &r) != 0
	return done, int64(r), (*C.triad_hip_wait)(w).has_word != 0
}

// rawCaptureBegin and rawCaptureEnd are the ends of a capture, for graphs, which
// build on them, and for tests. whole tells whether a graph came out.
func rawCaptureBegin(s handle, mode int) int32 {
	return int32(C.triad_hip_capture_begin((*C.triad_hip_stream)(s), C.int(mode)))
}

func rawCaptureEnd(s handle) (whole bool, code int32) {
	var w C.int
	code = int32(C.triad_hip_capture_end((*C.triad_hip_stream)(s), &w))
	return w != 0, code
}

func rawEventHandle(e handle) (h [64]byte, code int32) {
	code = int32(C.triad_hip_event_handle((*C.triad_hip_event)(e), (*C.uint8_t)(&h[0])))
	return h, code
}

func rawEventImport(d handle, h [64]byte) (handle, int32) {
	var code C.hipError_t
	e := C.triad_hip_event_import((*C.triad_hip_device)(d), (*C.uint8_t)(&h[0]), &code)
	return handle(e), int32(code)
}

func rawEventRecordExternal(s, e handle) int32 {
	return int32(C.triad_hip_event_record_external((*C.triad_hip_stream)(s), (*C.triad_hip_event)(e)))
}

func rawEventWaitExternal(s, e handle) int32 {
	return int32(C.triad_hip_event_wait_external((*C.triad_hip_stream)(s), (*C.triad_hip_event)(e)))
}
