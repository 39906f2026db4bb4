package cuda

import (
	"encoding/binary"
	"math/bits"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/bounds"
)

// Pitched is device memory in rows whose distance the driver has chosen, so that
// each begins where the device reads well. It is a driver.Memory of Pitch times Rows
// bytes.
type Pitched struct {
	Memory
	pitch, width, rows uint64
}

// AllocPitched allocates rows of width bytes each, of elements of 4, 8 or 16 bytes
// (cuMemAllocPitch). It is freed as AllocPlain's memory is.
func (d *Device) AllocPitched(width, rows uint64, element uint32) (*Pitched, error) {
	const op = "cuMemAllocPitch"
	if err := d.use(op); err != nil {
		return nil, err
	}
	p := &Pitched{width: width, rows: rows, pitch: width}
	var addr uint64
	err := checkPitched(op, width, rows, element)
	if err == nil && width > 0 && rows > 0 {
		var code int32
		if addr, p.pitch, code = rawAllocPitch(d.raw, width, rows, element); code != 0 {
			err = d.allocFailure(op, code, width*rows)
		}
	}
	if err != nil {
		d.life.Release()
		return nil, err
	}
	p.init(d, addr, p.pitch*rows, originPlain, d.plain(addr))
	return p, nil
}

func checkPitched(op string, width, rows uint64, element uint32) error {
	if element != 4 && element != 8 && element != 16 {
		return refused(op, driver.ErrInvalidValue, "elements of %d bytes; 4, 8 and 16 are possible", element)
	}
	if over, _ := bits.Mul64(width, rows); over != 0 {
		return refused(op, driver.ErrOutOfMemory, "%d rows of %d bytes", rows, width)
	}
	return nil
}

// Pitch is the distance of the rows in bytes.
func (p *Pitched) Pitch() uint64 { return p.pitch }

// Width is the length of a row in bytes, as it was asked for.
func (p *Pitched) Width() uint64 { return p.width }

// Rows is the number of rows.
func (p *Pitched) Rows() uint64 { return p.rows }

// Rect places a region in the memory, from byte x of row y on, for CopyRect and
// FillRect.
func (p *Pitched) Rect(x, y uint64) driver.Rect {
	return driver.Rect{Offset: y*p.pitch + x, RowPitch: p.pitch}
}

func (p *Pitched) memory() *Memory {
	if p == nil {
		return nil
	}
	return &p.Memory
}

// Close implements driver.Memory (cuMemFree).
func (p *Pitched) Close() error { return p.memory().Close() }

// FillRect enqueues filling a region of device memory with a pattern
// (cuMemsetD2D8Async, cuMemsetD2D16Async, cuMemsetD2D32Async): of 1, 2 or 4 bytes,
// or a longer one that repeats 4. Place, pitches and length of the rows must be
// multiples of the pattern's length. Slices with gaps between them are a command
// each.
func (s *Stream) FillRect(dst driver.Memory, r driver.Rect, size driver.Extent, p driver.Pattern) error {
	const op = "cuMemsetD2DAsync"
	m, err := s.useWith(op, "destination", dst)
	if err != nil {
		return err
	}
	defer s.endUse(m)
	size = bounds.Extent(size)
	to, err := checks(op).Region("destination", m.size, r, size)
	if err != nil {
		return err
	}
	value, length, err := narrow(op, p)
	if err != nil {
		return err
	}
	n := uint64(length)
	if (m.addr+to.Offset)%n != 0 || to.Row%n != 0 || to.Slice%n != 0 || size.Bytes%n != 0 {
		return refused(op, driver.ErrInvalidValue, "%d bytes at offset %d, rows %d bytes apart and slices %d; all must be multiples of the pattern's %d",
			size.Bytes, to.Offset, to.Row, to.Slice, n)
	}
	if size.Bytes == 0 {
		return nil
	}
	if m.host {
		return refused(op, driver.ErrUnsupported, "host memory is filled by the host")
	}
	if limit := s.dev.facts.pitch; limit > 0 && to.Row > limit && size.Rows > 1 {
		return refused(op, driver.ErrInvalidValue, "rows %d bytes apart; %s allows %d", to.Row, s.dev.info.Name, limit)
	}
	code := rawFillRect(s.raw, m.addr, to, value, length, size.Bytes, size.Rows, size.Slices)
	return s.dev.failure(op, code, "%d×%d×%d bytes, rows %d bytes apart", size.Bytes, size.Rows, size.Slices, to.Row)
}

// narrow is the pattern in at most 4 bytes.
func narrow(op string, p driver.Pattern) (value, length uint32, err error) {
	words := func(i int) uint32 { return binary.NativeEndian.Uint32(p.Bytes[4*i:]) }
	switch p.Len {
	case 1:
		return uint32(p.Bytes[0]), 1, nil
	case 2:
		return uint32(binary.NativeEndian.Uint16(p.Bytes[:])), 2, nil
	case 4:
		return words(0), 4, nil
	case 8, 16:
		for i := 1; i < int(p.Len)/4; i++ {
			if words(i) != words(0) {
				return 0, 0, refused(op, driver.ErrUnsupported, "a pattern of %d bytes; in rectangles, 1, 2 and 4 are possible", p.Len)
			}
		}
		return words(0), 4, nil
	}
	return 0, 0, refused(op, driver.ErrInvalidValue, "a pattern of %d bytes; 1, 2 and 4 are possible", p.Len)
}
