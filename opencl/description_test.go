package opencl

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
)

const describedSource = `
typedef float real;
typedef struct { int a, b, c; } triple;
__kernel void described(__global real *out, real x, triple t, __local uint *scratch) { out[0] = x + t.a + t.b + t.c; }
__kernel void other(__global int *out) { out[0] = 1; }`

type describedArgs struct {
	Out     driver.Ptr[float32]
	X       float32
	T       struct{ A, B, C int32 }
	Scratch driver.Local[uint32]
}

// A module from a binary and its description verifies kernels as the module
// from source does, without a compile; without the description it cannot.
func TestDescriptionVerifiesKernelsOfBinaries(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	built, err := d.Load(t.Context(), driver.ModuleSource{Kind: driver.SourceText, Name: "d.cl", Code: []byte(describedSource)}, driver.BuildOptions{})
	check(t, err)
	defer built.Close()
	fits, _ := driver.SignatureOf[describedArgs]()
	k, err := built.Kernel(t.Context(), "described", fits)
	check(t, err)
	if !k.Verified() {
		t.Logf("%s has nothing to describe: %s", d.info.Platform, k.Unverified())
		return
	}
	check(t, k.Close())
	binary, err := built.Binary()
	check(t, err)
	desc, err := built.(driver.Describer).Description()
	check(t, err)

	load := func(desc []byte) *Module {
		t.Helper()
		m, err := d.Load(t.Context(), driver.ModuleSource{Kind: driver.SourceBinary, Name: "d.cl", Code: binary, Description: desc}, driver.BuildOptions{})
		check(t, err)
		t.Cleanup(func() { _ = m.Close() })
		return m.(*Module)
	}
	described := load(desc)
	k, err = described.Kernel(t.Context(), "described", fits)
	check(t, err)
	if !k.Verified() {
		t.Errorf("unverified: %s", k.Unverified())
	}
	check(t, k.Close())
	if len(described.facts.recall([]measure{{base: "triple"}})) != 0 {
		t.Error("the size of triple was lost")
	}

	wrong, _ := driver.SignatureOf[struct {
		Out     driver.Ptr[float32]
		X       float32
		T       struct{ A, B int32 }
		Scratch driver.Local[uint32]
	}]()
	_, err = described.Kernel(t.Context(), "described", wrong)
	wantIs(t, "a shorter struct", err, driver.ErrSignature, "parameter 2", "12 bytes", "8")
	wrongOther, _ := driver.SignatureOf[struct{ Out driver.Ptr[float32] }]()
	_, err = described.Kernel(t.Context(), "other", wrongOther) // never bound before
	wantIs(t, "another kernel", err, driver.ErrSignature, "int* out")

	again, err := described.Description()
	check(t, err)
	if string(again) != string(desc) {
		t.Errorf("the description of the binary's module differs:\n%s\n%s", desc, again)
	}
	plain, err := load(nil).Kernel(t.Context(), "described", wrong)
	if err == nil {
		if plain.Verified() {
			t.Error("verified without a description, and wrongly")
		}
		check(t, plain.Close())
	}
	_, err = d.Load(t.Context(), driver.ModuleSource{Kind: driver.SourceBinary, Name: "d.cl", Code: binary, Description: []byte("{")}, driver.BuildOptions{})
	wantIs(t, "a broken description", err, driver.ErrInvalidValue, "description")
}

func TestSuggestedBlockIsOneThatRuns(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	out := buffer(t, s, make([]uint32, 4096))
	free := kernel[storeArgs](t, d, storeSource, "store")
	fixed := kernel[storeArgs](t, d, "__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void store(__global uint *out, uint value) { out[get_global_id(0)] = value; }", "store")
	for _, k := range []*Kernel{free, fixed} {
		b, err := k.SuggestBlock(0)
		check(t, err)
		a := storeArgs{out.Ptr(), 7}
		check(t, k.Launch(s, driver.LaunchConfig{Grid: driver.Dim3{X: 2}, Block: b}, driver.ArgsOf(&a)))
	}
	if b, _ := fixed.SuggestBlock(0); b != (driver.Dim3{X: 4, Y: 2, Z: 1}) {
		t.Errorf("suggested %v for a required block of 4 by 2", b)
	}
	if b, _ := free.SuggestBlock(0); b.X < 2 || b.X > 256 || b.Y != 1 {
		t.Errorf("suggested %v", b)
	}
	_, err := free.SuggestBlock(100)
	wantIs(t, "shared memory", err, driver.ErrUnsupported)
	check(t, free.Close())
	_, err = free.SuggestBlock(0)
	wantIs(t, "closed", err, driver.ErrClosed)
}
