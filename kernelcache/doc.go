// Package kernelcache has kernels that are declared once, with their arguments
// as a Go struct, and resolved once per device.
//
//	//go:embed kernels/*
//	var files embed.FS
//
//	type saxpyArgs struct {
//		A    float32
//		X, Y driver.Ptr[float32]
//		N    uint32
//	}
//
//	var saxpy = kernelcache.Declare[saxpyArgs](kernelcache.FromFS(files, "kernels/saxpy"), "saxpy")
//
//	err := saxpy.Launch(s, driver.Grid1D(n, 256), saxpyArgs{2, x.Ptr(), y.Ptr(), uint32(n)})
//
// # Resolving
//
// Declaring opens and compiles nothing. The first Launch on a device, or Bind,
// reads the source text for the device's backend, compiles it, and has the
// driver compare the kernel's parameters with the struct. From then on a launch
// costs what Launch of the driver.Kernel costs, plus a few nanoseconds, and
// allocates nothing.
//
// However many goroutines need a kernel at once, it is compiled once. One that
// stops waiting because its context ended stops nobody else, nor the compile. A
// compile that fails is not remembered, unless RememberFailure asks for it: the
// next call tries again.
//
// Kernels with the same source text and the same options share a module. What
// differs in anything — text, name, argument struct, an option, device — is
// never mixed up.
//
// # Redefining
//
// Source.Redefine gives a source new text while the program runs. All kernels of
// the source that are in use are compiled first, on every device; if that fails,
// nothing changes. Then they take over at once, in a new world generation: each
// launch is of the old kernel or the new one, whole, and what was launched before
// runs to its end with the old code in place. "triad watch" shows it.
//
// # On disk
//
// Compiled kernels are kept in the folder triad of the user's cache folder, or
// in TRIAD_CACHE_DIR; see package diskcache. They are found again under the same
// source, options, device, compiler and driver, and are verified against their
// structs like others. Texts that include files or say the time of the compile
// are compiled each time, since the cache would not notice a change.
// TRIAD_CACHE_MB bounds the folder's size, TRIAD_CACHE=off turns it off. Whatever
// is wrong with the folder costs a compile, and is no error; hooks are told.
//
// # Watching
//
// A Hook sees every resolution with its source, options, log, binary and times,
// and the progress of long ones: SetHook for all, WithHook for a context. While
// SetHook's is set, launches do not take the warm path. Unset hooks cost nothing.
//
// # Lifetime
//
// Kernels and modules belong to the device that they were resolved on and are
// closed with it, by Device.Close, or when their source is redefined; there is
// nothing else to close. A launch that races with the device's Close runs or fails
// with driver.ErrClosed.
package kernelcache
