//go:build cgo && linux

package control

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static const char *reason(void) { const char *e = dlerror(); return e ? e : "unknown error of the dynamic linker"; }

typedef int64_t (*text_fn)(const char *);
typedef int (*fail_fn)(const char *, int, int, uint64_t);
typedef int (*latency_fn)(const char *, uint64_t);
typedef void (*int_fn)(int);
typedef void (*int2_fn)(int, int);
typedef void (*seed_fn)(uint64_t);
typedef void (*void_fn)(void);
typedef int64_t (*count_fn)(void);
typedef const char *(*symbol_fn)(int);

static int64_t call_text(void *f, const char *s) { return ((text_fn)f)(s); }
static int call_int_text(void *f, const char *s) { return ((int (*)(const char *))f)(s); }
static int call_fail(void *f, const char *s, int code, int mode, uint64_t n) { return ((fail_fn)f)(s, code, mode, n); }
static int call_latency(void *f, const char *s, uint64_t ns) { return ((latency_fn)f)(s, ns); }
static void call_int(void *f, int a) { ((int_fn)f)(a); }
static void call_int2(void *f, int a, int b) { ((int2_fn)f)(a, b); }
static void call_seed(void *f, uint64_t seed) { ((seed_fn)f)(seed); }
static void call_void(void *f) { ((void_fn)f)(); }
static int64_t call_count(void *f) { return ((count_fn)f)(); }
static const char *call_symbol(void *f, int i) { return ((symbol_fn)f)(i); }
*/
import "C"

import (
	"fmt"
	"time"
	"unsafe"
)

// Driver is a loaded fake driver, or runtime compiler. Any goroutine may use it.
type Driver struct{ lib unsafe.Pointer }

// Open opens the library at a path. It stays loaded.
func Open(path string) (*Driver, error) {
	s := C.CString(path)
	defer C.free(unsafe.Pointer(s))
	lib := C.open_library(s)
	if lib == nil {
		return nil, fmt.Errorf("fake driver: %s", C.GoString(C.reason()))
	}
	d := &Driver{lib}
	if d.find("fake_fail") == nil {
		return nil, fmt.Errorf("fake driver: %s is a real one, or none", path)
	}
	return d, nil
}

func (d *Driver) find(name string) unsafe.Pointer {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	return C.dlsym(d.lib, s)
}

// function finds a control function. A test that asks for one that this library
// lacks is wrong.
func (d *Driver) function(name string) unsafe.Pointer {
	f := d.find(name)
	if f == nil {
		panic("fake driver: the library has no " + name)
	}
	return f
}

// known stops a test that misspells a symbol.
func known[T ~int32 | ~int64](result T, what, name string) T {
	if result < 0 {
		panic(fmt.Sprintf("fake driver: there is no %s %q", what, name))
	}
	return result
}

func (d *Driver) text(function, what, name string) int64 {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	return known(int64(C.call_text(d.function(function), s)), what, name)
}

func (d *Driver) symbol(function, symbol string) {
	s := C.CString(symbol)
	defer C.free(unsafe.Pointer(s))
	known(int32(C.call_int_text(d.function(function), s)), "symbol", symbol)
}

func (d *Driver) setInt(function string, v int) { C.call_int(d.function(function), C.int(v)) }

func (d *Driver) setBool(function string, on bool) {
	v := 0
	if on {
		v = 1
	}
	d.setInt(function, v)
}

// Configure applies settings, as TRIAD_FAKE has them. Most matter only before
// the driver is initialized.
func (d *Driver) Configure(settings string) { d.symbol("fake_configure", settings) }

// Fail lets calls of a symbol return a code.
func (d *Driver) Fail(symbol string, code int, when When) {
	s := C.CString(symbol)
	defer C.free(unsafe.Pointer(s))
	known(int32(C.call_fail(d.function("fake_fail"), s, C.int(code), C.int(when.mode), C.uint64_t(when.n))), "symbol", symbol)
}

// Latency lets each call of a symbol take so much longer.
func (d *Driver) Latency(symbol string, t time.Duration) {
	d.latency("fake_latency", symbol, t)
}

// KernelLatency lets kernels of a name take so long; "*" is all others.
func (d *Driver) KernelLatency(kernel string, t time.Duration) {
	d.latency("fake_kernel_latency", kernel, t)
}

func (d *Driver) latency(function, name string, t time.Duration) {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	known(int32(C.call_latency(d.function(function), s, C.uint64_t(t))), "symbol", name)
}

// Block lets calls of a symbol wait at their beginning until release is called.
func (d *Driver) Block(symbol string) (release func()) {
	d.symbol("fake_block", symbol)
	return func() { d.symbol("fake_release", symbol) }
}

// Blocked is how many calls of a symbol wait because of Block.
func (d *Driver) Blocked(symbol string) int { return int(d.text("fake_blocked", "symbol", symbol)) }

// Calls is how often a symbol was called since the counts were reset; "*" is all.
func (d *Driver) Calls(symbol string) int { return int(d.text("fake_calls", "symbol", symbol)) }

// KernelRuns is how many grids of a kernel began; "*" is all.
func (d *Driver) KernelRuns(kernel string) int {
	return int(d.text("fake_kernel_runs", "kernel", kernel))
}

// Symbols are the library's, by their full names.
func (d *Driver) Symbols() (list []string) {
	f := d.function("fake_symbol")
	for i := 0; ; i++ {
		s := C.call_symbol(f, C.int(i))
		if s == nil {
			return list
		}
		list = append(list, C.GoString(s))
	}
}

// Live is how many things of a kind exist: context, stream, event, module, …,
// memory or one kind of it; "*" is everything.
func (d *Driver) Live(kind string) int { return int(d.text("fake_live", "kind", kind)) }

// Bytes is how much memory of a kind is allocated: device, host, registered,
// managed, mapped, global; "*" is all that was allocated.
func (d *Driver) Bytes(kind string) int64 { return d.text("fake_bytes", "kind", kind) }

// WrongContext counts calls on things of another context than the current one.
func (d *Driver) WrongContext() int { return int(C.call_count(d.function("fake_wrong_context"))) }

// RefuseWrongContext lets such calls fail.
func (d *Driver) RefuseWrongContext(on bool) { d.setBool("fake_refuse_wrong_context", on) }

// Strict has calls on a stream or an event fail on a thread without a context.
func (d *Driver) Strict(on bool) { d.setBool("fake_strict", on) }

// LoseWords lets writes of words do nothing.
func (d *Driver) LoseWords(on bool) { d.setBool("fake_lose_words", on) }

// Hold keeps streams from beginning any command.
func (d *Driver) Hold(on bool) { d.setBool("fake_hold", on) }

// FaultNext breaks the context of the next command that any stream comes to.
func (d *Driver) FaultNext(code int) { d.setInt("fake_fault_next", code) }

// Callbacks lets host functions be lost, doubled or early.
func (d *Driver) Callbacks(how Callbacks) { d.setInt("fake_callbacks", int(how)) }

// LoseDevice lets every call on a device return a code; 0: it is back.
func (d *Driver) LoseDevice(device, code int) {
	C.call_int2(d.function("fake_lose_device"), C.int(device), C.int(code))
}

// Seed begins the random numbers of [Random] anew.
func (d *Driver) Seed(seed uint64) { C.call_seed(d.function("fake_seed"), C.uint64_t(seed)) }

// ResetCounts sets the counts of calls and of kernels to 0.
func (d *Driver) ResetCounts() { C.call_void(d.function("fake_reset_counts")) }

// Reset takes back all that was asked for, and resets the counts. Broken contexts
// stay broken.
func (d *Driver) Reset() { C.call_void(d.function("fake_reset")) }
