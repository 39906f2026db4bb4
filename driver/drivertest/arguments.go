package drivertest

import (
	"reflect"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// Go's counterparts of the structs in kernels/args.
type (
	s12 struct{ A, B, C int32 }
	s16 struct {
		A    float64
		B    float32
		C    int16
		D, E int8
	}
	inner struct {
		A int8
		_ [7]byte
		B float64
	}
	s64 struct {
		Head int8
		_    [7]byte
		In   [2]inner
		Mid  int16
		_    [6]byte
		Tail [3]uint64
	}
	s112 struct {
		V driver.Float4
		N uint32
		_ [12]byte
		W driver.Float3
		T [5]s12
		_ [4]byte
	}
)

type shapeArgs[T any] struct {
	A   T
	Out driver.Ptr[T]
}

// shape passes a value to a kernel that copies it out, and compares; blank
// fields, which are padding, don't count in Go's comparison.
func shape[T comparable](e *env, kernel string, v T) {
	e.Helper()
	s := e.stream()
	k := bind[shapeArgs[T]](e, "args", kernel)
	e.verified(k)
	out := upload(e, s, make([]T, 3))
	launch(e, k, s, driver.Grid1D(2, 1), shapeArgs[T]{v, out.Ptr()})
	var zero T
	if diff := differs([]T{v, v, zero}, download(e, s, out)); diff != "" {
		e.Errorf("%s, %T: %s", kernel, v, diff)
	}
}

func sampleS64() s64 {
	return s64{Head: -7, In: [2]inner{{A: 1, B: 1.5}, {A: -2, B: -1e300}}, Mid: -300, Tail: [3]uint64{1, 1 << 40, 1 << 52}}
}

var argumentTests = []test{
	{"ValuesOfEverySizeRoundTrip", func(e *env) {
		shape(e, "shape1", uint8(0xfe))
		shape(e, "shape2", uint16(0xfedc))
		shape(e, "shape4", uint32(0xfedcba98))
		shape(e, "shape8", uint64(0xfedcba9876543210))
		shape(e, "shape12", s12{1, -2, 3})
		shape(e, "shape12", driver.Packed3[int32]{X: 4, Y: -5, Z: 6})
		shape(e, "shape16", s16{A: 1e-300, B: -2.5, C: -3, D: 4, E: -5})
		shape(e, "shape64", sampleS64())
		shape(e, "shape112", s112{V: driver.Float4{X: 1, Y: 2, Z: 3, W: 4}, N: 5, W: driver.Float3{X: 6, Y: 7, Z: 8}, T: [5]s12{{1, 2, 3}, {4, 5, 6}, {}, {}, {-1, -2, -3}}})
	}},
	{"NestedStructsHaveTheDevicesLayout", func(e *env) {
		if !e.dev.Info().DoublePrecision {
			e.lacks("double", "the device has no doubles")
		}
		type args struct {
			Pad uint8
			A   s64
			Out driver.Ptr[float64]
		}
		s := e.stream()
		out := buffer[float64](e, 10)
		launch(e, bind[args](e, "args", "fields"), s, one, args{200, sampleS64(), out.Ptr()})
		want := []float64{-7, 1, 1.5, -2, -1e300, -300, 1, 1 << 40, 1 << 52, 200}
		if got := download(e, s, out); !slices.Equal(got, want) {
			e.Errorf("the device sees %v, want %v", got, want)
		}
	}},
	{"SizesMixInAnyOrder", func(e *env) {
		type args struct {
			A   uint8
			B   uint64
			C   uint16
			D   s12
			E   int8
			F   driver.Float3
			G   uint32
			Out driver.Ptr[uint64]
		}
		s := e.stream()
		out := buffer[uint64](e, 7)
		launch(e, bind[args](e, "args", "mixed"), s, one, args{A: 1, B: 1 << 60, C: 3, D: s12{4, 5, 6}, E: 7, F: driver.Float3{X: 8, Y: 9, Z: 10}, G: 11, Out: out.Ptr()})
		if got, want := download(e, s, out), []uint64{1, 1 << 60, 3, 15, 7, 27, 11}; !slices.Equal(got, want) {
			e.Errorf("got %v, want %v", got, want)
		}
	}},
	{"TypedefsAreSeenThrough", func(e *env) {
		type args struct {
			A   float32
			B   s12
			Out driver.Ptr[float32]
		}
		s := e.stream()
		out := buffer[float32](e, 1)
		k := bind[args](e, "args", "typedefs")
		e.verified(k)
		launch(e, k, s, one, args{0.5, s12{1, 2, 3}, out.Ptr()})
		if got := download(e, s, out)[0]; got != 6.5 {
			e.Errorf("got %v, want 6.5", got)
		}
	}},
	{"PointersToAnythingArePassed", func(e *env) {
		type args struct {
			V   driver.Ptr[driver.Float4]
			S   driver.Ptr[s12]
			Any driver.Ptr[struct{}]
			C   driver.Ptr[int32]
			N   uint32
		}
		s := e.stream()
		v, st := upload(e, s, []driver.Float4{{X: 1}}), upload(e, s, []s12{{A: 10}})
		b, c := upload(e, s, []int8{100}), upload(e, s, []int32{1000})
		launch(e, bind[args](e, "args", "pointers"), s, one, args{v.Ptr(), st.Ptr(), driver.Cast[struct{}](b.Ptr()), c.Ptr(), 10000})
		if got := download(e, s, v)[0]; got != (driver.Float4{X: 11111}) {
			e.Errorf("got %v", got)
		}
	}},
	{"KernelsWithoutParametersLaunch", func(e *env) {
		s := e.stream()
		k := bind[struct{}](e, "basic", "nothing")
		e.verified(k)
		if len(k.Signature().Params) != 0 || k.Name() != "nothing" {
			e.Errorf("kernel %s has the parameters %v", k.Name(), k.Signature())
		}
		for range 10 {
			launch(e, k, s, driver.Grid1D(64, 16), struct{}{})
		}
		e.wait(s)
	}},
	{"ThirtyTwoParametersArePassed", func(e *env) {
		type args struct {
			Out                                    driver.Ptr[uint64]
			A0, A1, A2, A3, A4, A5, A6, A7         uint32
			A8, A9, A10, A11, A12, A13, A14, A15   uint32
			A16, A17, A18, A19, A20, A21, A22, A23 uint32
			A24, A25, A26, A27, A28, A29, A30      uint32
		}
		s := e.stream()
		out := buffer[uint64](e, 1)
		a := args{Out: out.Ptr()}
		var want uint64
		for i := range 31 {
			v := uint32(1)<<i | uint32(i)
			reflect.ValueOf(&a).Elem().Field(i + 1).SetUint(uint64(v))
			want += uint64(v) * uint64(i+1)
		}
		launch(e, bind[args](e, "args", "many"), s, one, a)
		if got := download(e, s, out)[0]; got != want {
			e.Errorf("got %d, want %d", got, want)
		}
	}},
	{"LocalMemoryIsASize", func(e *env) {
		type args struct {
			X    driver.Ptr[uint32]
			A, B driver.Local[uint32]
		}
		s := e.stream()
		const block = 16
		values := make([]uint32, 4*block)
		want := make([]uint32, len(values))
		for i := range values {
			values[i] = uint32(i * 7)
		}
		for i := range values {
			mirror := i/block*block + block - 1 - i%block
			want[i] = 3 * values[mirror]
		}
		x := upload(e, s, values)
		k := bind[args](e, "basic", "reverse")
		launch(e, k, s, driver.Grid1D(len(values), block), args{x.Ptr(), driver.LocalOf[uint32](block), driver.LocalOf[uint32](block)})
		if diff := differs(want, download(e, s, x)); diff != "" {
			e.Error(diff)
		}
	}},
	{"NullPointersArriveAsNull", func(e *env) {
		type args struct{ P, Out driver.Ptr[uint32] }
		s := e.stream()
		k := bind[args](e, "basic", "is_null")
		out := upload(e, s, []uint32{9})
		launch(e, k, s, one, args{driver.Ptr[uint32]{}, out.Ptr()})
		if got := download(e, s, out)[0]; got != 1 {
			e.Errorf("null arrived as something else (%d)", got)
		}
		launch(e, k, s, one, args{out.Ptr(), out.Ptr()})
		if got := download(e, s, out)[0]; got != 0 {
			e.Errorf("a pointer after a null arrived as null (%d)", got)
		}
		launch(e, k, s, one, args{driver.Ptr[uint32]{}, out.Ptr()})
		if got := download(e, s, out)[0]; got != 1 {
			e.Errorf("a null after a pointer arrived as something else (%d)", got)
		}
	}},
	{"BoolsAreBytes", func(e *env) {
		type args struct {
			Yes bool
			Out driver.Ptr[uint32]
		}
		s := e.stream()
		k := bind[args](e, "basic", "flag")
		out := upload(e, s, []uint32{9})
		for yes, want := range map[bool]uint32{true: 1, false: 0} {
			launch(e, k, s, one, args{yes, out.Ptr()})
			if got := download(e, s, out)[0]; got != want {
				e.Errorf("%v arrived as %d", yes, got)
			}
		}
	}},
	{"ArgPacksDoTheSame", func(e *env) {
		s := e.stream()
		k := e.unsigned("basic", "saxpy")
		x, y := upload(e, s, []float32{1, 2, 3}), upload(e, s, []float32{10, 20, 30})
		p := driver.NewArgPack(k.Signature())
		_, err := p.Ref()
		e.is("Ref of an empty pack", err, driver.ErrSignature)
		e.ok(p.Float32(0, 2))
		e.ok(driver.SetPtr(p, 1, x.Ptr()))
		e.ok(p.Ptr(2, y.Ptr().Bits()))
		_, err = p.Ref()
		if err == nil || !strings.Contains(err.Error(), "3 (") {
			e.Errorf("the parameter that was not set is not named: %v", err)
		}
		e.ok(p.Uint32(3, 2))
		for what, err := range map[string]error{
			"double for float": p.Float64(0, 1), "pointer for value": p.Ptr(0, 1), "no such parameter": p.Uint32(4, 1), "parameter -1": p.Uint32(-1, 1),
			"local for pointer": p.Local(1, 8),
		} {
			e.is(what, err, driver.ErrSignature)
		}
		args, err := p.Ref()
		e.ok(err)
		e.ok(k.Launch(s, driver.Grid1D(2, 1), args))
		if got, want := download(e, s, y), []float32{12, 24, 30}; !slices.Equal(got, want) {
			e.Errorf("got %v, want %v", got, want)
		}
	}},
	{"ArgPacksGoByTypes", func(e *env) {
		e.tells(ParameterTypes)
		k := e.unsigned("basic", "saxpy")
		if got := k.Signature().String(); got != "(float, float*, float*, uint)" {
			e.Errorf("the driver's signature is %s", got)
		}
		p := driver.NewArgPack(k.Signature())
		for what, err := range map[string]error{
			"int for uint": p.Int32(3, 1), "value for pointer": p.Uint64(1, 1), "pointer to int": driver.SetPtr(p, 1, driver.PtrFrom[int32](1)),
		} {
			e.is(what, err, driver.ErrSignature)
		}
		e.ok(p.Float32(0, 2))
		e.ok(p.Ptr(1, 0))
		e.ok(p.Ptr(2, 0))
		if _, err := p.Ref(); err == nil || !strings.Contains(err.Error(), "3 (n)") {
			e.Errorf("the parameter that was not set is not named as the kernel names it: %v", err)
		}
	}},
	{"ArgPacksTakeStructs", func(e *env) {
		s := e.stream()
		k := e.unsigned("args", "shape12")
		p := driver.NewArgPack(k.Signature())
		out := upload(e, s, []s12{{}})
		e.ok(p.Bytes(0, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}))
		e.is("11 bytes", p.Bytes(0, make([]byte, 11)), driver.ErrSignature)
		e.ok(p.Ptr(1, out.Ptr().Bits()))
		args, err := p.Ref()
		e.ok(err)
		e.ok(k.Launch(s, one, args))
		if got := download(e, s, out)[0]; got != (s12{1, 2, 3}) {
			e.Errorf("got %v", got)
		}
	}},
	{"ArgPacksTakeLocalMemory", func(e *env) {
		s := e.stream()
		r := e.unsigned("basic", "reverse")
		p := driver.NewArgPack(r.Signature())
		x, cfg := upload(e, s, []uint32{1, 2}), driver.Grid1D(2, 2)
		e.ok(p.Ptr(0, x.Ptr().Bits()))
		if len(r.Signature().Params) == 1 {
			// Where local memory is no parameter, its size goes with the launch.
			cfg.SharedBytes = 16 + 8
		} else {
			e.ok(p.Local(1, 8))
			e.ok(p.Local(2, 8))
		}
		args, err := p.Ref()
		e.ok(err)
		e.ok(r.Launch(s, cfg, args))
		if got := download(e, s, x); !slices.Equal(got, []uint32{6, 3}) {
			e.Errorf("got %v", got)
		}
	}},
	{"StructsOfAnotherSizeAreRefusedAtLaunch", func(e *env) {
		s := e.stream()
		k := bind[storeArgs](e, "basic", "store")
		wrong := struct{ Out driver.Ptr[uint32] }{buffer[uint32](e, 1).Ptr()}
		e.is("Launch", k.Launch(s, one, driver.ArgsOf(&wrong)), driver.ErrSignature)
		e.is("Launch of nothing", k.Launch(s, one, driver.ArgRef{}), driver.ErrSignature)
	}},
	{"AttributesAreTheKernels", func(e *env) {
		type args struct{ Out driver.Ptr[uint32] }
		a, err := bind[args](e, "basic", "fixed_block").Attributes()
		e.ok(err)
		switch {
		case a.RequiredBlock == [3]uint64{4, 2, 1}:
		case e.h.Backend != "opencl" && a.RequiredBlock == [3]uint64{} && a.MaxBlockVolume == 8:
			// Its language can't require a block, but bounds the number of threads.
		default:
			e.Errorf("RequiredBlock is %v, want 4 2 1; MaxBlockVolume is %d", a.RequiredBlock, a.MaxBlockVolume)
		}
		if a.MaxBlockVolume < 8 || a.BlockMultiple == 0 {
			e.Errorf("MaxBlockVolume %d, BlockMultiple %d", a.MaxBlockVolume, a.BlockMultiple)
		}
		if a, err = bind[storeArgs](e, "basic", "store").Attributes(); err != nil || a.RequiredBlock != [3]uint64{} {
			e.Errorf("a kernel for any block: RequiredBlock %v, error %v", a.RequiredBlock, err)
		}
	}},
}
