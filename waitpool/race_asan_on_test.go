//go:build race || asan || msan

package waitpool

// raceOrAsan says that a sanitizer is on, with which things allocate and take
// longer.
const raceOrAsan = true
