package drivertest

import "github.com/triad-gpu/triad/driver"

type vectorArgs[T driver.Element] struct {
	A   T
	B   driver.Vec2[T]
	C   driver.Vec3[T]
	D   driver.Vec4[T]
	E   driver.Vec8[T]
	F   driver.Vec16[T]
	Out driver.Ptr[T]
	V   driver.Ptr[driver.Vec3[T]]
}

// vectors passes vectors of every width, whose lanes the kernel stores one by
// one, and a three-element vector into an array of such.
func vectors[T driver.Element](e *env, kernel string) {
	e.Helper()
	s := e.stream()
	k := bind[vectorArgs[T]](e, "vectors", kernel)
	e.verified(k)
	want := make([]T, 34)
	for i := range want {
		want[i] = T(i + 1)
	}
	a := vectorArgs[T]{A: want[0], B: driver.Vec2[T]{X: want[1], Y: want[2]}, C: driver.Vec3[T]{X: want[3], Y: want[4], Z: want[5]},
		D: driver.Vec4[T]{X: want[6], Y: want[7], Z: want[8], W: want[9]}}
	copy(a.E.S[:], want[10:])
	copy(a.F.S[:], want[18:])
	out, v := buffer[T](e, 34), upload(e, s, make([]driver.Vec3[T], 3))
	a.Out, a.V = out.Ptr(), v.Ptr()
	launch(e, k, s, one, a)
	if diff := differs(want, download(e, s, out)); diff != "" {
		e.Errorf("%s: %s", kernel, diff)
	}
	got := download(e, s, v)
	for i, v := range got {
		want := driver.Vec3[T]{}
		if i == 1 {
			want = a.C
		}
		if v.X != want.X || v.Y != want.Y || v.Z != want.Z {
			e.Errorf("%s: element %d of an array of three-element vectors is %v, want %v", kernel, i, v, want)
		}
	}
}

var vectorTests = []test{
	{"OfIntegersArriveLaneByLane", func(e *env) {
		vectors[int8](e, "vectors_char")
		vectors[uint8](e, "vectors_uchar")
		vectors[int16](e, "vectors_short")
		vectors[uint16](e, "vectors_ushort")
		vectors[int32](e, "vectors_int")
		vectors[uint32](e, "vectors_uint")
		vectors[int64](e, "vectors_long")
		vectors[uint64](e, "vectors_ulong")
	}},
	{"OfFloatsArriveLaneByLane", func(e *env) { vectors[float32](e, "vectors_float") }},
	{"OfDoublesArriveLaneByLane", func(e *env) {
		if !e.dev.Info().DoublePrecision {
			e.lacks("double", "the device has no doubles")
		}
		vectors[float64](e, "vectors_double")
	}},
}
