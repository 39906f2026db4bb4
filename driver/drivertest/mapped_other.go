//go:build !unix

package drivertest

// mapped is memory of Go's here, which has no mapping of pages.
func mapped(_ *env, size int) (b []byte, free func()) { return make([]byte, size), func() {} }
