// Package fakedriver builds a CUDA driver and a CUDA runtime compiler for
// machines without a GPU: libcuda.so.1 and libnvrtc.so.13, in C, which are
// loaded as the real ones are, and do what the real ones do with memory and
// threads of this process.
//
// What it is. Contexts are current per thread, handles are looked up and never
// followed, each stream is a queue with a thread of its own, and a copy or a
// fill is held to the bounds of the memory that it touches. Kernels are native:
// an image is a shared object with a table of its kernels (fake_kernel.h), and a
// launch copies the parameters by that table and runs the grid, thread after
// thread. The runtime compiler makes such an image from CUDA C++ with the
// machine's C++ compiler, and keeps it in the folder that the environment variable
// TRIAD_FAKE_IMAGES names, if it does, for the next time. Calls can be made to fail, to wait, to take their time,
// streams to fault, a device to vanish: see fake_control.h, and the package
// control for the Go side of it.
//
// What it is not. It says nothing of speed, and nothing of what a GPU does to a
// program with races: the threads of a block run in turn. There are no warp
// functions, no textures in kernels, no PTX, no graphs beyond their capture, and
// nothing is shared with other processes. A kernel's stray access is this
// process' stray access. Which code a misuse returns was taken from the manual
// where no real driver was asked.
//
// A HIP runtime and hiprtc are built of the same parts: libamdhip64.so.7 and
// libhiprtc.so.7, or those of an older generation, with its structs, values and
// functions. They are the sources of testdata/hip_on_cuda, with the engine behind
// them in the same library, and an entry in front of each function that does what is
// asked for in fake_control.h. Their devices are AMD's by name, numbers and
// wavefronts. What the compiler makes is a code object for the architecture that was
// asked for, with metadata like that of AMD's compiler in a HIP of that version, and
// the native image in a section of its own; native images alone, and texts of kernels
// that are called, are loaded as well, and have no metadata.
//
// The package injection has the tests of a backend meet failing calls one by one.
//
// The sources lie in src: engine, which knows no vendor's names, cuda, a face of
// it, nvrtc, and hip and hiprtc. They are embedded and built by [Build] when a test wants them.
package fakedriver
