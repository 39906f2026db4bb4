package opencl

import (
	"context"
	"encoding/binary"

	"github.com/triad-gpu/triad/driver"
)

// twoEnds begins a use of the stream and of both memories, and checks the
// ranges.
func (s *Stream) twoEnds(op string, dst driver.Memory, src driver.Memory) (to, from *Memory, err error) {
	if err := s.use(op); err != nil {
		return nil, nil, err
	}
	if to, err = memoryOf(op, "destination", dst, s.dev); err != nil {
		s.life.Release()
		return nil, nil, err
	}
	if from, err = memoryOf(op, "source", src, s.dev); err != nil {
		to.life.Release()
		s.life.Release()
		return nil, nil, err
	}
	return to, from, nil
}

func (s *Stream) endUse(to, from *Memory) {
	from.life.Release()
	to.life.Release()
	s.life.Release()
}

func checkRange(op, which string, m *Memory, off, n uint64) error {
	if off > m.size || n > m.size-off {
		return refused(op, driver.ErrInvalidValue, "%d bytes at offset %d of the %s, which has %d", n, off, which, m.size)
	}
	return nil
}

// Copy implements driver.Stream (clEnqueueSVMMemcpy, clEnqueueCopyBuffer,
// clEnqueueReadBuffer, clEnqueueWriteBuffer).
func (s *Stream) Copy(dst driver.Memory, dstOff uint64, src driver.Memory, srcOff uint64, n uint64) error {
	const op = "Stream.Copy"
	to, from, err := s.twoEnds(op, dst, src)
	if err != nil {
		return err
	}
	err = s.copy(op, to, dstOff, from, srcOff, n)
	s.endUse(to, from)
	return err
}

func (s *Stream) copy(op string, to *Memory, dstOff uint64, from *Memory, srcOff uint64, n uint64) error {
	if err := checkRange(op, "destination", to, dstOff, n); err != nil {
		return err
	}
	if err := checkRange(op, "source", from, srcOff, n); err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	if a, b := to.off+dstOff, from.off+srcOff; to.root == from.root && a < b+n && b < a+n {
		return refused(op, driver.ErrInvalidValue, "the ranges overlap: %d bytes from %d and from %d of one allocation", n, b, a)
	}
	dst, src := to.loc(dstOff), from.loc(srcOff)
	if to.at == atBuffer || from.at == atBuffer {
		if err := bothCovered(op, to, &dst, from, &src); err != nil {
			return err
		}
	}
	code := rawCopy(s.raw, dst, src, n)
	if code == 0 { // what describes a failure is not worked out for nothing
		return nil
	}
	return failure(op, code, "%s", driver.ByteSize(n))
}

func bothCovered(op string, to *Memory, dst *loc, from *Memory, src *loc) error {
	if err := to.covered(op, dst); err != nil {
		return err
	}
	return from.covered(op, src)
}

// rect is a driver.Rect whose pitches are set.
type rect struct{ offset, row, slice uint64 }

// CopyRect implements driver.Stream (clEnqueueCopyBufferRect,
// clEnqueueReadBufferRect, clEnqueueWriteBufferRect).
func (s *Stream) CopyRect(dst driver.Memory, dstRect driver.Rect, src driver.Memory, srcRect driver.Rect, size driver.Extent) error {
	const op = "Stream.CopyRect"
	to, from, err := s.twoEnds(op, dst, src)
	if err != nil {
		return err
	}
	err = s.copyRect(op, to, dstRect, from, srcRect, size)
	s.endUse(to, from)
	return err
}

func (s *Stream) copyRect(op string, to *Memory, dstRect driver.Rect, from *Memory, srcRect driver.Rect, size driver.Extent) error {
	size.Rows, size.Slices = max(size.Rows, 1), max(size.Slices, 1)
	dr, err := checkRect(op, "destination", to, dstRect, size)
	if err != nil {
		return err
	}
	sr, err := checkRect(op, "source", from, srcRect, size)
	if err != nil || size.Bytes == 0 {
		return err
	}
	if to.root == from.root {
		// Interleaved regions may be disjoint, but whether OpenCL takes them
		// differs; what can't overlap is let through.
		a, b := to.off+dr.offset, from.off+sr.offset
		if a < b+span(sr, size) && b < a+span(dr, size) {
			return refused(op, driver.ErrInvalidValue, "both regions are in one allocation, and their spans overlap")
		}
	}
	dst, src := to.whole(), from.whole()
	if err := bothCovered(op, to, &dst, from, &src); err != nil {
		return err
	}
	code := rawCopyRect(s.raw, dst, dr, src, sr, size.Bytes, size.Rows, size.Slices)
	if code == 0 {
		return nil
	}
	return failure(op, code, "%d×%d×%d bytes", size.Bytes, size.Rows, size.Slices)
}

// span is the number of bytes from a region's first byte to behind its last.
func span(r rect, size driver.Extent) uint64 {
	return (size.Slices-1)*r.slice + (size.Rows-1)*r.row + size.Bytes
}

// checkRect sets the pitches that were left out, and checks that the region
// lies within m, without overflow.
func checkRect(op, which string, m *Memory, r driver.Rect, size driver.Extent) (rect, error) {
	out := rect{r.Offset, r.RowPitch, r.SlicePitch}
	if size.Bytes > m.size || size.Rows > m.size || size.Slices > m.size {
		return out, refused(op, driver.ErrInvalidValue, "%d×%d×%d bytes of the %s, which has %d", size.Bytes, size.Rows, size.Slices, which, m.size)
	}
	if out.row == 0 {
		out.row = size.Bytes
	}
	if out.row < size.Bytes {
		return out, refused(op, driver.ErrInvalidValue, "the %s's rows are %d bytes apart and %d long", which, out.row, size.Bytes)
	}
	if size.Rows > 1 && out.row > m.size/(size.Rows-1) {
		return out, refused(op, driver.ErrInvalidValue, "%d rows, %d bytes apart, of the %s, which has %d", size.Rows, out.row, which, m.size)
	}
	if out.slice == 0 {
		out.slice = out.row * size.Rows
	}
	if out.slice < out.row*size.Rows {
		return out, refused(op, driver.ErrInvalidValue, "the %s's slices are %d bytes apart and %d long", which, out.slice, out.row*size.Rows)
	}
	if out.row > 0 && out.slice%out.row != 0 {
		return out, refused(op, driver.ErrInvalidValue, "the %s's slices are %d bytes apart, no multiple of the %d between rows", which, out.slice, out.row)
	}
	if size.Slices > 1 && out.slice > m.size/(size.Slices-1) {
		return out, refused(op, driver.ErrInvalidValue, "%d slices, %d bytes apart, of the %s, which has %d", size.Slices, out.slice, which, m.size)
	}
	if out.slice == 0 { // nothing to copy; OpenCL is not asked
		return out, nil
	}
	return out, checkRange(op, which, m, r.Offset, span(out, size))
}

// Fill implements driver.Stream (clEnqueueSVMMemFill, clEnqueueFillBuffer).
func (s *Stream) Fill(dst driver.Memory, off, n uint64, p driver.Pattern) error {
	const op = "Stream.Fill"
	if err := s.use(op); err != nil {
		return err
	}
	m, err := memoryOf(op, "destination", dst, s.dev)
	if err != nil {
		s.life.Release()
		return err
	}
	err = s.fill(op, m, off, n, p)
	m.life.Release()
	s.life.Release()
	return err
}

func (s *Stream) fill(op string, m *Memory, off, n uint64, p driver.Pattern) error {
	size := uint64(p.Len)
	switch size {
	case 1, 2, 4, 8, 16:
	default:
		return refused(op, driver.ErrInvalidValue, "a pattern of %d bytes; 1, 2, 4, 8 and 16 are possible", size)
	}
	if err := checkRange(op, "destination", m, off, n); err != nil {
		return err
	}
	if (m.off+off)%size != 0 || n%size != 0 {
		return refused(op, driver.ErrInvalidValue, "%d bytes at offset %d; both must be multiples of the pattern's %d", n, off, size)
	}
	if n == 0 {
		return nil
	}
	if m.at == atHost {
		return refused(op, driver.ErrUnsupported, "host memory is filled by the host")
	}
	lo, hi := binary.NativeEndian.Uint64(p.Bytes[:8]), binary.NativeEndian.Uint64(p.Bytes[8:])
	code := rawFill(s.raw, m.loc(off), n, lo, hi, uint32(size))
	if code == 0 {
		return nil
	}
	return failure(op, code, "%s", driver.ByteSize(n))
}

// CopyFromHost implements driver.Stream (clEnqueueSVMMemcpy,
// clEnqueueWriteBuffer).
func (s *Stream) CopyFromHost(ctx context.Context, dst driver.Memory, off uint64, src []byte) error {
	return s.copyHost(ctx, "Stream.CopyFromHost", dst, off, src, true)
}

// CopyToHost implements driver.Stream (clEnqueueSVMMemcpy, clEnqueueReadBuffer).
func (s *Stream) CopyToHost(ctx context.Context, dst []byte, src driver.Memory, off uint64) error {
	return s.copyHost(ctx, "Stream.CopyToHost", src, off, dst, false)
}

// copyHost enqueues the copy and waits for its end. The first look of the wait
// enqueues it, so that a copy that is quick is one crossing.
func (s *Stream) copyHost(ctx context.Context, op string, mem driver.Memory, off uint64, host []byte, in bool) error {
	if err := s.use(op); err != nil {
		return err
	}
	m, err := memoryOf(op, "device memory", mem, s.dev)
	if err != nil {
		s.life.Release()
		return err
	}
	n := uint64(len(host))
	if err = checkRange(op, "device memory", m, off, n); err != nil || n == 0 {
		m.life.Release()
		s.life.Release()
		return err
	}
	if m.at == atHost {
		m.life.Release()
		s.life.Release()
		return refused(op, driver.ErrInvalidValue, "both ends are host memory; use copy on HostMemory.Bytes")
	}
	w, err := takeWaiter(op)
	if err != nil {
		m.life.Release()
		s.life.Release()
		return err
	}
	w.stream, w.mem = s, m
	w.pinHost(host)
	hostLoc := loc{at: atHost, addr: word(bytesAddr(host))}
	if in {
		rawWaitCopy(w.raw, s.raw, m.loc(off), hostLoc, n)
	} else {
		rawWaitCopy(w.raw, s.raw, hostLoc, m.loc(off), n)
	}
	return w.wait(ctx, s.dev)
}
