//go:build race || asan || msan

package waitpool

// instrumented says that a sanitizer is on, with which things allocate and take
// longer.
const instrumented = true
