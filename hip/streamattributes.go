package hip

import (
	"github.com/triad-gpu/triad/driver"
)

// What a stream can be asked for and told (hipStream_tAttrID).
const (
	streamSyncPolicy = 3  // hipLaunchAttributeSynchronizationPolicy
	streamPriority   = 8  // hipLaunchAttributePriority
	streamSyncDomain = 10 // hipLaunchAttributeMemSyncDomain
)

// AccessProperty says how accesses to memory use the L2 cache (hipAccessProperty).
type AccessProperty int32

// The ways to use the L2 cache.
const (
	AccessNormal     AccessProperty = 0
	AccessStreaming  AccessProperty = 1 // evicted first
	AccessPersisting AccessProperty = 2 // kept
)

// AccessWindow is a range of device memory that a stream's kernels access in a way
// of its own (hipAccessPolicyWindow). Its memory may be freed while it is set: it is a
// hint.
type AccessWindow struct {
	Addr     uint64         // where it begins: Memory.Addr, plus an offset
	Bytes    uint64         // its size; 0 for no window. At most AttrAccessPolicyMaxWindowSize
	HitRatio float32        // which part of the accesses gets Hit: 0 to 1
	Hit      AccessProperty // of that part
	Miss     AccessProperty // of the rest: AccessNormal or AccessStreaming
}

// AccessWindow is the stream's window (hipStreamGetAttribute with
// hipLaunchAttributeAccessPolicyWindow).
func (s *Stream) AccessWindow() (AccessWindow, error) {
	const op = "hipStreamGetAttribute"
	if err := s.use(op); err != nil {
		return AccessWindow{}, err
	}
	defer s.life.Release()
	at, n, ratio, hit, miss, code := rawStreamWindow(s.raw)
	return AccessWindow{at, n, ratio, AccessProperty(hit), AccessProperty(miss)}, s.dev.optional(op, code, "HIP 7.0", "access policy window")
}

// SetAccessWindow sets the window for the kernels that are launched on the stream
// from now on (hipStreamSetAttribute with hipLaunchAttributeAccessPolicyWindow).
func (s *Stream) SetAccessWindow(w AccessWindow) error {
	const op = "hipStreamSetAttribute"
	if err := s.use(op); err != nil {
		return err
	}
	defer s.life.Release()
	if w.Addr>>63 != 0 {
		return refused(op, driver.ErrClosed, "the access policy window is in memory that was closed")
	}
	if !(w.HitRatio >= 0 && w.HitRatio <= 1) {
		return refused(op, driver.ErrInvalidValue, "an access policy window with ratio %g, which must be from 0 to 1", w.HitRatio)
	}
	code := rawStreamSetWindow(s.raw, w.Addr, w.Bytes, w.HitRatio, int(w.Hit), int(w.Miss))
	return s.dev.optional(op, code, "HIP 7.0", "access policy window of %s at %#x, ratio %g, hit %d, miss %d",
		driver.ByteSize(w.Bytes), w.Addr, w.HitRatio, w.Hit, w.Miss)
}

// SyncPolicy says how the driver's own blocking calls wait for a stream
// (hipSynchronizationPolicy). Waits of this package make few of those.
type SyncPolicy int32

// The ways of blocking calls to wait.
const (
	SyncAuto     SyncPolicy = 1
	SyncSpin     SyncPolicy = 2
	SyncYield    SyncPolicy = 3
	SyncBlocking SyncPolicy = 4
)

// SyncPolicy is the stream's (hipStreamGetAttribute with
// hipLaunchAttributeSynchronizationPolicy).
func (s *Stream) SyncPolicy() (SyncPolicy, error) {
	v, err := s.attribute(streamSyncPolicy, "synchronization policy")
	return SyncPolicy(v), err
}

// SetSyncPolicy sets it.
func (s *Stream) SetSyncPolicy(p SyncPolicy) error {
	if p < SyncAuto || p > SyncBlocking {
		const op = "hipStreamSetAttribute"
		if err := s.use(op); err != nil {
			return err
		}
		s.life.Release()
		return refused(op, driver.ErrInvalidValue, "there is no synchronization policy %d", p)
	}
	return s.setAttribute(streamSyncPolicy, "synchronization policy", int(p))
}

// SetPriority changes the stream's priority for what is enqueued from now on
// (hipStreamSetAttribute with hipLaunchAttributePriority); values beyond the range
// of Device.StreamPriorities count as its ends.
func (s *Stream) SetPriority(p int) error { return s.setAttribute(streamPriority, "priority", p) }

// SyncDomain is a domain of memory synchronization: a kernel's release operations
// wait for the writes of its own domain only (hipLaunchMemSyncDomain).
type SyncDomain int32

// The domains, of which many devices have one.
const (
	DomainDefault SyncDomain = 0
	DomainRemote  SyncDomain = 1 // for kernels that write to other devices
)

// SyncDomain is the stream's (hipStreamGetAttribute with
// hipLaunchAttributeMemSyncDomain).
func (s *Stream) SyncDomain() (SyncDomain, error) {
	v, err := s.attribute(streamSyncDomain, "memory synchronization domain")
	return SyncDomain(v), err
}

// SetSyncDomain sets it, for the kernels that are launched from now on.
func (s *Stream) SetSyncDomain(d SyncDomain) error {
	return s.setAttribute(streamSyncDomain, "memory synchronization domain", int(d))
}

func (s *Stream) attribute(which int, name string) (int, error) {
	const op = "hipStreamGetAttribute"
	if err := s.use(op); err != nil {
		return 0, err
	}
	defer s.life.Release()
	v, code := rawStreamAttribute(s.raw, which)
	return v, s.dev.optional(op, code, "HIP 7.0", "%s", name)
}

func (s *Stream) setAttribute(which int, name string, value int) error {
	const op = "hipStreamSetAttribute"
	if err := s.use(op); err != nil {
		return err
	}
	defer s.life.Release()
	return s.dev.optional(op, rawStreamSetAttribute(s.raw, which, value), "HIP 7.0", "%s to %d", name, value)
}

// Priority is the priority that the stream was made with, clamped to the device's
// range (hipStreamGetPriority).
func (s *Stream) Priority() (int, error) {
	const op = "hipStreamGetPriority"
	if err := s.use(op); err != nil {
		return 0, err
	}
	defer s.life.Release()
	p, code := rawStreamPriority(s.raw)
	return p, s.dev.failure(op, code, "")
}

// Blocking tells whether the stream and the legacy default stream wait for each
// other (hipStreamGetFlags, without hipStreamNonBlocking).
func (s *Stream) Blocking() (bool, error) {
	const op = "hipStreamGetFlags"
	if err := s.use(op); err != nil {
		return false, err
	}
	defer s.life.Release()
	f, code := rawStreamFlags(s.raw)
	return f&streamNonBlocking == 0, s.dev.failure(op, code, "")
}

// ID is the stream's number, which no other one of this process has or has had
// (hipStreamGetId, since HIP 7.1).
func (s *Stream) ID() (uint64, error) {
	const op = "hipStreamGetId"
	if err := s.use(op); err != nil {
		return 0, err
	}
	defer s.life.Release()
	id, code := rawStreamID(s.raw)
	return id, s.dev.optional(op, code, "HIP 7.1", "")
}
