package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

func TestArrays(t *testing.T)       { memorytest.Arrays(t, rig) }
func TestArrayRegions(t *testing.T) { memorytest.ArrayRegions(t, rig) }
func TestMipmap(t *testing.T)       { memorytest.Mipmap(t, rig) }

func TestArrayMisuse(t *testing.T) {
	memorytest.ArrayMisuse(t, rig, AttrMaximumTexture2dWidth, "MAXIMUM_TEXTURE2D_WIDTH")
}

func TestArrayOptionsReadWell(t *testing.T) { memorytest.ArrayOptionsReadWell(t, rig.Formats) }
