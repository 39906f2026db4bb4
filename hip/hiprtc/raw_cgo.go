//go:build cgo && linux

package hiprtc

/*
#cgo CFLAGS: -std=gnu11 -O2 -Wall -I${SRCDIR}/../../cgo_headers
#cgo LDFLAGS: -ldl -lpthread

#include <stdlib.h>
#include "hiprtc_api.h"
*/
import "C"

import (
	"unsafe"

	_ "github.com/triad-gpu/triad/cgo_headers" // carries the headers when vendored
	"github.com/triad-gpu/triad/driver/library"
)

// usable says why this build can't use hiprtc; "" when it can.
const usable = ""

// handle is an hiprtcProgram.
type handle = C.hiprtcProgram

// What rawGet asks for.
const (
	getLog     = C.TRIAD_HIPRTC_LOG
	getCode    = C.TRIAD_HIPRTC_CODE
	getBitcode = C.TRIAD_HIPRTC_BITCODE
)

func rawLoad(path string) (found, failure string) {
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))
	var text, at [512]C.char
	if C.triad_hiprtc_load(cpath, &text[0], C.size_t(len(text)), &at[0], C.size_t(len(at))) != 0 {
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
		if C.triad_hiprtc_missing(i, &name, &version) == 0 {
			return all
		}
		all = append(all, library.Symbol{Name: C.GoString(name), Version: int(version)})
	}
}

func rawVersion() (major, minor int, code int32) {
	var a, b C.int
	code = int32(C.triad_hiprtc_version(&a, &b))
	return int(a), int(b), code
}

// rawTargets are the targets that are compiled for, by comgr's names; nil when
// that isn't known.
func rawTargets() []string {
	var list []string
	for {
		name := C.triad_hiprtc_target(C.size_t(len(list)))
		if name == nil {
			return list
		}
		list = append(list, C.GoString(name))
	}
}

// rawKnows tells whether a target is compiled for; known is false when only a
// compile would tell.
func rawKnows(target string) (knows, known bool) {
	c := C.CString(target)
	defer C.free(unsafe.Pointer(c))
	n := C.triad_hiprtc_knows(c)
	return n == 1, n >= 0
}

func rawCodeName(code int32) string { return C.GoString(C.triad_hiprtc_name(C.hiprtcResult(code))) }

// cstrings copies strings to C's memory, as an array of pointers; nil for none.
func cstrings(list []string) (array **C.char, free func()) {
	if len(list) == 0 {
		return nil, func() {}
	}
	mem := C.malloc(C.size_t(len(list)) * C.size_t(unsafe.Sizeof(array)))
	all := unsafe.Slice((**C.char)(mem), len(list))
	for i, s := range list {
		all[i] = C.CString(s)
	}
	return (**C.char)(mem), func() {
		for _, p := range all {
			C.free(unsafe.Pointer(p))
		}
		C.free(mem)
	}
}

func rawNew(code, name string, headers map[string][]byte) (handle, int32) {
	var names, texts []string
	for name, text := range headers {
		names, texts = append(names, name), append(texts, string(text))
	}
	cnames, freeNames := cstrings(names)
	defer freeNames()
	ctexts, freeTexts := cstrings(texts)
	defer freeTexts()
	both, freeBoth := cstrings([]string{code, name})
	defer freeBoth()
	pair := unsafe.Slice(both, 2)
	var p handle
	result := C.triad_hiprtc_new(&p, pair[0], pair[1], C.int(len(names)), ctexts, cnames)
	return p, int32(result)
}

func rawFree(p handle) { C.triad_hiprtc_free(p) }

func rawAddName(p handle, expression string) int32 {
	c := C.CString(expression)
	defer C.free(unsafe.Pointer(c))
	return int32(C.triad_hiprtc_add_name(p, c))
}

func rawLowered(p handle, expression string) (string, int32) {
	c := C.CString(expression)
	defer C.free(unsafe.Pointer(c))
	var name *C.char
	if code := int32(C.triad_hiprtc_lowered(p, c, &name)); code != 0 {
		return "", code
	}
	return C.GoString(name), 0 // the name belongs to the program
}

func rawCompile(p handle, options []string) int32 {
	list, free := cstrings(options)
	defer free()
	return int32(C.triad_hiprtc_compile(p, C.int(len(options)), list))
}

// rawGet is one of the things that a compile left; nil where there is none.
func rawGet(p handle, what int) ([]byte, int32) {
	var n C.size_t
	if code := int32(C.triad_hiprtc_get(p, C.int(what), &n, nil)); code != 0 || n == 0 {
		return nil, code
	}
	out := make([]byte, n)
	if code := int32(C.triad_hiprtc_get(p, C.int(what), &n, (*C.char)(unsafe.Pointer(&out[0])))); code != 0 {
		return nil, code
	}
	return out, 0
}
