//go:build !race

package driver_test

// raceEnabled: the race detector allocates where ordinary builds don't.
const raceEnabled = false
