package codeobject

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
)

type pair struct {
	A int32
	_ [4]byte
	B float64
}

// mixedArgs are the parameters of the kernel mixed.
type mixedArgs struct {
	C  int8
	S  int16
	I  int32
	L  int64
	F  float32
	D  float64
	P  driver.Ptr[float32]
	Q  driver.Ptr[int32]
	V  pair
	T  driver.Packed3[float32]
	V4 driver.Float4
	V2 driver.Float2
	B  bool
}

func signature[A any](t testing.TB) *driver.Signature {
	t.Helper()
	sig, err := driver.SignatureOf[A]()
	check(t, err)
	return sig
}

func TestARealKernelFitsItsStruct(t *testing.T) {
	for _, name := range []string{"gfx90a.co", "gfx1030.co"} {
		o := parsed(t, file(t, name), "")
		check(t, kernel(t, o, "mixed").Verify(signature[mixedArgs](t)))
		check(t, kernel(t, o, "empty").Verify(signature[struct{}](t)))
		// Shared memory is no parameter in HIP, wherever its field stands.
		check(t, kernel(t, o, "empty").Verify(signature[struct{ Tile driver.Local[float32] }](t)))
		check(t, kernel(t, o, "_Z5scaleIfEvPT_S0_j").Verify(signature[struct {
			Tile driver.Local[float32]
			X    driver.Ptr[float32]
			A    float32
			N    uint32
		}](t)))
	}
}

func TestMismatchesWithARealKernelAreRefused(t *testing.T) {
	k := kernel(t, parsed(t, file(t, "gfx90a.co"), ""), "_Z5scaleIfEvPT_S0_j")
	for _, x := range []struct {
		what  string
		sig   *driver.Signature
		words []string
	}{
		{"too few", signature[struct {
			X driver.Ptr[float32]
			A float32
		}](t), []string{"has 3 parameters (a pointer to global memory (x) at byte 0; 4 bytes (a) at byte 8; 4 bytes (n) at byte 12)", "gives it 2: (float*, float)"}},
		{"too many", signature[struct {
			X    driver.Ptr[float32]
			A    float32
			N, M uint32
		}](t), []string{"has 3 parameters", "gives it 4"}},
		{"a size", signature[struct {
			X driver.Ptr[float32]
			A float64
			N uint32
		}](t), []string{"parameter 1", "4 bytes (a) at byte 8", "field A (float64)", "has 8"}},
		{"a value for a pointer", signature[struct {
			X uint64
			A float32
			N uint32
		}](t), []string{"parameter 0", "a pointer to global memory (x)", "field X (uint64)", "is a value"}},
		{"a pointer for a value", signature[struct {
			X, A driver.Ptr[float32]
			N    uint32
		}](t), []string{"parameter 1", "field A (driver.Ptr[float32])", "is a pointer to device memory"}},
	} {
		wantIs(t, x.what, k.Verify(x.sig), driver.ErrSignature, append(x.words, k.Name)...)
	}
	mixed := kernel(t, parsed(t, file(t, "gfx1030.co"), ""), "mixed")
	sig := *signature[mixedArgs](t)
	sig.Params = append([]driver.Param(nil), sig.Params...)
	sig.Params[9] = signature[struct{ T driver.Float3 }](t).Params[0]
	wantIs(t, "float3", mixed.Verify(&sig), driver.ErrSignature, "parameter 9", "12 bytes at byte 64", "has 16", "driver.Packed3")
}

// A type of the right size that is aligned otherwise is another type.
func TestPlacesAreCompared(t *testing.T) {
	k := &Kernel{Name: "k", ArgBytes: 16, Args: []Arg{{Size: 4, Kind: KindValue}, {Offset: 4, Size: 8, Kind: KindValue}}}
	wantIs(t, "an int64", k.Verify(signature[struct {
		A int32
		B int64
	}](t)), driver.ErrSignature, "parameter 1", "8 bytes at byte 4", "field B (int64)", "belongs at byte 8, being aligned to 8")
	check(t, k.Verify(signature[struct {
		A int32
		B struct{ X, Y int32 }
	}](t)))
	k.ArgBytes = 11
	wantIs(t, "outside", k.Verify(signature[struct {
		A int32
		B struct{ X, Y int32 }
	}](t)), driver.ErrSignature, "outside its 11 bytes")
	k.Args[1].Size = 1<<32 - 1
	wantIs(t, "no sense", k.Verify(driver.NewSignature([]driver.Param{
		{Kind: driver.ParamAny, Size: 4, Type: driver.TypeInfo{Align: 4}}, {Kind: driver.ParamAny, Size: 1<<32 - 1, Type: driver.TypeInfo{Align: 1}},
	})), driver.ErrSignature, "outside")
}

// typed is a kernel whose code object has the types, as of OpenCL C.
func typed(types ...string) *Kernel {
	k := &Kernel{Name: "k", ArgBytes: 64}
	for i, s := range types {
		a := Arg{Name: "a", Type: s, Offset: uint32(8 * i), Size: 8, Kind: KindValue}
		switch s {
		case "float*", "const unsigned int*", "struct thing*", "uchar*":
			a.Kind, a.AddressSpace = KindPointer, "global"
		case "local float*":
			a.Type, a.Kind, a.Size = "float*", KindShared, 4
		case "image2d_t":
			a.Kind = "image"
		}
		k.Args = append(k.Args, a)
	}
	return k
}

func TestTypesAreComparedWhereTheyAreKnown(t *testing.T) {
	good := signature[struct {
		A driver.Ptr[float32]
		B driver.Ptr[uint32]
		C driver.Ptr[pair]
		D driver.Ptr[bool]
		E int64
		F driver.Local[float32]
	}](t)
	k := typed("float*", "const unsigned int*", "struct thing*", "uchar*", "long", "local float*")
	check(t, k.Verify(good))
	check(t, typed("float*").Verify(signature[struct{ A driver.Ptr[struct{}] }](t)))
	for _, x := range []struct {
		kernel *Kernel
		sig    *driver.Signature
		words  []string
	}{
		{typed("float*"), signature[struct{ A driver.Ptr[float64] }](t), []string{"a pointer to global memory (float* a)", "driver.Ptr[float64]", "leads to double"}},
		{typed("const unsigned int*"), signature[struct{ A driver.Ptr[int32] }](t), []string{"leads to int"}},
		{typed("unsigned long"), signature[struct{ A float64 }](t), []string{"8 bytes (unsigned long a)", "is a double"}},
		{typed("local float*"), signature[struct{ A driver.Local[int32] }](t), []string{"shared memory", "leads to int"}},
		{typed("local float*"), signature[struct{ A driver.Ptr[float32] }](t), []string{"a pointer to shared memory", "is a pointer to device memory"}},
		{typed("local float*", "long"), signature[struct {
			A int64
			B driver.Local[float32]
		}](t), []string{"parameter 0", "is a value"}},
		{typed("image2d_t"), signature[struct{ A driver.Ptr[float32] }](t), []string{`a parameter of the kind "image"`, "not supported"}},
	} {
		wantIs(t, x.kernel.Args[0].Type, x.kernel.Verify(x.sig), driver.ErrSignature, x.words...)
	}
}

func TestSignaturesOfUntypedKernels(t *testing.T) {
	sig, err := kernel(t, parsed(t, file(t, "gfx90a.co"), ""), "mixed").Signature()
	check(t, err)
	if got, want := sig.String(), "(1 bytes, 2 bytes, 4 bytes, 8 bytes, 4 bytes, 8 bytes, void*, void*, 16 bytes, 12 bytes, 16 bytes, 8 bytes, 1 bytes)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if p := sig.Params[9]; p.Field != "t" || p.Offset != 64 || p.Type.Align != 4 {
		t.Errorf("%+v", p)
	}
	for _, name := range []string{"gfx90a.co", "gfx1030.co"} {
		k := kernel(t, parsed(t, file(t, name), ""), "mixed")
		sig, err := k.Signature()
		check(t, err)
		check(t, k.Verify(sig))
	}
	if sig, err = typed("local float*").Signature(); err != nil || sig.Params[0].Kind != driver.ParamLocal {
		t.Errorf("%v, error %v", sig, err)
	}
	_, err = typed("image2d_t").Signature()
	wantIs(t, "an image", err, driver.ErrUnsupported, "parameter 0", "image2d_t")
}
