package texels

import "fmt"

// AddressMode says what a texture gives outside of its range (CUaddress_mode,
// HIPaddress_mode).
type AddressMode int32

// The modes. Wrap and Mirror need Normalized coordinates; without, they are Clamp.
const (
	Wrap   AddressMode = 0
	Clamp  AddressMode = 1 // the nearest element
	Mirror AddressMode = 2
	Border AddressMode = 3 // Sampler.Border
)

// FilterMode says what a texture gives between elements (CUfilter_mode,
// HIPfilter_mode).
type FilterMode int32

// The modes.
const (
	Nearest FilterMode = 0
	Linear  FilterMode = 1 // between the nearest ones; for values that are floats when read
)

// Sampler says how a texture is read (CUDA_TEXTURE_DESC, HIP_TEXTURE_DESC). The zero
// value gives the nearest element, by its index.
type Sampler struct {
	Address       [3]AddressMode // for each dimension
	Filter        FilterMode
	Normalized    bool // coordinates go from 0 to 1, as opposed to the number of elements
	ReadAsInteger bool // integers of 8 and 16 bits stay what they are, as opposed to floats from 0 or -1 to 1
	SRGB          bool // 8-bit integers are sRGB, and become linear floats
	Seamless      bool // cubemaps are filtered across their edges
	Border        [4]float32
	MaxAnisotropy uint32

	// Of mipmapped arrays.
	MipFilter               FilterMode
	MipBias, MinMip, MaxMip float32
}

// The flags of textures, CU_TRSF_… and HIP_TRSF_….
const (
	readAsInteger = 1
	normalized    = 2
	srgb          = 16
	seamless      = 64
)

// Flags are those of the properties that drivers take as flags.
func (s Sampler) Flags() (bits uint32) {
	for _, f := range []struct {
		set bool
		bit uint32
	}{{s.ReadAsInteger, readAsInteger}, {s.Normalized, normalized}, {s.SRGB, srgb}, {s.Seamless, seamless}} {
		if f.set {
			bits |= f.bit
		}
	}
	return bits
}

// Wrong says what is no mode; "" if all are.
func (s Sampler) Wrong() string {
	for i, a := range s.Address {
		if a < Wrap || a > Border {
			return fmt.Sprintf("address mode %d in dimension %d; AddressWrap, AddressClamp, AddressMirror and AddressBorder are possible", a, i)
		}
	}
	if s.Filter != Nearest && s.Filter != Linear || s.MipFilter != Nearest && s.MipFilter != Linear {
		return fmt.Sprintf("filters %d and %d; FilterNearest and FilterLinear are possible", s.Filter, s.MipFilter)
	}
	return ""
}
