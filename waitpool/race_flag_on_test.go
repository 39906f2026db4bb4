//go:build race

package waitpool

// raceEnabled says that the race detector is on, with which things allocate.
const raceEnabled = true
