// Package diskcache keeps compiled kernels in a folder, for package kernelcache
// and for the command triad cache. It knows nothing of GPUs.
//
// An entry is one file, named after its key, which identifies all that went into
// a compile. Files are written under another name and renamed, so that any number
// of processes may use one folder. Each carries its key and a checksum: a file
// that is cut off, damaged or of another key is a miss, and is removed. There is
// no fsync: a write that a crash of the machine cuts short is found by the
// checksum and costs a recompile, which is less than every compile waiting for
// the disk.
//
// Device code from such a file runs with the rights of the process, so a folder
// or file that others may write to, or that somebody else owns, is refused.
package diskcache
