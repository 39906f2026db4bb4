// Package mallocs counts the allocations of C memory that a process makes between two
// marks: those of the program itself, C in its Go packages included, apart from those
// of libraries that it has loaded, such as a fake driver, which allocate as they like.
//
// The counting is done by a small library that must be loaded before all others, so
// it is done in a process of its own: [Env] builds the library and is the environment
// of such a process, in which [Open] finds it. Not with AddressSanitizer, which has
// an allocator of its own and must come first too.
package mallocs
