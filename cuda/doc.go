// Package cuda drives NVIDIA's GPUs through the CUDA driver API, versions 11.4 to
// 13. It needs no SDK: the driver's library is opened at run time.
//
// The package implements the contract of package driver, for driver.Open("cuda:0"),
// and has an API of its own for what the contract doesn't cover. Its objects are
// driver's: a *Stream is a driver.Stream.
//
// # Contexts
//
// Any goroutine may call anything on any thread. Each call makes the device's
// context current if it isn't, in the same crossing into C, and puts back what was.
// Open uses the primary context, like the CUDA runtime and the libraries on top of
// it; Wrap uses one that other code has made, and Native methods give out what this
// package made.
//
// # Waits
//
// Waiting for a stream has the stream raise a word in host memory
// (cuStreamWriteValue32), which the waiting goroutine watches for a few
// microseconds; then it parks, and one thread watches the words of all streams. See
// package waitpool.
//
// # Memory
//
// Alloc takes memory from a pool, and Close gives it back behind everything that
// the device's streams have been given, without waiting. A stream has what it allocated
// itself again without a call of the driver's (see Stream.Alloc). What the driver can only
// free by waiting for the device (cuMemFree, cuMemFreeHost, cuModuleUnload), and with
// everybody else held up meanwhile, is freed once the device has nothing to do. Loading
// a module and binding a kernel may wait for the device too.
//
// There are more kinds of memory, each a driver.Memory: Stream.Alloc and Pool.AllocOn
// (in stream order), AllocPlain, AllocPitched, AllocManaged, HostAlloc, Register,
// AddressRange.Map, WrapMemory, OpenIPC. driver.BufferOf makes a Buffer of any.
//
// # Faults
//
// A kernel that fails takes its context along: every later call fails. The first
// error says what happened; the later ones wrap it, and Device.Fault keeps it.
// Device.Reset is the way on where the driver has one; with most, only a new process
// may use the device again. This package's objects can be closed all the same.
//
// # Tools
//
// Some calls fail by design: to learn how many parameters a kernel has, Bind asks for
// one more (cuFuncGetParamInfo); the first launch with more than 48 KiB of dynamic shared
// memory is refused, and made again with leave to use it; memory that can't be had is
// asked for again once what was kept has been given up; and attributes may be unknown to
// the driver. compute-sanitizer tells of them, as of any call that fails, unless it is
// given --report-api-errors no.
package cuda
