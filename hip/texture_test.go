package hip

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

var textureNames = memorytest.TextureNames[Attribute]{
	Wrap: AddressWrap, Clamp: AddressClamp, Mirror: AddressMirror, Border: AddressBorder, Linear: FilterLinear,
	Alignment: AttrTextureAlignment, AlignmentName: "TextureAlignment",
	PitchAlignment: AttrTexturePitchAlignment, PitchAlignmentName: "TexturePitchAlignment",
}

func TestTextures(t *testing.T) { memorytest.Textures(t, rig, textureNames) }

func TestTextureRefsAreArguments(t *testing.T) {
	memorytest.TextureRefsAreArguments[TextureRef, SurfaceRef](t)
}

func TestTextureMisuse(t *testing.T) { memorytest.TextureMisuse(t, rig, textureNames) }
