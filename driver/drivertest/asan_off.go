//go:build !asan

package drivertest

// AsanEnabled tells whether the tests were built with AddressSanitizer.
const AsanEnabled = false
