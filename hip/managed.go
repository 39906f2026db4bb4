package hip

import (
	"github.com/triad-gpu/triad/driver"
)

// Managed is memory that host and devices use at one address, and that the driver
// moves to who uses it (hipMallocManaged). It is a driver.HostMemory, and counts as
// device memory in copies and fills.
//
// The host may touch it at any time on devices whose AttrConcurrentManagedAccess is
// 1, with the care that any memory needs which others change. On others a touch while anything runs on the device ends the process:
// wait for the device first, or attach the memory to the host or to a stream that
// is idle.
type Managed struct {
	Memory
	bytes []byte
}

// AttachFlags say who may use managed memory, on devices without
// AttrConcurrentManagedAccess (hipMemAttach…).
type AttachFlags uint32

// Who may use managed memory.
const (
	AttachGlobal AttachFlags = 1 // any stream
	AttachHost   AttachFlags = 2 // only the host
	AttachStream AttachFlags = 4 // one stream, and the host while that is idle; for Stream.Attach
)

// AllocManaged allocates managed memory that all streams may use
// (hipMallocManaged). ErrUnsupported for devices without AttrManagedMemory. More
// than the device has may be allocated; what doesn't fit stays with the host.
func (d *Device) AllocManaged(size uint64) (*Managed, error) {
	return d.AllocManagedFor(size, AttachGlobal)
}

// AllocManagedFor is AllocManaged for memory that is attached to the host at first,
// or to all streams.
func (d *Device) AllocManagedFor(size uint64, who AttachFlags) (*Managed, error) {
	const op = "hipMallocManaged"
	if err := d.use(op); err != nil {
		return nil, err
	}
	m := new(Managed)
	addr, err := d.allocManaged(op, size, who)
	if err != nil {
		d.life.Release()
		return nil, err
	}
	if addr != 0 {
		m.bytes = hostBytes(foreign(uintptr(addr)), size)
	}
	m.init(d, addr, size, originManaged, d.plain(addr))
	return m, nil
}

func (d *Device) allocManaged(op string, size uint64, who AttachFlags) (uint64, error) {
	if err := d.lacks(op, AttrManagedMemory, "managed memory"); err != nil {
		return 0, err
	}
	if who != AttachGlobal && who != AttachHost {
		return 0, refused(op, driver.ErrInvalidValue, "attached to %d; AttachGlobal and AttachHost are possible", who)
	}
	if size == 0 {
		return 0, nil
	}
	addr, code := rawAllocManaged(d.raw, size, uint32(who))
	if code != 0 {
		return 0, d.allocFailure(op, code, size)
	}
	return addr, nil
}

// Bytes is the memory itself; nil once closed. See Managed for when it may be
// touched.
func (m *Managed) Bytes() []byte {
	if m == nil || m.life.Closed() {
		return nil
	}
	return m.bytes
}

func (m *Managed) memory() *Memory {
	if m == nil {
		return nil
	}
	return &m.Memory
}

// Close implements driver.Memory (hipFree), which is put off
// while the device is busy.
func (m *Managed) Close() error { return m.memory().Close() }

// Advice tells the driver how managed memory will be used (hipMemoryAdvise).
type Advice int32

// The advices. Those that undo one ignore the place, and so does ReadMostly.
const (
	ReadMostly          Advice = 1 // copies for each who reads
	NotReadMostly       Advice = 2
	PreferredLocation   Advice = 3 // stay there, if that can be
	NoPreferredLocation Advice = 4
	AccessedBy          Advice = 5 // keep it mapped for who is there
	NotAccessedBy       Advice = 6
	CoarseGrain         Advice = 100 // host and device see each other's writes only when a kernel has ended, which is faster
	NotCoarseGrain      Advice = 101
)

// Advise tells the driver how the n bytes at off will be used, and where
// (hipMemAdvise). The zero Location is the memory's device. NUMA nodes need HIP
// 7.1.
func (m *Managed) Advise(off, n uint64, advice Advice, at Location) error {
	const op = "hipMemAdvise"
	if err := m.use(op, off, n); err != nil {
		return err
	}
	defer m.life.Release()
	if n == 0 {
		return nil
	}
	d := m.dev
	at = at.or(d)
	code := rawAdvise(d.raw, m.addr+off, n, advice, at)
	if code == codeNotSupported && !load().Has("hipMemAdvise_v2") {
		return unsupported(op, "hipMemAdvise_v2", "HIP 7.1")
	}
	return d.failure(op, code, "advice %d with %v for %s at offset %d", advice, at, driver.ByteSize(n), off)
}

// use begins a use of m, of n bytes at off.
func (m *Managed) use(op string, off, n uint64) error {
	if err := m.memory().use(op); err != nil {
		return err
	}
	err := checks(op).Range("memory", m.size, off, n)
	if err != nil {
		m.life.Release()
	}
	return err
}

// RangeInfo is what the driver knows of a range of managed memory. Where its parts
// differ, it counts as having none of them.
type RangeInfo struct {
	ReadMostly   bool
	Preferred    Location   // the zero Location if there is none
	LastPrefetch Location   // the zero Location if there was none
	AccessedBy   []Location // as advised
}

// The attributes of ranges, hipMemRangeAttribute…, and the devices that stand for
// the host and for none.
const (
	rangeReadMostly   = 1
	rangePreferred    = 2
	rangeAccessedBy   = 3
	rangeLastPrefetch = 4

	deviceHost = -1
	deviceNone = -2
)

// maxAccessedBy is how many places RangeInfo has room for.
const maxAccessedBy = 64

// RangeInfo asks for what was advised for n bytes at off (hipMemRangeGetAttribute).
func (m *Managed) RangeInfo(off, n uint64) (RangeInfo, error) {
	const op = "hipMemRangeGetAttribute"
	var info RangeInfo
	if err := m.use(op, off, n); err != nil {
		return info, err
	}
	defer m.life.Release()
	if n == 0 {
		return info, refused(op, driver.ErrInvalidValue, "no bytes, of which nothing is known")
	}
	var one, preferred, last [1]int32
	by := make([]int32, maxAccessedBy)
	for i := range by {
		by[i] = deviceNone
	}
	for _, ask := range []struct {
		attribute int32
		values    []int32
	}{{rangeReadMostly, one[:]}, {rangePreferred, preferred[:]}, {rangeLastPrefetch, last[:]}, {rangeAccessedBy, by}} {
		if code := rawRangeAttribute(m.dev.raw, ask.attribute, m.addr+off, n, ask.values); code != 0 {
			return info, m.dev.failure(op, code, "attribute %d of %s at offset %d", ask.attribute, driver.ByteSize(n), off)
		}
	}
	info.ReadMostly = one[0] != 0
	info.Preferred, info.LastPrefetch = oldLocation(preferred[0]), oldLocation(last[0])
	for _, id := range by {
		if at := oldLocation(id); at.kind != 0 {
			info.AccessedBy = append(info.AccessedBy, at)
		}
	}
	return info, nil
}

// oldLocation is a place as calls before HIP 7.1 know it.
func oldLocation(id int32) Location {
	switch {
	case id == deviceHost:
		return HostLocation
	case id >= 0:
		return Location{kind: locationDevice, id: id}
	}
	return Location{}
}
