package driver_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/triad-gpu/triad/driver"
)

// all has a parameter for each setter.
type all struct {
	I8    int8
	U8    uint8
	B     bool
	I16   int16
	U16   uint16
	H     driver.Half
	I32   int32
	U32   uint32
	I64   int64
	U64   uint64
	F32   float32
	F64   float64
	V     driver.Float2
	S     struct{ A, B int32 }
	P     driver.Ptr[float32]
	Q     driver.Ptr[driver.Float4]
	Local driver.Local[float32]
}

func setAll(p *driver.ArgPack, n int) []error {
	f := float32(n)
	return []error{
		p.Int8(0, int8(-n)), p.Uint8(1, uint8(n)), p.Bool(2, n != 0),
		p.Int16(3, int16(-n)), p.Uint16(4, uint16(n)), p.Half(5, driver.Half(n)),
		p.Int32(6, int32(-n)), p.Uint32(7, uint32(n)), p.Int64(8, int64(-n)), p.Uint64(9, uint64(n)),
		p.Float32(10, f), p.Float64(11, float64(n)),
		p.Bytes(12, []byte{1, 2, 3, 4, 5, 6, 7, byte(n)}),
		p.Bytes(13, []byte{8, 7, 6, 5, 4, 3, 2, byte(n)}),
		driver.SetPtr(p, 14, driver.PtrFrom[float32](uint64(n))), p.Ptr(15, uint64(n)), p.Local(16, uint64(n)),
	}
}

func launch(t testing.TB, k driver.Kernel, p *driver.ArgPack) {
	t.Helper()
	ref, err := p.Ref()
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Launch(nil, driver.LaunchConfig{}, ref); err != nil {
		t.Fatal(err)
	}
}

// A pack has the bytes that the struct of its signature has; again after reuse.
func TestArgPackHasTheStructsBytes(t *testing.T) {
	sig := mustSign[all](t)
	p, k := driver.NewArgPack(sig), &readKernel{}
	for _, n := range []int{1, 100} {
		for i, err := range setAll(p, n) {
			if err != nil {
				t.Errorf("parameter %d: %v", i, err)
			}
		}
		launch(t, k, p)
		bytes := func(i int) []byte { q := sig.Params[i]; return k.got[q.Offset : q.Offset+q.Size] }
		if diff := cmp.Diff([]byte{1, 2, 3, 4, 5, 6, 7, byte(n)}, bytes(12)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		want := all{
			I8: int8(-n), U8: uint8(n), B: true, I16: int16(-n), U16: uint16(n), H: driver.Half(n),
			I32: int32(-n), U32: uint32(n), I64: int64(-n), U64: uint64(n), F32: float32(n), F64: float64(n),
			P: driver.PtrFrom[float32](uint64(n)), Q: driver.PtrFrom[driver.Float4](uint64(n)),
		}
		got := argsFrom[all](k.got)
		if got.Local.Bytes() != uint64(n) {
			t.Errorf("local memory of %d bytes; want %d", got.Local.Bytes(), n)
		}
		got.V, got.S, got.Local = want.V, want.S, want.Local
		if got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

func TestArgPackRefusesWhatDoesNotFit(t *testing.T) {
	p := driver.NewArgPack(mustSign[all](t))
	for _, c := range []struct {
		err   error
		words []string
	}{
		{p.Int32(-1, 0), []string{"no parameter -1", "takes 17"}},
		{p.Int32(17, 0), []string{"no parameter 17", "takes 17", "(char, uchar, bool"}},
		{p.Int32(10, 1), []string{"parameter 10 (F32)", "is float, 4 bytes", "given a scalar int of 4"}},
		{p.Uint32(6, 1), []string{"parameter 6 (I32)", "is int, 4 bytes", "scalar uint"}},
		{p.Float64(10, 1), []string{"parameter 10 (F32)", "scalar double of 8"}},
		{p.Float32(14, 1), []string{"parameter 14 (P)", "is float*, 8 bytes"}},
		{p.Int64(16, 1), []string{"parameter 16 (Local)", "__local float*"}},
		{p.Ptr(9, 1), []string{"parameter 9 (U64)", "given a pointer"}},
		{p.Ptr(16, 1), []string{"given a pointer"}},
		{p.Local(14, 1), []string{"given a local memory"}},
		{p.Bytes(14, make([]byte, 8)), []string{"given a struct"}},
		{p.Bytes(13, make([]byte, 7)), []string{"parameter 13 (S)", "8-byte struct", "of 7"}},
		{p.Bytes(13, nil), []string{"of 0"}},
		{p.Bool(0, true), nil}, // a char may stand for a bool
		{p.Half(4, 1), []string{"ushort", "scalar half"}},
		{driver.SetPtr(p, 14, driver.PtrFrom[int32](1)), []string{"float*", "given a pointer int"}},
		{driver.SetPtr(p, 15, driver.PtrFrom[float32](1)), []string{"float4*", "given a pointer float"}},
		{driver.SetPtr(p, 10, driver.PtrFrom[float32](1)), []string{"is float, 4 bytes"}},
	} {
		if c.words == nil {
			if c.err != nil {
				t.Error(c.err)
			}
			continue
		}
		wantErr(t, c.err, driver.ErrSignature, c.words...)
	}
	if diff := cmp.Diff(16, len(p.Missing())); diff != "" {
		t.Errorf("refused values count as set (-want +got):\n%s", diff)
	}
}

func TestArgPackKnowsWhatIsMissing(t *testing.T) {
	p := driver.NewArgPack(driver.NewSignature([]driver.Param{
		{Field: "n", Kind: driver.ParamScalar, Size: 4, Type: scalar("int", 4, "")},
		{Kind: driver.ParamPointer, Size: 8},
		{Field: "x", Kind: driver.ParamPointer, Size: 8},
	}))
	if err := p.Int32(0, 1); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1", "2 (x)"}, p.Missing()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err := p.Ref()
	wantErr(t, err, driver.ErrSignature, "not set: [1 2 (x)]")
	// Of an unknown type: any pointer fits.
	if err := driver.SetPtr(p, 1, driver.PtrFrom[float32](5)); err != nil {
		t.Error(err)
	}
	if err := p.Ptr(2, math.MaxUint64); err != nil {
		t.Error(err)
	}
	ref, err := p.Ref()
	if err != nil || ref.Size() != 24 || len(p.Missing()) != 0 {
		t.Errorf("%d bytes, missing %v, %v", ref.Size(), p.Missing(), err)
	}
}

func TestArgPackWithoutParameters(t *testing.T) {
	k := &readKernel{}
	launch(t, k, driver.NewArgPack(driver.NewSignature(nil)))
	launch(t, k, driver.NewArgPack(mustSign[struct{}](t)))
}

func TestArgPackDoesNotAllocate(t *testing.T) {
	if instrumented {
		t.Skip("the race detector and AddressSanitizer allocate")
	}
	p := driver.NewArgPack(mustSign[all](t))
	var k driver.Kernel = &readKernel{got: make([]byte, 0, 1000)}
	blob := make([]byte, 8)
	if n := testing.AllocsPerRun(100, func() {
		p.Int8(0, -1)
		p.Bool(2, true)
		p.Int16(3, -1)
		p.Half(5, 1)
		p.Uint32(7, 1)
		p.Uint64(9, 1)
		p.Float32(10, 1)
		p.Float64(11, 1)
		p.Bytes(12, blob)
		driver.SetPtr(p, 14, driver.PtrFrom[float32](1))
		driver.SetPtr(p, 15, driver.PtrFrom[driver.Float4](1))
		p.Local(16, 1)
	}); n != 0 {
		t.Errorf("setting: %v allocations", n)
	}
	setAll(p, 1)
	if n := testing.AllocsPerRun(100, func() { launch(t, k, p) }); n != 0 {
		t.Errorf("launching: %v allocations", n)
	}
}
