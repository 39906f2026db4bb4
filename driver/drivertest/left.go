package drivertest

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver/lifetime"
)

// LeavesNothing fails the test if it leaves live objects behind. To be called before
// anything is opened, so that it looks after all has been closed.
func LeavesNothing(t testing.TB) {
	t.Helper()
	before := lifetime.Live()
	t.Cleanup(func() { LiveReturns(t, before) })
}

// LiveReturns fails the test unless the counts of live objects come back to what they
// were, or below: what an abandoned operation holds is let go of some time after its
// end, and that may have been one of an earlier test.
func LiveReturns(t testing.TB, before map[string]int64) {
	t.Helper()
	end := time.Now().Add(30 * time.Second)
	for len(lifetime.More(before)) > 0 {
		if time.Now().After(end) {
			t.Errorf("objects are left over: %v; before there were %v\n%s", lifetime.More(before), before, strings.Join(lifetime.Leaks(), "\n"))
			return
		}
		runtime.Gosched()
		time.Sleep(50 * time.Microsecond)
	}
}
