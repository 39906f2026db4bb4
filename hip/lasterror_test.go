//go:build cgo && linux

package hip

import (
	"runtime"
	"testing"

	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// lastError is what hipGetLastError gives after do, on the thread that it ran on.
func lastError(t *testing.T, do func()) int {
	t.Helper()
	fake, err := control.Open(load().Path)
	check(t, err)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fake.Call("hipGetLastError")
	do()
	return fake.Call("hipGetLastError")
}
