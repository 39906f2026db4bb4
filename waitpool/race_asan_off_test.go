//go:build !race && !asan && !msan

package waitpool

const raceOrAsan = false
