package driver_test

import (
	"fmt"
	"structs"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/triad-gpu/triad/driver"
)

// ignoreKey leaves out the key, which has tests of its own.
var ignoreKey = cmpopts.IgnoreUnexported(driver.Signature{})

func mustSign[A any](t testing.TB) *driver.Signature {
	t.Helper()
	sig, err := driver.SignatureOf[A]()
	if err != nil {
		t.Fatal(err)
	}
	return sig
}

func scalar(name string, size uint32, goType string) driver.TypeInfo {
	return driver.TypeInfo{Name: name, Kind: driver.ParamScalar, Size: size, Align: size, Go: goType}
}

func TestSignatureListsParameters(t *testing.T) {
	type args struct {
		A    float32
		X, Y driver.Ptr[float32]
		_    [3]byte // skipped
		N    uint32
		Tile driver.Local[driver.Float4]
		V    driver.Float3
	}
	float := scalar("float", 4, "float32")
	want := &driver.Signature{
		Params: []driver.Param{
			{Field: "A", Kind: driver.ParamScalar, Offset: 0, Size: 4, Type: float},
			{Field: "X", Kind: driver.ParamPointer, Offset: 8, Size: 8, Type: float},
			{Field: "Y", Kind: driver.ParamPointer, Offset: 16, Size: 8, Type: float},
			{Field: "N", Kind: driver.ParamScalar, Offset: 28, Size: 4, Type: scalar("uint", 4, "uint32")},
			{Field: "Tile", Kind: driver.ParamLocal, Offset: 32, Size: 8,
				Type: driver.TypeInfo{Name: "float4", Kind: driver.ParamVector, Size: 16, Align: 16, Go: "driver.Vec4[float32]"}},
			{Field: "V", Kind: driver.ParamVector, Offset: 40, Size: 16,
				Type: driver.TypeInfo{Name: "float3", Kind: driver.ParamVector, Size: 16, Align: 16, Go: "driver.Vec3[float32]"}},
		},
		Size: 56, Go: "driver_test.args",
	}
	sig := mustSign[args](t)
	if diff := cmp.Diff(want, sig, ignoreKey); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, want := sig.String(), "(float, float*, float*, uint, __local float4*, float3)"; got != want {
		t.Errorf("String %s; want %s", got, want)
	}
}

func TestSignatureWithoutParameters(t *testing.T) {
	if sig := mustSign[struct{}](t); len(sig.Params) != 0 || sig.Size != 0 || sig.String() != "()" {
		t.Errorf("%+v", sig)
	}
	if sig := mustSign[struct{ _ int32 }](t); len(sig.Params) != 0 || sig.Size != 4 {
		t.Errorf("%+v", sig)
	}
}

// Each type that a field may have, as kernels see it.
func TestFieldTypes(t *testing.T) {
	type celsius float32
	type inner struct {
		A int32
		B [3]float32
	}
	type node struct {
		Next driver.Ptr[node]
		V    float32
		_    [4]byte
	}
	type embeds struct {
		driver.Float4
		W float32
		_ [12]byte
	}
	type holdsPtr struct {
		driver.Ptr[float32]
		N int64
	}
	for _, c := range []struct {
		sig   *driver.Signature
		want  string // Describe
		kind  driver.ParamKind
		size  uint32 // of the parameter
		align uint32 // of its type, or of what it points to
	}{
		{mustSign[struct{ F bool }](t), "bool", driver.ParamScalar, 1, 1},
		{mustSign[struct{ F int8 }](t), "char", driver.ParamScalar, 1, 1},
		{mustSign[struct{ F uint8 }](t), "uchar", driver.ParamScalar, 1, 1},
		{mustSign[struct{ F int16 }](t), "short", driver.ParamScalar, 2, 2},
		{mustSign[struct{ F uint16 }](t), "ushort", driver.ParamScalar, 2, 2},
		{mustSign[struct{ F driver.Half }](t), "half", driver.ParamScalar, 2, 2},
		{mustSign[struct{ F int32 }](t), "int", driver.ParamScalar, 4, 4},
		{mustSign[struct{ F uint32 }](t), "uint", driver.ParamScalar, 4, 4},
		{mustSign[struct{ F int64 }](t), "long", driver.ParamScalar, 8, 8},
		{mustSign[struct{ F uint64 }](t), "ulong", driver.ParamScalar, 8, 8},
		{mustSign[struct{ F float32 }](t), "float", driver.ParamScalar, 4, 4},
		{mustSign[struct{ F float64 }](t), "double", driver.ParamScalar, 8, 8},
		{mustSign[struct{ F celsius }](t), "float", driver.ParamScalar, 4, 4},
		{mustSign[struct{ F complex64 }](t), "float2", driver.ParamVector, 8, 8},
		{mustSign[struct{ F complex128 }](t), "double2", driver.ParamVector, 16, 16},
		{mustSign[struct{ F driver.Char2 }](t), "char2", driver.ParamVector, 2, 2},
		{mustSign[struct{ F driver.UChar16 }](t), "uchar16", driver.ParamVector, 16, 16},
		{mustSign[struct{ F driver.Half4 }](t), "half4", driver.ParamVector, 8, 8},
		{mustSign[struct{ F driver.Int3 }](t), "int3", driver.ParamVector, 16, 16},
		{mustSign[struct{ F driver.Float8 }](t), "float8", driver.ParamVector, 32, 32},
		{mustSign[struct{ F driver.Double16 }](t), "double16", driver.ParamVector, 128, 128},
		{mustSign[struct{ F driver.Vec4[celsius] }](t), "float4", driver.ParamVector, 16, 16},
		{mustSign[struct{ F driver.Packed3[float32] }](t), "12-byte struct driver.Packed3[float32]", driver.ParamStruct, 12, 4},
		{mustSign[struct{ F inner }](t), "16-byte struct driver_test.inner", driver.ParamStruct, 16, 4},
		{mustSign[struct{ F embeds }](t), "32-byte struct driver_test.embeds", driver.ParamStruct, 32, 16},
		{mustSign[struct{ F holdsPtr }](t), "16-byte struct driver_test.holdsPtr", driver.ParamStruct, 16, 8},
		{mustSign[struct{ F driver.Ptr[inner] }](t), "16-byte struct driver_test.inner*", driver.ParamPointer, 8, 4},
		{mustSign[struct{ F driver.Ptr[driver.Float4] }](t), "float4*", driver.ParamPointer, 8, 16},
		{mustSign[struct{ F driver.Ptr[struct{}] }](t), "void*", driver.ParamPointer, 8, 1},
		{mustSign[struct{ F driver.Ptr[[4]int16] }](t), "[4]int16*", driver.ParamPointer, 8, 2},
		{mustSign[struct {
			F driver.Ptr[driver.Ptr[float32]]
		}](t), "driver.Ptr[float32]*", driver.ParamPointer, 8, 8},
		{mustSign[struct{ F driver.Ptr[node] }](t), "16-byte struct driver_test.node*", driver.ParamPointer, 8, 8},
		{mustSign[struct{ F node }](t), "16-byte struct driver_test.node", driver.ParamStruct, 16, 8},
		{mustSign[struct{ F driver.Local[float64] }](t), "__local double*", driver.ParamLocal, 8, 8},
		{mustSign[struct{ F driver.Local[inner] }](t), "__local 16-byte struct driver_test.inner*", driver.ParamLocal, 8, 4},
	} {
		if len(c.sig.Params) != 1 {
			t.Errorf("%s: %d parameters", c.want, len(c.sig.Params))
			continue
		}
		p := c.sig.Params[0]
		if p.Describe() != c.want || p.Kind != c.kind || p.Size != c.size || p.Type.Align != c.align {
			t.Errorf("%s, a %s of %d bytes, alignment %d; want %s, a %s of %d, %d",
				p.Describe(), p.Kind, p.Size, p.Type.Align, c.want, c.kind, c.size, c.align)
		}
	}
}

// A struct that two packages might mark, and one whose padding is right.
func TestStructLayoutsThatFit(t *testing.T) {
	type particle struct {
		_    structs.HostLayout
		ID   uint32
		_    [12]byte
		Pos  driver.Float3
		Mass float32
		_    [12]byte
	}
	p := mustSign[struct{ P particle }](t).Params[0]
	if p.Size != 48 || p.Type.Align != 16 {
		t.Errorf("%d bytes, alignment %d; want 48, 16", p.Size, p.Type.Align)
	}
	type doubles struct { // alignments of Go and C agree
		A float32
		B float64
		C uint8
	}
	if p := mustSign[struct{ P doubles }](t).Params[0]; p.Size != 24 {
		t.Errorf("%d bytes; want 24", p.Size)
	}
}

func refused[A any](t *testing.T, words ...string) {
	t.Helper()
	_, err := driver.SignatureOf[A]()
	if err == nil {
		var a A
		t.Errorf("%T is accepted", a)
		return
	}
	wantErr(t, err, driver.ErrSignature, words...)
}

func TestTypesThatAreRefused(t *testing.T) {
	type args[T any] struct{ N T }
	type in[T any] struct{ V struct{ W [2]T } }
	const path, inPath = "].N ", "].V.W[] "

	refused[args[int]](t, path, "is an int,", "int32 or int64")
	refused[args[uint]](t, path, "is a uint,", "uint32 or uint64")
	refused[args[uintptr]](t, path, "is a uintptr,", "uint32 or uint64")
	refused[args[*float32]](t, path, "Go pointer (*float32)", "driver.Ptr")
	refused[args[[]float32]](t, path, "Go slice", "driver.Ptr[float32]", "a length")
	refused[args[string]](t, path, "Go string", "driver.Ptr[uint8]")
	refused[args[map[int]int]](t, path, "Go map", "driver.Ptr")
	refused[args[chan int]](t, path, "Go chan", "driver.Ptr")
	refused[args[func()]](t, path, "Go func", "driver.Ptr")
	refused[args[any]](t, path, "Go interface", "driver.Ptr")
	refused[args[driver.Stream]](t, path, "Go interface (driver.Stream)")
	refused[args[[4]float32]](t, path, "is an array", "put it into a struct", "driver.Float4")
	refused[args[struct{}]](t, path, "no size")

	refused[in[int]](t, inPath, "is an int,", "int32 or int64")
	refused[in[*float32]](t, inPath, "Go pointer")
	refused[in[[]float32]](t, inPath, "Go slice")
	refused[in[string]](t, inPath, "Go string")
	refused[in[struct{}]](t, "].V ", "no size")
	refused[in[driver.Local[float32]]](t, inPath, "local memory", "parameter of its own")

	refused[args[driver.Ptr[int]]](t, "].N* ", "is an int,")
	refused[args[driver.Ptr[*float32]]](t, "].N* ", "Go pointer")
	refused[args[driver.Ptr[driver.Ptr[int]]]](t, "].N** ", "is an int,")
	refused[args[driver.Ptr[driver.Local[int32]]]](t, "].N* ", "local memory")
	refused[args[driver.Local[string]]](t, "].N* ", "Go string")
	refused[args[driver.Ptr[[1 << 40]byte]]](t, "].N* ", "1.0 TiB", "1.0 GiB")

	refused[int32](t, "int32", "no struct")
	refused[*args[int32]](t, "no struct")
	refused[struct{ N int }](t, "struct.N ")
	refused[struct {
		A struct{ B [driver.MaxArgBytes + 4]byte }
	}](t, fmt.Sprint(driver.MaxArgBytes+4), fmt.Sprint(driver.MaxArgBytes))
}

func TestStructLayoutsThatDiffer(t *testing.T) {
	type inside struct { // float4 after a float: byte 4 in Go, 16 in C
		A float32
		V driver.Float4
	}
	refused[struct{ P inside }](t, "struct.P.V ", "at byte 4 in Go", "aligned to 16", "at byte 16", "_ [12]byte before")
	type atEnd struct {
		V driver.Float4
		A float32
	}
	refused[struct{ P atEnd }](t, "struct.P ", "20 bytes in Go and 32", "_ [12]byte at its end")
	refused[struct{ P driver.Ptr[atEnd] }](t, "struct.P* ", "_ [12]byte at its end")
	type partly struct { // Go pads to 8, C to 16
		A float32
		C complex128
	}
	refused[struct{ P partly }](t, "struct.P.C ", "at byte 8 in Go", "at byte 16", "_ [12]byte before")
	type emptyAtEnd struct {
		A int32
		_ struct{}
	}
	refused[struct{ P emptyAtEnd }](t, "struct.P ", "8 bytes in Go", "4 in kernels", "without size")
	type emptyBefore struct {
		A int32
		_ [0]uint64
		B int32
	}
	refused[struct{ P emptyBefore }](t, "struct.P.B ", "at byte 8 in Go", "at byte 4 in kernels", "without size")
}

// What the messages advise is right: with it the struct is accepted.
func TestAdvisedPaddingIsAccepted(t *testing.T) {
	type inside struct {
		A float32
		_ [12]byte
		V driver.Float4
	}
	type atEnd struct {
		V driver.Float4
		A float32
		_ [12]byte
	}
	type partly struct {
		A float32
		_ [12]byte
		C complex128
	}
	mustSign[struct {
		A inside
		B atEnd
		C partly
	}](t)
}

func TestKeysDifferWhereSignaturesDo(t *testing.T) {
	type pair struct{ A, B int32 }
	type other struct{ A, B float32 }
	keys := map[string]*driver.Signature{}
	for _, sig := range []*driver.Signature{
		mustSign[struct{}](t),
		mustSign[struct{ A int32 }](t),
		mustSign[struct{ A uint32 }](t),
		mustSign[struct{ A float32 }](t),
		mustSign[struct{ A, B int32 }](t),
		mustSign[struct {
			A int32
			_ int32
		}](t),
		mustSign[struct {
			_ int32
			A int32
		}](t),
		mustSign[struct{ A pair }](t),
		mustSign[struct{ A other }](t),
		mustSign[struct{ A driver.Ptr[int32] }](t),
		mustSign[struct{ A driver.Ptr[pair] }](t),
		mustSign[struct{ A driver.Ptr[other] }](t),
		mustSign[struct{ A driver.Local[int32] }](t),
		mustSign[struct{ A int64 }](t),
	} {
		if was := keys[sig.Key()]; was != nil {
			t.Errorf("%s and %s have one key, %s", was.Go, sig.Go, sig.Key())
		}
		keys[sig.Key()] = sig
	}
	if a, b := mustSign[struct{ A int32 }](t), mustSign[struct{ B int32 }](t); a.Key() != b.Key() {
		t.Errorf("keys %s and %s; want one", a.Key(), b.Key())
	}
}

func TestNewSignatureLaysOutAsDevicesDo(t *testing.T) {
	float4 := driver.TypeInfo{Name: "float4", Kind: driver.ParamVector, Size: 16, Align: 16}
	sig := driver.NewSignature([]driver.Param{
		{Kind: driver.ParamScalar, Size: 1, Type: scalar("char", 1, "")},
		{Kind: driver.ParamPointer, Size: 8, Type: float4},
		{Kind: driver.ParamScalar, Size: 2, Type: scalar("short", 2, "")},
		{Kind: driver.ParamVector, Size: 16, Type: float4},
		{Kind: driver.ParamScalar, Size: 4, Type: scalar("int", 4, "")},
	})
	var got []uint32
	for _, p := range sig.Params {
		got = append(got, p.Offset)
	}
	if diff := cmp.Diff([]uint32{0, 8, 16, 32, 48}, got); diff != "" || sig.Size != 56 {
		t.Errorf("size %d; want 56; offsets (-want +got):\n%s", sig.Size, diff)
	}
	if empty := driver.NewSignature(nil); empty.Size != 0 || empty.String() != "()" {
		t.Errorf("%+v", empty)
	}
}
