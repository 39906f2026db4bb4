// Package texels is what the backends with arrays and textures have in common: the
// shapes of arrays, places in them, and how textures are read, with what of it is wrong.
// CUDA's and HIP's numbers for these are the same. It knows nothing of drivers.
package texels

import "fmt"

// Format is the type of an array's channels (CUarray_format, hipArray_Format).
type Format int32

// The common formats.
const (
	Uint8   Format = 1
	Uint16  Format = 2
	Uint32  Format = 3
	Int8    Format = 8
	Int16   Format = 9
	Int32   Format = 10
	Half    Format = 16
	Float32 Format = 32
)

var formats = map[Format]struct {
	size uint64
	name string
}{
	Uint8: {1, "uint8"}, Uint16: {2, "uint16"}, Uint32: {4, "uint32"},
	Int8: {1, "int8"}, Int16: {2, "int16"}, Int32: {4, "int32"},
	Half: {2, "half"}, Float32: {4, "float32"},
}

// Size is a channel's size in bytes; 0 for a format that isn't one of the common
// ones.
func (f Format) Size() uint64 { return formats[f].size }

// String names the format as Go names the type.
func (f Format) String() string {
	if x, ok := formats[f]; ok {
		return x.name
	}
	return fmt.Sprintf("format %d", int32(f))
}

// Shape is an array's shape, in elements. Without a Height it has one dimension,
// without a Depth two.
type Shape struct {
	Width, Height, Depth uint64
	Format               Format
	Channels             uint32 // 1, 2 or 4; 0 counts as 1
	Layered              bool   // Depth is the number of layers, of one dimension without a Height
	Cubemap              bool   // Depth is 6 faces, or that many for each layer; Width is Height
	Surface              bool   // kernels can write it, by way of a Surface
	Gather               bool   // textures of it can gather
}

// The flags of arrays, CUDA_ARRAY3D_… and hipArray….
const (
	layered = 1
	surface = 2
	cubemap = 4
	gather  = 8
)

// Flags are the shape's properties as the drivers take them.
func (s Shape) Flags() (bits uint32) {
	for _, f := range []struct {
		set bool
		bit uint32
	}{{s.Layered, layered}, {s.Surface, surface}, {s.Cubemap, cubemap}, {s.Gather, gather}} {
		if f.set {
			bits |= f.bit
		}
	}
	return bits
}

// Flagged is the shape with the properties that a driver tells.
func (s Shape) Flagged(bits uint32) Shape {
	s.Layered, s.Surface, s.Cubemap, s.Gather = bits&layered != 0, bits&surface != 0, bits&cubemap != 0, bits&gather != 0
	return s
}

// String is the shape as text: "64×32 of 4 float32".
func (s Shape) String() string {
	text := fmt.Sprint(s.Width)
	for _, n := range []uint64{s.Height, s.Depth} {
		if n > 0 {
			text += fmt.Sprintf("×%d", n)
		}
	}
	text += fmt.Sprintf(" of %d %v", max(s.Channels, 1), s.Format)
	if s.Layered {
		text += ", layered"
	}
	if s.Cubemap {
		text += ", cubemap"
	}
	return text
}

// ElementSize is the size of an element in bytes, all channels together.
func (s Shape) ElementSize() uint64 { return s.Format.Size() * uint64(max(s.Channels, 1)) }

// Levels is how often the largest dimension can be halved, plus one.
func (s Shape) Levels() (n uint32) {
	size := max(s.Width, s.Height)
	if !s.Layered && !s.Cubemap {
		size = max(size, s.Depth)
	}
	for ; size > 0; size /= 2 {
		n++
	}
	return n
}

// Wrong says what drivers refuse in the shape, most of it without a word; "" if
// nothing.
func (s Shape) Wrong() string {
	switch {
	case s.Format.Size() == 0:
		return fmt.Sprintf("an array of %v; the formats are uint8, uint16, uint32, int8, int16, int32, half and float32", s.Format)
	case s.Channels == 3 || s.Channels > 4:
		return fmt.Sprintf("elements of %d channels; 1, 2 and 4 are possible", s.Channels)
	case s.Width == 0:
		return "an array without a width"
	case s.Depth > 0 && s.Height == 0 && !s.Layered:
		return fmt.Sprintf("an array of %v has a depth and no height; only layered ones can", s)
	case s.Layered && s.Depth == 0:
		return "a layered array without layers; Depth is their number"
	case s.Cubemap && (s.Width != s.Height || s.Depth%6 != 0 || s.Depth == 0 || !s.Layered && s.Depth != 6):
		return fmt.Sprintf("a cubemap of %v; its faces are as wide as high, and there are 6 of them, or with Layered a multiple of that", s)
	}
	return ""
}

// Place is a place in an array, or the size of a region of it, in elements. Z
// counts slices, layers, or a cubemap's faces. In sizes, a Y or Z of 0 counts as 1.
type Place struct{ X, Y, Z uint64 }

// Region is the size of a region with its zeros counted, and what is wrong if it does
// not lie in the array.
func (s Shape) Region(at, size Place) (counted Place, wrong string) {
	size.Y, size.Z = max(size.Y, 1), max(size.Z, 1)
	have := Place{s.Width, max(s.Height, 1), max(s.Depth, 1)}
	if at.X > have.X || size.X > have.X-at.X || at.Y > have.Y || size.Y > have.Y-at.Y || at.Z > have.Z || size.Z > have.Z-at.Z {
		return size, fmt.Sprintf("%d×%d×%d elements at %d, %d, %d of an array of %v", size.X, size.Y, size.Z, at.X, at.Y, at.Z, s)
	}
	return size, ""
}
