//go:build asan

package drivertest

// AsanEnabled tells whether the tests were built with AddressSanitizer (go test -asan).
const AsanEnabled = true
