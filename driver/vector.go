package driver

// Vec2 is a two-element vector, OpenCL's and CUDA's float2, int2 and so on. On
// the device it is aligned to its size.
type Vec2[T Element] struct{ X, Y T }

// Vec3 is OpenCL's three-element vector: it occupies four elements and is
// aligned to them, so a Buffer[Vec3[float32]] is an array of OpenCL's float3.
// CUDA's float3 takes three elements: use Packed3 there, and in OpenCL for
// arrays read with vload3.
type Vec3[T Element] struct{ X, Y, Z, _ T }

// Vec4 is a four-element vector. On the device it is aligned to its size
// (CUDA aligns double4, long4 and ulong4 to 16 bytes).
type Vec4[T Element] struct{ X, Y, Z, W T }

// Vec8 is OpenCL's eight-element vector.
type Vec8[T Element] struct{ S [8]T }

// Vec16 is OpenCL's sixteen-element vector.
type Vec16[T Element] struct{ S [16]T }

// Packed3 is three elements without padding: CUDA's float3, int3 and so on.
type Packed3[T Element] struct{ X, Y, Z T }

// Element is what vectors are made of.
type Element interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// Half is a 16-bit IEEE 754 float as its bits: OpenCL's half, CUDA's __half.
type Half uint16

// The vectors by their usual names.
type (
	Char2   = Vec2[int8]
	Char3   = Vec3[int8]
	Char4   = Vec4[int8]
	Char8   = Vec8[int8]
	Char16  = Vec16[int8]
	UChar2  = Vec2[uint8]
	UChar3  = Vec3[uint8]
	UChar4  = Vec4[uint8]
	UChar8  = Vec8[uint8]
	UChar16 = Vec16[uint8]

	Short2   = Vec2[int16]
	Short3   = Vec3[int16]
	Short4   = Vec4[int16]
	Short8   = Vec8[int16]
	Short16  = Vec16[int16]
	UShort2  = Vec2[uint16]
	UShort3  = Vec3[uint16]
	UShort4  = Vec4[uint16]
	UShort8  = Vec8[uint16]
	UShort16 = Vec16[uint16]

	Int2   = Vec2[int32]
	Int3   = Vec3[int32]
	Int4   = Vec4[int32]
	Int8   = Vec8[int32]
	Int16  = Vec16[int32]
	UInt2  = Vec2[uint32]
	UInt3  = Vec3[uint32]
	UInt4  = Vec4[uint32]
	UInt8  = Vec8[uint32]
	UInt16 = Vec16[uint32]

	Long2   = Vec2[int64]
	Long3   = Vec3[int64]
	Long4   = Vec4[int64]
	Long8   = Vec8[int64]
	Long16  = Vec16[int64]
	ULong2  = Vec2[uint64]
	ULong3  = Vec3[uint64]
	ULong4  = Vec4[uint64]
	ULong8  = Vec8[uint64]
	ULong16 = Vec16[uint64]

	Half2  = Vec2[Half]
	Half4  = Vec4[Half]
	Half8  = Vec8[Half]
	Half16 = Vec16[Half]

	Float2  = Vec2[float32]
	Float3  = Vec3[float32]
	Float4  = Vec4[float32]
	Float8  = Vec8[float32]
	Float16 = Vec16[float32]

	Double2  = Vec2[float64]
	Double3  = Vec3[float64]
	Double4  = Vec4[float64]
	Double8  = Vec8[float64]
	Double16 = Vec16[float64]
)
