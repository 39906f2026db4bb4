//go:build !race && !asan

package driver_test

// instrumented: the race detector and AddressSanitizer allocate where ordinary builds
// don't.
const instrumented = false
