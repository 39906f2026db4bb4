// Package waitpool waits for operations of devices and drivers: thousands at a
// time, with a handful of threads, without allocating.
//
// A goroutine in a blocking C call holds an operating-system thread, and a Go
// program dies at 10,000 of those. Polling from Go burns a processor and holds
// up the garbage collector. Handing the call to a locked goroutine through a
// channel costs some 20 µs. Here, a goroutine that waits is parked like one that
// reads from a network connection, and a few threads that live in C, asleep
// while there is nothing to do, see the operations end.
//
// # Use
//
// A [Kind] is made once for each kind of operation, from a [Spec] that says how
// to see it end: Go functions, or pointers to C functions, which are called
// without any transition into Go. [Kind.Wait] then waits for one operation. A
// program needs no [Pool] of its own: Default is used when none is given.
//
// # What a wait does
//
// It stops at the first stage that finishes it:
//
//  1. Look: ask once whether the operation has ended, and go on asking in C, in
//     the same crossing, for a bounded time (Options.Spin). Go functions are
//     asked once.
//  2. Hand over: to whoever watches counters in memory; to a thread that polls; to a
//     notification that the driver gives; or to a worker that sits in the
//     blocking call. With several open, the order is that of [Spec].
//  3. Park, until the operation has ended or the context is done.
//
// Words that are likely to be raised soon are watched by a goroutine from C, others by
// the thread that polls, which naps. A goroutine can let the waiter run on the thread
// that saw the word, so that nothing has to wake up: on a machine with idle processors
// that is 15 µs sooner. Likely are words of waits that have just begun, and, where
// [Word] has a [Pace], those of waits that take as long as the ones before, in turns if
// need be.
//
// PROTOCOL.md, beside this file, describes the states of requests, workers and
// signals, and model/park.pml checks them.
//
// # Threads
//
// A pool has at most Options.Workers threads in blocking calls and one that
// polls. Blocking calls that can't be polled and find all workers taken get a
// thread each, up to Options.Overflow; what can be polled is then polled. So a
// long wait never delays a short one.
//
// # Memory order
//
// Everything that happened before an operation ended, and everything that
// happened before Wait was called, is visible where Wait returns and where the
// wait function runs. The race detector is told so too.
//
// # Bubbles
//
// A pool is the process's: its goroutines can't wake those of a bubble of
// [testing/synctest]. Wait outside of bubbles.
//
// # Platforms
//
// C functions and words work on Linux, amd64 and arm64, with cgo. In other
// builds the package waits for Go functions only.
package waitpool
