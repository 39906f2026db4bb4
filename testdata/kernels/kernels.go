// Package kernels holds the kernels that tests, benchmarks and the programs in
// scripts share, as files for kernelcache.FromFS.
package kernels

import "embed"

// Files are the kernels: "blur" and "empty", with .cl for OpenCL and .cu for CUDA,
// and "spin" with .cu.
//
//go:embed *.cl *.cu
var Files embed.FS
