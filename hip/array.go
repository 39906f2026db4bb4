package hip

import (
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/driver/texels"
)

// Format is the type of an array's channels (hipArray_Format).
type Format = texels.Format

// The common formats.
const (
	FormatUint8   = texels.Uint8
	FormatUint16  = texels.Uint16
	FormatUint32  = texels.Uint32
	FormatInt8    = texels.Int8
	FormatInt16   = texels.Int16
	FormatInt32   = texels.Int32
	FormatHalf    = texels.Half
	FormatFloat32 = texels.Float32
)

// ArrayOptions are an array's shape, in elements. Without a Height it has one
// dimension, without a Depth two.
type ArrayOptions = texels.Shape

// arrayShape is triad_hip_array_shape.
type arrayShape struct {
	width, height, depth uint64
	format               int32
	channels, flags      uint32
}

func shapeOf(o ArrayOptions) arrayShape {
	return arrayShape{width: o.Width, height: o.Height, depth: o.Depth, format: int32(o.Format), channels: max(o.Channels, 1), flags: o.Flags()}
}

func optionsOf(s arrayShape) ArrayOptions {
	return ArrayOptions{Width: s.width, Height: s.height, Depth: s.depth, Format: Format(s.format), Channels: s.channels}.Flagged(s.flags)
}

// wrong is an error if there is something wrong.
func wrong(op, what string) error {
	if what == "" {
		return nil
	}
	return refused(op, driver.ErrInvalidValue, "%s", what)
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
	err := wrong(op, opts.Wrong())
	var raw handle
	if err == nil {
		var code int32
		if raw, code = rawArrayNew(d.raw, shapeOf(opts)); code != 0 {
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
	for i, a := range limits(o) {
		n := [3]uint64{o.Width, o.Height, o.Depth}[i]
		if limit, c := rawDeviceAttribute(d.native, int(a)); a != 0 && c == 0 && n > uint64(limit) {
			return d.failure(op, code, "an array of %v; %s allows %d in dimension %d (%v)", o, d.info.Name, limit, i, a)
		}
	}
	return d.failure(op, code, "an array of %v", o)
}

// limits are the attributes that limit each dimension; 0 where none does.
func limits(o ArrayOptions) [3]Attribute {
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
	err := wrong(op, opts.Wrong())
	if err == nil && levels == 0 {
		err = refused(op, driver.ErrInvalidValue, "a mipmapped array without levels")
	}
	m := &Mipmap{dev: d, levels: min(levels, opts.Levels())}
	if err == nil {
		var code int32
		if m.raw, code = rawMipmapNew(d.raw, shapeOf(opts), m.levels); code != 0 {
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
