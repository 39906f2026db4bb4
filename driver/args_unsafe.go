package driver

import "unsafe"

// ArgRef points at the bytes of a launch's arguments for the time of one call
// of Kernel.Launch. It is made by ArgsOf or ArgPack.Ref in the call's argument
// list and never stored: it hides its pointer from escape analysis, so that an
// argument struct stays on the caller's stack through an interface call. A
// backend reads the bytes during the call and keeps nothing.
type ArgRef struct {
	p    unsafe.Pointer
	size uintptr
}

// ArgsOf refers to an argument struct: one exported field per kernel
// parameter, in the kernel's order. A struct without fields is a kernel without
// parameters. SignatureOf says which field types there are.
//
// The result is for the argument list of Kernel.Launch alone; see ArgRef.
func ArgsOf[A any](args *A) ArgRef {
	return ArgRef{p: hidden(unsafe.Pointer(args)), size: unsafe.Sizeof(*args)}
}

// Pointer is the address of the first byte, for backends: valid until the
// Launch that received the ArgRef returns, and only read.
func (a ArgRef) Pointer() unsafe.Pointer { return a.p }

// Size is the size of the argument struct in bytes.
func (a ArgRef) Size() uintptr { return a.size }

// hidden returns p in a way that escape analysis does not follow: it stores p
// as an integer and loads it back as a pointer. Without this an argument struct
// passed through an interface would be moved to the heap, one allocation a
// launch.
//
// It is safe for the same reason as the runtime's own helper of this purpose:
// a goroutine's stack moves only when it grows, which happens in a function's
// prologue, or shrinks, which never happens at an asynchronous safe-point; and
// no call separates the store from the load, since the function is a leaf that
// the compiler inlines. From the load on, the pointer is a pointer again and is
// adjusted when the stack moves. nocheckptr keeps a check of checkptr builds, an
// ordinary call that may grow the stack, from getting in between.
//
//go:nosplit
//go:nocheckptr
func hidden(p unsafe.Pointer) unsafe.Pointer {
	u := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&u))
}

// argsOfWords refers to the memory of an ArgPack. It is on the heap already, so
// nothing needs hiding.
func argsOfWords(mem []uint64, size uintptr) ArgRef {
	return ArgRef{p: unsafe.Pointer(unsafe.SliceData(mem)), size: size}
}
