package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

func TestTextures(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	o := ArrayOptions{Width: 16, Height: 16, Format: FormatFloat32, Channels: 4, Surface: true}
	a := newArray(t, d, o)
	mip, err := d.NewMipmap(o, 3)
	check(t, err)
	pitched, err := d.AllocPitched(100, 8, 4)
	check(t, err)
	linear := scratch(t, d, 4096)
	makers := map[string]func(TextureOptions) (*Texture, error){
		"an array": a.Texture,
		"mipmaps":  mip.Texture,
		"linear":   func(o TextureOptions) (*Texture, error) { return d.LinearTexture(linear, 1024, 512, FormatUint8, 4, o) },
		"pitched rows": func(o TextureOptions) (*Texture, error) {
			return d.PitchedTexture(pitched, 0, 25, 8, pitched.Pitch(), FormatFloat32, 1, o)
		},
	}
	var open []*Texture
	refs := make(map[TextureRef]bool)
	for what, make := range makers {
		for _, opts := range []TextureOptions{
			{ReadAsInteger: what == "linear", Normalized: what == "mipmaps"},
			{Address: [3]AddressMode{AddressClamp, AddressBorder, AddressClamp}, Border: [4]float32{1, 2, 3, 4}, ReadAsInteger: what == "linear", Normalized: what == "mipmaps"},
			{Address: [3]AddressMode{AddressWrap, AddressMirror, AddressWrap}, Normalized: what != "linear", ReadAsInteger: what == "linear"},
		} {
			x, err := make(opts)
			check(t, err)
			if x.Ref() == 0 || refs[x.Ref()] {
				t.Errorf("%s: the texture is %#x", what, x.Ref())
			}
			refs[x.Ref()] = true
			open = append(open, x)
		}
	}
	filtered, err := a.Texture(TextureOptions{Filter: FilterLinear, Normalized: true, MaxAnisotropy: 4})
	check(t, err)
	trilinear, err := mip.Texture(TextureOptions{Filter: FilterLinear, MipFilter: FilterLinear, Normalized: true, MaxMip: 2})
	check(t, err)
	surface, err := a.Surface()
	check(t, err)
	if surface.Ref() == 0 {
		t.Error("the surface is null")
	}
	// They keep what they read.
	check(t, a.Close())
	check(t, mip.Close())
	check(t, pitched.Close())
	for _, x := range append(open, filtered, trilinear) {
		check(t, x.Close())
		check(t, x.Close())
		if x.Ref() != 0 {
			t.Error("a closed texture is not null")
		}
	}
	check(t, surface.Close())
	check(t, surface.Close())
	if surface.Ref() != 0 {
		t.Error("a closed surface is not null")
	}
}

func TestTextureRefsAreArguments(t *testing.T) {
	sig, err := driver.SignatureOf[struct {
		From TextureRef
		To   SurfaceRef
	}]()
	check(t, err)
	if sig.Size != 16 || sig.Params[0].Kind != driver.ParamScalar || sig.Params[1].Size != 8 {
		t.Errorf("textures and surfaces are %v, %d bytes", sig, sig.Size)
	}
}

func TestTextureMisuse(t *testing.T) {
	drivertest.LeavesNothing(t)
	d, other := open(t), open(t)
	a := newArray(t, d, ArrayOptions{Width: 16, Height: 16, Format: FormatUint8})
	m := scratch(t, d, 4096)
	pitch, err := d.Attribute(AttrTexturePitchAlignment)
	check(t, err)
	align, err := d.Attribute(AttrTextureAlignment)
	check(t, err)
	if pitch < 2 || align < 2 {
		t.Fatalf("rows are aligned to %d bytes, addresses to %d", pitch, align)
	}
	rows := uint64(64)
	linear := func(off, n uint64, f Format, channels uint32) error {
		_, err := d.LinearTexture(m, off, n, f, channels, TextureOptions{})
		return err
	}
	pitched := func(off, width, height, pitch uint64) error {
		_, err := d.PitchedTexture(m, off, width, height, pitch, FormatUint8, 1, TextureOptions{})
		return err
	}
	for what, x := range map[string]struct {
		err  error
		want string
	}{
		"a misaligned address":         {linear(4, 64, FormatFloat32, 1), "TEXTURE_ALIGNMENT"},
		"beyond the memory":            {linear(0, 4097, FormatUint8, 1), "4097 bytes"},
		"no bytes":                     {linear(0, 0, FormatUint8, 1), "no bytes"},
		"a format":                     {linear(0, 64, 77, 1), "the formats are"},
		"three channels":               {linear(0, 64, FormatUint8, 3), "1, 2 and 4"},
		"no channels":                  {linear(0, 64, FormatUint8, 0), "1, 2 and 4"},
		"a misaligned pitch":           {pitched(0, 16, 4, rows+1), "TEXTURE_PITCH_ALIGNMENT"},
		"a misaligned address of rows": {pitched(8, 16, 4, rows), "TEXTURE_ALIGNMENT"},
		"narrow rows":                  {pitched(0, 128, 4, rows), "apart"},
		"too many rows":                {pitched(0, 16, 65, rows), "of the memory"},
		"no rows":                      {pitched(0, 16, 0, rows), "16×0"},
		"too wide":                     {pitched(0, 1<<62, 1, 1<<62), "elements"},
	} {
		wantIs(t, what, x.err, driver.ErrInvalidValue, x.want)
	}
	_, err = a.Texture(TextureOptions{Address: [3]AddressMode{7}})
	wantIs(t, "an address mode", err, driver.ErrInvalidValue, "AddressWrap")
	_, err = a.Texture(TextureOptions{Filter: 7})
	wantIs(t, "a filter", err, driver.ErrInvalidValue, "FilterLinear")
	_, err = a.Surface()
	wantIs(t, "no surface", err, driver.ErrInvalidValue, "ArrayOptions.Surface")
	_, err = other.LinearTexture(m, 0, 64, FormatUint8, 1, TextureOptions{})
	wantIs(t, "foreign memory", err, driver.ErrDeviceMismatch)
	_, err = d.LinearTexture(nil, 0, 64, FormatUint8, 1, TextureOptions{})
	wantIs(t, "nil memory", err, driver.ErrInvalidValue, "nil")
	_, err = (*Array)(nil).Texture(TextureOptions{})
	wantIs(t, "a nil array", err, driver.ErrInvalidValue, "nil")
	_, err = (*Mipmap)(nil).Texture(TextureOptions{})
	wantIs(t, "nil mipmaps", err, driver.ErrInvalidValue, "nil")
	_, err = (*Array)(nil).Surface()
	wantIs(t, "a nil array", err, driver.ErrInvalidValue, "nil")
	check(t, (*Texture)(nil).Close())
	check(t, (*Surface)(nil).Close())
	if (*Texture)(nil).Ref() != 0 || (*Surface)(nil).Ref() != 0 {
		t.Error("nil objects are not null")
	}
	check(t, a.Close())
	_, err = a.Texture(TextureOptions{})
	wantIs(t, "a closed array", err, driver.ErrClosed, "array")
}
