// Package nvrtc compiles CUDA C++ at run time, with NVIDIA's library NVRTC.
//
// The library, version 11.2 or later, is looked for when it is first needed and
// opened at run time: building takes no SDK, and no GPU is needed to compile.
// TRIAD_NVRTC_LIBRARY names another library than the one that is found. Package
// cuda uses this package for modules of source text; it is also of use alone, for
// instance to make binaries ahead of time:
//
//	r, err := nvrtc.Compile(ctx, nvrtc.Program{Name: "saxpy.cu", Code: code}, nvrtc.Options{Arch: "sm_90"})
//	if err != nil {
//		return err // with the compiler's log, and the line that it complains of
//	}
//	os.WriteFile("saxpy.cubin", r.CUBIN, 0o666)
//
// A program has no standard headers; those of CUDA and those of its own come with
// it, see Program.Headers. All functions may be called from any goroutine. Errors
// are *driver.Error and *driver.BuildError values of the backend "cuda".
package nvrtc
