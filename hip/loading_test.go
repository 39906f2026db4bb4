//go:build cgo && linux

package hip

import (
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/discipline"
)

func TestInitializationLeavesSignalHandlersAlone(t *testing.T) {
	disciplined(t, "TestSignalsInChild", "TRIAD_FAKE=signals=1")
}
func TestSignalsInChild(t *testing.T) { discipline.Signals(t, fakeBackend(t)) }

func TestDriversThatLieAboutTheirVersion(t *testing.T) {
	for _, version := range discipline.Versions {
		t.Run(version, func(t *testing.T) { disciplined(t, "TestALiarInChild", "TRIAD_FAKE=version="+version) })
	}
}
func TestALiarInChild(t *testing.T) { discipline.Liar(t, fakeBackend(t)) }

// A program that is linked with -z now resolves all its symbols at start: ours must
// not have any of the driver's among them.
func TestProgramsLinkedWithBindNowRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	open(t)
	drivertest.BindNow(t, "hip", "hip", "amdhip")
}
