//go:build !race && !asan && !msan

package waitpool

const instrumented = false
