package bounds

import (
	"math/big"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

func whole(v uint64) *big.Int { return new(big.Int).SetUint64(v) }

func times(a, b uint64) *big.Int { return whole(a).Mul(whole(a), whole(b)) }

// end is where a region ends behind its first byte, without overflow.
func end(r Region, size driver.Extent) *big.Int {
	n := times(size.Slices-1, r.Slice)
	return n.Add(n, times(size.Rows-1, r.Row)).Add(n, whole(size.Bytes))
}

// What is let through lies in the memory, by arithmetic that can't overflow, and
// plain ranges that do are let through.
func FuzzRange(f *testing.F) {
	const most = 1<<64 - 1
	f.Add(uint64(8), uint64(0), uint64(8), uint64(4))
	f.Add(uint64(8), uint64(most), uint64(2), uint64(0))
	f.Add(uint64(most), uint64(most), uint64(0), uint64(most))
	f.Add(uint64(most), uint64(1), uint64(most), uint64(3))
	f.Fuzz(func(t *testing.T, size, off, n, length uint64) {
		fits := whole(off).Add(whole(off), whole(n)).Cmp(whole(size)) <= 0
		if err := check.Range("memory", size, off, n); (err == nil) != fits {
			t.Errorf("%d bytes at %d of %d: %v", n, off, size, err)
		}
		if fits && length <= size && n <= size-length { // two ranges of one memory
			apart := off >= length && off-length >= n || length >= off && length-off >= n || n == 0
			if err := check.Disjoint(off, length, n); (err == nil) != apart {
				t.Errorf("%d bytes at %d and %d: %v", n, off, length, err)
			}
		}
		if check.Pattern(length, off, n) == nil && (length == 0 || length > 16 || length&(length-1) != 0 || off%length != 0 || n%length != 0) {
			t.Errorf("%d bytes at %d are filled with a pattern of %d", n, off, length)
		}
	})
}

func FuzzRegion(f *testing.F) {
	const most = 1<<64 - 1
	f.Add(uint64(64), uint64(0), uint64(8), uint64(16), uint64(8), uint64(2), uint64(4))
	f.Add(uint64(64), uint64(4), uint64(0), uint64(0), uint64(4), uint64(0), uint64(0))
	f.Add(uint64(most), uint64(0), uint64(most), uint64(0), uint64(1), uint64(2), uint64(1))
	f.Add(uint64(most), uint64(0), uint64(1<<63), uint64(1<<63), uint64(1), uint64(2), uint64(2))
	f.Add(uint64(most), uint64(1), uint64(1<<62), uint64(1<<63), uint64(1<<62), uint64(2), uint64(2))
	f.Fuzz(func(t *testing.T, have, off, row, slice, n, rows, slices uint64) {
		size := Extent(driver.Extent{Bytes: n, Rows: rows, Slices: slices})
		r, err := check.Region("memory", have, driver.Rect{Offset: off, RowPitch: row, SlicePitch: slice}, size)
		if err != nil {
			return
		}
		if row != 0 && r.Row != row || slice != 0 && r.Slice != slice || r.Offset != off {
			t.Fatalf("a region of %d %d %d became %+v", off, row, slice, r)
		}
		if r.Row < size.Bytes || r.Slice < r.Row && size.Rows == 1 || times(r.Row, size.Rows).Cmp(whole(r.Slice)) > 0 {
			t.Errorf("%+v by %+v: rows or slices overlap", r, size)
		}
		if n == 0 {
			return // nothing is touched
		}
		last := end(r, size)
		if last.Cmp(whole(r.Span(size))) != 0 {
			t.Errorf("%+v by %+v spans %d bytes, and Span says %d", r, size, last, r.Span(size))
		}
		if last.Add(last, whole(off)).Cmp(whole(have)) > 0 {
			t.Errorf("%+v by %+v ends at %d of %d", r, size, last, have)
		}
	})
}
