package kernelcache_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

// refused declares a kernel with A's arguments and wants Err to say what to use
// instead of the field at the path.
func refused[A any](t *testing.T, words ...string) {
	t.Helper()
	k := kernelcache.Declare[A](text("kernel f"), "f")
	wantErr(t, k.Err(), driver.ErrSignature, append(words, "kernel f")...)
}

func TestArgumentsThatKernelsCannotHave(t *testing.T) {
	type inner struct {
		A float32
		P *float32
	}
	type outer struct {
		X  driver.Ptr[float32]
		In struct{ Deep [2]inner }
	}
	refused[struct{ N int }](t, "struct.N", "int32 or int64")
	refused[struct{ N uint }](t, "struct.N", "uint32 or uint64")
	refused[struct{ P *float32 }](t, "struct.P", "driver.Ptr")
	refused[struct{ S string }](t, "struct.S", "driver.Ptr[uint8]")
	refused[struct{ S []int32 }](t, "struct.S", "driver.Ptr[int32]")
	refused[struct{ M map[int32]int32 }](t, "struct.M", "driver.Ptr")
	refused[struct{ F func() }](t, "struct.F")
	refused[outer](t, "outer.In.Deep[].P", "Go pointer")
	refused[struct{ P driver.Ptr[[]int32] }](t, "struct.P*", "driver.Ptr[int32]")
	refused[struct{ A [1 << 20]byte }](t, "1048576 bytes", "32764")
	refused[struct{ P driver.Ptr[[1 << 31]byte] }](t, "struct.P*", "2.0 GiB")
}

// Macros cannot bring code along: their names are identifiers, and their values
// literals or identifiers.
func TestMacrosCannotInjectCode(t *testing.T) {
	for _, o := range []kernelcache.Option{
		kernelcache.Define("A B", 1), kernelcache.Define("A\n#define C", 1), kernelcache.Define("A(x)", 1), kernelcache.Define("", 1), kernelcache.Define("É", 1),
		kernelcache.Define(strings.Repeat("A", 1<<20), 1),
		kernelcache.DefineName("A", "x; evil()"), kernelcache.DefineName("A", "x\n#include <y>"), kernelcache.DefineName("A", `"x"`),
		kernelcache.DefineName("A", "x//"), kernelcache.DefineName("A", ""), kernelcache.DefineName("A", "x\\"),
		kernelcache.Flags("-DA=1"), kernelcache.Flags(""), kernelcache.Flags("-w\n-x"), kernelcache.Flags("-w\x00"),
	} {
		err := kernelcache.Declare[struct{}](text("kernel f"), "f", o).Err()
		wantErr(t, err, driver.ErrInvalidValue)
		if len(err.Error()) > 1000 {
			t.Errorf("the error is %d bytes long", len(err.Error()))
		}
	}
}

func TestAbsurdNamesAndSizes(t *testing.T) {
	err := kernelcache.Declare[struct{}](text("kernel f"), strings.Repeat("f", 1<<20)).Err()
	wantErr(t, err, driver.ErrInvalidValue, "at most 8192 bytes")
	if len(err.Error()) > 1000 {
		t.Errorf("the error is %d bytes long", len(err.Error()))
	}
}

type occupied struct {
	*fakeKernel
	fail error
}

func (k occupied) Occupancy(block driver.Dim3, shared uint32) (int, error) {
	return int(2048/block.X) - int(shared), k.fail
}

func (k occupied) SuggestBlock(shared uint32) (driver.Dim3, error) {
	return driver.Dim3{X: 192, Y: 1, Z: 1}, k.fail
}

func TestOccupancyAndSuggestedBlock(t *testing.T) {
	dev := newDevice("opencl")
	defer dev.Close()
	k := kernelcache.Declare[struct{}](text("kernel f"), "f")
	_, err := k.Occupancy(ctx, dev, driver.Dim3{X: 64}, 0)
	wantErr(t, err, driver.ErrUnsupported, "opencl", "kernel f")
	_, err = k.SuggestBlock(ctx, dev, 0)
	wantErr(t, err, driver.ErrUnsupported, "Attributes")

	able := newDevice("cuda")
	defer able.Close()
	fail := errors.New("no")
	able.wrap = func(k *fakeKernel) driver.Kernel { return occupied{fakeKernel: k} }
	if n, err := k.Occupancy(ctx, able, driver.Dim3{X: 64}, 1); n != 31 || err != nil {
		t.Errorf("Occupancy: %d, %v", n, err)
	}
	if b, err := k.SuggestBlock(ctx, able, 0); b.X != 192 || err != nil {
		t.Errorf("SuggestBlock: %v, %v", b, err)
	}
	failing := newDevice("cuda")
	defer failing.Close()
	failing.wrap = func(k *fakeKernel) driver.Kernel { return occupied{k, fail} }
	_, err = k.Occupancy(ctx, failing, driver.Dim3{X: 64}, 1)
	wantErr(t, err, fail)
	_, err = k.SuggestBlock(ctx, failing, 1)
	wantErr(t, err, fail)
}
