package cuda

import (
	"errors"
	"slices"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

func managed(t testing.TB, d *Device, n uint64) *Managed {
	t.Helper()
	m, err := d.AllocManaged(n)
	if errors.Is(err, driver.ErrUnsupported) {
		drivertest.Lacks(t, "cuda-managed", err.Error())
	}
	check(t, err)
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func TestManaged(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	const n = 1 << 20
	m := managed(t, d, n)
	want := pattern(n)
	copy(m.Bytes(), want)
	out := scratch(t, d, n)
	check(t, s.Copy(out, 0, m, 0, n))
	if got := content(t, s, out, n); string(got) != string(want) {
		t.Error("what the host wrote is not what the device reads")
	}
	check(t, s.Fill(m, 0, n, driver.Pattern{Bytes: [16]byte{3}, Len: 1}))
	check(t, s.Wait(t.Context()))
	if b := m.Bytes(); b[0] != 3 || b[n-1] != 3 || len(b) != n {
		t.Errorf("what the device wrote is %d … %d to the host", b[0], b[n-1])
	}
	roundTrip(t, s, m)

	concurrent, err := d.Attribute(AttrConcurrentManagedAccess)
	check(t, err)
	if concurrent != 0 {
		for _, at := range []Location{{}, HostLocation, d.Location()} {
			check(t, s.Prefetch(m, 0, n, at))
		}
		check(t, s.Prefetch(m, n/2, n/2, HostLocation))
		for _, advice := range []Advice{ReadMostly, NotReadMostly, PreferredLocation, NoPreferredLocation, AccessedBy, NotAccessedBy} {
			check(t, m.Advise(0, n, advice, Location{}))
			check(t, m.Advise(0, n, advice, HostLocation))
		}
	}
	for _, who := range []AttachFlags{AttachHost, AttachStream, AttachGlobal} {
		if err := s.Attach(m, who); err != nil && !errors.Is(err, driver.ErrUnsupported) {
			t.Errorf("attaching to %d: %v", who, err)
		}
		check(t, s.Wait(t.Context()))
	}
	check(t, m.Close())
	check(t, m.Close())
	if m.Bytes() != nil {
		t.Error("closed memory has bytes")
	}
}

func TestManagedKeepsAdvice(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	const n = 1 << 21
	m := managed(t, d, 2*n)
	info, err := m.RangeInfo(0, 2*n)
	check(t, err)
	if info.ReadMostly || info.Preferred.kind != 0 || info.LastPrefetch.kind != 0 || len(info.AccessedBy) > 0 {
		t.Errorf("without advice: %+v", info)
	}
	if isFake() {
		drivertest.Lacks(t, "real-cuda", "the fake driver keeps no advice")
	}
	if v, err := d.Attribute(AttrConcurrentManagedAccess); v == 0 || err != nil {
		drivertest.Lacks(t, "cuda-concurrent-managed", "the device has no concurrent managed access")
	}
	check(t, m.Advise(0, n, ReadMostly, Location{}))
	check(t, m.Advise(0, n, PreferredLocation, HostLocation))
	check(t, m.Advise(0, n, AccessedBy, d.Location()))
	check(t, s.Prefetch(m, 0, n, HostLocation))
	check(t, s.Wait(t.Context()))
	info, err = m.RangeInfo(0, n)
	check(t, err)
	if !info.ReadMostly || info.Preferred != HostLocation || info.LastPrefetch != HostLocation || !slices.Contains(info.AccessedBy, d.Location()) {
		t.Errorf("advised, the first half is %+v", info)
	}
	info, err = m.RangeInfo(n, n)
	check(t, err)
	if info.ReadMostly || info.Preferred.kind != 0 || len(info.AccessedBy) > 0 {
		t.Errorf("the other half, of which nothing was said, is %+v", info)
	}
}

func TestManagedMisuse(t *testing.T) {
	drivertest.LeavesNothing(t)
	d, second := open(t), open(t)
	s, foreign := newStream(t, d), newStream(t, second)
	m := managed(t, d, 4096)
	_, err := d.AllocManagedFor(16, AttachStream)
	wantIs(t, "attached to a stream at once", err, driver.ErrInvalidValue, "AttachHost")
	wantIs(t, "too far", m.Advise(4000, 97, ReadMostly, Location{}), driver.ErrInvalidValue, "97 bytes at offset 4000")
	wantIs(t, "unknown advice", m.Advise(0, 4096, 77, Location{}), driver.ErrInvalidValue, "77")
	wantIs(t, "too far", s.Prefetch(m, 0, 4097, Location{}), driver.ErrInvalidValue, "4097")
	wantIs(t, "a foreign stream", foreign.Prefetch(m, 0, 16, Location{}), driver.ErrDeviceMismatch)
	wantIs(t, "unknown flags", s.Attach(m, 8), driver.ErrInvalidValue, "AttachStream")
	_, err = m.RangeInfo(0, 0)
	wantIs(t, "no bytes", err, driver.ErrInvalidValue)
	check(t, m.Advise(0, 0, ReadMostly, Location{}))
	check(t, s.Prefetch(m, 0, 0, Location{}))

	var none *Managed
	wantIs(t, "nil", none.Advise(0, 1, ReadMostly, Location{}), driver.ErrInvalidValue, "nil")
	wantIs(t, "nil", s.Prefetch(none, 0, 1, Location{}), driver.ErrInvalidValue, "nil")
	check(t, none.Close())
	if none.Bytes() != nil {
		t.Error("nil has bytes")
	}
	empty := managed(t, d, 0)
	check(t, s.Attach(empty, AttachGlobal))
	if empty.Size() != 0 || len(empty.Bytes()) != 0 || empty.Addr() != 0 {
		t.Error("no bytes have some")
	}
	check(t, m.Close())
	wantIs(t, "closed", m.Advise(0, 1, ReadMostly, Location{}), driver.ErrClosed)
	wantIs(t, "closed", s.Attach(m, AttachGlobal), driver.ErrClosed)
}

func TestLocations(t *testing.T) {
	for _, x := range []struct {
		at   Location
		want string
	}{
		{Location{}, "nowhere in particular"}, {HostLocation, "host"}, {NUMALocation(3), "NUMA node 3"},
		{NearestNUMALocation, "nearest NUMA node"}, {oldLocation(2), "device 2"}, {oldLocation(deviceHost), "host"},
		{oldLocation(deviceNone), "nowhere in particular"}, {Location{kind: 9, id: 1}, "place 1 of kind 9"}, {(*Device)(nil).Location(), "nowhere in particular"},
	} {
		if got := x.at.String(); got != x.want {
			t.Errorf("%+v reads %q, not %q", x.at, got, x.want)
		}
	}
}
