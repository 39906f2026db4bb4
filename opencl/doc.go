// Package opencl is Triad's OpenCL backend: OpenCL 1.2 to 3.0 on whatever the
// machine's loader offers, from PoCL on any CPU to a vendor's GPU driver. The
// loader is opened when first needed; building needs no OpenCL SDK.
//
// Most programs use it through package driver:
//
//	import _ "github.com/triad-gpu/triad/driver/all"
//	dev, err := driver.Open("opencl")
//
// The concrete types of this package implement the contract's interfaces and
// add what only OpenCL has: platforms, global offsets and exact global sizes
// (Kernel.Enqueue), events per command with their timestamps, user events,
// markers and barriers, out-of-order queues, and handles for a program's own C
// code (Native).
//
// # Memory
//
// Where a device has coarse-grain shared virtual memory, Alloc makes that, and a
// driver.Ptr is a real address that can be offset. Elsewhere it makes buffer
// objects, and a Ptr stands for a whole buffer; Buffer.Slice makes sub-buffers
// there. DeviceOptions.BuffersOnly asks for the latter everywhere.
//
// # Arguments
//
// A kernel's parameters are compared with the Go struct when it is bound:
// number, kind and built-in types by clGetKernelArgInfo; structs and typedefs by
// a second compile, in which the compiler is made to tell their sizes. Programs
// built from binaries or SPIR-V have no such information, and their kernels
// work unverified, unless the binary comes with the description of the module
// that it was taken from (driver.Describer), as in kernelcache's disk cache.
//
// # Files
//
// cl_*.c hold what runs within one crossing, raw_cgo.go the crossings (and
// raw_nocgo_unsafe.go their absence); the rest is ordinary Go, one noun a file.
package opencl
