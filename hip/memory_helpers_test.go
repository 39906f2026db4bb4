package hip

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

// rig is what the tests of memory must know.
var rig = memorytest.Rig[*Device]{
	Name: "hip",
	Open: func(t testing.TB) *Device { t.Helper(); return open(t) },
	Hold: hold,
	Fake: isFake,
	Formats: memorytest.Formats{
		Uint8: FormatUint8, Uint16: FormatUint16, Uint32: FormatUint32, Int8: FormatInt8, Int16: FormatInt16, Int32: FormatInt32,
		Half: FormatHalf, Float32: FormatFloat32,
	},
}
