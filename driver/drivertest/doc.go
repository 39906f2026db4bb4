// Package drivertest is the conformance suite of the contract in package driver.
// Every backend runs it against every device that it finds; a backend outside of
// this module can do the same:
//
//	func TestConformance(t *testing.T) {
//		drivertest.Run(t, drivertest.Harness{
//			Backend: "opencl",
//			Open:    func() (driver.Device, error) { return opencl.Open(0, opencl.DeviceOptions{}) },
//			Sources: drivertest.Sources(".cl"),
//			Hold:    holdWithUserEvent,
//		})
//	}
//
// # What a backend gives
//
// Open opens the device under test; the suite calls it several times and closes
// what it gets. Sources gives the suite's kernels in the backend's language, by
// name; those of this package are in OpenCL C and CUDA C++. A backend of
// another language writes files of the same names, with the same kernels, beside
// them. Hold makes a stream stand still until it is told to go on; without it the
// suite uses kernels that take a while.
//
// # Skips, exclusions and failures
//
// A machine without the backend skips, and says why; see Unavailable, which
// tests of programs can use too. The environment variable TRIAD_REQUIRE, a list
// such as "opencl,cuda", turns the skip into a failure. Everything else fails:
// the only other reason to skip is what the device or the harness lacks, such as
// double precision or Hold, and TRIAD_REQUIRE can require that as well; see Lacks.
//
// What a driver can't do for reasons of its own is an exclusion: a test's name
// and the reason. Excluded tests don't run, since some would hang or take the
// process down. An exclusion that names no test fails, so that a renamed test
// doesn't stay excluded unseen; and when TRIAD_REQUIRE lists the word "excluded",
// excluded tests run, and one that passes fails: its exclusion is out of date.
//
// # Names
//
// Tests are named Subject/Behaviour, as in Memory/CopyBeyondTheEndIsRefused, and
// can be run alone: go test -run 'TestConformance/Memory/Copy' ./opencl.
package drivertest
