package bounds

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

var check = Check{Backend: "test", Op: "op"}

// refusals fails unless err is the contract's ErrInvalidValue and says want.
func refusals(t *testing.T, what string, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v", what, err)
	case want != "" && (!errors.Is(err, driver.ErrInvalidValue) || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: %v; want %q", what, err, want)
	}
}

func TestRanges(t *testing.T) {
	for _, x := range []struct {
		size, off, n uint64
		want         string
	}{
		{8, 0, 8, ""}, {8, 8, 0, ""}, {0, 0, 0, ""}, {8, 7, 1, ""},
		{8, 1, 8, "8 bytes at offset 1 of the place, which has 8"}, {8, 9, 0, "offset 9"}, {8, math.MaxUint64, 2, "offset"}, {8, 4, math.MaxUint64, "offset 4"},
	} {
		refusals(t, "range", check.Range("place", x.size, x.off, x.n), x.want)
	}
	refusals(t, "apart", check.Disjoint(0, 8, 8), "")
	refusals(t, "apart", check.Disjoint(8, 0, 8), "")
	refusals(t, "overlapping", check.Disjoint(0, 7, 8), "the ranges overlap")
	refusals(t, "the same", check.Disjoint(3, 3, 1), "the ranges overlap")
}

func TestPatterns(t *testing.T) {
	for _, n := range []uint64{1, 2, 4, 8, 16} {
		refusals(t, "pattern", check.Pattern(n, 2*n, 3*n), "")
		if n > 1 {
			refusals(t, "pattern at an odd offset", check.Pattern(n, 1, n), "multiples of the pattern's")
			refusals(t, "an odd part of a pattern", check.Pattern(n, 0, n+1), "multiples of the pattern's")
		}
	}
	for _, n := range []uint64{0, 3, 32} {
		refusals(t, "pattern", check.Pattern(n, 0, 0), "1, 2, 4, 8 and 16 are possible")
	}
}

func TestRegions(t *testing.T) {
	for _, x := range []struct {
		what string
		have uint64
		r    driver.Rect
		size driver.Extent
		want string
		out  Region
	}{
		{"packed", 24, driver.Rect{}, driver.Extent{Bytes: 4, Rows: 3, Slices: 2}, "", Region{0, 4, 12}},
		{"one row", 10, driver.Rect{Offset: 6}, driver.Extent{Bytes: 4}, "", Region{6, 4, 4}},
		{"pitched", 100, driver.Rect{Offset: 1, RowPitch: 10, SlicePitch: 40}, driver.Extent{Bytes: 9, Rows: 2, Slices: 3}, "", Region{1, 10, 40}},
		{"nothing", 1, driver.Rect{}, driver.Extent{}, "", Region{}},
		{"too long", 8, driver.Rect{}, driver.Extent{Bytes: 9}, "9×1×1 bytes", Region{}},
		{"narrow rows", 64, driver.Rect{RowPitch: 3}, driver.Extent{Bytes: 4, Rows: 2}, "rows are 3 bytes apart and 4 long", Region{}},
		{"narrow slices", 64, driver.Rect{RowPitch: 4, SlicePitch: 4}, driver.Extent{Bytes: 4, Rows: 2, Slices: 2}, "slices are 4 bytes apart and 8 long", Region{}},
		{"rows beyond all numbers", math.MaxUint64, driver.Rect{RowPitch: 1 << 63}, driver.Extent{Bytes: 1, Rows: 2, Slices: 1}, "2 rows, 9223372036854775808 bytes apart", Region{}},
		{"slices beyond all numbers", math.MaxUint64, driver.Rect{RowPitch: 1 << 62, SlicePitch: 1 << 63}, driver.Extent{Bytes: 1 << 62, Rows: 2, Slices: 2}, "2 slices, 9223372036854775808 bytes apart", Region{}},
		{"ragged slices", 64, driver.Rect{RowPitch: 4, SlicePitch: 10}, driver.Extent{Bytes: 4, Rows: 2, Slices: 2}, "no multiple", Region{}},
		{"huge rows", 64, driver.Rect{RowPitch: math.MaxUint64}, driver.Extent{Bytes: 4, Rows: 2}, "bytes apart", Region{}},
		{"huge slices", 64, driver.Rect{RowPitch: 4, SlicePitch: math.MaxUint64 - 3}, driver.Extent{Bytes: 4, Rows: 1, Slices: 2}, "bytes apart", Region{}},
		{"huge offset", 64, driver.Rect{Offset: math.MaxUint64}, driver.Extent{Bytes: 4}, "offset", Region{}},
		{"one byte too far", 100, driver.Rect{Offset: 2, RowPitch: 10, SlicePitch: 40}, driver.Extent{Bytes: 9, Rows: 2, Slices: 3}, "offset 2", Region{}},
	} {
		size := Extent(x.size)
		got, err := check.Region("place", x.have, x.r, size)
		refusals(t, x.what, err, x.want)
		if err == nil && got != x.out {
			t.Errorf("%s: %+v, want %+v", x.what, got, x.out)
		}
	}
	size := driver.Extent{Bytes: 4, Rows: 2, Slices: 1}
	r := Region{0, 8, 16}
	refusals(t, "apart", check.Apart(0, r, 12, r, size), "")
	refusals(t, "interleaved", check.Apart(0, r, 4, r, size), "overlap")
}
