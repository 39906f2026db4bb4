// Package hip drives AMD's GPUs through the HIP runtime, versions 5.2 to 7. It needs no
// ROCm to build: the runtime's library is opened at run time.
//
// The package implements the contract of package driver, for driver.Open("hip:0"), and
// has an API of its own for what the contract doesn't cover: that of package cuda, as
// far as HIP has it. Its objects are driver's: a *Stream is a driver.Stream.
//
// # Devices
//
// Any goroutine may call anything on any thread. HIP has no contexts: a thread has a
// current device. Each call makes the device current if it isn't, in the same crossing
// into C, and puts back what was. What a process has on a device it has once, and
// shares it with other libraries; Native methods give out what this package made.
//
// # Last errors
//
// The runtime keeps the last error of each thread for hipGetLastError. A call of this
// package that fails returns its error, and has the runtime forget it, so that a user's
// own code in C doesn't find it later; before HIP 7.0 a query that finds a stream not
// ready counts as such an error too. Calls that succeed leave what there is, but
// runtimes before 7.0 forget it by themselves.
//
// # Waits
//
// Waiting for a stream has the stream raise a word in host memory
// (hipStreamWriteValue32), if the device can do that, which the waiting goroutine
// watches for a few microseconds; then it parks, and one thread watches the words of all
// streams. Else the runtime is asked. See package waitpool.
//
// # Memory
//
// Alloc takes memory from a pool, and Close gives it back behind everything that the
// device's streams have been given, without waiting. A stream has what it allocated
// itself again without a call of the runtime's (see Stream.Alloc). What the runtime frees
// at once, or by waiting for the device, which of the two depends on its version (hipFree,
// hipHostFree, hipHostUnregister, hipModuleUnload), is freed once the device has nothing
// to do. Loading a module may wait for the device too.
//
// # Kernels
//
// What a kernel takes stands in its code object (package codeobject), with which a
// signature is compared when the kernel is bound. Wavefronts have 64 or 32 work-items,
// by device: DeviceInfo.WarpSize tells.
//
// # Faults
//
// A kernel that accesses memory that isn't there is no error to the runtime: it prints
// a line and ends the process. Failures that are errors stay: the first one says what
// happened, later ones wrap it, and Device.Fault keeps it. Device.Reset is the way on
// where there is one.
package hip
