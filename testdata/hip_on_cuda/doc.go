// Package hiponcuda builds two libraries that stand in for AMD's where there is a
// GPU of NVIDIA's: libamdhip64.so.7, the HIP runtime's functions over the CUDA
// driver, and libhiprtc.so.7, hiprtc's over NVRTC. With them package hip, its tests
// and its benchmarks run on a real GPU, with real kernels and real concurrency.
//
// It is test code, and no way to run HIP programs on CUDA: it has the functions that
// package hip uses, and images are PTX or machine code of NVIDIA's in place of AMD's
// code objects. Handles are CUDA's own. A device's architecture is called what NVRTC
// calls it, "sm_90".
//
// TRIAD_CUDA_LIBRARY and TRIAD_NVRTC_LIBRARY name other libraries to stand on, such
// as the fake ones of testdata/fakedriver.
package hiponcuda
