// Package codeobject reads AMD's code objects: which architectures an image holds
// code for, which kernels, and what each kernel takes.
//
// A code object is an ELF file for one architecture. Its metadata, a note in
// MessagePack, says of each kernel its parameters' places, sizes and kinds, and
// what a launch of it needs (LLVM's "User Guide for AMDGPU Backend", Code Object
// Metadata, versions 3 to 6). Several of them may be in a bundle, as the compiler
// puts them side by side for the runtime to choose from, and a bundle in the
// section .hip_fatbin of a program or library.
//
// Nothing here needs a GPU, ROCm, or cgo. Images are not trusted: whatever they
// hold, the worst that comes back is an error. All functions may be called from
// any goroutine. What they return shares memory with the image, which must not
// change meanwhile.
package codeobject
