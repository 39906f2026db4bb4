//go:build race

package kernelcache_test

const raceEnabled = true
