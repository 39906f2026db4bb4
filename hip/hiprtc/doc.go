// Package hiprtc compiles HIP C++ at run time, with AMD's library hiprtc.
//
// The library is looked for when it is first needed and opened at run time:
// building takes no ROCm, and no GPU is needed to compile. Of HIP 5.2 to 7 all
// versions will do; before HIP 7 the compiler is also part of the runtime, and
// found there. TRIAD_HIPRTC_LIBRARY names another library than the one that is
// found. Package hip uses this package for modules of source text; it is also of
// use alone, for instance to make code objects ahead of time:
//
//	r, err := hiprtc.Compile(ctx, hiprtc.Program{Name: "saxpy.hip", Code: code}, hiprtc.Options{Arch: "gfx90a"})
//	if err != nil {
//		return err // with the compiler's log, and the line that it complains of
//	}
//	os.WriteFile("saxpy.co", r.Code, 0o666)
//
// A program has HIP's own definitions (hip/hip_runtime.h is as if included) and no
// standard headers; others come with it, see Program.Headers. All functions may be
// called from any goroutine. Errors are *driver.Error and *driver.BuildError values
// of the backend "hip".
package hiprtc
