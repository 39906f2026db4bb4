//go:build race || asan

package kernelcache_test

const instrumented = true
