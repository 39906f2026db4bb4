//go:build cgo && linux

package control

/*
#include <stdint.h>
#include <stdlib.h>

// Every argument is a word, and so is every parameter of the functions called.
typedef int (*words_fn)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
static int call_words(void *f, const uintptr_t *a) { return ((words_fn)f)(a[0], a[1], a[2], a[3], a[4], a[5]); }
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// Call calls a function of the library itself, for tests that need no driver
// package: with words, at most six, and what they point to is C's (see [Memory]).
// It returns the function's code. A symbol that is not there panics.
func (d *Driver) Call(symbol string, args ...uintptr) int {
	var words [6]C.uintptr_t
	if len(args) > len(words) {
		panic(fmt.Sprintf("fake driver: %s with %d arguments; 6 are possible", symbol, len(args)))
	}
	for i, a := range args {
		words[i] = C.uintptr_t(a)
	}
	return int(C.call_words(d.function(symbol), &words[0]))
}

// Has reports whether dlsym finds a symbol in the library.
func (d *Driver) Has(symbol string) bool { return d.find(symbol) != nil }

// Memory is C's memory, of 8-byte words, for what [Driver.Call] returns through
// pointers.
type Memory struct{ words []uint64 }

// NewMemory gives n words of 0. Free frees them.
func NewMemory(n int) Memory {
	p := C.calloc(C.size_t(n), 8)
	if p == nil {
		panic("fake driver: no memory")
	}
	return Memory{unsafe.Slice((*uint64)(p), n)}
}

// At is the address of a word.
func (m Memory) At(i int) uintptr { return uintptr(unsafe.Pointer(&m.words[i])) }

// Word is the value of a word.
func (m Memory) Word(i int) uint64 { return m.words[i] }

// Set sets a word.
func (m Memory) Set(i int, v uint64) { m.words[i] = v }

// SetText puts a text there, with the 0 behind it.
func (m Memory) SetText(s string) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&m.words[0])), 8*len(m.words))
	if len(s) >= len(bytes) {
		panic("fake driver: the text is longer than the memory")
	}
	bytes[copy(bytes, s)] = 0
}

// Free frees the memory.
func (m Memory) Free() { C.free(unsafe.Pointer(&m.words[0])) }
