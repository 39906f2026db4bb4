package memorytest

import (
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// managing are devices with managed memory, M, that says who may use it, F.
type managing[S, M, L, F, B any] interface {
	streams[S]
	located[L]
	attributed[B]
	AllocManaged(size uint64) (M, error)
	AllocManagedFor(size uint64, who F) (M, error)
}

// attributed are devices with attributes, B.
type attributed[B any] interface{ Attribute(a B) (int, error) }

type managed[L, A, I any] interface {
	driver.HostMemory
	Advise(off, n uint64, advice A, at L) error
	RangeInfo(off, n uint64) (I, error)
}

// migrating are streams that move managed memory.
type migrating[M, L, F any] interface {
	driver.Stream
	Prefetch(m M, off, n uint64, at L) error
	Attach(m M, who F) error
}

// advised is what both backends know of managed memory.
type advised[L any] struct {
	ReadMostly   bool
	Preferred    L
	LastPrefetch L
	AccessedBy   []L
}

type rangeInfo[L any] interface {
	~struct {
		ReadMostly   bool
		Preferred    L
		LastPrefetch L
		AccessedBy   []L
	}
}

// ManagedNames are what a backend calls the host, advice, who may use memory, and the
// attribute of devices that may use it while the host does.
type ManagedNames[L, A, F, B any] struct {
	Host                                                                                         L
	ReadMostly, NotReadMostly, PreferredLocation, NoPreferredLocation, AccessedBy, NotAccessedBy A
	AttachGlobal, AttachHost, AttachStream                                                       F
	Concurrent                                                                                   B
}

// NewManaged is managed memory that is closed after the test.
func NewManaged[
	D interface {
		driver.Device
		AllocManaged(size uint64) (M, error)
	}, M io.Closer,
](t testing.TB, rig Rig[D], d D, n uint64) M {
	t.Helper()
	m, err := d.AllocManaged(n)
	if errors.Is(err, driver.ErrUnsupported) {
		drivertest.Lacks(t, rig.Name+"-managed", err.Error())
	}
	Check(t, err)
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// Managed uses memory from the host and the device in turn, and moves it about.
func Managed[
	D managing[S, M, L, F, B], S migrating[M, L, F], M managed[L, A, I], I rangeInfo[L],
	L comparable, A ~int32, F ~uint32, B any,
](t *testing.T, rig Rig[D], x ManagedNames[L, A, F, B]) {
	var here L
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	const n = 1 << 20
	m := NewManaged(t, rig, d, n)
	want := Pattern(n)
	copy(m.Bytes(), want)
	out := Scratch(t, d, n)
	Check(t, s.Copy(out, 0, m, 0, n))
	if got := Content(t, s, out, n); string(got) != string(want) {
		t.Error("what the host wrote is not what the device reads")
	}
	Check(t, s.Fill(m, 0, n, driver.Pattern{Bytes: [16]byte{3}, Len: 1}))
	Check(t, s.Wait(t.Context()))
	if b := m.Bytes(); b[0] != 3 || b[n-1] != 3 || len(b) != n {
		t.Errorf("what the device wrote is %d … %d to the host", b[0], b[n-1])
	}
	RoundTrip(t, s, m)

	concurrent, err := d.Attribute(x.Concurrent)
	Check(t, err)
	if concurrent != 0 {
		for _, at := range []L{here, x.Host, d.Location()} {
			Check(t, s.Prefetch(m, 0, n, at))
		}
		Check(t, s.Prefetch(m, n/2, n/2, x.Host))
		for _, advice := range []A{x.ReadMostly, x.NotReadMostly, x.PreferredLocation, x.NoPreferredLocation, x.AccessedBy, x.NotAccessedBy} {
			Check(t, m.Advise(0, n, advice, here))
			Check(t, m.Advise(0, n, advice, x.Host))
		}
	}
	for _, who := range []F{x.AttachHost, x.AttachStream, x.AttachGlobal} {
		if err := s.Attach(m, who); err != nil && !errors.Is(err, driver.ErrUnsupported) {
			t.Errorf("attaching to %d: %v", who, err)
		}
		Check(t, s.Wait(t.Context()))
	}
	Check(t, m.Close())
	Check(t, m.Close())
	if m.Bytes() != nil {
		t.Error("closed memory has bytes")
	}
}

// ManagedKeepsAdvice asks for what was advised of memory.
func ManagedKeepsAdvice[
	D managing[S, M, L, F, B], S migrating[M, L, F], M managed[L, A, I], I rangeInfo[L],
	L comparable, A ~int32, F ~uint32, B any,
](t *testing.T, rig Rig[D], x ManagedNames[L, A, F, B]) {
	var here L
	about := func(m M, off, n uint64) (advised[L], error) {
		info, err := m.RangeInfo(off, n)
		return advised[L](info), err
	}
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	const n = 1 << 21
	m := NewManaged(t, rig, d, 2*n)
	info, err := about(m, 0, 2*n)
	Check(t, err)
	if info.ReadMostly || info.Preferred != here || info.LastPrefetch != here || len(info.AccessedBy) > 0 {
		t.Errorf("without advice: %+v", info)
	}
	if rig.Fake() {
		drivertest.Lacks(t, "real-cuda", "the fake driver keeps no advice")
	}
	if v, err := d.Attribute(x.Concurrent); v == 0 || err != nil {
		drivertest.Lacks(t, rig.Name+"-concurrent-managed", "the device has no concurrent managed access")
	}
	Check(t, m.Advise(0, n, x.ReadMostly, here))
	Check(t, m.Advise(0, n, x.PreferredLocation, x.Host))
	Check(t, m.Advise(0, n, x.AccessedBy, d.Location()))
	Check(t, s.Prefetch(m, 0, n, x.Host))
	Check(t, s.Wait(t.Context()))
	info, err = about(m, 0, n)
	Check(t, err)
	if !info.ReadMostly || info.Preferred != x.Host || info.LastPrefetch != x.Host || !slices.Contains(info.AccessedBy, d.Location()) {
		t.Errorf("advised, the first half is %+v", info)
	}
	info, err = about(m, n, n)
	Check(t, err)
	if info.ReadMostly || info.Preferred != here || len(info.AccessedBy) > 0 {
		t.Errorf("the other half, of which nothing was said, is %+v", info)
	}
}

// ManagedMisuse moves and advises what can't be.
func ManagedMisuse[
	D managing[S, M, L, F, B], S migrating[M, L, F], M managed[L, A, I], I rangeInfo[L],
	L comparable, A ~int32, F ~uint32, B any,
](t *testing.T, rig Rig[D], x ManagedNames[L, A, F, B]) {
	var here L
	drivertest.LeavesNothing(t)
	d, second := rig.Open(t), rig.Open(t)
	s, foreign := newStream(t, d), newStream(t, second)
	m := NewManaged(t, rig, d, 4096)
	_, err := d.AllocManagedFor(16, x.AttachStream)
	WantIs(t, "attached to a stream at once", err, driver.ErrInvalidValue, "AttachHost")
	WantIs(t, "too far", m.Advise(4000, 97, x.ReadMostly, here), driver.ErrInvalidValue, "97 bytes at offset 4000")
	WantIs(t, "unknown advice", m.Advise(0, 4096, 77, here), driver.ErrInvalidValue, "77")
	WantIs(t, "too far", s.Prefetch(m, 0, 4097, here), driver.ErrInvalidValue, "4097")
	WantIs(t, "a foreign stream", foreign.Prefetch(m, 0, 16, here), driver.ErrDeviceMismatch)
	WantIs(t, "unknown flags", s.Attach(m, 8), driver.ErrInvalidValue, "AttachStream")
	_, err = m.RangeInfo(0, 0)
	WantIs(t, "no bytes", err, driver.ErrInvalidValue)
	Check(t, m.Advise(0, 0, x.ReadMostly, here))
	Check(t, s.Prefetch(m, 0, 0, here))

	var none M
	WantIs(t, "nil", none.Advise(0, 1, x.ReadMostly, here), driver.ErrInvalidValue, "nil")
	WantIs(t, "nil", s.Prefetch(none, 0, 1, here), driver.ErrInvalidValue, "nil")
	Check(t, none.Close())
	if none.Bytes() != nil {
		t.Error("nil has bytes")
	}
	empty := NewManaged(t, rig, d, 0)
	Check(t, s.Attach(empty, x.AttachGlobal))
	if empty.Size() != 0 || len(empty.Bytes()) != 0 || empty.Addr() != 0 {
		t.Error("no bytes have some")
	}
	Check(t, m.Close())
	WantIs(t, "closed", m.Advise(0, 1, x.ReadMostly, here), driver.ErrClosed)
	WantIs(t, "closed", s.Attach(m, x.AttachGlobal), driver.ErrClosed)
}
