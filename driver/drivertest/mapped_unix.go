//go:build unix

package drivertest

import "syscall"

// mapped is memory that is not Go's, and what gives it back.
func mapped(e *env, size int) (b []byte, free func()) {
	e.Helper()
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	e.ok(err)
	return b, func() { e.ok(syscall.Munmap(b)) }
}
