//go:build !race

package waitpool

const raceEnabled = false
