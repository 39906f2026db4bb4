package hip

import (
	"context"
	"encoding/binary"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/bounds"
	"github.com/triad-gpu/triad/driver/staging"
)

func checks(op string) bounds.Check { return bounds.Check{Backend: backendName, Op: op} }

// twoEnds begins a use of the stream and of both memories.
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

// Copy implements driver.Stream (hipMemcpyDtoDAsync, hipMemcpyHtoDAsync,
// hipMemcpyDtoHAsync, hipMemcpyAsync).
func (s *Stream) Copy(dst driver.Memory, dstOff uint64, src driver.Memory, srcOff uint64, n uint64) error {
	const op = "hipMemcpyAsync"
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
	dst, source := to.addr+dstOff, from.addr+srcOff
	if to.root == from.root {
		if err := checks(op).Disjoint(dst-to.root.addr, source-to.root.addr, n); err != nil {
			return err
		}
	}
	code := rawCopy(s.raw, dst, source, n, ends(to, from))
	if code == 0 { // what describes a failure is not worked out for nothing
		return nil
	}
	return s.dev.failure(op, code, "%s", driver.ByteSize(n))
}

func ends(to, from *Memory) (bits uint32) {
	if to.host {
		bits |= toHost
	}
	if from.host {
		bits |= fromHost
	}
	return bits
}

// CopyRect implements driver.Stream (hipMemcpy2DAsync, hipMemcpy3DAsync).
func (s *Stream) CopyRect(dst driver.Memory, dstRect driver.Rect, src driver.Memory, srcRect driver.Rect, size driver.Extent) error {
	const op = "hipMemcpy3DAsync"
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
		if err := checks(op).Apart(to.addr+dr.Offset, dr, from.addr+sr.Offset, sr, size); err != nil {
			return err
		}
	}
	code := rawCopyRect(s.raw, to.addr, dr, from.addr, sr, size.Bytes, size.Rows, size.Slices)
	if code == 0 {
		return nil
	}
	if limit := s.dev.facts.pitch; limit > 0 && max(dr.Row, sr.Row) > limit {
		return refused(op, driver.ErrInvalidValue, "rows %d bytes apart; %s allows %d", max(dr.Row, sr.Row), s.dev.info.Name, limit)
	}
	return s.dev.failure(op, code, "%d×%d×%d bytes", size.Bytes, size.Rows, size.Slices)
}

// Fill implements driver.Stream (hipMemsetD8Async, hipMemsetD16Async,
// hipMemsetD32Async). A pattern of 8 or 16 bytes is as many commands as it has
// different words (hipMemsetD2D32Async); before HIP 7.0 it is written once and then
// copied, in as many commands more as its number can be doubled.
func (s *Stream) Fill(dst driver.Memory, off, n uint64, p driver.Pattern) error {
	const op = "hipMemsetAsync"
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
	if err := checks(op).Pattern(uint64(p.Len), m.addr-m.root.addr+off, n); err != nil || n == 0 {
		return err
	}
	if m.host {
		return refused(op, driver.ErrUnsupported, "host memory is filled by the host")
	}
	lo, hi := binary.NativeEndian.Uint64(p.Bytes[:8]), binary.NativeEndian.Uint64(p.Bytes[8:])
	code := rawFill(s.raw, m.addr+off, n, lo, hi, uint32(p.Len))
	if code == 0 {
		return nil
	}
	return s.dev.failure(op, code, "%s", driver.ByteSize(n))
}

// CopyFromHost implements driver.Stream (hipMemcpyHtoDAsync). Up to 64 KiB are taken at
// once, into staging memory. Of more, page-locked memory is copied as it is, and other
// memory by way of staging memory; above 32 MiB by a worker thread.
//
// When ctx ends first, a copy by a worker that has not begun is left out. One that the
// driver is making goes on, not ordered with what the stream is given meanwhile.
func (s *Stream) CopyFromHost(ctx context.Context, dst driver.Memory, off uint64, src []byte) error {
	const op = "hipMemcpyHtoDAsync"
	m, err := s.hostUse(op, dst, off, src)
	if m == nil {
		return err
	}
	n, at, from := uint64(len(src)), m.addr+off, bytesAddr(src)
	if n <= staging.UploadSize {
		if taken, err := s.upload(op, m, at, src); taken {
			return err
		}
	}
	w, err := s.copyWaiter(op, m)
	if err != nil {
		return err
	}
	if rawPinned(s.dev.raw, from) {
		rawWaitStreamCopy(w.raw, s.raw, at, word(from), n)
		return w.wait(ctx, w.onStream())
	}
	if w.slot, _ = s.dev.stage.Take(n); w.slot != nil {
		w.staged = n
		copy(hostBytes(w.slot, n), src)
		rawWaitStreamCopy(w.raw, s.raw, at, word(w.slot), n)
		return w.wait(ctx, w.onStream())
	}
	return w.copyByWorker(ctx, at, word(from), src)
}

// upload copies at most staging.UploadSize bytes, which it takes before it returns. If there is
// no room to take them to, having done nothing, the uses of s and m go on.
func (s *Stream) upload(op string, m *Memory, at uint64, src []byte) (taken bool, err error) {
	n := uint64(len(src))
	chunk, off, ok := s.uploads.Reserve(commands{s}, &s.dev.stage, n)
	if !ok {
		return false, nil
	}
	p := addrAt(chunk, off)
	copy(hostBytes(p, n), src)
	code := rawUpload(s.raw, at, p, n)
	s.uploads.Settled()
	s.endUse(m)
	if code == 0 {
		return true, nil
	}
	return true, s.dev.copyFailure(op, code, n)
}

// CopyToHost implements driver.Stream (hipMemcpyDtoHAsync). Page-locked memory is
// filled as it is, other memory by way of staging memory; above 32 MiB by a worker
// thread. See CopyFromHost.
func (s *Stream) CopyToHost(ctx context.Context, dst []byte, src driver.Memory, off uint64) error {
	const op = "hipMemcpyDtoHAsync"
	m, err := s.hostUse(op, src, off, dst)
	if m == nil {
		return err
	}
	n, at, to := uint64(len(dst)), m.addr+off, bytesAddr(dst)
	w, err := s.copyWaiter(op, m)
	if err != nil {
		return err
	}
	if n > staging.Smallest && rawPinned(s.dev.raw, to) {
		rawWaitStreamCopy(w.raw, s.raw, word(to), at, n)
		return w.wait(ctx, w.onStream())
	}
	if w.slot, _ = s.dev.stage.Take(n); w.slot != nil {
		w.staged, w.into = n, dst
		rawWaitStreamCopy(w.raw, s.raw, word(w.slot), at, n)
		return w.wait(ctx, w.onStream())
	}
	return w.copyByWorker(ctx, word(to), at, dst)
}

// copyByWorker copies between device memory and host memory that is not page-locked.
func (w *waiter) copyByWorker(ctx context.Context, dst, src uint64, host []byte) error {
	w.pin.Hold(host)
	begin := w.pin.Begin()
	defer begin.Leave() // w may be another wait's by then
	rawWaitCopy(w.raw, w.stream.raw, dst, src, uint64(len(host)), (*uint32)(begin))
	return w.wait(ctx, waits().copy)
}

// hostUse begins a use of the stream and of the memory that is copied from or to
// the host. Without an error and without memory there is nothing to copy.
func (s *Stream) hostUse(op string, mem driver.Memory, off uint64, host []byte) (*Memory, error) {
	m, err := s.useWith(op, "device memory", mem)
	if err != nil {
		return nil, err
	}
	if err = checks(op).Range("device memory", m.size, off, uint64(len(host))); err == nil && m.host {
		err = refused(op, driver.ErrInvalidValue, "both ends are host memory; use copy on HostMemory.Bytes")
	}
	if err != nil || len(host) == 0 {
		s.endUse(m)
		return nil, err
	}
	return m, nil
}

// copyWaiter is a waiter that takes over the uses of s and m.
func (s *Stream) copyWaiter(op string, m *Memory) (*waiter, error) {
	w, err := takeWaiter(op, s.dev)
	if err != nil {
		s.endUse(m)
		return nil, err
	}
	w.stream, w.mem = s, m
	return w, nil
}

func (d *Device) copyFailure(op string, code int32, n uint64) error {
	if code == codeCaptureUnsupported {
		return refused(op, driver.ErrUnsupported, "the stream is being captured; copies that end with the call can't be: use Copy with page-locked memory")
	}
	return d.failure(op, code, "%s", driver.ByteSize(n))
}
