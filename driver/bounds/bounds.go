// Package bounds checks the ranges and regions that commands are given, without
// overflow and in the same words for every backend. It is for authors of backends.
package bounds

import (
	"math/bits"

	"github.com/triad-gpu/triad/driver"
)

// Check is who asks, for the texts of errors: the backend's name and the call.
type Check struct{ Backend, Op string }

func (c Check) refused(format string, args ...any) error {
	return driver.Errorf(c.Backend, c.Op, driver.ErrInvalidValue, format, args...)
}

// Range checks that n bytes at off lie within memory of that size. which names the
// memory: "destination".
func (c Check) Range(which string, size, off, n uint64) error {
	if off > size || n > size-off {
		return c.beyond(which, size, off, n)
	}
	return nil
}

//go:noinline
func (c Check) beyond(which string, size, off, n uint64) error {
	return c.refused("%d bytes at offset %d of the %s, which has %d", n, off, which, size)
}

// Disjoint checks that two ranges of n bytes in one allocation don't overlap.
func (c Check) Disjoint(a, b, n uint64) error {
	if a < b+n && b < a+n {
		return c.overlap(a, b, n)
	}
	return nil
}

//go:noinline
func (c Check) overlap(a, b, n uint64) error {
	return c.refused("the ranges overlap: %d bytes from %d and from %d of one allocation", n, b, a)
}

// Pattern checks that n bytes at off, counted from the allocation's beginning, can
// be filled with a pattern of that length.
func (c Check) Pattern(length, off, n uint64) error {
	if lengths>>length&1 == 0 || (off|n)&(length-1) != 0 {
		return c.misfit(length, off, n)
	}
	return nil
}

// lengths has a bit for each length that a pattern may have, all powers of two.
const lengths = 1<<1 | 1<<2 | 1<<4 | 1<<8 | 1<<16

//go:noinline
func (c Check) misfit(length, off, n uint64) error {
	if lengths>>length&1 == 0 {
		return c.refused("a pattern of %d bytes; 1, 2, 4, 8 and 16 are possible", length)
	}
	return c.refused("%d bytes at offset %d; both must be multiples of the pattern's %d", n, off, length)
}

// Region is a driver.Rect whose pitches are set. All are in bytes.
type Region struct{ Offset, Row, Slice uint64 }

// Span is the number of bytes from the region's first byte to behind its last.
func (r Region) Span(size driver.Extent) uint64 {
	return (size.Slices-1)*r.Slice + (size.Rows-1)*r.Row + size.Bytes
}

// Extent is size with zero rows and slices counted as 1.
func Extent(size driver.Extent) driver.Extent {
	size.Rows, size.Slices = max(size.Rows, 1), max(size.Slices, 1)
	return size
}

// Region sets the pitches that r leaves out, and checks that the region lies within
// memory of that many bytes. size comes from Extent.
func (c Check) Region(which string, have uint64, r driver.Rect, size driver.Extent) (Region, error) {
	out := Region{r.Offset, r.RowPitch, r.SlicePitch}
	if size.Bytes > have || size.Rows > have || size.Slices > have {
		return out, c.refused("%d×%d×%d bytes of the %s, which has %d", size.Bytes, size.Rows, size.Slices, which, have)
	}
	if out.Row == 0 {
		out.Row = size.Bytes
	}
	if out.Row < size.Bytes {
		return out, c.refused("the %s's rows are %d bytes apart and %d long", which, out.Row, size.Bytes)
	}
	if size.Rows > 1 && out.Row > have/(size.Rows-1) {
		return out, c.refused("%d rows, %d bytes apart, of the %s, which has %d", size.Rows, out.Row, which, have)
	}
	beyond, long := bits.Mul64(out.Row, size.Rows)
	if beyond != 0 {
		return out, c.refused("%d rows, %d bytes apart, of the %s, which has %d", size.Rows, out.Row, which, have)
	}
	if out.Slice == 0 {
		out.Slice = long
	}
	if out.Slice < long {
		return out, c.refused("the %s's slices are %d bytes apart and %d long", which, out.Slice, long)
	}
	if out.Row > 0 && out.Slice%out.Row != 0 {
		return out, c.refused("the %s's slices are %d bytes apart, no multiple of the %d between rows", which, out.Slice, out.Row)
	}
	if size.Slices > 1 && out.Slice > have/(size.Slices-1) {
		return out, c.refused("%d slices, %d bytes apart, of the %s, which has %d", size.Slices, out.Slice, which, have)
	}
	if out.Slice == 0 { // nothing to copy; the driver is not asked
		return out, nil
	}
	// None of the three parts exceeds have, but their sum may exceed 64 bits.
	span, one := bits.Add64((size.Rows-1)*out.Row, size.Bytes, 0)
	span, two := bits.Add64(span, (size.Slices-1)*out.Slice, 0)
	if one|two != 0 {
		return out, c.refused("%d slices, %d bytes apart, of %d rows, %d bytes apart, of the %s, which has %d", size.Slices, out.Slice, size.Rows, out.Row, which, have)
	}
	return out, c.Range(which, have, r.Offset, span)
}

// Apart checks that two regions in one allocation can't overlap; a and b are where
// their first bytes are. Interleaved regions may be disjoint, but whether drivers
// take them differs: they are refused.
func (c Check) Apart(a uint64, ra Region, b uint64, rb Region, size driver.Extent) error {
	if a < b+rb.Span(size) && b < a+ra.Span(size) {
		return c.refused("both regions are in one allocation, and their spans overlap")
	}
	return nil
}
