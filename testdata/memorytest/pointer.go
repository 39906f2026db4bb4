package memorytest

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// wrapping are devices that make memory, M and H, also of addresses.
type wrapping[S, M, H, F any] interface {
	streams[S]
	AllocPlain(size uint64) (M, error)
	HostAlloc(size uint64, flags F) (H, error)
	WrapMemory(addr, size uint64) (M, error)
}

type kind interface {
	~uint32
	fmt.Stringer
}

// shared is memory that is given to other processes as I.
type shared[I any] interface {
	driver.Memory
	ExportIPC() (I, error)
}

// Pointer is what both backends know of an address.
type Pointer[K any] struct {
	Kind                             K
	Device                           int
	Base, Size, DeviceAddr, HostAddr uint64
	Managed                          bool
	All                              any // the backend's own, for messages
}

// Pointers are what the tests must know of a backend that says what lies at an address.
type Pointers[D, M, K any] struct {
	Language              string // CUDA or HIP
	Unknown, Host, Device K
	Info                  func(d D, addr uint64) (Pointer[K], error)
	Number                func(d D) int // the device, as in Pointer
	AddrOf                func(b []byte) uint64
	// InContext, which may be nil, tests what else is known of memory that AllocPlain made,
	// and InAnother wraps memory of another context; both are for devices with contexts.
	InContext func(t *testing.T, d D, m M)
	InAnother func(t *testing.T, d D)
}

// PointerInfo asks what lies at an address.
func PointerInfo[
	D interface {
		wrapping[S, M, H, F]
		AllocManaged(size uint64) (G, error)
	},
	S driver.Stream, M driver.Memory, H driver.HostMemory, F ~uint32, G driver.HostMemory, K kind,
](t *testing.T, rig Rig[D], x Pointers[D, M, K]) {
	var noDevice D
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	plain, err := d.AllocPlain(1 << 16)
	Check(t, err)
	defer plain.Close()
	h, err := d.HostAlloc(1<<16, 0)
	Check(t, err)
	defer h.Close()
	for what, at := range map[string]struct {
		addr uint64
		kind K
	}{
		"device memory": {plain.Addr(), x.Device}, "within device memory": {plain.Addr() + 100, x.Device},
		"pool memory": {Scratch(t, d, 1<<16).Addr(), x.Device},
		"host memory": {h.Addr(), x.Host},
	} {
		info, err := x.Info(d, at.addr)
		Check(t, err)
		if info.Kind != at.kind || info.DeviceAddr != at.addr || info.Managed {
			t.Errorf("%s: %+v", what, info)
		}
		if at.kind == x.Device && info.Device != x.Number(d) {
			t.Errorf("%s is of device %d", what, info.Device)
		}
		if info.Size != 0 && (at.addr < info.Base || at.addr >= info.Base+info.Size) {
			t.Errorf("%s: %#x does not lie in %d bytes at %#x", what, at.addr, info.Size, info.Base)
		}
	}
	if x.InContext != nil {
		x.InContext(t, d, plain)
	}
	if info, err := x.Info(d, h.Addr()); info.HostAddr != h.Addr() || err != nil {
		t.Errorf("host memory: %+v, error %v", info, err)
	}
	m := NewManaged(t, rig, d, 4096)
	if info, err := x.Info(d, m.Addr()); !info.Managed || err != nil {
		t.Errorf("managed memory: %+v, error %v", info, err)
	}
	unknown := make([]byte, 64)
	for what, addr := range map[string]uint64{"null": 0, "memory of Go's": x.AddrOf(unknown)} {
		if info, err := x.Info(d, addr); info.Kind != x.Unknown || err != nil {
			t.Errorf("%s: %+v, error %v", what, info, err)
		}
	}
	runtime.KeepAlive(unknown)
	_, err = x.Info(noDevice, 0)
	WantIs(t, "a nil device", err, driver.ErrInvalidValue)
	for k, want := range map[K]string{x.Unknown: "unknown memory", x.Host: "page-locked host memory", x.Device: "device memory", 9: "memory of another kind"} {
		if k.String() != want {
			t.Errorf("kind %d reads %q", k, k)
		}
	}
}

// WrappedMemory makes memory of addresses.
func WrappedMemory[
	D wrapping[S, M, H, F],
	S driver.Stream, M driver.Memory, H driver.HostMemory, F ~uint32, K kind,
](t *testing.T, rig Rig[D], x Pointers[D, M, K]) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	theirs, err := d.AllocPlain(1 << 16)
	Check(t, err)
	for what, addr := range map[string]uint64{"all": theirs.Addr(), "a part": theirs.Addr() + 4096} {
		m, err := d.WrapMemory(addr, 1<<15)
		Check(t, err)
		if m.Addr() != addr || m.Size() != 1<<15 {
			t.Errorf("%s: %d bytes at %#x", what, m.Size(), m.Addr())
		}
		RoundTrip(t, s, m)
		Check(t, m.Close())
		Check(t, m.Close())
	}
	RoundTrip(t, s, theirs) // still there
	h, err := d.HostAlloc(4096, 0)
	Check(t, err)
	host, err := d.WrapMemory(h.Addr(), 4096)
	Check(t, err)
	copy(h.Bytes(), Pattern(4096))
	Check(t, s.Copy(theirs, 0, host, 0, 4096))
	if got := Content(t, s, theirs, 4096); string(got) != string(Pattern(4096)) {
		t.Error("other bytes came from wrapped host memory")
	}
	Check(t, host.Close())
	Check(t, h.Close())

	_, err = d.WrapMemory(theirs.Addr(), 1<<40)
	WantIs(t, "beyond the allocation", err, driver.ErrInvalidValue, "the allocation has")
	_, err = d.WrapMemory(0, 16)
	WantIs(t, "null", err, driver.ErrInvalidValue, "no address that "+x.Language+" knows")
	mine := make([]byte, 16)
	_, err = d.WrapMemory(x.AddrOf(mine), 16)
	WantIs(t, "memory of Go's", err, driver.ErrInvalidValue, "no address that "+x.Language+" knows")
	runtime.KeepAlive(mine)
	if x.InAnother != nil {
		x.InAnother(t, d)
	}

	addr := theirs.Addr()
	Check(t, theirs.Close())
	Check(t, d.Wait(t.Context()))
	if drivertest.Eventually(func() bool { info, _ := x.Info(d, addr); return info.Kind == x.Unknown }) {
		_, err = d.WrapMemory(addr, 16)
		WantIs(t, "freed memory", err, driver.ErrInvalidValue, "was the memory freed?")
	} else {
		t.Error("freed memory is still known")
	}
}

// IPCMemory gives out what can't be shared with other processes, and takes in what isn't
// memory.
func IPCMemory[
	D interface {
		wrapping[S, M, H, F]
		OpenIPC(h I, size uint64) (M, error)
	},
	S driver.Stream, M shared[I], H shared[I], F ~uint32, I ~[64]byte,
](t *testing.T, rig Rig[D]) {
	var noDevice D
	var noMemory M
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	m, err := d.AllocPlain(4096)
	Check(t, err)
	defer m.Close()
	h, err := m.ExportIPC()
	Check(t, err)
	if h == (I{}) {
		t.Error("nothing stands for the memory")
	}
	part, err := m.Slice(0, 16)
	Check(t, err)
	defer part.Close()
	_, err = any(part).(M).ExportIPC()
	WantIs(t, "a slice", err, driver.ErrInvalidValue, "whole")
	_, err = any(Scratch(t, d, 16)).(M).ExportIPC()
	WantIs(t, "memory of a pool", err, driver.ErrUnsupported, "AllocPlain", "Pool.Export")
	host, err := d.HostAlloc(16, 0)
	Check(t, err)
	defer host.Close()
	_, err = host.ExportIPC()
	WantIs(t, "host memory", err, driver.ErrUnsupported, "AllocPlain")
	none, err := d.AllocPlain(0)
	Check(t, err)
	defer none.Close()
	_, err = none.ExportIPC()
	WantIs(t, "no bytes", err, driver.ErrInvalidValue)
	_, err = noMemory.ExportIPC()
	WantIs(t, "nil", err, driver.ErrInvalidValue, "nil")
	if _, err := d.OpenIPC(I{1, 2, 3}, 16); err == nil {
		t.Error("garbage was opened as memory")
	}
	_, err = noDevice.OpenIPC(h, 16)
	WantIs(t, "a nil device", err, driver.ErrInvalidValue)
}
