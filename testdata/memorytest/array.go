package memorytest

import (
	"io"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/texels"
)

// shaped are devices with arrays, Y, and mipmapped ones, M.
type shaped[Y, M any] interface {
	NewArray(opts texels.Shape) (Y, error)
	NewMipmap(opts texels.Shape, levels uint32) (M, error)
}

// arraying are such devices with streams.
type arraying[S, Y, M any] interface {
	streams[S]
	shaped[Y, M]
}

type array interface {
	Close() error
	Native() uintptr
	Options() texels.Shape
}

type mipmap[Y any] interface {
	Close() error
	Level(i uint32) (Y, error)
	Levels() uint32
}

// coordinates are a place in an array.
type coordinates interface{ ~struct{ X, Y, Z uint64 } }

// copying are streams that copy arrays.
type copying[Y, X any] interface {
	driver.Stream
	CopyArray(dst Y, dstAt X, src Y, srcAt, size X) error
	CopyFromArray(dst driver.Memory, rect driver.Rect, src Y, at, size X) error
	CopyToArray(dst Y, at X, src driver.Memory, rect driver.Rect, size X) error
}

// Formats are the formats of arrays.
type Formats struct{ Uint8, Uint16, Uint32, Int8, Int16, Int32, Half, Float32 texels.Format }

// NewArray makes an array that is closed after the test.
func NewArray[
	D interface {
		NewArray(opts texels.Shape) (Y, error)
	}, Y io.Closer,
](t testing.TB, d D, opts texels.Shape) Y {
	t.Helper()
	a, err := d.NewArray(opts)
	Check(t, err)
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// Arrays copies whole arrays of each shape and format from memory into the array, into
// another array, and back.
func Arrays[
	D arraying[S, Y, M], S copying[Y, X], Y array, M mipmap[Y], X coordinates,
](t *testing.T, rig Rig[D]) {
	f := rig.Formats
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	for what, o := range map[string]texels.Shape{
		"1D":                {Width: 100, Format: f.Uint8},
		"2D":                {Width: 33, Height: 17, Format: f.Uint16, Channels: 2},
		"3D":                {Width: 9, Height: 7, Depth: 5, Format: f.Float32, Channels: 4},
		"1D, layered":       {Width: 64, Depth: 3, Layered: true, Format: f.Int32},
		"2D, layered":       {Width: 16, Height: 8, Depth: 3, Layered: true, Format: f.Half, Channels: 4},
		"cubemap":           {Width: 16, Height: 16, Depth: 6, Cubemap: true, Format: f.Int16},
		"cubemaps, layered": {Width: 16, Height: 16, Depth: 12, Cubemap: true, Layered: true, Format: f.Int8, Channels: 4},
		"a surface":         {Width: 32, Height: 32, Format: f.Uint32, Surface: true},
		"gathered":          {Width: 32, Height: 32, Format: f.Float32, Gather: true},
	} {
		a, b := NewArray(t, d, o), NewArray(t, d, o)
		if a.Native() == 0 || a.Native() == b.Native() || a.Options().Channels != max(o.Channels, 1) {
			t.Errorf("%s: the array is %#x, %v", what, a.Native(), a.Options())
		}
		size := X{o.Width, o.Height, o.Depth}
		n := int(o.ElementSize() * o.Width * max(o.Height, 1) * max(o.Depth, 1))
		m, back := Scratch(t, d, uint64(n)), Scratch(t, d, uint64(n))
		want := Pattern(n)
		Check(t, s.CopyFromHost(t.Context(), m, 0, want))
		Check(t, s.CopyToArray(a, X{}, m, driver.Rect{}, size))
		Check(t, s.CopyArray(b, X{}, a, X{}, size))
		Check(t, s.CopyFromArray(back, driver.Rect{}, b, X{}, size))
		if got := Content(t, s, back, n); string(got) != string(want) {
			t.Errorf("%s: other bytes came back", what)
		}
	}
}

// ArrayRegions copies a box from page-locked memory into an array.
func ArrayRegions[
	D interface {
		arraying[S, Y, M]
		HostAlloc(size uint64, flags F) (H, error)
	},
	S copying[Y, X], Y array, M mipmap[Y], X coordinates, H driver.HostMemory, F ~uint32,
](t *testing.T, rig Rig[D]) {
	f := rig.Formats
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	o := texels.Shape{Width: 8, Height: 6, Depth: 4, Format: f.Uint16, Channels: 2}
	a := NewArray(t, d, o)
	const all = 8 * 6 * 4 * 4
	m := Scratch(t, d, all)
	Check(t, s.Fill(m, 0, all, driver.Pattern{Len: 1}))
	Check(t, s.CopyToArray(a, X{}, m, driver.Rect{}, X{8, 6, 4}))
	h, err := d.HostAlloc(256, 0)
	Check(t, err)
	defer h.Close()
	copy(h.Bytes(), Pattern(256))
	// 3×2×2 elements, 12 bytes a row, in page-locked memory with gaps.
	Check(t, s.CopyToArray(a, X{2, 1, 1}, h, driver.Rect{Offset: 4, RowPitch: 16, SlicePitch: 64}, X{3, 2, 2}))
	Check(t, s.CopyFromArray(m, driver.Rect{}, a, X{}, X{8, 6, 4}))
	want := make([]byte, all)
	for z := range 2 {
		for y := range 2 {
			copy(want[((z+1)*6+y+1)*32+2*4:][:12], Pattern(256)[4+64*z+16*y:])
		}
	}
	if got := Content(t, s, m, all); string(got) != string(want) {
		t.Error("the region is not where it should be, or other bytes changed")
	}
	Check(t, s.CopyToArray(a, X{8, 5, 3}, m, driver.Rect{}, X{}))
}

// Mipmap copies into each level, and back.
func Mipmap[
	D arraying[S, Y, M], S copying[Y, X], Y array, M mipmap[Y], X coordinates,
](t *testing.T, rig Rig[D]) {
	f := rig.Formats
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	m, err := d.NewMipmap(texels.Shape{Width: 32, Height: 8, Format: f.Float32}, 100)
	Check(t, err)
	if m.Levels() != 6 {
		t.Errorf("32×8 elements have %d levels", m.Levels())
	}
	for i, want := range [][2]uint64{{32, 8}, {16, 4}, {8, 2}, {4, 1}} {
		a, err := m.Level(uint32(i))
		Check(t, err)
		if o := a.Options(); o.Width != want[0] || o.Height != want[1] || o.Format != f.Float32 {
			t.Errorf("level %d is %v", i, o)
		}
		n := want[0] * want[1] * 4
		mem, back := Scratch(t, d, n), Scratch(t, d, n)
		Check(t, s.CopyFromHost(t.Context(), mem, 0, Pattern(int(n))))
		Check(t, s.CopyToArray(a, X{}, mem, driver.Rect{}, X{want[0], want[1], 0}))
		Check(t, s.CopyFromArray(back, driver.Rect{}, a, X{}, X{want[0], want[1], 0}))
		if got := Content(t, s, back, int(n)); string(got) != string(Pattern(int(n))) {
			t.Errorf("level %d: other bytes came back", i)
		}
		Check(t, a.Close())
	}
	a, err := m.Level(1)
	Check(t, err)
	Check(t, m.Close())
	Check(t, m.Close())
	if a.Native() == 0 {
		t.Error("a level is gone with the whole")
	}
	_, err = m.Level(0)
	WantIs(t, "closed", err, driver.ErrClosed, "mipmapped array")
	Check(t, a.Close())
}

// ArrayMisuse asks for arrays and copies that can't be; widest is the attribute that says how
// wide an array may be, which errors call widestName.
func ArrayMisuse[
	D interface {
		arraying[S, Y, M]
		attributed[B]
	},
	S copying[Y, X], Y array, M mipmap[Y], X coordinates, B any,
](t *testing.T, rig Rig[D], widest B, widestName string) {
	var noStream S
	var noArray Y
	var noMipmap M
	f := rig.Formats
	drivertest.LeavesNothing(t)
	d, other := rig.Open(t), rig.Open(t)
	s := newStream(t, d)
	for what, x := range map[string]struct {
		o    texels.Shape
		want string
	}{
		"a format":         {texels.Shape{Width: 8, Format: 99}, "the formats are"},
		"channels":         {texels.Shape{Width: 8, Format: f.Half, Channels: 3}, "1, 2 and 4"},
		"no width":         {texels.Shape{Height: 8, Format: f.Half}, "width"},
		"no height":        {texels.Shape{Width: 8, Depth: 8, Format: f.Half}, "no height"},
		"no layers":        {texels.Shape{Width: 8, Layered: true, Format: f.Half}, "layers"},
		"a cuboid":         {texels.Shape{Width: 8, Height: 4, Depth: 6, Cubemap: true, Format: f.Half}, "cubemap"},
		"five faces":       {texels.Shape{Width: 8, Height: 8, Depth: 5, Cubemap: true, Format: f.Half}, "cubemap"},
		"two, not layered": {texels.Shape{Width: 8, Height: 8, Depth: 12, Cubemap: true, Format: f.Half}, "cubemap"},
		"no faces":         {texels.Shape{Width: 8, Height: 8, Cubemap: true, Layered: true, Format: f.Half}, "layers"},
		"one and a half":   {texels.Shape{Width: 8, Height: 8, Depth: 9, Cubemap: true, Layered: true, Format: f.Half}, "cubemap"},
	} {
		_, err := d.NewArray(x.o)
		WantIs(t, what, err, driver.ErrInvalidValue, x.want)
		_, err = d.NewMipmap(x.o, 1)
		WantIs(t, what, err, driver.ErrInvalidValue, x.want)
	}
	_, err := d.NewMipmap(texels.Shape{Width: 8, Format: f.Half}, 0)
	WantIs(t, "no levels", err, driver.ErrInvalidValue, "levels")
	limit, err := d.Attribute(widest)
	Check(t, err)
	if !rig.Fake() { // which has no limits
		_, err = d.NewArray(texels.Shape{Width: uint64(limit) + 1, Height: 2, Format: f.Uint8})
		WantIs(t, "too wide", err, driver.ErrInvalidValue, "allows", widestName)
	}

	a, b := NewArray(t, d, texels.Shape{Width: 8, Height: 4, Format: f.Uint8}), NewArray(t, d, texels.Shape{Width: 8, Height: 4, Format: f.Uint16})
	m := Scratch(t, d, 32)
	for what, err := range map[string]error{
		"too wide":         s.CopyToArray(a, X{1, 0, 0}, m, driver.Rect{}, X{8, 1, 1}),
		"too high":         s.CopyToArray(a, X{0, 4, 0}, m, driver.Rect{}, X{8, 1, 1}),
		"too deep":         s.CopyFromArray(m, driver.Rect{}, a, X{}, X{8, 1, 2}),
		"overflowing":      s.CopyFromArray(m, driver.Rect{}, a, X{X: ^uint64(0)}, X{X: 2}),
		"too far":          s.CopyFromArray(m, driver.Rect{Offset: 1}, a, X{}, X{8, 4, 1}),
		"narrow rows":      s.CopyToArray(a, X{}, m, driver.Rect{RowPitch: 4}, X{8, 2, 1}),
		"other elements":   s.CopyArray(a, X{}, b, X{}, X{8, 4, 1}),
		"a nil array":      s.CopyToArray(noArray, X{}, m, driver.Rect{}, X{8, 1, 1}),
		"another nil":      s.CopyArray(a, X{}, noArray, X{}, X{8, 4, 1}),
		"nil memory":       s.CopyToArray(a, X{}, nil, driver.Rect{}, X{8, 1, 1}),
		"a nil stream":     noStream.CopyToArray(a, X{}, m, driver.Rect{}, X{8, 1, 1}),
		"between too wide": s.CopyArray(a, X{4, 0, 0}, a, X{}, X{8, 4, 1}),
	} {
		WantIs(t, what, err, driver.ErrInvalidValue)
	}
	foreign := NewArray(t, other, texels.Shape{Width: 8, Format: f.Uint8})
	WantIs(t, "a foreign array", s.CopyToArray(foreign, X{}, m, driver.Rect{}, X{X: 8}), driver.ErrDeviceMismatch, "the array is of")
	Check(t, a.Close())
	Check(t, a.Close())
	WantIs(t, "closed", s.CopyToArray(a, X{}, m, driver.Rect{}, X{8, 1, 1}), driver.ErrClosed, "array")
	Check(t, noArray.Close())
	Check(t, noMipmap.Close())
	if noArray.Native() != 0 || a.Native() != 0 || noMipmap.Levels() != 0 || noArray.Options() != (texels.Shape{}) {
		t.Error("nil and closed arrays have a handle")
	}
}

// ArrayOptionsReadWell prints shapes.
func ArrayOptionsReadWell(t *testing.T, f Formats) {
	for want, o := range map[string]texels.Shape{
		"64 of 1 uint8":                      {Width: 64, Format: f.Uint8},
		"64×32 of 4 float32":                 {Width: 64, Height: 32, Format: f.Float32, Channels: 4},
		"8×8×12 of 2 half, layered, cubemap": {Width: 8, Height: 8, Depth: 12, Format: f.Half, Channels: 2, Layered: true, Cubemap: true},
		"8 of 1 format 5":                    {Width: 8, Format: 5},
	} {
		if got := o.String(); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
