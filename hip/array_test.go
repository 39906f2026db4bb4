package hip

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

func TestArrays(t *testing.T)       { memorytest.Arrays(t, rig) }
func TestArrayRegions(t *testing.T) { memorytest.ArrayRegions(t, rig) }
func TestMipmap(t *testing.T)       { memorytest.Mipmap(t, rig) }

func TestArrayMisuse(t *testing.T) {
	memorytest.ArrayMisuse(t, rig, AttrMaxTexture2DWidth, "MaxTexture2DWidth")
}

func TestArrayOptionsReadWell(t *testing.T) { memorytest.ArrayOptionsReadWell(t, rig.Formats) }
