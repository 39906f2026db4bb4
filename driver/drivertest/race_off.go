//go:build !race

package drivertest

// RaceEnabled tells whether the race detector is on. Tests that count
// allocations skip then: its instrumentation allocates.
const RaceEnabled = false
