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
// compile that fails is not remembered: the next call tries again.
//
// Kernels with the same source text and the same options share a module. What
// differs in anything — text, name, argument struct, an option, device — is
// never mixed up.
//
// # Lifetime
//
// Kernels and modules belong to the device that they were resolved on and are
// closed with it, by Device.Close; there is nothing else to close. A launch that
// races with the device's Close runs or fails with driver.ErrClosed.
package kernelcache
