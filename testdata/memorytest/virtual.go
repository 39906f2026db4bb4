package memorytest

import (
	"errors"
	"os"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// granular are devices whose mapped memory is made with options of type O.
type granular[O any] interface {
	driver.Device
	Granularity(opts O) (minimum, recommended uint64, err error)
}

// ranges are devices with ranges of addresses, R, for physical memory, P.
type ranges[S, R, P, O any] interface {
	streams[S]
	granular[O]
	Reserve(size, align uint64) (R, error)
	NewPhysical(size uint64, opts O) (P, error)
	ImportPhysical(f *os.File, size uint64) (P, error)
}

type addressRange[P, M, V any] interface {
	Addr() uint64
	Size() uint64
	Close() error
	Map(off uint64, p P) (M, error)
	View(off, n uint64) (V, error)
}

type physical interface {
	Size() uint64
	Close() error
	Export() (*os.File, error)
}

type mapping[L, A any] interface {
	driver.Memory
	SetAccess(who L, access A) error
	Access(who L) (A, error)
}

// located are devices that are places, L.
type located[L any] interface{ Location() L }

// Accesses are what a device may do with memory.
type Accesses[A any] struct{ None, ReadOnly, ReadWrite A }

// Granularity is what places and sizes of mapped memory are multiples of.
func Granularity[D granular[O], O any](t testing.TB, rig Rig[D], d D) uint64 {
	t.Helper()
	var plain O
	unit, recommended, err := d.Granularity(plain)
	if errors.Is(err, driver.ErrUnsupported) {
		drivertest.Lacks(t, rig.Name+"-virtual", err.Error())
	}
	Check(t, err)
	if unit == 0 || recommended%unit != 0 || recommended == 0 {
		t.Fatalf("the granularity is %d, recommended %d", unit, recommended)
	}
	return unit
}

// MappedMemory maps two pieces of memory into a range, and uses them alone, in part and as one.
func MappedMemory[
	D ranges[S, R, P, O], S driver.Stream, R addressRange[P, M, V], P physical, M, V driver.Memory, O any,
](t *testing.T, rig Rig[D]) {
	var plain O
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	unit := Granularity(t, rig, d)
	r, err := d.Reserve(4*unit, 0)
	Check(t, err)
	if r.Size() != 4*unit || r.Addr()%unit != 0 {
		t.Errorf("%d bytes at %#x were reserved", r.Size(), r.Addr())
	}
	p, err := d.NewPhysical(unit, plain)
	Check(t, err)
	q, err := d.NewPhysical(2*unit, plain)
	Check(t, err)
	if p.Size() != unit || q.Size() != 2*unit {
		t.Errorf("%d and %d bytes of physical memory", p.Size(), q.Size())
	}
	b, err := r.Map(2*unit, q)
	Check(t, err)
	a, err := r.Map(unit, p)
	Check(t, err)
	if a.Addr() != r.Addr()+unit || a.Size() != unit || a.Device() != driver.Device(d) {
		t.Errorf("the mapping has %d bytes at %#x", a.Size(), a.Addr())
	}
	RoundTrip(t, s, a)
	buffer, err := driver.BufferOf[uint32](b)
	Check(t, err)
	Check(t, buffer.Fill(s, 7))
	part, err := a.Slice(16, 16)
	Check(t, err)

	both, err := r.View(unit+8, 3*unit-8)
	Check(t, err)
	Check(t, s.Fill(both, 0, both.Size(), driver.Pattern{Bytes: [16]byte{9}, Len: 1}))
	if got := Content(t, s, part, 16); got[0] != 9 || got[15] != 9 {
		t.Errorf("the first mapping has %d", got)
	}
	words := make([]uint32, buffer.Len())
	Check(t, buffer.CopyTo(t.Context(), s, words))
	if words[0] != 0x09090909 || words[len(words)-1] != 0x09090909 {
		t.Errorf("the second mapping has %#x … %#x", words[0], words[len(words)-1])
	}
	WantIs(t, "overlapping", s.Copy(both, 0, a, 8, 16), driver.ErrInvalidValue, "overlap")

	// Everything keeps what it needs.
	Check(t, r.Close())
	Check(t, p.Close())
	Check(t, q.Close())
	Check(t, a.Close())
	Check(t, b.Close())
	RoundTrip(t, s, part)
	RoundTrip(t, s, both)
	if r.Addr() != driver.PtrClosed || a.Addr() != driver.PtrClosed {
		t.Error("closed ranges and mappings have addresses")
	}
	Check(t, part.Close())
	Check(t, both.Close())
	Check(t, both.Close())
}

// UnmappedPlaces closes a mapping that the device is about to use: its place is free once
// the device has done with it.
func UnmappedPlaces[
	D ranges[S, R, P, O], S driver.Stream, R addressRange[P, M, V], P physical, M, V driver.Memory, O any,
](t *testing.T, rig Rig[D]) {
	var plain O
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	unit := Granularity(t, rig, d)
	r, err := d.Reserve(2*unit, unit)
	Check(t, err)
	defer r.Close()
	p, err := d.NewPhysical(unit, plain)
	Check(t, err)
	defer p.Close()
	m, err := r.Map(0, p)
	Check(t, err)
	release := rig.Hold(t, s)
	Check(t, s.Fill(m, 0, unit, driver.Pattern{Bytes: [16]byte{5}, Len: 1}))
	Check(t, m.Close())
	_, err = r.Map(0, p)
	WantIs(t, "a place in use", err, driver.ErrInvalidValue, "that was closed, and is unmapped once")
	release()
	Check(t, d.Wait(t.Context()))
	var again M
	if !drivertest.Eventually(func() bool { again, err = r.Map(0, p); return err == nil }) {
		t.Fatalf("the place stays taken: %v", err)
	}
	if got := Content(t, s, again, 1); got[0] != 5 {
		t.Errorf("the memory has %d, not what the command wrote before it was unmapped", got[0])
	}
	Check(t, again.Close())
}

// MappedAccess sets and asks for what the device may do with mapped memory; nowhere is a
// device that isn't there.
func MappedAccess[
	D interface {
		ranges[S, R, P, O]
		located[L]
	},
	R addressRange[P, M, V], P physical, M mapping[L, A], S, V, O, L any, A ~int32,
](t *testing.T, rig Rig[D], x Accesses[A], nowhere L) {
	var plain O
	var here L
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	unit := Granularity(t, rig, d)
	r, err := d.Reserve(unit, 0)
	Check(t, err)
	defer r.Close()
	p, err := d.NewPhysical(unit, plain)
	Check(t, err)
	defer p.Close()
	m, err := r.Map(0, p)
	Check(t, err)
	defer m.Close()
	for _, want := range []A{x.ReadWrite, x.None, x.ReadOnly, x.ReadWrite} {
		if err := m.SetAccess(here, want); want == x.ReadOnly && err != nil {
			WantIs(t, "memory to be read only", err, driver.ErrUnsupported)
			continue
		}
		Check(t, err)
		if got, err := m.Access(d.Location()); got != want || err != nil {
			t.Errorf("access is %d, error %v; it was set to %d", got, err, want)
		}
	}
	if err := m.SetAccess(nowhere, x.ReadWrite); err == nil {
		t.Error("a device that isn't there may use the memory")
	}
}

// PhysicalIsShared gives memory out as a file, and takes it in again.
func PhysicalIsShared[
	D ranges[S, R, P, O], S driver.Stream, R addressRange[P, M, V], P physical, M, V driver.Memory, O any,
](t *testing.T, rig Rig[D], shareable O) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	unit := Granularity(t, rig, d)
	p, err := d.NewPhysical(unit, shareable)
	if errors.Is(err, driver.ErrUnsupported) {
		drivertest.Lacks(t, rig.Name+"-shareable", err.Error())
	}
	Check(t, err)
	defer p.Close()
	f, err := p.Export()
	if errors.Is(err, driver.ErrUnsupported) {
		drivertest.Lacks(t, rig.Name+"-shareable", err.Error())
	}
	Check(t, err)
	q, err := d.ImportPhysical(f, unit)
	Check(t, err)
	Check(t, f.Close())
	defer q.Close()
	r, err := d.Reserve(2*unit, 0)
	Check(t, err)
	defer r.Close()
	a, err := r.Map(0, p)
	Check(t, err)
	defer a.Close()
	b, err := r.Map(unit, q)
	Check(t, err)
	defer b.Close()
	Check(t, s.Fill(a, 0, unit, driver.Pattern{Bytes: [16]byte{42}, Len: 1}))
	if got := Content(t, s, b, int(unit)); got[0] != 42 || got[unit-1] != 42 {
		t.Errorf("the imported memory has %d … %d", got[0], got[unit-1])
	}
	_, err = d.ImportPhysical(nil, unit)
	WantIs(t, "a nil file", err, driver.ErrInvalidValue, "nil")
}

// VirtualMisuse asks for ranges, memory and mappings that can't be.
func VirtualMisuse[
	D ranges[S, R, P, O], R addressRange[P, M, V], P physical, M mapping[L, A], V driver.Memory, S, O, L, A any,
](t *testing.T, rig Rig[D], readOnly A) {
	var plain O
	var here L
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	unit := Granularity(t, rig, d)
	for _, n := range []uint64{0, unit / 2, unit + 1} {
		_, err := d.Reserve(n, 0)
		WantIs(t, "a size", err, driver.ErrInvalidValue, "multiples of")
		_, err = d.NewPhysical(n, plain)
		WantIs(t, "a size", err, driver.ErrInvalidValue, "multiples of")
	}
	_, err := d.Reserve(unit, 3)
	WantIs(t, "an alignment", err, driver.ErrInvalidValue, "powers of two")
	_, err = d.NewPhysical(unit<<22, plain)
	WantIs(t, "too much", err, driver.ErrOutOfMemory, "free of")

	r, err := d.Reserve(4*unit, 0)
	Check(t, err)
	p, err := d.NewPhysical(2*unit, plain)
	Check(t, err)
	m, err := r.Map(unit, p)
	Check(t, err)
	for what, x := range map[string]struct {
		off  uint64
		want string
	}{
		"beyond the range":   {3 * unit, "of the range"},
		"far beyond it":      {^uint64(0), "of the range"},
		"a misaligned place": {unit + 1, "multiples of"},
		"a place taken":      {0, "are mapped"},
		"its own place":      {unit, "are mapped"},
		"a place half taken": {2 * unit, "are mapped"},
	} {
		_, err := r.Map(x.off, p)
		WantIs(t, what, err, driver.ErrInvalidValue, x.want)
	}
	_, err = r.View(unit, 2*unit+1)
	WantIs(t, "a view of what isn't mapped", err, driver.ErrInvalidValue, "nothing is mapped")
	_, err = r.View(0, 1)
	WantIs(t, "a view of what isn't mapped", err, driver.ErrInvalidValue, "nothing is mapped")
	_, err = r.View(0, 5*unit)
	WantIs(t, "a view beyond the range", err, driver.ErrInvalidValue, "of the range")
	empty, err := r.View(0, 0)
	Check(t, err)
	Check(t, empty.Close())

	Check(t, p.Close())
	_, err = r.Map(0, p)
	WantIs(t, "closed memory", err, driver.ErrClosed, "physical memory")
	_, err = p.Export()
	WantIs(t, "closed memory", err, driver.ErrClosed, "physical memory")
	Check(t, m.Close())
	Check(t, m.Close())
	WantIs(t, "a closed mapping", m.SetAccess(here, readOnly), driver.ErrClosed)
	_, err = r.View(unit, unit)
	WantIs(t, "a closed mapping", err, driver.ErrInvalidValue, "nothing is mapped")
	Check(t, r.Close())
	_, err = r.Map(0, p)
	WantIs(t, "a closed range", err, driver.ErrClosed, "address range")
	_, err = r.View(0, 1)
	WantIs(t, "a closed range", err, driver.ErrClosed, "address range")

	var noRange R
	var noMemory P
	var noMapping M
	Check(t, noRange.Close())
	Check(t, noMemory.Close())
	Check(t, noMapping.Close())
	_, err = noRange.Map(0, noMemory)
	WantIs(t, "a nil range", err, driver.ErrInvalidValue, "nil")
	WantIs(t, "a nil mapping", noMapping.SetAccess(here, readOnly), driver.ErrInvalidValue, "nil")
	if noRange.Size() != 0 || noMemory.Size() != 0 || noRange.Addr() != driver.PtrClosed {
		t.Error("nil objects have a size")
	}
	var noDevice D
	_, err = noDevice.Reserve(unit, 0)
	WantIs(t, "a nil device", err, driver.ErrInvalidValue, "nil")
}
