// Package fake is for tests of programs that use a GPU, on machines that have none:
// a CUDA driver in C, built with the machine's C compiler and loaded in place of
// NVIDIA's, in front of which the real package cuda runs. It does what a driver
// does with memory, streams, events and errors, it runs kernels, and it fails when
// it is told to.
//
//	func TestOutOfMemory(t *testing.T) {
//		model := fake.H200
//		model.Memory = 64 << 20
//		dev := fake.Start(t, model)
//		…
//	}
//
// # The driver
//
// A process loads a driver once. The first [Start] loads the fake one; where a real
// one was loaded before, by whatever opened a device of CUDA's, Start fails and says
// so. A package whose code opens devices by itself calls [Main] from its TestMain,
// so that the fake comes first; else, or where one test program needs both, give the
// tests with the fake a package of their own. What a driver is for all of a process,
// its version and which functions it lacks, is said to Main.
//
// Devices come anew with each Start: their model, number and memory. The faults that
// a test asks for end with it, and its device has a context of its own, so that a
// broken one breaks nothing else; devices that the code under test opens by itself,
// with driver.Open("cuda"), are the same fake ones. One test at a time has the fake:
// others wait in Start until it ends. A test that runs in parallel calls t.Parallel
// first.
//
// # AMD
//
// [StartHIP] is Start for a fake HIP runtime, by way of package hip: a model of AMD's,
// with wavefronts of 64 threads or of 32, in any generation of the runtime ([Runtime]).
// All that is said here of Start's devices holds for its devices, but that HIP has no
// contexts: a device that a test breaks is broken for all until the test ends. The two
// fakes are two machines in one: a test may have both, and neither sees what the other
// is told.
//
//	func TestWavefronts(t *testing.T) {
//		dev := fake.StartHIP(t, fake.MI300X)
//		…
//	}
//
// # Kernels
//
// Three kinds of kernels run:
//
//   - CUDA C++ and HIP C++, as the program under test has it: the fake runtime compiler makes
//     native code of it with the machine's C++ compiler. There are no functions of
//     warps, no textures, no PTX; the threads of a block take turns.
//   - Go functions: [Kernel] for one that the test launches itself; [NewFunc] with
//     [Source], [Image] or [Text] to put functions in the place of kernels of the
//     program's, for example of those that the above can't run. A function is called
//     once for a grid, in stream order, with the arguments that the launch was given.
//     Package kernelcache keeps nothing on disk then, unless TRIAD_CACHE is set.
//   - C, with a table of what is in it: [CompileC].
//
// Signatures are verified as on a GPU; on AMD's, where a runtime tells nothing of
// parameters and code objects do, that is for HIP C++ alone.
//
// # Faults and counts
//
// Calls fail with [Device.Fail], wait with [Device.Block], take their time with
// [Device.Latency]; memory runs out with [Device.SetMemory]; the device breaks with
// [Device.Fault] and vanishes with [Device.Lose]. [Device.Calls], [Device.Live],
// [Device.Bytes] and [Device.KernelRuns] count. Calls have the names of CUDA's
// manual, or of HIP's.
//
// It says nothing of speed, and a program that is right here may still have races
// that a GPU shows. Needed are Linux, cgo and a C compiler; without them Start skips
// the test, or fails it where TRIAD_REQUIRE lists "fake".
package fake
