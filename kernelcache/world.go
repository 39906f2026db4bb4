package kernelcache

import "sync/atomic"

// world is the world generation: a process-wide counter that advances when a
// source is redefined. Each entry of a kernel carries the generation in which it
// was last found valid, and a launch in a later one looks again.
//
// Whoever resolves reads world first and the source's text after it, and a
// redefinition changes the text first and world after it. So an entry can be
// newer than its generation says, which costs one more look, and never older.
var world atomic.Uint64
