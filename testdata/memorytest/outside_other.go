//go:build !unix

package memorytest

import "testing"

// OutsideOfGo is Go's memory where there is no mmap; nothing can be opened there.
func OutsideOfGo(_ testing.TB, n int) (b []byte, free func()) { return make([]byte, n), func() {} }
