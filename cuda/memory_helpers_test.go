package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

// rig is what the tests of memory must know.
var rig = memorytest.Rig[*Device]{
	Name: "cuda",
	Open: func(t testing.TB) *Device { t.Helper(); return open(t) },
	Hold: hold,
	Fake: isFake,
	Formats: memorytest.Formats{
		Uint8: FormatUint8, Uint16: FormatUint16, Uint32: FormatUint32, Int8: FormatInt8, Int16: FormatInt16, Int32: FormatInt32,
		Half: FormatHalf, Float32: FormatFloat32,
	},
}

// withFake is the environment for a child that has a fake driver and compiler in
// place of the real ones; settings are those of fake_control.h.
func withFake(t testing.TB, settings string, missing ...string) []string {
	t.Helper()
	p, err := fakedriver.Build(fakedriver.Options{Missing: missing})
	if err != nil {
		drivertest.Unavailable(t, "cgo", err)
	}
	return []string{"TRIAD_CUDA_LIBRARY=" + p.Cuda, "TRIAD_NVRTC_LIBRARY=" + p.Nvrtc, "TRIAD_FAKE=" + settings}
}
