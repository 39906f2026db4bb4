// Package injection has a backend's tests meet failing calls, one at a time, on a
// fake driver: each test is run once to see which functions of the driver it calls,
// and then again for each of those functions and each code that it may return.
//
// What is asked of a run is always the same. The test may pass, where the failure
// does not matter or something else takes the call's place; or it fails, and then
// says so with an error that names the call and the code. In either case nothing
// panics, nothing hangs, nothing is left at the driver or in Go, no call is made in
// a wrong context, and the next operation works.
//
// A backend says with a [Backend] what is particular to it, and calls [Child] and
// [Main] in its TestMain, since the runs are made in processes of their own. [Run]
// starts those, and judges; [Missing] does the same for functions that the driver
// lacks.
package injection
