package cuda

import (
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/bounds"
	"github.com/triad-gpu/triad/driver/texels"
)

// Texels is a place in an array, or the size of a region of it, in elements. Z
// counts slices, layers, or a cubemap's faces. In sizes, a Y or Z of 0 counts as 1.
type Texels struct{ X, Y, Z uint64 }

// arrayEnd is triad_cu_array_end.
type arrayEnd struct {
	array          handle
	at, row, slice uint64
	x, y, z        uint64
}

// CopyToArray enqueues a copy from memory, device or page-locked, into a region of
// an array (cuMemcpy3DAsync). rect places the region in memory, in bytes: a RowPitch
// of 0 stands for rows without gaps.
func (s *Stream) CopyToArray(dst *Array, at Texels, src driver.Memory, rect driver.Rect, size Texels) error {
	return s.arrayAndMemory("cuMemcpy3DAsync", dst, at, "source", src, rect, size, true)
}

// CopyFromArray enqueues a copy of a region of an array to memory, device or
// page-locked (cuMemcpy3DAsync); see CopyToArray.
func (s *Stream) CopyFromArray(dst driver.Memory, rect driver.Rect, src *Array, at, size Texels) error {
	return s.arrayAndMemory("cuMemcpy3DAsync", src, at, "destination", dst, rect, size, false)
}

func (s *Stream) arrayAndMemory(op string, a *Array, at Texels, which string, mem driver.Memory, rect driver.Rect, size Texels, toArray bool) error {
	if err := s.arrayUse(op, a); err != nil {
		return err
	}
	defer s.life.Release()
	defer a.life.Release()
	m, err := memoryOf(op, which, mem, s.dev)
	if err != nil {
		return err
	}
	defer m.life.Release()
	array, size, err := a.region(op, at, size)
	if err != nil {
		return err
	}
	extent := driver.Extent{Bytes: size.X * a.opts.ElementSize(), Rows: size.Y, Slices: size.Z}
	r, err := checks(op).Region(which, m.size, rect, bounds.Extent(extent))
	if err != nil || extent.Bytes == 0 {
		return err
	}
	linear := arrayEnd{at: m.addr + r.Offset, row: r.Row, slice: r.Slice}
	dst, src := linear, array
	if toArray {
		dst, src = array, linear
	}
	code := rawCopyArray(s.raw, dst, src, extent.Bytes, extent.Rows, extent.Slices)
	return s.dev.failure(op, code, "%d×%d×%d elements, an array of %v and rows %d bytes apart", size.X, size.Y, size.Z, a.opts, r.Row)
}

// CopyArray enqueues a copy of a region between two arrays whose elements have one
// size (cuMemcpy3DAsync).
func (s *Stream) CopyArray(dst *Array, dstAt Texels, src *Array, srcAt, size Texels) error {
	const op = "cuMemcpy3DAsync"
	if err := s.arrayUse(op, dst); err != nil {
		return err
	}
	defer s.life.Release()
	defer dst.life.Release()
	if err := src.on(op, s.dev); err != nil {
		return err
	}
	defer src.life.Release()
	unit := src.opts.ElementSize()
	if have := dst.opts.ElementSize(); have != unit {
		return refused(op, driver.ErrInvalidValue, "elements of %d bytes to elements of %d", unit, have)
	}
	to, _, err := dst.region(op, dstAt, size)
	if err != nil {
		return err
	}
	from, size, err := src.region(op, srcAt, size)
	if err != nil || size.X == 0 {
		return err
	}
	code := rawCopyArray(s.raw, to, from, size.X*unit, size.Y, size.Z)
	return s.dev.failure(op, code, "%d×%d×%d elements from an array of %v to one of %v", size.X, size.Y, size.Z, src.opts, dst.opts)
}

// arrayUse begins a use of s and of a.
func (s *Stream) arrayUse(op string, a *Array) error {
	if err := s.use(op); err != nil {
		return err
	}
	err := a.on(op, s.dev)
	if err != nil {
		s.life.Release()
	}
	return err
}

// on begins a use of a, which must be of that device.
func (a *Array) on(op string, d *Device) error {
	if err := a.use(op); err != nil {
		return err
	}
	if a.dev == d {
		return nil
	}
	a.life.Release()
	return refused(op, driver.ErrDeviceMismatch, "the array is of %s (device id %d), the stream of %s (device id %d)",
		a.dev.info.Name, a.dev.id, d.info.Name, d.id)
}

// region checks that a region lies in the array. It returns the region as one end of
// a copy, and size with its zeros counted.
func (a *Array) region(op string, at, size Texels) (arrayEnd, Texels, error) {
	counted, what := a.opts.Region(texels.Place(at), texels.Place(size))
	size = Texels(counted)
	if what != "" {
		return arrayEnd{}, size, wrong(op, what)
	}
	return arrayEnd{array: a.raw, x: at.X * a.opts.ElementSize(), y: at.Y, z: at.Z}, size, nil
}
