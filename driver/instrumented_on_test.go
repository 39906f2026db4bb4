//go:build race || asan

package driver_test

const instrumented = true
