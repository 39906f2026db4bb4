package memorytest

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/texels"
)

// texturing are devices with textures, X, of memory.
type texturing[X any] interface {
	LinearTexture(mem driver.Memory, off, n uint64, f texels.Format, channels uint32, opts texels.Sampler) (X, error)
	PitchedTexture(mem driver.Memory, off, width, height, pitch uint64, f texels.Format, channels uint32, opts texels.Sampler) (X, error)
}

// sampled is what has textures, X.
type sampled[X any] interface {
	Texture(opts texels.Sampler) (X, error)
}

// textured is an array with textures and surfaces, U.
type textured[X, U any] interface {
	array
	sampled[X]
	Surface() (U, error)
}

// reference is what kernels have as an argument.
type reference[R any] interface {
	Close() error
	Ref() R
}

// TextureNames are what a backend calls how textures are read, and the attributes that say
// to what they are aligned; errors have the attributes' names.
type TextureNames[B any] struct {
	Wrap, Clamp, Mirror, Border       texels.AddressMode
	Linear                            texels.FilterMode
	Alignment, PitchAlignment         B
	AlignmentName, PitchAlignmentName string
}

// Textures reads everything that can be, in each way.
func Textures[
	D interface {
		arraying[S, Y, M]
		pitching[S, P]
		texturing[X]
	},
	Y textured[X, U], M interface {
		mipmap[Y]
		sampled[X]
	},
	X reference[TR], U reference[SR], TR, SR ~uint64, P pitched, S, B any,
](t *testing.T, rig Rig[D], names TextureNames[B]) {
	f := rig.Formats
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	o := texels.Shape{Width: 16, Height: 16, Format: f.Float32, Channels: 4, Surface: true}
	a := NewArray(t, d, o)
	mip, err := d.NewMipmap(o, 3)
	Check(t, err)
	pitched, err := d.AllocPitched(100, 8, 4)
	Check(t, err)
	linear := Scratch(t, d, 4096)
	makers := map[string]func(texels.Sampler) (X, error){
		"an array": a.Texture,
		"mipmaps":  mip.Texture,
		"linear":   func(o texels.Sampler) (X, error) { return d.LinearTexture(linear, 1024, 512, f.Uint8, 4, o) },
		"pitched rows": func(o texels.Sampler) (X, error) {
			return d.PitchedTexture(pitched, 0, 25, 8, pitched.Pitch(), f.Float32, 1, o)
		},
	}
	var open []X
	refs := make(map[TR]bool)
	for what, make := range makers {
		for _, opts := range []texels.Sampler{
			{ReadAsInteger: what == "linear", Normalized: what == "mipmaps"},
			{Address: [3]texels.AddressMode{names.Clamp, names.Border, names.Clamp}, Border: [4]float32{1, 2, 3, 4}, ReadAsInteger: what == "linear", Normalized: what == "mipmaps"},
			{Address: [3]texels.AddressMode{names.Wrap, names.Mirror, names.Wrap}, Normalized: what != "linear", ReadAsInteger: what == "linear"},
		} {
			x, err := make(opts)
			Check(t, err)
			if x.Ref() == 0 || refs[x.Ref()] {
				t.Errorf("%s: the texture is %#x", what, x.Ref())
			}
			refs[x.Ref()] = true
			open = append(open, x)
		}
	}
	filtered, err := a.Texture(texels.Sampler{Filter: names.Linear, Normalized: true, MaxAnisotropy: 4})
	Check(t, err)
	trilinear, err := mip.Texture(texels.Sampler{Filter: names.Linear, MipFilter: names.Linear, Normalized: true, MaxMip: 2})
	Check(t, err)
	surface, err := a.Surface()
	Check(t, err)
	if surface.Ref() == 0 {
		t.Error("the surface is null")
	}
	// They keep what they read.
	Check(t, a.Close())
	Check(t, mip.Close())
	Check(t, pitched.Close())
	for _, x := range append(open, filtered, trilinear) {
		Check(t, x.Close())
		Check(t, x.Close())
		if x.Ref() != 0 {
			t.Error("a closed texture is not null")
		}
	}
	Check(t, surface.Close())
	Check(t, surface.Close())
	if surface.Ref() != 0 {
		t.Error("a closed surface is not null")
	}
}

// TextureRefsAreArguments has textures and surfaces as parameters of kernels.
func TextureRefsAreArguments[TR, SR any](t *testing.T) {
	sig, err := driver.SignatureOf[struct {
		From TR
		To   SR
	}]()
	Check(t, err)
	if sig.Size != 16 || sig.Params[0].Kind != driver.ParamScalar || sig.Params[1].Size != 8 {
		t.Errorf("textures and surfaces are %v, %d bytes", sig, sig.Size)
	}
}

// TextureMisuse asks for textures that can't be.
func TextureMisuse[
	D interface {
		driver.Device
		attributed[B]
		shaped[Y, M]
		texturing[X]
	},
	Y textured[X, U], M interface {
		mipmap[Y]
		sampled[X]
	},
	X reference[TR], U reference[SR], TR, SR ~uint64, B any,
](t *testing.T, rig Rig[D], names TextureNames[B]) {
	var noArray Y
	var noMipmap M
	var noTexture X
	var noSurface U
	f := rig.Formats
	drivertest.LeavesNothing(t)
	d, other := rig.Open(t), rig.Open(t)
	a := NewArray(t, d, texels.Shape{Width: 16, Height: 16, Format: f.Uint8})
	m := Scratch(t, d, 4096)
	pitch, err := d.Attribute(names.PitchAlignment)
	Check(t, err)
	align, err := d.Attribute(names.Alignment)
	Check(t, err)
	if pitch < 2 || align < 2 {
		t.Fatalf("rows are aligned to %d bytes, addresses to %d", pitch, align)
	}
	rows := uint64(64)
	linear := func(off, n uint64, f texels.Format, channels uint32) error {
		_, err := d.LinearTexture(m, off, n, f, channels, texels.Sampler{})
		return err
	}
	pitched := func(off, width, height, pitch uint64) error {
		_, err := d.PitchedTexture(m, off, width, height, pitch, f.Uint8, 1, texels.Sampler{})
		return err
	}
	for what, x := range map[string]struct {
		err  error
		want string
	}{
		"a misaligned address":         {linear(4, 64, f.Float32, 1), names.AlignmentName},
		"beyond the memory":            {linear(0, 4097, f.Uint8, 1), "4097 bytes"},
		"no bytes":                     {linear(0, 0, f.Uint8, 1), "no bytes"},
		"a format":                     {linear(0, 64, 77, 1), "the formats are"},
		"three channels":               {linear(0, 64, f.Uint8, 3), "1, 2 and 4"},
		"no channels":                  {linear(0, 64, f.Uint8, 0), "1, 2 and 4"},
		"a misaligned pitch":           {pitched(0, 16, 4, rows+1), names.PitchAlignmentName},
		"a misaligned address of rows": {pitched(8, 16, 4, rows), names.AlignmentName},
		"narrow rows":                  {pitched(0, 128, 4, rows), "apart"},
		"too many rows":                {pitched(0, 16, 65, rows), "of the memory"},
		"no rows":                      {pitched(0, 16, 0, rows), "16×0"},
		"too wide":                     {pitched(0, 1<<62, 1, 1<<62), "elements"},
	} {
		WantIs(t, what, x.err, driver.ErrInvalidValue, x.want)
	}
	_, err = a.Texture(texels.Sampler{Address: [3]texels.AddressMode{7}})
	WantIs(t, "an address mode", err, driver.ErrInvalidValue, "AddressWrap")
	_, err = a.Texture(texels.Sampler{Filter: 7})
	WantIs(t, "a filter", err, driver.ErrInvalidValue, "FilterLinear")
	_, err = a.Surface()
	WantIs(t, "no surface", err, driver.ErrInvalidValue, "ArrayOptions.Surface")
	_, err = other.LinearTexture(m, 0, 64, f.Uint8, 1, texels.Sampler{})
	WantIs(t, "foreign memory", err, driver.ErrDeviceMismatch)
	_, err = d.LinearTexture(nil, 0, 64, f.Uint8, 1, texels.Sampler{})
	WantIs(t, "nil memory", err, driver.ErrInvalidValue, "nil")
	_, err = noArray.Texture(texels.Sampler{})
	WantIs(t, "a nil array", err, driver.ErrInvalidValue, "nil")
	_, err = noMipmap.Texture(texels.Sampler{})
	WantIs(t, "nil mipmaps", err, driver.ErrInvalidValue, "nil")
	_, err = noArray.Surface()
	WantIs(t, "a nil array", err, driver.ErrInvalidValue, "nil")
	Check(t, noTexture.Close())
	Check(t, noSurface.Close())
	if noTexture.Ref() != 0 || noSurface.Ref() != 0 {
		t.Error("nil objects are not null")
	}
	Check(t, a.Close())
	_, err = a.Texture(texels.Sampler{})
	WantIs(t, "a closed array", err, driver.ErrClosed, "array")
}
