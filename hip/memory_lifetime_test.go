package hip

import (
	"io"
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

func everything(t testing.TB, d *Device, s *Stream) []io.Closer {
	t.Helper()
	return memorytest.Everything(t, rig, d, s)
}

func TestCloseWaitsForUses(t *testing.T) { memorytest.CloseWaitsForUses(t, rig, everything) }

func TestMemoryFromManyGoroutines(t *testing.T) {
	memorytest.MemoryFromManyGoroutines(t, rig, everything)
}

func TestCapturesSurviveMemory(t *testing.T) {
	memorytest.CapturesSurviveMemory(t, rig, everything, []int{captureGlobal, captureThreadLocal, captureRelaxed}, capture)
}
