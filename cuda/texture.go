package cuda

import (
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/driver/texels"
)

// TextureRef is a texture as a kernel's parameter, where CUDA C++ has a
// cudaTextureObject_t. It is a value, and not checked when it is launched with: the
// texture must be open.
type TextureRef uint64

// SurfaceRef is a surface as a kernel's parameter, where CUDA C++ has a
// cudaSurfaceObject_t. See TextureRef.
type SurfaceRef uint64

// AddressMode says what a texture gives outside of its range (CUaddress_mode).
type AddressMode = texels.AddressMode

// The modes. AddressWrap and AddressMirror need Normalized coordinates; without,
// they are AddressClamp.
const (
	AddressWrap   = texels.Wrap
	AddressClamp  = texels.Clamp // the nearest element
	AddressMirror = texels.Mirror
	AddressBorder = texels.Border // TextureOptions.Border
)

// FilterMode says what a texture gives between elements (CUfilter_mode).
type FilterMode = texels.FilterMode

// The modes.
const (
	FilterNearest = texels.Nearest
	FilterLinear  = texels.Linear // between the nearest ones; for values that are floats when read
)

// TextureOptions say how a texture is read (CUDA_TEXTURE_DESC). The zero value
// gives the nearest element, by its index.
type TextureOptions = texels.Sampler

// textureSource is triad_cu_resource: what a texture reads.
type textureSource struct {
	kind                            int32 // CU_RESOURCE_TYPE_…
	format                          int32
	channels                        uint32
	object                          handle
	at, bytes, width, height, pitch uint64
}

// The kinds of textureSource.
const (
	sourceArray  = 0
	sourceMipmap = 1
	sourceLinear = 2
	sourcePitch  = 3
)

// Texture is a way to read an array, or memory (CUtexObject). All methods may be
// called from any goroutine. It keeps what it reads.
type Texture struct {
	life lifetime.Life
	dev  *Device
	raw  uint64
}

// Surface is a way to read and write an array (CUsurfObject). All methods may be
// called from any goroutine. It keeps the array.
type Surface struct {
	life lifetime.Life
	dev  *Device
	raw  uint64
}

var (
	textureKind = lifetime.NewKind("cuda texture")
	surfaceKind = lifetime.NewKind("cuda surface")
)

// Texture makes a texture that reads the array (cuTexObjectCreate). Close destroys
// it once everything that this opening's streams have been given has finished.
func (a *Array) Texture(opts TextureOptions) (*Texture, error) {
	const op = "cuTexObjectCreate"
	if err := a.use(op); err != nil {
		return nil, err
	}
	t, err := a.dev.texture(op, textureSource{kind: sourceArray, object: a.raw}, opts, a.life.Release, a.opts.String())
	if err != nil {
		a.life.Release()
	}
	return t, err
}

// Texture makes a texture that reads all levels (cuTexObjectCreate); see
// Array.Texture.
func (m *Mipmap) Texture(opts TextureOptions) (*Texture, error) {
	const op = "cuTexObjectCreate"
	if err := m.use(op); err != nil {
		return nil, err
	}
	t, err := m.dev.texture(op, textureSource{kind: sourceMipmap, object: m.raw}, opts, m.life.Release, "mipmapped")
	if err != nil {
		m.life.Release()
	}
	return t, err
}

// LinearTexture makes a texture that reads elements one after another in n bytes of
// memory at off, by their index (cuTexObjectCreate). The address must be a multiple
// of AttrTextureAlignment.
func (d *Device) LinearTexture(mem driver.Memory, off, n uint64, f Format, channels uint32, opts TextureOptions) (*Texture, error) {
	const op = "cuTexObjectCreate"
	return d.memoryTexture(op, mem, opts, func(m *Memory) (r textureSource, err error) {
		if err = checks(op).Range("memory", m.size, off, n); err != nil {
			return r, err
		}
		if n == 0 {
			return r, refused(op, driver.ErrInvalidValue, "a texture of no bytes")
		}
		err = d.aligned(op, m.addr+off, AttrTextureAlignment, "the address")
		return textureSource{kind: sourceLinear, format: int32(f), channels: channels, at: m.addr + off, bytes: n}, err
	}, f, channels)
}

// PitchedTexture makes a texture of width times height elements, in rows pitch bytes
// apart, in memory at off (cuTexObjectCreate). The address must be a multiple of
// AttrTextureAlignment, and the pitch of AttrTexturePitchAlignment, as those of
// AllocPitched are.
func (d *Device) PitchedTexture(mem driver.Memory, off, width, height, pitch uint64, f Format, channels uint32, opts TextureOptions) (*Texture, error) {
	const op = "cuTexObjectCreate"
	return d.memoryTexture(op, mem, opts, func(m *Memory) (r textureSource, err error) {
		if width == 0 || height == 0 || width > m.size {
			return r, refused(op, driver.ErrInvalidValue, "a texture of %d×%d elements in %d bytes", width, height, m.size)
		}
		extent := driver.Extent{Bytes: width * f.Size() * uint64(channels), Rows: height, Slices: 1}
		if _, err = checks(op).Region("memory", m.size, driver.Rect{Offset: off, RowPitch: pitch}, extent); err != nil {
			return r, err
		}
		if err = d.aligned(op, pitch, AttrTexturePitchAlignment, "the pitch"); err == nil {
			err = d.aligned(op, m.addr+off, AttrTextureAlignment, "the address")
		}
		r = textureSource{kind: sourcePitch, format: int32(f), channels: channels, at: m.addr + off, width: width, height: height, pitch: pitch}
		return r, err
	}, f, channels)
}

func (d *Device) memoryTexture(op string, mem driver.Memory, opts TextureOptions, source func(*Memory) (textureSource, error), f Format, channels uint32) (*Texture, error) {
	if err := d.use(op); err != nil {
		return nil, err
	}
	defer d.life.Release()
	m, err := memoryOf(op, "memory", mem, d)
	if err != nil {
		return nil, err
	}
	shape := ArrayOptions{Width: 1, Format: f, Channels: channels}
	var r textureSource
	if channels == 0 {
		err = refused(op, driver.ErrInvalidValue, "elements of no channels; 1, 2 and 4 are possible")
	} else if err = wrong(op, shape.Wrong()); err == nil {
		r, err = source(m)
	}
	var t *Texture
	if err == nil {
		t, err = d.texture(op, r, opts, m.life.Release, shape.String())
	}
	if err != nil {
		m.life.Release()
	}
	return t, err
}

// aligned checks that n is a multiple of what an attribute says, if that is known.
func (d *Device) aligned(op string, n uint64, a Attribute, what string) error {
	unit, code := rawDeviceAttribute(d.native, int(a))
	switch {
	case code == codeInvalidValue, code == codeNotSupported:
		return nil
	case code != 0:
		return d.failure("cuDeviceGetAttribute", code, "%v of %s", a, d.info.Name)
	case unit > 0 && n%uint64(unit) != 0:
		return refused(op, driver.ErrInvalidValue, "%s, %d, is no multiple of %d (%v)", what, n, unit, a)
	}
	return nil
}

// texture makes a texture. release ends a use of what it reads, and is taken over
// where it succeeds.
func (d *Device) texture(op string, r textureSource, opts TextureOptions, release func(), what string) (*Texture, error) {
	if err := wrong(op, opts.Wrong()); err != nil {
		return nil, err
	}
	if err := d.use(op); err != nil {
		return nil, err
	}
	raw, code := rawTextureNew(d.raw, r, opts)
	if code != 0 {
		defer d.life.Release()
		return nil, d.failure(op, code, "of %s, %+v", what, opts)
	}
	t := &Texture{dev: d, raw: raw}
	t.life.Init(textureKind, func() {
		d.discards.Discard(true, func() {
			rawTextureDestroy(d.raw, raw)
			release()
		})
	})
	return t, nil
}

// Ref is the texture as a kernel's parameter; 0 once closed.
func (t *Texture) Ref() TextureRef {
	if t == nil || t.life.Closed() {
		return 0
	}
	return TextureRef(t.raw)
}

// Close destroys the texture (cuTexObjectDestroy).
func (t *Texture) Close() error {
	if t != nil {
		t.life.Close()
	}
	return nil
}

// Surface makes a surface of the array, which must be made with ArrayOptions.Surface
// (cuSurfObjectCreate). Close destroys it once everything that this opening's
// streams have been given has finished.
func (a *Array) Surface() (*Surface, error) {
	const op = "cuSurfObjectCreate"
	if err := a.use(op); err != nil {
		return nil, err
	}
	s, err := a.surface(op)
	if err != nil {
		a.life.Release()
	}
	return s, err
}

func (a *Array) surface(op string) (*Surface, error) {
	d := a.dev
	if !a.opts.Surface {
		return nil, refused(op, driver.ErrInvalidValue, "the array was made without ArrayOptions.Surface")
	}
	if err := d.use(op); err != nil {
		return nil, err
	}
	raw, code := rawSurfaceNew(d.raw, a.raw)
	if code != 0 {
		defer d.life.Release()
		return nil, d.failure(op, code, "of %v", a.opts)
	}
	s := &Surface{dev: d, raw: raw}
	s.life.Init(surfaceKind, func() {
		d.discards.Discard(true, func() {
			rawSurfaceDestroy(d.raw, raw)
			a.life.Release()
		})
	})
	return s, nil
}

// Ref is the surface as a kernel's parameter; 0 once closed.
func (s *Surface) Ref() SurfaceRef {
	if s == nil || s.life.Closed() {
		return 0
	}
	return SurfaceRef(s.raw)
}

// Close destroys the surface (cuSurfObjectDestroy).
func (s *Surface) Close() error {
	if s != nil {
		s.life.Close()
	}
	return nil
}
