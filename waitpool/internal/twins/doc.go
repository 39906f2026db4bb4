//go:build !(linux && cgo && (amd64 || arm64))

// Package twins holds what waitpool's tests and benchmarks need in C. It is
// empty in this build.
package twins
