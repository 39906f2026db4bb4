package texels_test

import (
	"math"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver/texels"
)

func TestFormats(t *testing.T) {
	for f, want := range map[texels.Format]struct {
		size uint64
		name string
	}{
		texels.Uint8: {1, "uint8"}, texels.Int16: {2, "int16"}, texels.Half: {2, "half"}, texels.Float32: {4, "float32"}, 7: {0, "format 7"}, -1: {0, "format -1"},
	} {
		if f.Size() != want.size || f.String() != want.name {
			t.Errorf("format %d is %v of %d bytes; want %s of %d", int32(f), f, f.Size(), want.name, want.size)
		}
	}
}

func TestShapes(t *testing.T) {
	box := texels.Shape{Width: 64, Height: 32, Depth: 8, Format: texels.Half, Channels: 4}
	cube := texels.Shape{Width: 64, Height: 64, Depth: 12, Format: texels.Uint8, Layered: true, Cubemap: true}
	for _, x := range []struct {
		shape   texels.Shape
		text    string
		element uint64
		levels  uint32
	}{
		{box, "64×32×8 of 4 half", 8, 7},
		{cube, "64×64×12 of 1 uint8, layered, cubemap", 1, 7},
		{texels.Shape{Width: 1, Format: texels.Float32}, "1 of 1 float32", 4, 1},
		{texels.Shape{Width: 2, Depth: 500, Format: texels.Uint32, Layered: true}, "2×500 of 1 uint32, layered", 4, 2},
		{texels.Shape{Width: 2, Height: 2, Depth: 500, Format: texels.Uint32}, "2×2×500 of 1 uint32", 4, 9},
		{texels.Shape{}, "0 of 1 format 0", 0, 0},
	} {
		if got := x.shape.String(); got != x.text || x.shape.ElementSize() != x.element || x.shape.Levels() != x.levels {
			t.Errorf("%+v is %q, elements of %d bytes, %d levels; want %q, %d, %d", x.shape, got, x.shape.ElementSize(), x.shape.Levels(), x.text, x.element, x.levels)
		}
	}
}

func TestFlagsOfShapesGoForthAndBack(t *testing.T) {
	seen := map[uint32]bool{}
	for bits := range uint32(16) {
		s := texels.Shape{Width: 3, Layered: bits&1 != 0, Surface: bits&2 != 0, Cubemap: bits&4 != 0, Gather: bits&8 != 0}
		if s.Flags() != bits {
			t.Errorf("%+v has the flags %#x; want %#x", s, s.Flags(), bits)
		}
		if back := (texels.Shape{Width: 3}).Flagged(s.Flags()); back != s {
			t.Errorf("%+v came back as %+v", s, back)
		}
		seen[s.Flags()] = true
	}
	if len(seen) != 16 {
		t.Errorf("%d different flags", len(seen))
	}
}

func TestWrongShapes(t *testing.T) {
	good := []texels.Shape{
		{Width: 1, Format: texels.Uint8},
		{Width: 8, Height: 8, Depth: 8, Format: texels.Half, Channels: 2},
		{Width: 8, Depth: 3, Format: texels.Uint8, Layered: true},
		{Width: 8, Height: 8, Depth: 6, Format: texels.Uint8, Cubemap: true},
		{Width: 8, Height: 8, Depth: 18, Format: texels.Uint8, Cubemap: true, Layered: true},
	}
	for _, s := range good {
		if wrong := s.Wrong(); wrong != "" {
			t.Errorf("%v: %s", s, wrong)
		}
	}
	for word, s := range map[string]texels.Shape{
		"format 9999":      {Width: 8, Format: 9999},
		"1, 2 and 4":       {Width: 8, Format: texels.Half, Channels: 3},
		"of 5 channels":    {Width: 8, Format: texels.Half, Channels: 5},
		"without a width":  {Height: 8, Format: texels.Half},
		"no height":        {Width: 8, Depth: 8, Format: texels.Half},
		"without layers":   {Width: 8, Height: 8, Format: texels.Half, Layered: true},
		"as wide as high":  {Width: 8, Height: 4, Depth: 6, Format: texels.Half, Cubemap: true},
		"there are 6":      {Width: 8, Height: 8, Depth: 12, Format: texels.Half, Cubemap: true},
		"multiple of that": {Width: 8, Height: 8, Depth: 7, Format: texels.Half, Cubemap: true, Layered: true},
	} {
		if wrong := s.Wrong(); !strings.Contains(wrong, word) {
			t.Errorf("%+v: %q; want a word of %q", s, wrong, word)
		}
	}
}

func TestRegions(t *testing.T) {
	const most = math.MaxUint64
	flat := texels.Shape{Width: 8, Height: 4, Format: texels.Uint8}
	for _, x := range []struct {
		at, size, counted texels.Place
		in                bool
	}{
		{texels.Place{}, texels.Place{8, 4, 1}, texels.Place{8, 4, 1}, true},
		{texels.Place{X: 7, Y: 3}, texels.Place{X: 1}, texels.Place{1, 1, 1}, true},
		{texels.Place{X: 8, Y: 3}, texels.Place{}, texels.Place{0, 1, 1}, true},
		{texels.Place{X: 8}, texels.Place{X: 1}, texels.Place{1, 1, 1}, false},
		{texels.Place{Y: 4}, texels.Place{X: 1}, texels.Place{1, 1, 1}, false},
		{texels.Place{Z: 1}, texels.Place{X: 1}, texels.Place{1, 1, 1}, false},
		{texels.Place{X: most}, texels.Place{X: 9}, texels.Place{9, 1, 1}, false},
		{texels.Place{X: 1}, texels.Place{X: most}, texels.Place{most, 1, 1}, false},
	} {
		counted, wrong := flat.Region(x.at, x.size)
		if counted != x.counted || (wrong == "") != x.in || !x.in && !strings.Contains(wrong, flat.String()) {
			t.Errorf("%v at %v: %v, %q; want %v, inside: %v", x.size, x.at, counted, wrong, x.counted, x.in)
		}
	}
}

func TestSamplers(t *testing.T) {
	if got := (texels.Sampler{ReadAsInteger: true, SRGB: true}).Flags(); got != 17 {
		t.Errorf("flags %d; want 17", got)
	}
	if got := (texels.Sampler{Normalized: true, Seamless: true}).Flags(); got != 66 {
		t.Errorf("flags %d; want 66", got)
	}
	all := texels.Sampler{Address: [3]texels.AddressMode{texels.Wrap, texels.Mirror, texels.Border}, Filter: texels.Linear, MipFilter: texels.Linear}
	if wrong := all.Wrong(); wrong != "" {
		t.Error(wrong)
	}
	for word, s := range map[string]texels.Sampler{
		"mode 4 in dimension 1":  {Address: [3]texels.AddressMode{0, 4}},
		"mode -1 in dimension 2": {Address: [3]texels.AddressMode{0, 1, -1}},
		"filters 2 and 0":        {Filter: 2},
		"filters 0 and -1":       {MipFilter: -1},
	} {
		if wrong := s.Wrong(); !strings.Contains(wrong, word) {
			t.Errorf("%+v: %q; want %q", s, wrong, word)
		}
	}
}
