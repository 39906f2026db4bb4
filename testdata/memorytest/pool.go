package memorytest

import (
	"errors"
	"io"
	"os"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// poolOptions are what both backends' options are.
type poolOptions interface {
	~struct {
		MaxSize   uint64
		Keep      uint64
		Shareable bool
	}
}

// pooling are devices with pools, P.
type pooling[S, M, P, O any] interface {
	comparable
	streams[S]
	NewPool(opts O) (P, error)
	ImportPool(f *os.File) (P, error)
	Pool() (P, error)
	DefaultPool() (P, error)
	CurrentPool() (P, error)
	AllocPlain(size uint64) (M, error)
}

// pool is one of a device of type D, for memory of type M.
type pool[D, S, M, A any] interface {
	AllocOn(s S, size uint64) (M, error)
	Attribute(a A) (uint64, error)
	SetAttribute(a A, value uint64) error
	Close() error
	Device() D
	Native() uintptr
	SetCurrent() error
	Trim(keep uint64) error
}

// reached is a pool that devices at places, L, may have access to.
type reached[L, X any] interface {
	Access(who L) (X, error)
	SetAccess(who L, access X) error
}

// exporting is a pool that can be given to other processes, with its memory, X.
type exporting[X any] interface {
	Export() (*os.File, error)
	ExportPointer(m driver.Memory) (X, error)
}

// allocating are streams that allocate memory, M.
type allocating[M any] interface {
	driver.Stream
	Alloc(size uint64) (M, error)
}

// PoolAttributes are what a pool can be asked for, or told.
type PoolAttributes[A ~int32] struct {
	ReuseFollowEvents, ReuseIfFinished, ReuseByWaiting   A
	ReleaseThreshold                                     A
	ReservedCurrent, ReservedHigh, UsedCurrent, UsedHigh A
}

// NewPool makes a pool that is closed after the test.
func NewPool[
	D interface {
		NewPool(opts O) (P, error)
		driver.Device
	}, O any, P io.Closer,
](t testing.TB, rig Rig[D], d D, opts O) P {
	t.Helper()
	p, err := d.NewPool(opts)
	if errors.Is(err, driver.ErrUnsupported) {
		drivertest.Lacks(t, rig.Name+"-pools", err.Error())
	}
	Check(t, err)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// StreamOrderedMemory allocates on a stream, from the opening's pool and from another.
func StreamOrderedMemory[
	D pooling[S, M, P, O], S allocating[M], M driver.Memory, P pool[D, S, M, A], O poolOptions, A ~int32,
](t *testing.T, rig Rig[D]) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	p := NewPool(t, rig, d, O{Keep: 1 << 20})
	for what, alloc := range map[string]func(uint64) (M, error){
		"the opening's pool": s.Alloc,
		"a pool":             func(n uint64) (M, error) { return p.AllocOn(s, n) },
	} {
		m, err := alloc(1 << 20)
		Check(t, err)
		RoundTrip(t, s, m)
		part, err := m.Slice(4, 8)
		Check(t, err)
		Check(t, m.Close())
		Check(t, m.Close())
		RoundTrip(t, s, part)
		Check(t, part.Close())
		WantIs(t, what, s.Copy(m, 0, m, 4, 4), driver.ErrClosed, "memory")

		none, err := alloc(0)
		Check(t, err)
		if none.Size() != 0 || none.Addr() != 0 {
			t.Errorf("%s: no bytes are %d at %#x", what, none.Size(), none.Addr())
		}
		Check(t, none.Close())

		_, err = alloc(1 << 50)
		WantIs(t, what, err, driver.ErrOutOfMemory, "1.0 PiB", "free of")
	}
	Check(t, s.Wait(t.Context()))
}

// StreamsKeepWhatTheyAllocated allocates again what was closed.
func StreamsKeepWhatTheyAllocated[D streams[S], S allocating[M], M driver.Memory](t *testing.T, rig Rig[D]) {
	drivertest.LeavesNothing(t)
	s := newStream(t, rig.Open(t))
	at := uint64(0)
	for range 3 {
		m, err := s.Alloc(1 << 20)
		Check(t, err)
		RoundTrip(t, s, m)
		if at != 0 && m.Addr() != at && !lifetime.Debug {
			t.Errorf("the memory is at %#x, what was closed before at %#x", m.Addr(), at)
		}
		at = m.Addr()
		Check(t, m.Close())
	}
}

// StreamOrderedMemoryOutlivesItsUses closes memory while a stream has yet to use it: it is
// freed behind that use.
func StreamOrderedMemoryOutlivesItsUses[
	D streams[S], S allocating[M], M driver.Memory,
](t *testing.T, rig Rig[D]) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s, other := newStream(t, d), newStream(t, d)
	release := rig.Hold(t, s)
	m, err := other.Alloc(4096)
	Check(t, err)
	Check(t, other.Wait(t.Context()))
	out := Scratch(t, d, 4096)
	Check(t, s.Fill(m, 0, 4096, driver.Pattern{Bytes: [16]byte{7}, Len: 1}))
	Check(t, s.Copy(out, 0, m, 0, 4096))
	Check(t, m.Close())
	Check(t, other.Wait(t.Context()))
	again, err := other.Alloc(4096)
	Check(t, err)
	Check(t, other.Fill(again, 0, 4096, driver.Pattern{Bytes: [16]byte{9}, Len: 1}))
	Check(t, other.Wait(t.Context()))
	release()
	Check(t, s.Wait(t.Context()))
	if got := Content(t, s, out, 4096); got[0] != 7 || got[4095] != 7 {
		t.Errorf("the closed memory had %d and %d, not 7", got[0], got[4095])
	}
	Check(t, again.Close())
}

// AttributesOfPools asks for all of a pool's attributes, and sets what can be set.
func AttributesOfPools[
	D interface {
		pooling[S, M, P, O]
		located[L]
	},
	S allocating[M], M driver.Memory, P interface {
		pool[D, S, M, A]
		reached[L, X]
	},
	O poolOptions, L any, A, X ~int32,
](t *testing.T, rig Rig[D], x PoolAttributes[A], access Accesses[X]) {
	var here L
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	p := NewPool(t, rig, d, O{Keep: 3 << 20})
	if v, err := p.Attribute(x.ReleaseThreshold); v != 3<<20 || err != nil {
		t.Errorf("the pool keeps %d, error %v; it was made to keep %d", v, err, 3<<20)
	}
	for _, a := range []A{x.ReuseFollowEvents, x.ReuseIfFinished, x.ReuseByWaiting} {
		for _, want := range []uint64{0, 1} {
			Check(t, p.SetAttribute(a, want))
			if v, err := p.Attribute(a); v != want || err != nil {
				t.Errorf("attribute %d is %d, error %v; it was set to %d", a, v, err, want)
			}
		}
	}
	m, err := p.AllocOn(s, 1<<20)
	Check(t, err)
	Check(t, s.Wait(t.Context()))
	for _, a := range []A{x.UsedCurrent, x.UsedHigh, x.ReservedCurrent, x.ReservedHigh} {
		if v, err := p.Attribute(a); v < 1<<20 || err != nil {
			t.Errorf("attribute %d is %d, error %v, with 1 MiB allocated", a, v, err)
		}
	}
	Check(t, m.Close())
	Check(t, s.Wait(t.Context()))
	if !drivertest.Eventually(func() bool { v, _ := p.Attribute(x.UsedCurrent); return v == 0 }) {
		t.Error("memory counts as used after it was freed")
	}
	Check(t, p.SetAttribute(x.UsedHigh, 0))
	if v, err := p.Attribute(x.UsedHigh); v != 0 || err != nil {
		t.Errorf("the high mark is %d, error %v, after it was set back", v, err)
	}
	if !drivertest.Eventually(func() bool { Check(t, p.Trim(0)); v, _ := p.Attribute(x.ReservedCurrent); return v == 0 }) {
		t.Error("the pool has memory after it gave all back")
	}
	WantIs(t, "used", p.SetAttribute(x.UsedCurrent, 0), driver.ErrInvalidValue, "can't be set")
	WantIs(t, "high", p.SetAttribute(x.ReservedHigh, 5), driver.ErrInvalidValue, "to 0 only")
	WantIs(t, "unknown", p.SetAttribute(99, 0), driver.ErrInvalidValue, "99")
	_, err = p.Attribute(99)
	WantIs(t, "unknown", err, driver.ErrInvalidValue, "99")

	if a, err := p.Access(d.Location()); a != access.ReadWrite || err != nil {
		t.Errorf("the device may %d, error %v", a, err)
	}
	if err := p.SetAccess(here, access.None); err == nil {
		t.Error("the pool's own device may not use it")
	}
}

// PoolsOfTheDevice are those that are there without being made; used is how much of a pool
// is allocated.
func PoolsOfTheDevice[
	D pooling[S, M, P, O], S allocating[M], M driver.Memory, P pool[D, S, M, A], O poolOptions, A ~int32,
](t *testing.T, rig Rig[D], used A) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	mine := NewPool(t, rig, d, O{})
	for what, get := range map[string]func() (P, error){"own": d.Pool, "default": d.DefaultPool, "current": d.CurrentPool} {
		p, err := get()
		Check(t, err)
		if p.Native() == 0 || p.Native() == mine.Native() || p.Device() != d {
			t.Errorf("the %s pool is %#x", what, p.Native())
		}
		Check(t, p.Close())
		again, err := get()
		Check(t, err)
		if _, err := again.Attribute(used); err != nil {
			t.Errorf("the %s pool is gone after Close: %v", what, err)
		}
		Check(t, again.Close())
	}
	was, err := d.CurrentPool()
	Check(t, err)
	defer was.Close()
	Check(t, mine.SetCurrent())
	now, err := d.CurrentPool()
	Check(t, err)
	defer now.Close()
	if now.Native() != mine.Native() {
		t.Errorf("the current pool is %#x, not %#x", now.Native(), mine.Native())
	}
	Check(t, was.SetCurrent())

	s := newStream(t, d)
	own, err := d.Pool()
	Check(t, err)
	defer own.Close()
	before, err := own.Attribute(used)
	Check(t, err)
	m, err := s.Alloc(1 << 20)
	Check(t, err)
	defer m.Close()
	if after, err := own.Attribute(used); after < before+1<<20 || err != nil {
		t.Errorf("the opening's pool has %d used, error %v, before 1 MiB %d", after, err, before)
	}
}

// PoolLimits allocates more than a pool may have; unlimited tells whether the driver is of
// before that since which pools have limits.
func PoolLimits[
	D pooling[S, M, P, O], S allocating[M], M driver.Memory, P pool[D, S, M, A], O poolOptions, A ~int32,
](t *testing.T, rig Rig[D], unlimited func() bool, since string) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	p, err := d.NewPool(O{MaxSize: 64 << 20})
	if unlimited() {
		WantIs(t, "a limit", err, driver.ErrUnsupported, since)
		return
	}
	Check(t, err)
	defer p.Close()
	m, err := p.AllocOn(s, 1<<20)
	Check(t, err)
	Check(t, m.Close())
	_, err = p.AllocOn(s, 1<<30)
	WantIs(t, "more than the limit", err, driver.ErrOutOfMemory, "1.0 GiB")
}

// PoolMisuse allocates from what is nil, closed or of another opening.
func PoolMisuse[
	D pooling[S, M, P, O], S allocating[M], M driver.Memory, P pool[D, S, M, A], O poolOptions, A ~int32,
](t *testing.T, rig Rig[D]) {
	drivertest.LeavesNothing(t)
	var noDevice D
	var noStream S
	d, second := rig.Open(t), rig.Open(t)
	s, foreign := newStream(t, d), newStream(t, second)
	p := NewPool(t, rig, d, O{})
	_, err := p.AllocOn(foreign, 16)
	WantIs(t, "a foreign stream", err, driver.ErrDeviceMismatch, "the pool of")
	_, err = p.AllocOn(noStream, 16)
	WantIs(t, "a nil stream", err, driver.ErrInvalidValue)
	var none P
	_, err = none.AllocOn(s, 16)
	WantIs(t, "a nil pool", err, driver.ErrInvalidValue, "nil")
	Check(t, none.Close())
	if none.Native() != 0 || none.Device() != noDevice {
		t.Error("a nil pool has a handle")
	}
	_, err = noStream.Alloc(16)
	WantIs(t, "a nil stream", err, driver.ErrInvalidValue)
	_, err = noDevice.NewPool(O{})
	WantIs(t, "a nil device", err, driver.ErrInvalidValue)

	m, err := p.AllocOn(s, 16)
	Check(t, err)
	Check(t, p.Close())
	Check(t, p.Close())
	RoundTrip(t, s, m) // keeps its pool
	Check(t, m.Close())
	_, err = p.AllocOn(s, 16)
	WantIs(t, "a closed pool", err, driver.ErrClosed, "pool")
	WantIs(t, "a closed pool", p.Trim(0), driver.ErrClosed, "pool")
	WantIs(t, "a closed pool", p.SetCurrent(), driver.ErrClosed, "pool")
	if p.Native() != 0 {
		t.Error("a closed pool has a handle")
	}
	Check(t, s.Close())
	_, err = s.Alloc(16)
	WantIs(t, "a closed stream", err, driver.ErrClosed, "stream")
}

// PoolExportMisuse gives out what can't be, and takes in what is no pool.
func PoolExportMisuse[
	D pooling[S, M, P, O], S allocating[M], M driver.Memory, P interface {
		pool[D, S, M, A]
		exporting[X]
	}, O poolOptions, X any, A ~int32,
](t *testing.T, rig Rig[D]) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	_, err := NewPool(t, rig, d, O{}).Export()
	if err == nil {
		t.Error("a pool that is not shareable was exported")
	}
	_, err = d.ImportPool(nil)
	WantIs(t, "a nil file", err, driver.ErrInvalidValue, "nil")
	none, err := os.Open(os.DevNull)
	Check(t, err)
	defer none.Close()
	if p, err := d.ImportPool(none); err == nil {
		t.Error("a pool was imported from the null device")
		_ = p.Close()
	}
	p := NewPool(t, rig, d, O{})
	m, err := p.AllocOn(s, 4096)
	Check(t, err)
	defer m.Close()
	part, err := m.Slice(0, 16)
	Check(t, err)
	defer part.Close()
	_, err = p.ExportPointer(part)
	WantIs(t, "a slice", err, driver.ErrInvalidValue, "as a whole")
	plain, err := d.AllocPlain(16)
	Check(t, err)
	defer plain.Close()
	_, err = p.ExportPointer(plain)
	WantIs(t, "memory of no pool", err, driver.ErrInvalidValue, "AllocOn")
}
