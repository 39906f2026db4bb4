package kernelcache

import "sync/atomic"

// world is the world generation: a process-wide counter that advances when a
// source is redefined. Each entry of a kernel carries the generation in which it
// was last found valid, and a launch in a later one looks again.
//
// Whoever resolves reads world first and the source's text after it, and a
// redefinition changes the text first and world after it. So an entry can be
// newer than its generation says, which costs one more look, and never older.
// The former kernels are closed last: a launch that finds its kernel closed
// finds world advanced, and looks again.
//
// The two highest bits turn the warm path off without another load on it: no
// entry has them, so that none compares equal.
var world atomic.Uint64

const (
	// cacheHook is set while SetHook's hook is: nobody takes the warm path.
	cacheHook = 1 << 63
	// contextHooks is set from the first WithHook on: whoever has a context looks
	// into it. Launch has none.
	contextHooks = 1 << 62
)

// generation is world without the bits.
func generation() uint64 { return world.Load() &^ (cacheHook | contextHooks) }

// World is the current world generation. It advances with each redefinition of
// any source, and never otherwise.
func World() uint64 { return generation() }
