// Package driver is Triad's contract: what a GPU backend offers, and what
// programs that don't care which backend they run on need. It has no cgo and
// imports no backend.
//
// # For programs
//
// Import driver/all for its side effect, or register single backends, then:
//
//	dev, err := driver.Open("auto")
//	s, err := dev.NewStream(driver.StreamOptions{})
//	x, err := driver.Alloc[float32](dev, n)
//	err = x.CopyFrom(ctx, s, host)
//	err = saxpy.Launch(s, driver.Grid1D(n, 256), saxpyArgs{2, x.Ptr(), y.Ptr(), uint32(n)})
//	err = s.Wait(ctx)
//
// where saxpy is a kernelcache.Kernel. Programs that learn a kernel's
// parameters only at run time use Device.Load, Module.Kernel with a nil
// signature, and ArgPack.
//
// # What holds everywhere
//
// Any goroutine may call anything; nobody needs runtime.LockOSThread. A launch,
// a copy, recording an event and a wait that need not park are one crossing into
// C each. They and waits that park allocate nothing once warm, through these
// interfaces as well as on a backend's own types.
//
// Errors are *Error or *BuildError values and match the sentinels of this
// package. A failure belongs to the call that caused it; a command that fails on
// the device later is reported by the Wait or Query that covers it. Nothing
// panics on a driver's errors.
//
// Close is idempotent and safe while others use the object, who get ErrClosed
// afterwards. A child keeps its parents alive. Memory is freed in stream order.
// Nothing relies on finalizers: what is not closed leaks, and package lifetime
// can tell what and, in builds with the tag triad_debug, from where.
//
// A cancelled wait returns at once; the operation goes on, and what belongs to
// it stays untouched until it has ended.
//
// # For authors of backends
//
// Implement Backend, Device, Stream, Event, Memory, HostMemory, Module and
// Kernel, each method with the semantics, retention and errors that its comment
// gives, and run the suite of driver/drivertest against every device found. In
// particular:
//
//   - Register nothing on import. driver/all registers; opening the library
//     waits for Probe, Devices or Open.
//   - Make the right context current within each crossing, only when it differs,
//     and put back what was there.
//   - In Kernel.Launch, read the arguments through ArgRef.Pointer during the
//     call, following Signature.Params: each has an offset and a size in the Go
//     struct. Work out at bind time, once, everything that the launch needs, and
//     keep it in C memory. No device query, no lock over a blocking call.
//   - A Local parameter is a size in bytes. Where the kernel language has no
//     local-memory parameters, add the sizes to the dynamic shared memory.
//   - Work out which limit a launch broke only after the driver refused it.
//   - Bracket each call with the uses of package lifetime.
//   - Keep callbacks from the driver in C; signal, and let goroutines do the
//     rest, by way of waitpool.
//   - Offer what the driver can beyond that by way of the optional interfaces:
//     Compiler, Describer, Disassembler, Occupier, BlockSuggester.
//   - Give each object's calls the errors of Errorf, ClosedError and
//     NilStreamError for what you refuse yourself, and the driver's own name of
//     the call in Op for what it refuses.
package driver
