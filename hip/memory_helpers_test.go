package hip

import (
	"bytes"
	"testing"

	"github.com/triad-gpu/triad/driver"
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

// pattern is n bytes, each different from its neighbours.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
	return b
}

// roundTrip writes a pattern into memory and reads it back.
func roundTrip(t testing.TB, s *Stream, m driver.Memory) {
	t.Helper()
	want := pattern(int(min(m.Size(), 1<<20)))
	check(t, s.CopyFromHost(t.Context(), m, 0, want))
	if got := content(t, s, m, len(want)); !bytes.Equal(got, want) {
		t.Errorf("%d bytes came back other than they went", len(want))
	}
}

// content is the first n bytes of memory.
func content(t testing.TB, s *Stream, m driver.Memory, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	check(t, s.CopyToHost(t.Context(), b, m, 0))
	return b
}

// scratch allocates device memory that is closed after the test.
func scratch(t testing.TB, d *Device, n uint64) *Memory {
	t.Helper()
	m, err := d.Alloc(n)
	check(t, err)
	t.Cleanup(func() { _ = m.Close() })
	return m.(*Memory)
}
