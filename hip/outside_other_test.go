//go:build !unix

package hip

import "testing"

// outsideOfGo is Go's memory where there is no mmap; nothing can be opened there.
func outsideOfGo(_ testing.TB, n int) (b []byte, free func()) { return make([]byte, n), func() {} }
