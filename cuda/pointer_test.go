package cuda

import (
	"runtime"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

func TestPointerInfo(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	plain, err := d.AllocPlain(1 << 16)
	check(t, err)
	defer plain.Close()
	h, err := d.HostAlloc(1<<16, 0)
	check(t, err)
	defer h.Close()
	_, ctx := d.Native()
	for what, x := range map[string]struct {
		addr uint64
		kind PointerKind
	}{
		"device memory": {plain.Addr(), PointerDevice}, "within device memory": {plain.Addr() + 100, PointerDevice},
		"pool memory": {scratch(t, d, 1<<16).Addr(), PointerDevice},
		"host memory": {h.Addr(), PointerHost},
	} {
		info, err := d.PointerInfo(x.addr)
		check(t, err)
		if info.Kind != x.kind || info.DeviceAddr != x.addr || info.Managed {
			t.Errorf("%s: %+v", what, info)
		}
		if x.kind == PointerDevice && info.Device != int(d.native) {
			t.Errorf("%s is of device %d", what, info.Device)
		}
		if info.Size != 0 && (x.addr < info.Base || x.addr >= info.Base+info.Size) {
			t.Errorf("%s: %#x does not lie in %d bytes at %#x", what, x.addr, info.Size, info.Base)
		}
	}
	if info, err := d.PointerInfo(plain.Addr()); info.Context != ctx || !info.IPC || err != nil {
		t.Errorf("memory of cuMemAlloc: %+v, error %v; the context is %#x", info, err, ctx)
	}
	if info, err := d.PointerInfo(h.Addr()); info.HostAddr != h.Addr() || err != nil {
		t.Errorf("host memory: %+v, error %v", info, err)
	}
	m := memorytest.NewManaged(t, rig, d, 4096)
	if info, err := d.PointerInfo(m.Addr()); !info.Managed || err != nil {
		t.Errorf("managed memory: %+v, error %v", info, err)
	}
	unknown := make([]byte, 64)
	for what, addr := range map[string]uint64{"null": 0, "memory of Go's": word(bytesAddr(unknown))} {
		if info, err := d.PointerInfo(addr); info.Kind != PointerUnknown || err != nil {
			t.Errorf("%s: %+v, error %v", what, info, err)
		}
	}
	runtime.KeepAlive(unknown)
	_, err = (*Device)(nil).PointerInfo(0)
	wantIs(t, "a nil device", err, driver.ErrInvalidValue)
	for k, want := range map[PointerKind]string{PointerUnknown: "unknown memory", PointerHost: "page-locked host memory", PointerDevice: "device memory", 9: "memory of another kind"} {
		if k.String() != want {
			t.Errorf("kind %d reads %q", k, k)
		}
	}
}

func TestWrappedMemory(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	theirs, err := d.AllocPlain(1 << 16)
	check(t, err)
	for what, addr := range map[string]uint64{"all": theirs.Addr(), "a part": theirs.Addr() + 4096} {
		m, err := d.WrapMemory(addr, 1<<15)
		check(t, err)
		if m.Addr() != addr || m.Size() != 1<<15 {
			t.Errorf("%s: %d bytes at %#x", what, m.Size(), m.Addr())
		}
		roundTrip(t, s, m)
		check(t, m.Close())
		check(t, m.Close())
	}
	roundTrip(t, s, theirs) // still there
	h, err := d.HostAlloc(4096, 0)
	check(t, err)
	host, err := d.WrapMemory(h.Addr(), 4096)
	check(t, err)
	copy(h.Bytes(), pattern(4096))
	check(t, s.Copy(theirs, 0, host, 0, 4096))
	if got := content(t, s, theirs, 4096); string(got) != string(pattern(4096)) {
		t.Error("other bytes came from wrapped host memory")
	}
	check(t, host.Close())
	check(t, h.Close())

	_, err = d.WrapMemory(theirs.Addr(), 1<<40)
	wantIs(t, "beyond the allocation", err, driver.ErrInvalidValue, "the allocation has")
	_, err = d.WrapMemory(0, 16)
	wantIs(t, "null", err, driver.ErrInvalidValue, "no address that CUDA knows")
	mine := make([]byte, 16)
	_, err = d.WrapMemory(word(bytesAddr(mine)), 16)
	wantIs(t, "memory of Go's", err, driver.ErrInvalidValue, "no address that CUDA knows")
	runtime.KeepAlive(mine)

	own := open(t, DeviceOptions{OwnContext: true})
	foreign, err := own.AllocPlain(4096)
	check(t, err)
	_, err = d.WrapMemory(foreign.Addr(), 4096)
	wantIs(t, "memory of another context", err, driver.ErrInvalidContext, "wrap that context")
	check(t, foreign.Close())

	addr := theirs.Addr()
	check(t, theirs.Close())
	check(t, d.Wait(t.Context()))
	if drivertest.Eventually(func() bool { info, _ := d.PointerInfo(addr); return info.Kind == PointerUnknown }) {
		_, err = d.WrapMemory(addr, 16)
		wantIs(t, "freed memory", err, driver.ErrInvalidValue, "was the memory freed?")
	} else {
		t.Error("freed memory is still known")
	}
}

func TestIPCMemory(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	m, err := d.AllocPlain(4096)
	check(t, err)
	defer m.Close()
	h, err := m.ExportIPC()
	check(t, err)
	if h == (IPCMemory{}) {
		t.Error("nothing stands for the memory")
	}
	part, err := m.Slice(0, 16)
	check(t, err)
	defer part.Close()
	_, err = part.(*Memory).ExportIPC()
	wantIs(t, "a slice", err, driver.ErrInvalidValue, "whole")
	_, err = scratch(t, d, 16).ExportIPC()
	wantIs(t, "memory of a pool", err, driver.ErrUnsupported, "AllocPlain", "Pool.Export")
	host, err := d.HostAlloc(16, 0)
	check(t, err)
	defer host.Close()
	_, err = host.ExportIPC()
	wantIs(t, "host memory", err, driver.ErrUnsupported, "AllocPlain")
	none, err := d.AllocPlain(0)
	check(t, err)
	defer none.Close()
	_, err = none.ExportIPC()
	wantIs(t, "no bytes", err, driver.ErrInvalidValue)
	_, err = (*Memory)(nil).ExportIPC()
	wantIs(t, "nil", err, driver.ErrInvalidValue, "nil")
	if _, err := d.OpenIPC(IPCMemory{1, 2, 3}, 16); err == nil {
		t.Error("garbage was opened as memory")
	}
	_, err = (*Device)(nil).OpenIPC(h, 16)
	wantIs(t, "a nil device", err, driver.ErrInvalidValue)
}
