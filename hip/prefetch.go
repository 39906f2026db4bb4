package hip

import "github.com/triad-gpu/triad/driver"

// Prefetch has the stream move n bytes of managed memory at off to a place, behind
// what it was given before (hipMemPrefetchAsync). The zero Location is the stream's
// device; NUMA nodes need HIP 7.1. ErrUnsupported for devices without
// AttrConcurrentManagedAccess.
func (s *Stream) Prefetch(m *Managed, off, n uint64, at Location) error {
	const op = "hipMemPrefetchAsync"
	if err := s.managedUse(op, m, off, n); err != nil {
		return err
	}
	defer s.life.Release()
	defer m.life.Release()
	if n == 0 {
		return nil
	}
	at = at.or(s.dev)
	code := rawPrefetch(s.raw, m.addr+off, n, at)
	switch {
	case code == 0:
		return nil
	case code == codeNotSupported && !load().Has("hipMemPrefetchAsync_v2"):
		return unsupported(op, "hipMemPrefetchAsync_v2", "HIP 7.1")
	}
	if err := s.dev.lacks(op, AttrConcurrentManagedAccess, "concurrent managed access"); err != nil && !sticky(code) {
		return err
	}
	return s.dev.failure(op, code, "%s at offset %d to %v", driver.ByteSize(n), off, at)
}

// Attach says who may use managed memory from the stream's getting here on
// (hipStreamAttachMemAsync): with AttachStream only this stream, and the host while
// it is idle. It matters on devices without AttrConcurrentManagedAccess.
func (s *Stream) Attach(m *Managed, who AttachFlags) error {
	const op = "hipStreamAttachMemAsync"
	if err := s.managedUse(op, m, 0, 0); err != nil {
		return err
	}
	defer s.life.Release()
	defer m.life.Release()
	if who != AttachGlobal && who != AttachHost && who != AttachStream {
		return refused(op, driver.ErrInvalidValue, "attached to %d; AttachGlobal, AttachHost and AttachStream are possible", who)
	}
	if m.size == 0 {
		return nil
	}
	return s.dev.failure(op, rawAttach(s.raw, m.addr, uint32(who)), "%d", who)
}

// managedUse begins a use of s and of m, of n bytes at off.
func (s *Stream) managedUse(op string, m *Managed, off, n uint64) error {
	if err := s.use(op); err != nil {
		return err
	}
	err := m.use(op, off, n)
	if err == nil && m.dev != s.dev {
		m.life.Release()
		err = refused(op, driver.ErrDeviceMismatch, "the memory is of %s (device id %d), the stream of %s (device id %d)",
			m.dev.info.Name, m.dev.id, s.dev.info.Name, s.dev.id)
	}
	if err != nil {
		s.life.Release()
	}
	return err
}
