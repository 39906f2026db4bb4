package opencl

import (
	"context"
	"encoding/binary"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/bounds"
)

// twoEnds begins a use of the stream and of both memories, and checks the
// ranges.
func (s *Stream) twoEnds(op string, dst driver.Memory, src driver.Memory) (to, from *Memory, err error) {
	if to, err = s.useWith(op, "destination", dst); err != nil {
		return nil, nil, err
	}
	if from, err = memoryOf(op, "source", src, s.dev); err != nil {
		s.endUse(to)
		return nil, nil, err
	}
	return to, from, nil
}

func (s *Stream) endBoth(to, from *Memory) {
	from.life.Release()
	s.endUse(to)
}

func checks(op string) bounds.Check { return bounds.Check{Backend: backendName, Op: op} }

// Copy implements driver.Stream (clEnqueueSVMMemcpy, clEnqueueCopyBuffer,
// clEnqueueReadBuffer, clEnqueueWriteBuffer).
func (s *Stream) Copy(dst driver.Memory, dstOff uint64, src driver.Memory, srcOff uint64, n uint64) error {
	const op = "Stream.Copy"
	to, from, err := s.twoEnds(op, dst, src)
	if err != nil {
		return err
	}
	err = s.copy(op, to, dstOff, from, srcOff, n)
	s.endBoth(to, from)
	return err
}

func (s *Stream) copy(op string, to *Memory, dstOff uint64, from *Memory, srcOff uint64, n uint64) error {
	if err := checks(op).Range("destination", to.size, dstOff, n); err != nil {
		return err
	}
	if err := checks(op).Range("source", from.size, srcOff, n); err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	if to.root == from.root {
		if err := checks(op).Disjoint(to.off+dstOff, from.off+srcOff, n); err != nil {
			return err
		}
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

// CopyRect implements driver.Stream (clEnqueueCopyBufferRect,
// clEnqueueReadBufferRect, clEnqueueWriteBufferRect).
func (s *Stream) CopyRect(dst driver.Memory, dstRect driver.Rect, src driver.Memory, srcRect driver.Rect, size driver.Extent) error {
	const op = "Stream.CopyRect"
	to, from, err := s.twoEnds(op, dst, src)
	if err != nil {
		return err
	}
	err = s.copyRect(op, to, dstRect, from, srcRect, bounds.Extent(size))
	s.endBoth(to, from)
	return err
}

func (s *Stream) copyRect(op string, to *Memory, dstRect driver.Rect, from *Memory, srcRect driver.Rect, size driver.Extent) error {
	dr, err := checks(op).Region("destination", to.size, dstRect, size)
	if err != nil {
		return err
	}
	sr, err := checks(op).Region("source", from.size, srcRect, size)
	if err != nil || size.Bytes == 0 {
		return err
	}
	if to.root == from.root {
		if err := checks(op).Apart(to.off+dr.Offset, dr, from.off+sr.Offset, sr, size); err != nil {
			return err
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

// Fill implements driver.Stream (clEnqueueSVMMemFill, clEnqueueFillBuffer).
func (s *Stream) Fill(dst driver.Memory, off, n uint64, p driver.Pattern) error {
	const op = "Stream.Fill"
	m, err := s.useWith(op, "destination", dst)
	if err != nil {
		return err
	}
	err = s.fill(op, m, off, n, p)
	s.endUse(m)
	return err
}

func (s *Stream) fill(op string, m *Memory, off, n uint64, p driver.Pattern) error {
	if err := checks(op).Range("destination", m.size, off, n); err != nil {
		return err
	}
	if err := checks(op).Pattern(uint64(p.Len), m.off+off, n); err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	if m.at == atHost {
		return refused(op, driver.ErrUnsupported, "host memory is filled by the host")
	}
	lo, hi := binary.NativeEndian.Uint64(p.Bytes[:8]), binary.NativeEndian.Uint64(p.Bytes[8:])
	code := rawFill(s.raw, m.loc(off), n, lo, hi, uint32(p.Len))
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
	m, err := s.useWith(op, "device memory", mem)
	if err != nil {
		return err
	}
	n := uint64(len(host))
	if err = checks(op).Range("device memory", m.size, off, n); err != nil || n == 0 {
		s.endUse(m)
		return err
	}
	if m.at == atHost {
		s.endUse(m)
		return refused(op, driver.ErrInvalidValue, "both ends are host memory; use copy on HostMemory.Bytes")
	}
	w, err := takeWaiter(op)
	if err != nil {
		s.endUse(m)
		return err
	}
	w.stream, w.mem = s, m
	w.pin.Hold(host)
	hostLoc := loc{at: atHost, addr: word(bytesAddr(host))}
	if in {
		rawWaitCopy(w.raw, s.raw, m.loc(off), hostLoc, n)
	} else {
		rawWaitCopy(w.raw, s.raw, hostLoc, m.loc(off), n)
	}
	return w.wait(ctx, s.dev)
}
