//go:build unix

package waiters_test

import (
	"syscall"
	"testing"

	"github.com/triad-gpu/triad/driver/waiters"
)

// Memory that is not Go's is left alone, without a panic.
func TestPinOfMemoryThatIsNotGos(t *testing.T) {
	b, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(b) }()
	var p waiters.Pin
	p.Hold(b)
	p.Release()
	p.Hold(make([]byte, 8))
	p.Release()
}
