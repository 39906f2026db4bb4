package cuda

import (
	"errors"
	"os"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/lifetime"
)

func newPool(t testing.TB, d *Device, opts PoolOptions) *Pool {
	t.Helper()
	p, err := d.NewPool(opts)
	if errors.Is(err, driver.ErrUnsupported) {
		drivertest.Lacks(t, "cuda-pools", err.Error())
	}
	check(t, err)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func TestStreamOrderedMemory(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	p := newPool(t, d, PoolOptions{Keep: 1 << 20})
	for what, alloc := range map[string]func(uint64) (*Memory, error){
		"the opening's pool": s.Alloc,
		"a pool":             func(n uint64) (*Memory, error) { return p.AllocOn(s, n) },
	} {
		m, err := alloc(1 << 20)
		check(t, err)
		roundTrip(t, s, m)
		part, err := m.Slice(4, 8)
		check(t, err)
		check(t, m.Close())
		check(t, m.Close())
		roundTrip(t, s, part)
		check(t, part.Close())
		wantIs(t, what, s.Copy(m, 0, m, 4, 4), driver.ErrClosed, "memory")

		none, err := alloc(0)
		check(t, err)
		if none.Size() != 0 || none.Addr() != 0 {
			t.Errorf("%s: no bytes are %d at %#x", what, none.Size(), none.Addr())
		}
		check(t, none.Close())

		_, err = alloc(1 << 50)
		wantIs(t, what, err, driver.ErrOutOfMemory, "1.0 PiB", "free of")
	}
	check(t, s.Wait(t.Context()))
}

func TestStreamsKeepWhatTheyAllocated(t *testing.T) {
	drivertest.LeavesNothing(t)
	s := newStream(t, open(t))
	at := uint64(0)
	for range 3 {
		m, err := s.Alloc(1 << 20)
		check(t, err)
		roundTrip(t, s, m)
		if at != 0 && m.Addr() != at && !lifetime.Debug {
			t.Errorf("the memory is at %#x, what was closed before at %#x", m.Addr(), at)
		}
		at = m.Addr()
		check(t, m.Close())
	}
}

// Memory that is closed while a stream has yet to use it is freed behind that use.
func TestStreamOrderedMemoryOutlivesItsUses(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s, other := newStream(t, d), newStream(t, d)
	release := hold(t, s)
	m, err := other.Alloc(4096)
	check(t, err)
	check(t, other.Wait(t.Context()))
	out := scratch(t, d, 4096)
	check(t, s.Fill(m, 0, 4096, driver.Pattern{Bytes: [16]byte{7}, Len: 1}))
	check(t, s.Copy(out, 0, m, 0, 4096))
	check(t, m.Close())
	check(t, other.Wait(t.Context()))
	again, err := other.Alloc(4096)
	check(t, err)
	check(t, other.Fill(again, 0, 4096, driver.Pattern{Bytes: [16]byte{9}, Len: 1}))
	check(t, other.Wait(t.Context()))
	release()
	check(t, s.Wait(t.Context()))
	if got := content(t, s, out, 4096); got[0] != 7 || got[4095] != 7 {
		t.Errorf("the closed memory had %d and %d, not 7", got[0], got[4095])
	}
	check(t, again.Close())
}

func TestPoolAttributes(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	p := newPool(t, d, PoolOptions{Keep: 3 << 20})
	if v, err := p.Attribute(PoolReleaseThreshold); v != 3<<20 || err != nil {
		t.Errorf("the pool keeps %d, error %v; it was made to keep %d", v, err, 3<<20)
	}
	for _, a := range []PoolAttribute{PoolReuseFollowEvents, PoolReuseIfFinished, PoolReuseByWaiting} {
		for _, want := range []uint64{0, 1} {
			check(t, p.SetAttribute(a, want))
			if v, err := p.Attribute(a); v != want || err != nil {
				t.Errorf("attribute %d is %d, error %v; it was set to %d", a, v, err, want)
			}
		}
	}
	m, err := p.AllocOn(s, 1<<20)
	check(t, err)
	check(t, s.Wait(t.Context()))
	for _, a := range []PoolAttribute{PoolUsedCurrent, PoolUsedHigh, PoolReservedCurrent, PoolReservedHigh} {
		if v, err := p.Attribute(a); v < 1<<20 || err != nil {
			t.Errorf("attribute %d is %d, error %v, with 1 MiB allocated", a, v, err)
		}
	}
	check(t, m.Close())
	check(t, s.Wait(t.Context()))
	if !drivertest.Eventually(func() bool { v, _ := p.Attribute(PoolUsedCurrent); return v == 0 }) {
		t.Error("memory counts as used after it was freed")
	}
	check(t, p.SetAttribute(PoolUsedHigh, 0))
	if v, err := p.Attribute(PoolUsedHigh); v != 0 || err != nil {
		t.Errorf("the high mark is %d, error %v, after it was set back", v, err)
	}
	if !drivertest.Eventually(func() bool { check(t, p.Trim(0)); v, _ := p.Attribute(PoolReservedCurrent); return v == 0 }) {
		t.Error("the pool has memory after it gave all back")
	}
	wantIs(t, "used", p.SetAttribute(PoolUsedCurrent, 0), driver.ErrInvalidValue, "can't be set")
	wantIs(t, "high", p.SetAttribute(PoolReservedHigh, 5), driver.ErrInvalidValue, "to 0 only")
	wantIs(t, "unknown", p.SetAttribute(99, 0), driver.ErrInvalidValue, "99")
	_, err = p.Attribute(99)
	wantIs(t, "unknown", err, driver.ErrInvalidValue, "99")

	if a, err := p.Access(d.Location()); a != ReadWrite || err != nil {
		t.Errorf("the device may %d, error %v", a, err)
	}
	if err := p.SetAccess(Location{}, NoAccess); err == nil {
		t.Error("the pool's own device may not use it")
	}
}

func TestPoolsOfTheDevice(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	mine := newPool(t, d, PoolOptions{})
	for what, get := range map[string]func() (*Pool, error){"own": d.Pool, "default": d.DefaultPool, "current": d.CurrentPool} {
		p, err := get()
		check(t, err)
		if p.Native() == 0 || p.Native() == mine.Native() || p.Device() != d {
			t.Errorf("the %s pool is %#x", what, p.Native())
		}
		check(t, p.Close())
		again, err := get()
		check(t, err)
		if _, err := again.Attribute(PoolUsedCurrent); err != nil {
			t.Errorf("the %s pool is gone after Close: %v", what, err)
		}
		check(t, again.Close())
	}
	was, err := d.CurrentPool()
	check(t, err)
	defer was.Close()
	check(t, mine.SetCurrent())
	now, err := d.CurrentPool()
	check(t, err)
	defer now.Close()
	if now.Native() != mine.Native() {
		t.Errorf("the current pool is %#x, not %#x", now.Native(), mine.Native())
	}
	check(t, was.SetCurrent())

	s := newStream(t, d)
	own, err := d.Pool()
	check(t, err)
	defer own.Close()
	before, err := own.Attribute(PoolUsedCurrent)
	check(t, err)
	m, err := s.Alloc(1 << 20)
	check(t, err)
	defer m.Close()
	if after, err := own.Attribute(PoolUsedCurrent); after < before+1<<20 || err != nil {
		t.Errorf("the opening's pool has %d used, error %v, before 1 MiB %d", after, err, before)
	}
}

func TestPoolLimits(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	p, err := d.NewPool(PoolOptions{MaxSize: 64 << 20})
	if load().version < 12020 {
		wantIs(t, "a limit", err, driver.ErrUnsupported, "CUDA 12.2")
		return
	}
	check(t, err)
	defer p.Close()
	m, err := p.AllocOn(s, 1<<20)
	check(t, err)
	check(t, m.Close())
	_, err = p.AllocOn(s, 1<<30)
	wantIs(t, "more than the limit", err, driver.ErrOutOfMemory, "1.0 GiB")
}

func TestPoolMisuse(t *testing.T) {
	drivertest.LeavesNothing(t)
	d, second := open(t), open(t)
	s, foreign := newStream(t, d), newStream(t, second)
	p := newPool(t, d, PoolOptions{})
	_, err := p.AllocOn(foreign, 16)
	wantIs(t, "a foreign stream", err, driver.ErrDeviceMismatch, "the pool of")
	_, err = p.AllocOn(nil, 16)
	wantIs(t, "a nil stream", err, driver.ErrInvalidValue)
	var none *Pool
	_, err = none.AllocOn(s, 16)
	wantIs(t, "a nil pool", err, driver.ErrInvalidValue, "nil")
	check(t, none.Close())
	if none.Native() != 0 || none.Device() != nil {
		t.Error("a nil pool has a handle")
	}
	_, err = (*Stream)(nil).Alloc(16)
	wantIs(t, "a nil stream", err, driver.ErrInvalidValue)
	_, err = (*Device)(nil).NewPool(PoolOptions{})
	wantIs(t, "a nil device", err, driver.ErrInvalidValue)

	m, err := p.AllocOn(s, 16)
	check(t, err)
	check(t, p.Close())
	check(t, p.Close())
	roundTrip(t, s, m) // keeps its pool
	check(t, m.Close())
	_, err = p.AllocOn(s, 16)
	wantIs(t, "a closed pool", err, driver.ErrClosed, "pool")
	wantIs(t, "a closed pool", p.Trim(0), driver.ErrClosed, "pool")
	wantIs(t, "a closed pool", p.SetCurrent(), driver.ErrClosed, "pool")
	if p.Native() != 0 {
		t.Error("a closed pool has a handle")
	}
	check(t, s.Close())
	_, err = s.Alloc(16)
	wantIs(t, "a closed stream", err, driver.ErrClosed, "stream")
}

func TestPoolExportMisuse(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	_, err := newPool(t, d, PoolOptions{}).Export()
	if err == nil {
		t.Error("a pool that is not shareable was exported")
	}
	_, err = d.ImportPool(nil)
	wantIs(t, "a nil file", err, driver.ErrInvalidValue, "nil")
	none, err := os.Open(os.DevNull)
	check(t, err)
	defer none.Close()
	if p, err := d.ImportPool(none); err == nil {
		t.Error("a pool was imported from the null device")
		_ = p.Close()
	}
	p := newPool(t, d, PoolOptions{})
	m, err := p.AllocOn(s, 4096)
	check(t, err)
	defer m.Close()
	part, err := m.Slice(0, 16)
	check(t, err)
	defer part.Close()
	_, err = p.ExportPointer(part)
	wantIs(t, "a slice", err, driver.ErrInvalidValue, "as a whole")
	plain, err := d.AllocPlain(16)
	check(t, err)
	defer plain.Close()
	_, err = p.ExportPointer(plain)
	wantIs(t, "memory of no pool", err, driver.ErrInvalidValue, "AllocOn")
}
