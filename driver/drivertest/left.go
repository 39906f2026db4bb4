package drivertest

import (
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
// end, and that may have been one of an earlier test. One that has failed already may
// have closed nothing.
func LiveReturns(t testing.TB, before map[string]int64) {
	t.Helper()
	if !t.Failed() && !Eventually(func() bool { return len(lifetime.More(before)) == 0 }) {
		t.Errorf("objects are left over: %v; before there were %v\n%s", lifetime.More(before), before, strings.Join(lifetime.Leaks(), "\n"))
	}
}

// Eventually waits, with much patience, for what another goroutine or a device is about
// to do.
func Eventually(done func() bool) bool {
	for end := time.Now().Add(Patience); time.Now().Before(end); time.Sleep(50 * time.Microsecond) {
		if done() {
			return true
		}
	}
	return done()
}
