package hip

import (
	"fmt"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Format is the type of an array's channels (hipArray_Format).
type Format int32

// The common formats.
const (
	FormatUint8   Format = 1
	FormatUint16  Format = 2
	FormatUint32  Format = 3
	FormatInt8    Format = 8
	FormatInt16   Format = 9
	FormatInt32   Format = 10
	FormatHalf    Format = 16
	FormatFloat32 Format = 32
)

var formats = map[Format]struct {
	size uint64
	name string
}{
	FormatUint8: {1, "uint8"}, FormatUint16: {2, "uint16"}, FormatUint32: {4, "uint32"},
	FormatInt8: {1, "int8"}, FormatInt16: {2, "int16"}, FormatInt32: {4, "int32"},
	FormatHalf: {2, "half"}, FormatFloat32: {4, "float32"},
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

// ArrayOptions are an array's shape, in elements. Without a Height it has one
// dimension, without a Depth two.
type ArrayOptions struct {
	Width, Height, Depth uint64
	Format               Format
	Channels             uint32 // 1, 2 or 4; 0 counts as 1
	Layered              bool   // Depth is the number of layers, of one dimension without a Height
	Cubemap              bool   // Depth is 6 faces, or that many for each layer; Width is Height
	Surface              bool   // kernels can write it, by way of a Surface
	Gather               bool   // textures of it can gather
}

// The flags of arrays, hipArray….
const (
	arrayLayered = 1
	arraySurface = 2
	arrayCubemap = 4
	arrayGather  = 8
)

// arrayShape is triad_hip_array_shape.
type arrayShape struct {
	width, height, depth uint64
	format               int32
	channels, flags      uint32
}

func (o ArrayOptions) shape() arrayShape {
	s := arrayShape{width: o.Width, height: o.Height, depth: o.Depth, format: int32(o.Format), channels: max(o.Channels, 1)}
	for _, f := range []struct {
		set bool
		bit uint32
	}{{o.Layered, arrayLayered}, {o.Surface, arraySurface}, {o.Cubemap, arrayCubemap}, {o.Gather, arrayGather}} {
		if f.set {
			s.flags |= f.bit
		}
	}
	return s
}

func optionsOf(s arrayShape) ArrayOptions {
	return ArrayOptions{
		Width: s.width, Height: s.height, Depth: s.depth, Format: Format(s.format), Channels: s.channels,
		Layered: s.flags&arrayLayered != 0, Surface: s.flags&arraySurface != 0, Cubemap: s.flags&arrayCubemap != 0, Gather: s.flags&arrayGather != 0,
	}
}

// String is the shape as text: "64×32 of 4 float32".
func (o ArrayOptions) String() string {
	s := fmt.Sprint(o.Width)
	for _, n := range []uint64{o.Height, o.Depth} {
		if n > 0 {
			s += fmt.Sprintf("×%d", n)
		}
	}
	s += fmt.Sprintf(" of %d %v", max(o.Channels, 1), o.Format)
	if o.Layered {
		s += ", layered"
	}
	if o.Cubemap {
		s += ", cubemap"
	}
	return s
}

// ElementSize is the size of an element in bytes, all channels together.
func (o ArrayOptions) ElementSize() uint64 { return o.Format.Size() * uint64(max(o.Channels, 1)) }

// check refuses what the driver would refuse without a word.
func (o ArrayOptions) check(op string) error {
	switch {
	case o.Format.Size() == 0:
		return refused(op, driver.ErrInvalidValue, "an array of %v; the formats are uint8, uint16, uint32, int8, int16, int32, half and float32", o.Format)
	case o.Channels == 3 || o.Channels > 4:
		return refused(op, driver.ErrInvalidValue, "elements of %d channels; 1, 2 and 4 are possible", o.Channels)
	case o.Width == 0:
		return refused(op, driver.ErrInvalidValue, "an array without a width")
	case o.Depth > 0 && o.Height == 0 && !o.Layered:
		return refused(op, driver.ErrInvalidValue, "an array of %v has a depth and no height; only layered ones can", o)
	case o.Layered && o.Depth == 0:
		return refused(op, driver.ErrInvalidValue, "a layered array without layers; Depth is their number")
	case o.Cubemap && (o.Width != o.Height || o.Depth%6 != 0 || o.Depth == 0 || !o.Layered && o.Depth != 6):
		return refused(op, driver.ErrInvalidValue, "a cubemap of %v; its faces are as wide as high, and there are 6 of them, or with Layered a multiple of that", o)
	}
	return nil
}

// Array is memory that only textures, surfaces and copies know their way in
// (hipArray_t). All methods may be called from any goroutine.
type Array struct {
	life lifetime.Life
	dev  *Device
	raw  handle
	opts ArrayOptions
}

var (
	arrayKind  = lifetime.NewKind("hip array")
	mipmapKind = lifetime.NewKind("hip mipmapped array")
)

// NewArray makes an array (hipArray3DCreate). Close frees it once everything that
// this opening's streams have been given has finished.
func (d *Device) NewArray(opts ArrayOptions) (*Array, error) {
	const op = "hipArray3DCreate"
	if err := d.use(op); err != nil {
		return nil, err
	}
	err := opts.check(op)
	var raw handle
	if err == nil {
		var code int32
		if raw, code = rawArrayNew(d.raw, opts.shape()); code != 0 {
			err = d.arrayFailure(op, code, opts)
		}
	}
	if err != nil {
		d.life.Release()
		return nil, err
	}
	a := &Array{dev: d, raw: raw, opts: opts}
	a.opts.Channels = max(opts.Channels, 1)
	a.life.Init(arrayKind, func() { d.discards.Discard(true, func() { rawArrayDestroy(d.raw, raw) }) })
	return a, nil
}

// arrayFailure says which limit an array has broken.
func (d *Device) arrayFailure(op string, code int32, o ArrayOptions) error {
	if code == codeNotSupported && !load().Has(op) {
		return unsupported(op, op, "HIP 5.2")
	}
	if code != codeInvalidValue {
		return d.failure(op, code, "an array of %v", o)
	}
	for i, a := range o.limits() {
		n := [3]uint64{o.Width, o.Height, o.Depth}[i]
		if limit, c := rawDeviceAttribute(d.native, int(a)); a != 0 && c == 0 && n > uint64(limit) {
			return d.failure(op, code, "an array of %v; %s allows %d in dimension %d (%v)", o, d.info.Name, limit, i, a)
		}
	}
	return d.failure(op, code, "an array of %v", o)
}

// limits are the attributes that limit each dimension; 0 where none does.
func (o ArrayOptions) limits() [3]Attribute {
	switch {
	case o.Cubemap || o.Layered || o.Gather:
		return [3]Attribute{} // the attributes of these are of all dimensions at once
	case o.Height == 0:
		return [3]Attribute{AttrMaxTexture1DWidth}
	case o.Depth == 0:
		return [3]Attribute{AttrMaxTexture2DWidth, AttrMaxTexture2DHeight}
	}
	return [3]Attribute{AttrMaxTexture3DWidth, AttrMaxTexture3DHeight, AttrMaxTexture3DDepth}
}

func (a *Array) use(op string) error {
	if a == nil {
		return refused(op, driver.ErrInvalidValue, "the array is nil; make one with Device.NewArray")
	}
	if !a.life.Acquire() {
		return driver.ClosedError(backendName, op, "array")
	}
	return nil
}

// Options are the array's shape; that of nothing for a nil array.
func (a *Array) Options() ArrayOptions {
	if a == nil {
		return ArrayOptions{}
	}
	return a.opts
}

// Native returns the hipArray_t as an integer, for a user's own C code; 0 once closed.
func (a *Array) Native() uintptr {
	if a == nil || !a.life.Acquire() {
		return 0
	}
	defer a.life.Release()
	return native(a.raw)
}

// Close frees the array (hipArrayDestroy). A mipmapped array's level stays.
func (a *Array) Close() error {
	if a != nil {
		a.life.Close()
	}
	return nil
}

// Mipmap is an array in several sizes, each half of the one before
// (hipMipmappedArray_t). All methods may be called from any goroutine.
type Mipmap struct {
	life   lifetime.Life
	dev    *Device
	raw    handle
	levels uint32
}

// NewMipmap makes a mipmapped array of so many levels, at least 1
// (hipMipmappedArrayCreate); more than its size has are cut. It is freed as an array
// is.
func (d *Device) NewMipmap(opts ArrayOptions, levels uint32) (*Mipmap, error) {
	const op = "hipMipmappedArrayCreate"
	if err := d.use(op); err != nil {
		return nil, err
	}
	err := opts.check(op)
	if err == nil && levels == 0 {
		err = refused(op, driver.ErrInvalidValue, "a mipmapped array without levels")
	}
	m := &Mipmap{dev: d, levels: min(levels, opts.levels())}
	if err == nil {
		var code int32
		if m.raw, code = rawMipmapNew(d.raw, opts.shape(), m.levels); code != 0 {
			err = d.arrayFailure(op, code, opts)
		}
	}
	if err != nil {
		d.life.Release()
		return nil, err
	}
	m.life.Init(mipmapKind, func() { d.discards.Discard(true, func() { rawMipmapDestroy(d.raw, m.raw) }) })
	return m, nil
}

// levels is how often the largest dimension can be halved, plus one.
func (o ArrayOptions) levels() (n uint32) {
	size := max(o.Width, o.Height)
	if !o.Layered && !o.Cubemap {
		size = max(size, o.Depth)
	}
	for ; size > 0; size /= 2 {
		n++
	}
	return n
}

// Levels is the number of levels; 0 for a nil one.
func (m *Mipmap) Levels() uint32 {
	if m == nil {
		return 0
	}
	return m.levels
}

func (m *Mipmap) use(op string) error {
	if m == nil {
		return refused(op, driver.ErrInvalidValue, "the mipmapped array is nil; make one with Device.NewMipmap")
	}
	if !m.life.Acquire() {
		return driver.ClosedError(backendName, op, "mipmapped array")
	}
	return nil
}

// Level is one of the levels, 0 being the largest, as an array
// (hipMipmappedArrayGetLevel). It keeps the whole, and is closed on its own.
func (m *Mipmap) Level(i uint32) (*Array, error) {
	const op = "hipMipmappedArrayGetLevel"
	if err := m.use(op); err != nil {
		return nil, err
	}
	a, err := m.level(op, i)
	if err != nil {
		m.life.Release()
	}
	return a, err
}

func (m *Mipmap) level(op string, i uint32) (*Array, error) {
	if i >= m.levels {
		return nil, refused(op, driver.ErrInvalidValue, "level %d of %d", i, m.levels)
	}
	raw, code := rawMipmapLevel(m.dev.raw, m.raw, i)
	if code != 0 {
		return nil, m.dev.failure(op, code, "level %d of %d", i, m.levels)
	}
	shape, code := rawArrayShape(m.dev.raw, raw)
	if code != 0 {
		return nil, m.dev.optional("hipArray3DGetDescriptor", code, "HIP 5.6", "of level %d of %d", i, m.levels)
	}
	a := &Array{dev: m.dev, raw: raw, opts: optionsOf(shape)}
	a.life.Init(arrayKind, m.life.Release)
	return a, nil
}

// Close frees the levels (hipMipmappedArrayDestroy).
func (m *Mipmap) Close() error {
	if m != nil {
		m.life.Close()
	}
	return nil
}
