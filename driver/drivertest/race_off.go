//go:build !race

package drivertest

// RaceEnabled tells whether the race detector is on.
const RaceEnabled = false
