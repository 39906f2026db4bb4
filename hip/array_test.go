package hip

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

func newArray(t testing.TB, d *Device, opts ArrayOptions) *Array {
	t.Helper()
	a, err := d.NewArray(opts)
	check(t, err)
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// Whole arrays of each shape and format go from memory into the array, into another
// array, and back.
func TestArrays(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	for what, o := range map[string]ArrayOptions{
		"1D":                {Width: 100, Format: FormatUint8},
		"2D":                {Width: 33, Height: 17, Format: FormatUint16, Channels: 2},
		"3D":                {Width: 9, Height: 7, Depth: 5, Format: FormatFloat32, Channels: 4},
		"1D, layered":       {Width: 64, Depth: 3, Layered: true, Format: FormatInt32},
		"2D, layered":       {Width: 16, Height: 8, Depth: 3, Layered: true, Format: FormatHalf, Channels: 4},
		"cubemap":           {Width: 16, Height: 16, Depth: 6, Cubemap: true, Format: FormatInt16},
		"cubemaps, layered": {Width: 16, Height: 16, Depth: 12, Cubemap: true, Layered: true, Format: FormatInt8, Channels: 4},
		"a surface":         {Width: 32, Height: 32, Format: FormatUint32, Surface: true},
		"gathered":          {Width: 32, Height: 32, Format: FormatFloat32, Gather: true},
	} {
		a, b := newArray(t, d, o), newArray(t, d, o)
		if a.Native() == 0 || a.Native() == b.Native() || a.Options().Channels != max(o.Channels, 1) {
			t.Errorf("%s: the array is %#x, %v", what, a.Native(), a.Options())
		}
		size := Texels{o.Width, o.Height, o.Depth}
		n := int(o.ElementSize() * o.Width * max(o.Height, 1) * max(o.Depth, 1))
		m, back := scratch(t, d, uint64(n)), scratch(t, d, uint64(n))
		want := pattern(n)
		check(t, s.CopyFromHost(t.Context(), m, 0, want))
		check(t, s.CopyToArray(a, Texels{}, m, driver.Rect{}, size))
		check(t, s.CopyArray(b, Texels{}, a, Texels{}, size))
		check(t, s.CopyFromArray(back, driver.Rect{}, b, Texels{}, size))
		if got := content(t, s, back, n); string(got) != string(want) {
			t.Errorf("%s: other bytes came back", what)
		}
	}
}

func TestArrayRegions(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	o := ArrayOptions{Width: 8, Height: 6, Depth: 4, Format: FormatUint16, Channels: 2}
	a := newArray(t, d, o)
	const all = 8 * 6 * 4 * 4
	m := scratch(t, d, all)
	check(t, s.Fill(m, 0, all, driver.Pattern{Len: 1}))
	check(t, s.CopyToArray(a, Texels{}, m, driver.Rect{}, Texels{8, 6, 4}))
	h, err := d.HostAlloc(256, 0)
	check(t, err)
	defer h.Close()
	copy(h.Bytes(), pattern(256))
	// 3×2×2 elements, 12 bytes a row, in page-locked memory with gaps.
	check(t, s.CopyToArray(a, Texels{2, 1, 1}, h, driver.Rect{Offset: 4, RowPitch: 16, SlicePitch: 64}, Texels{3, 2, 2}))
	check(t, s.CopyFromArray(m, driver.Rect{}, a, Texels{}, Texels{8, 6, 4}))
	want := make([]byte, all)
	for z := range 2 {
		for y := range 2 {
			copy(want[((z+1)*6+y+1)*32+2*4:][:12], pattern(256)[4+64*z+16*y:])
		}
	}
	if got := content(t, s, m, all); string(got) != string(want) {
		t.Error("the region is not where it should be, or other bytes changed")
	}
	check(t, s.CopyToArray(a, Texels{8, 5, 3}, m, driver.Rect{}, Texels{}))
}

func TestMipmap(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	m, err := d.NewMipmap(ArrayOptions{Width: 32, Height: 8, Format: FormatFloat32}, 100)
	check(t, err)
	if m.Levels() != 6 {
		t.Errorf("32×8 elements have %d levels", m.Levels())
	}
	for i, want := range [][2]uint64{{32, 8}, {16, 4}, {8, 2}, {4, 1}} {
		a, err := m.Level(uint32(i))
		check(t, err)
		if o := a.Options(); o.Width != want[0] || o.Height != want[1] || o.Format != FormatFloat32 {
			t.Errorf("level %d is %v", i, o)
		}
		n := want[0] * want[1] * 4
		mem, back := scratch(t, d, n), scratch(t, d, n)
		check(t, s.CopyFromHost(t.Context(), mem, 0, pattern(int(n))))
		check(t, s.CopyToArray(a, Texels{}, mem, driver.Rect{}, Texels{want[0], want[1], 0}))
		check(t, s.CopyFromArray(back, driver.Rect{}, a, Texels{}, Texels{want[0], want[1], 0}))
		if got := content(t, s, back, int(n)); string(got) != string(pattern(int(n))) {
			t.Errorf("level %d: other bytes came back", i)
		}
		check(t, a.Close())
	}
	a, err := m.Level(1)
	check(t, err)
	check(t, m.Close())
	check(t, m.Close())
	if a.Native() == 0 {
		t.Error("a level is gone with the whole")
	}
	_, err = m.Level(0)
	wantIs(t, "closed", err, driver.ErrClosed, "mipmapped array")
	check(t, a.Close())
}

func TestArrayMisuse(t *testing.T) {
	drivertest.LeavesNothing(t)
	d, other := open(t), open(t)
	s := newStream(t, d)
	for what, x := range map[string]struct {
		o    ArrayOptions
		want string
	}{
		"a format":         {ArrayOptions{Width: 8, Format: 99}, "the formats are"},
		"channels":         {ArrayOptions{Width: 8, Format: FormatHalf, Channels: 3}, "1, 2 and 4"},
		"no width":         {ArrayOptions{Height: 8, Format: FormatHalf}, "width"},
		"no height":        {ArrayOptions{Width: 8, Depth: 8, Format: FormatHalf}, "no height"},
		"no layers":        {ArrayOptions{Width: 8, Layered: true, Format: FormatHalf}, "layers"},
		"a cuboid":         {ArrayOptions{Width: 8, Height: 4, Depth: 6, Cubemap: true, Format: FormatHalf}, "cubemap"},
		"five faces":       {ArrayOptions{Width: 8, Height: 8, Depth: 5, Cubemap: true, Format: FormatHalf}, "cubemap"},
		"two, not layered": {ArrayOptions{Width: 8, Height: 8, Depth: 12, Cubemap: true, Format: FormatHalf}, "cubemap"},
		"no faces":         {ArrayOptions{Width: 8, Height: 8, Cubemap: true, Layered: true, Format: FormatHalf}, "layers"},
		"one and a half":   {ArrayOptions{Width: 8, Height: 8, Depth: 9, Cubemap: true, Layered: true, Format: FormatHalf}, "cubemap"},
	} {
		_, err := d.NewArray(x.o)
		wantIs(t, what, err, driver.ErrInvalidValue, x.want)
		_, err = d.NewMipmap(x.o, 1)
		wantIs(t, what, err, driver.ErrInvalidValue, x.want)
	}
	_, err := d.NewMipmap(ArrayOptions{Width: 8, Format: FormatHalf}, 0)
	wantIs(t, "no levels", err, driver.ErrInvalidValue, "levels")
	limit, err := d.Attribute(AttrMaxTexture2DWidth)
	check(t, err)
	if !isFake() { // which has no limits
		_, err = d.NewArray(ArrayOptions{Width: uint64(limit) + 1, Height: 2, Format: FormatUint8})
		wantIs(t, "too wide", err, driver.ErrInvalidValue, "allows", "MaxTexture2DWidth")
	}

	a, b := newArray(t, d, ArrayOptions{Width: 8, Height: 4, Format: FormatUint8}), newArray(t, d, ArrayOptions{Width: 8, Height: 4, Format: FormatUint16})
	m := scratch(t, d, 32)
	for what, err := range map[string]error{
		"too wide":         s.CopyToArray(a, Texels{1, 0, 0}, m, driver.Rect{}, Texels{8, 1, 1}),
		"too high":         s.CopyToArray(a, Texels{0, 4, 0}, m, driver.Rect{}, Texels{8, 1, 1}),
		"too deep":         s.CopyFromArray(m, driver.Rect{}, a, Texels{}, Texels{8, 1, 2}),
		"overflowing":      s.CopyFromArray(m, driver.Rect{}, a, Texels{X: ^uint64(0)}, Texels{X: 2}),
		"too far":          s.CopyFromArray(m, driver.Rect{Offset: 1}, a, Texels{}, Texels{8, 4, 1}),
		"narrow rows":      s.CopyToArray(a, Texels{}, m, driver.Rect{RowPitch: 4}, Texels{8, 2, 1}),
		"other elements":   s.CopyArray(a, Texels{}, b, Texels{}, Texels{8, 4, 1}),
		"a nil array":      s.CopyToArray(nil, Texels{}, m, driver.Rect{}, Texels{8, 1, 1}),
		"another nil":      s.CopyArray(a, Texels{}, nil, Texels{}, Texels{8, 4, 1}),
		"nil memory":       s.CopyToArray(a, Texels{}, nil, driver.Rect{}, Texels{8, 1, 1}),
		"a nil stream":     (*Stream)(nil).CopyToArray(a, Texels{}, m, driver.Rect{}, Texels{8, 1, 1}),
		"between too wide": s.CopyArray(a, Texels{4, 0, 0}, a, Texels{}, Texels{8, 4, 1}),
	} {
		wantIs(t, what, err, driver.ErrInvalidValue)
	}
	foreign := newArray(t, other, ArrayOptions{Width: 8, Format: FormatUint8})
	wantIs(t, "a foreign array", s.CopyToArray(foreign, Texels{}, m, driver.Rect{}, Texels{X: 8}), driver.ErrDeviceMismatch, "the array is of")
	check(t, a.Close())
	check(t, a.Close())
	wantIs(t, "closed", s.CopyToArray(a, Texels{}, m, driver.Rect{}, Texels{8, 1, 1}), driver.ErrClosed, "array")
	check(t, (*Array)(nil).Close())
	check(t, (*Mipmap)(nil).Close())
	if (*Array)(nil).Native() != 0 || a.Native() != 0 || (*Mipmap)(nil).Levels() != 0 || (*Array)(nil).Options() != (ArrayOptions{}) {
		t.Error("nil and closed arrays have a handle")
	}
}

func TestArrayOptionsReadWell(t *testing.T) {
	for want, o := range map[string]ArrayOptions{
		"64 of 1 uint8":                      {Width: 64, Format: FormatUint8},
		"64×32 of 4 float32":                 {Width: 64, Height: 32, Format: FormatFloat32, Channels: 4},
		"8×8×12 of 2 half, layered, cubemap": {Width: 8, Height: 8, Depth: 12, Format: FormatHalf, Channels: 2, Layered: true, Cubemap: true},
		"8 of 1 format 5":                    {Width: 8, Format: 5},
	} {
		if got := o.String(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
