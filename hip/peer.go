package hip

import (
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/bounds"
)

// CopyPeer enqueues a copy of n bytes between memory of two devices, or of two
// openings of one, of which one is the stream's (hipMemcpyPeerAsync). It needs no
// peer access, but is faster with it. The order with commands of the other device's
// streams is the user's to make, with events. Memory of the other device stays until
// the copy has finished, also when it is closed before. Page-locked host memory of
// either device may be one end.
func (s *Stream) CopyPeer(dst driver.Memory, dstOff uint64, src driver.Memory, srcOff, n uint64) error {
	const op = "hipMemcpyPeerAsync"
	to, from, err := s.peers(op, dst, src)
	if err != nil {
		return err
	}
	defer s.part(to, from)
	if to.dev == from.dev {
		return s.copy(op, to, dstOff, from, srcOff, n)
	}
	if err := checks(op).Range("destination", to.size, dstOff, n); err != nil {
		return err
	}
	if err := checks(op).Range("source", from.size, srcOff, n); err != nil || n == 0 {
		return err
	}
	var code int32
	if to.host || from.host {
		code = rawCopy(s.raw, to.addr+dstOff, from.addr+srcOff, n, ends(to, from))
	} else {
		code = rawCopyPeer(s.raw, to.dev.raw, to.addr+dstOff, from.dev.raw, from.addr+srcOff, n)
	}
	return s.dev.failure(op, code, "%s from device %d to device %d", driver.ByteSize(n), from.dev.native, to.dev.native)
}

// CopyPeerRect is CopyPeer for a region, between device memory
// (hipMemcpy3DPeerAsync).
func (s *Stream) CopyPeerRect(dst driver.Memory, dstRect driver.Rect, src driver.Memory, srcRect driver.Rect, size driver.Extent) error {
	const op = "hipMemcpy3DPeerAsync"
	to, from, err := s.peers(op, dst, src)
	if err != nil {
		return err
	}
	defer s.part(to, from)
	size = bounds.Extent(size)
	if to.dev == from.dev {
		return s.copyRect(op, to, dstRect, from, srcRect, size)
	}
	dr, err := checks(op).Region("destination", to.size, dstRect, size)
	if err != nil {
		return err
	}
	sr, err := checks(op).Region("source", from.size, srcRect, size)
	if err != nil || size.Bytes == 0 {
		return err
	}
	if to.host || from.host {
		return refused(op, driver.ErrUnsupported, "one end is host memory; copy to the stream's own device with CopyRect")
	}
	code := rawCopyPeerRect(s.raw, to.dev.raw, to.addr, dr, from.dev.raw, from.addr, sr, size.Bytes, size.Rows, size.Slices)
	return s.dev.failure(op, code, "%d×%d×%d bytes from device %d to device %d", size.Bytes, size.Rows, size.Slices, from.dev.native, to.dev.native)
}

// peers begins a use of s and of both memories, of which one at least is of the
// stream's device.
func (s *Stream) peers(op string, dst, src driver.Memory) (to, from *Memory, err error) {
	if err := s.use(op); err != nil {
		return nil, nil, err
	}
	if to, err = anyMemory(op, "destination", dst); err != nil {
		s.life.Release()
		return nil, nil, err
	}
	if from, err = anyMemory(op, "source", src); err == nil && to.dev != s.dev && from.dev != s.dev {
		from.life.Release()
		err = refused(op, driver.ErrDeviceMismatch, "neither memory is of the stream's device, %s (device id %d)", s.dev.info.Name, s.dev.id)
	}
	if err != nil {
		to.life.Release()
		s.life.Release()
		return nil, nil, err
	}
	return to, from, nil
}

// anyMemory is memory of the contract as ours, of whatever device.
func anyMemory(op, which string, m driver.Memory) (*Memory, error) {
	var d *Device
	if ours := ownerOf(m); ours != nil {
		d = ours.dev
	}
	return memoryOf(op, which, m, d)
}

// ownerOf is memory of this backend; nil for other memory and for nil.
func ownerOf(m driver.Memory) *Memory {
	switch m := m.(type) {
	case *Memory:
		return m
	case *HostMemory:
		if m != nil {
			return &m.Memory
		}
	case memoryOwner:
		return m.memory()
	}
	return nil
}

// part ends what peers began. Memory of another device, whose own streams don't know
// of the copy, is left to the stream's guests.
func (s *Stream) part(to, from *Memory) {
	own, guest := to, from
	if own.dev != s.dev {
		own, guest = from, to
	}
	own.life.Release()
	if guest.dev == s.dev {
		guest.life.Release()
		s.life.Release()
		return
	}
	s.guests.Add(&s.life, &guest.life, s.drain)
}
