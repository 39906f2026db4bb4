//go:build unix

package memorytest

import (
	"syscall"
	"testing"
)

// OutsideOfGo is memory that is not Go's, and what gives it back.
func OutsideOfGo(t testing.TB, n int) (b []byte, free func()) {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	Check(t, err)
	return b, func() { Check(t, syscall.Munmap(b)) }
}
