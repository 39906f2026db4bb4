package memorytest

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// pitching are devices that allocate rows, P.
type pitching[S, P any] interface {
	streams[S]
	AllocPitched(width, rows uint64, element uint32) (P, error)
}

type pitched interface {
	driver.Memory
	Pitch() uint64
	Width() uint64
	Rows() uint64
	Rect(x, y uint64) driver.Rect
}

// rectangular are streams that fill boxes.
type rectangular interface {
	driver.Stream
	FillRect(dst driver.Memory, r driver.Rect, size driver.Extent, p driver.Pattern) error
}

// Pitched allocates rows, and copies them in and out.
func Pitched[
	D pitching[S, P], S rectangular, P pitched,
](t *testing.T, rig Rig[D]) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	p, err := d.AllocPitched(100, 10, 4)
	Check(t, err)
	if p.Pitch() < 100 || p.Pitch()%4 != 0 || p.Width() != 100 || p.Rows() != 10 || p.Size() != p.Pitch()*10 {
		t.Errorf("10 rows of 100 bytes are %d rows of %d, %d apart, %d in all", p.Rows(), p.Width(), p.Pitch(), p.Size())
	}
	flat := Scratch(t, d, 1000)
	want := Pattern(1000)
	Check(t, s.CopyFromHost(t.Context(), flat, 0, want))
	Check(t, s.CopyRect(p, p.Rect(0, 0), flat, driver.Rect{}, driver.Extent{Bytes: 100, Rows: 10}))
	back := Scratch(t, d, 1000)
	Check(t, s.CopyRect(back, driver.Rect{}, p, p.Rect(0, 0), driver.Extent{Bytes: 100, Rows: 10}))
	if got := Content(t, s, back, 1000); string(got) != string(want) {
		t.Error("rows came back other than they went")
	}
	if got := Content(t, s, p, int(p.Size())); string(got[9*p.Pitch():][:100]) != string(want[900:]) {
		t.Error("the last row is not where its pitch says")
	}
	buffer, err := driver.BufferOf[float32](p)
	Check(t, err)
	if buffer.Len() != int(p.Size()/4) || p.Device() != driver.Device(d) {
		t.Errorf("a buffer of %d elements in %d bytes", buffer.Len(), p.Size())
	}
	Check(t, buffer.Close())
	WantIs(t, "closed", s.FillRect(p, p.Rect(0, 0), driver.Extent{Bytes: 4}, driver.Pattern{Len: 1}), driver.ErrClosed)
	Check(t, p.Close())
}

// PitchedMisuse asks for rows that can't be.
func PitchedMisuse[
	D pitching[S, P], S rectangular, P pitched,
](t *testing.T, rig Rig[D]) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	for _, n := range []uint32{0, 1, 3, 32} {
		_, err := d.AllocPitched(64, 4, n)
		WantIs(t, "elements", err, driver.ErrInvalidValue, "4, 8 and 16")
	}
	_, err := d.AllocPitched(1<<40, 1<<40, 4)
	WantIs(t, "more than 64 bits", err, driver.ErrOutOfMemory)
	_, err = d.AllocPitched(1<<20, 1<<28, 16)
	if err == nil {
		t.Error("256 TiB were allocated")
	}
	for _, size := range [][2]uint64{{0, 4}, {64, 0}} {
		p, err := d.AllocPitched(size[0], size[1], 4)
		Check(t, err)
		if p.Size() != 0 || p.Addr() != 0 {
			t.Errorf("%d rows of %d bytes are %d bytes at %#x", size[1], size[0], p.Size(), p.Addr())
		}
		Check(t, p.Close())
	}
	var none P
	Check(t, none.Close())
	s := newStream(t, d)
	WantIs(t, "nil", s.Copy(none, 0, none, 0, 1), driver.ErrInvalidValue, "nil")
}

// FillRect fills boxes of memory, and looks at all of the memory.
func FillRect[D streams[S], S rectangular](t *testing.T, rig Rig[D]) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	const size = 1 << 12
	for _, x := range []struct {
		what    string
		pattern any
		r       driver.Rect
		e       driver.Extent
	}{
		{"bytes", uint8(5), driver.Rect{Offset: 3, RowPitch: 17}, driver.Extent{Bytes: 7, Rows: 9}},
		{"16 bits", uint16(0x1234), driver.Rect{Offset: 2, RowPitch: 18}, driver.Extent{Bytes: 10, Rows: 9}},
		{"32 bits", uint32(0x12345678), driver.Rect{Offset: 8, RowPitch: 64}, driver.Extent{Bytes: 16, Rows: 9}},
		{"64 bits, both halves one", uint64(0x0102030401020304), driver.Rect{RowPitch: 64}, driver.Extent{Bytes: 16, Rows: 2}},
		{"one row", uint8(6), driver.Rect{Offset: 9}, driver.Extent{Bytes: 11}},
		{"slices without gaps", uint8(7), driver.Rect{RowPitch: 16}, driver.Extent{Bytes: 3, Rows: 4, Slices: 5}},
		{"slices with gaps", uint8(8), driver.Rect{Offset: 1, RowPitch: 16, SlicePitch: 128}, driver.Extent{Bytes: 3, Rows: 4, Slices: 5}},
		{"nothing", uint8(9), driver.Rect{}, driver.Extent{}},
	} {
		m := Scratch(t, d, size)
		Check(t, s.Fill(m, 0, size, driver.Pattern{Len: 1}))
		p := patternOf(t, x.pattern)
		Check(t, s.FillRect(m, x.r, x.e, p))
		got := Content(t, s, m, size)
		want := make([]byte, size)
		rows, slices := max(x.e.Rows, 1), max(x.e.Slices, 1)
		slicePitch := x.r.SlicePitch
		if slicePitch == 0 {
			slicePitch = x.r.RowPitch * rows
		}
		for k := range slices {
			for j := range rows {
				for i := range x.e.Bytes {
					want[x.r.Offset+k*slicePitch+j*x.r.RowPitch+i] = p.Bytes[i%uint64(p.Len)]
				}
			}
		}
		if string(got) != string(want) {
			t.Errorf("%s: other bytes were filled", x.what)
		}
	}
}

func patternOf(t testing.TB, v any) driver.Pattern {
	t.Helper()
	var p driver.Pattern
	var err error
	switch v := v.(type) {
	case uint8:
		p, err = driver.PatternOf(v)
	case uint16:
		p, err = driver.PatternOf(v)
	case uint32:
		p, err = driver.PatternOf(v)
	case uint64:
		p, err = driver.PatternOf(v)
	}
	Check(t, err)
	return p
}

// FillRectMisuse asks for boxes that can't be filled.
func FillRectMisuse[
	D interface {
		streams[S]
		HostAlloc(size uint64, flags F) (H, error)
	},
	S rectangular, H driver.HostMemory, F ~uint32,
](t *testing.T, rig Rig[D]) {
	var noStream S
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	m := Scratch(t, d, 4096)
	four := patternOf(t, uint32(1))
	for what, x := range map[string]struct {
		r driver.Rect
		e driver.Extent
	}{
		"a misaligned pitch":  {driver.Rect{RowPitch: 10}, driver.Extent{Bytes: 8, Rows: 2}},
		"a misaligned offset": {driver.Rect{Offset: 2}, driver.Extent{Bytes: 8}},
		"part of a pattern":   {driver.Rect{}, driver.Extent{Bytes: 6}},
	} {
		WantIs(t, what, s.FillRect(m, x.r, x.e, four), driver.ErrInvalidValue, "multiples of the pattern's 4")
	}
	WantIs(t, "rows that overlap", s.FillRect(m, driver.Rect{RowPitch: 4}, driver.Extent{Bytes: 8, Rows: 2}, four), driver.ErrInvalidValue, "apart")
	WantIs(t, "too many rows", s.FillRect(m, driver.Rect{RowPitch: 1024}, driver.Extent{Bytes: 8, Rows: 5}, four), driver.ErrInvalidValue)
	WantIs(t, "8 bytes", s.FillRect(m, driver.Rect{}, driver.Extent{Bytes: 8}, patternOf(t, uint64(1))), driver.ErrUnsupported, "1, 2 and 4")
	WantIs(t, "3 bytes", s.FillRect(m, driver.Rect{}, driver.Extent{Bytes: 3}, driver.Pattern{Len: 3}), driver.ErrInvalidValue, "1, 2 and 4")
	h, err := d.HostAlloc(64, 0)
	Check(t, err)
	defer h.Close()
	WantIs(t, "host memory", s.FillRect(h, driver.Rect{}, driver.Extent{Bytes: 4}, four), driver.ErrUnsupported, "by the host")
	WantIs(t, "a nil stream", noStream.FillRect(m, driver.Rect{}, driver.Extent{}, four), driver.ErrInvalidValue)
	WantIs(t, "nil memory", s.FillRect(nil, driver.Rect{}, driver.Extent{}, four), driver.ErrInvalidValue, "nil")
}
