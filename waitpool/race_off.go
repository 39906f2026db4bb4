//go:build !race || !(linux && cgo && (amd64 || arm64))

package waitpool

// acquireRace orders, for the race detector, what C code ordered. See race_cgo.go.
func acquireRace() {}
