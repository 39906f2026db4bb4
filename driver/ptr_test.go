package driver_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

func TestPtrOffset(t *testing.T) {
	p := driver.PtrFrom[float32](0x1000)
	for n, want := range map[int]uint64{0: 0x1000, 1: 0x1004, 3: 0x100c, -2: 0xff8, -0x3ff: 4} {
		q, err := p.Offset(n)
		if err != nil || q.Bits() != want {
			t.Errorf("Offset(%d): %#x, %v; want %#x", n, q.Bits(), err, want)
		}
	}
	for _, n := range []int{-0x400 /* null */, -0x401, math.MaxInt, math.MinInt, 1 << 61} {
		_, err := p.Offset(n)
		wantErr(t, err, driver.ErrInvalidValue, "0x1000")
	}
}

func TestPtrThatIsAHandle(t *testing.T) {
	h := driver.PtrFrom[float32](driver.PtrHandleBit | 5)
	if !h.IsHandle() || h.IsNil() || driver.PtrFrom[float32](5).IsHandle() {
		t.Error("IsHandle is wrong")
	}
	if q, err := h.Offset(0); err != nil || q != h {
		t.Errorf("Offset(0): %v, %v", q, err)
	}
	_, err := h.Offset(1)
	wantErr(t, err, driver.ErrUnsupported, "Buffer.Slice", "1 elements")
}

func TestNullPtr(t *testing.T) {
	var p driver.Ptr[float32]
	if !p.IsNil() || p.IsHandle() || driver.PtrFrom[float32](1).IsNil() {
		t.Error("IsNil is wrong")
	}
	_, err := p.Offset(1)
	wantErr(t, err, driver.ErrInvalidValue, "null")
}

func TestPtrTypes(t *testing.T) {
	if q := driver.Cast[int8](driver.PtrFrom[float32](0x1000)); q.Bits() != 0x1000 {
		t.Errorf("Cast moved the pointer to %#x", q.Bits())
	} else if q, _ := q.Offset(1); q.Bits() != 0x1001 {
		t.Errorf("a cast pointer moves by its old type: %#x", q.Bits())
	}
	if reflect.TypeFor[driver.Ptr[float32]]().ConvertibleTo(reflect.TypeFor[driver.Ptr[int32]]()) {
		t.Error("pointers of different types can be converted without Cast")
	}
	if reflect.TypeFor[driver.Local[float32]]().ConvertibleTo(reflect.TypeFor[driver.Local[int32]]()) {
		t.Error("local memory of different types can be converted")
	}
	// Comparable, and so good as a map's key.
	if m := map[driver.Ptr[float32]]int{driver.PtrFrom[float32](1): 7}; m[driver.PtrFrom[float32](1)] != 7 {
		t.Error("equal pointers are not equal")
	}
}

func TestLocalOf(t *testing.T) {
	for n, want := range map[int]uint64{0: 0, 1: 16, 100: 1600, -1: 0, math.MaxInt: math.MaxUint64} {
		if got := driver.LocalOf[driver.Float4](n).Bytes(); got != want {
			t.Errorf("%d elements: %d bytes; want %d", n, got, want)
		}
	}
}
