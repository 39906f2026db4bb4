package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// second opens another device, or the first one again with a context of its own.
func second(t testing.TB) *Device {
	t.Helper()
	infos, err := Backend().Devices()
	check(t, err)
	if len(infos) < 2 {
		return open(t, DeviceOptions{OwnContext: true})
	}
	d, err := Open(1, DeviceOptions{})
	check(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestCopyPeerOfTwoDevices(t *testing.T) {
	drivertest.RunChild(t, "TestCopyPeer", withFake(t, "devices=2;refuse=1")...)
}

func TestCopyPeer(t *testing.T) {
	leavesNothing(t)
	d := open(t)
	other := second(t)
	s, o := newStream(t, d), newStream(t, other)
	const n = 1 << 20
	here, back := scratch(t, d, n), scratch(t, d, n)
	there := scratch(t, other, n)
	want := pattern(n)
	check(t, s.CopyFromHost(t.Context(), here, 0, want))
	check(t, s.CopyPeer(there, 0, here, 0, n))
	check(t, s.Wait(t.Context()))
	if got := content(t, o, there, n); string(got) != string(want) {
		t.Error("the other device has other bytes")
	}
	check(t, o.CopyPeer(back, 8, there, 0, n-8))
	check(t, o.Wait(t.Context()))
	if got := content(t, s, back, n); string(got[8:]) != string(want[:n-8]) {
		t.Error("other bytes came back")
	}
	check(t, s.Fill(back, 0, n, driver.Pattern{Len: 1}))
	check(t, s.CopyPeerRect(back, driver.Rect{Offset: 3, RowPitch: 64, SlicePitch: 640}, there, driver.Rect{RowPitch: 32},
		driver.Extent{Bytes: 20, Rows: 5, Slices: 3}))
	got := content(t, s, back, n)
	for k := range 3 {
		for j := range 5 {
			to, from := 3+640*k+64*j, 160*k+32*j
			if string(got[to:to+20]) != string(want[from:from+20]) || got[to+20] != 0 {
				t.Fatalf("row %d of slice %d is not where it should be", j, k)
			}
		}
	}
	// On one device they are the contract's copies.
	check(t, s.CopyPeer(back, 0, here, 0, n))
	check(t, s.CopyPeerRect(back, driver.Rect{Offset: 128}, here, driver.Rect{}, driver.Extent{Bytes: 64}))
	if got := content(t, s, back, n); string(got[128:192]) != string(want[:64]) || string(got[192:]) != string(want[192:]) {
		t.Error("a copy on one device went wrong")
	}
	// Page-locked memory is of no device.
	h, err := other.HostAlloc(n, 0)
	check(t, err)
	defer h.Close()
	check(t, s.CopyPeer(h, 0, here, 0, n))
	check(t, s.Wait(t.Context()))
	if string(h.Bytes()) != string(want) {
		t.Error("other bytes came to the host")
	}
}

// The other device's streams know nothing of the copy; its memory stays for it.
func TestCopyPeerKeepsMemory(t *testing.T) {
	leavesNothing(t)
	d := open(t)
	other := second(t)
	s, o := newStream(t, d), newStream(t, other)
	const n = 4096
	here := scratch(t, d, n)
	m, err := other.Alloc(n)
	check(t, err)
	check(t, o.Fill(m, 0, n, driver.Pattern{Bytes: [16]byte{6}, Len: 1}))
	check(t, o.Wait(t.Context()))
	live := memoryKind.Live()
	release := hold(t, s)
	check(t, s.CopyPeer(here, 0, m, 0, n))
	check(t, m.Close())
	check(t, s.Close()) // commands go on
	if now := memoryKind.Live(); now != live {
		t.Errorf("%d pieces of memory; before the copy there were %d", now, live)
	}
	release()
	if !eventually(func() bool { return memoryKind.Live() == live-1 }) {
		t.Error("the memory stays after the copy")
	}
	if got := content(t, newStream(t, d), here, n); got[0] != 6 || got[n-1] != 6 {
		t.Errorf("%d … %d were copied", got[0], got[n-1])
	}
}

func TestCopyPeerMisuse(t *testing.T) {
	leavesNothing(t)
	d := open(t)
	other := second(t)
	s := newStream(t, d)
	here, there, more := scratch(t, d, 64), scratch(t, other, 64), scratch(t, other, 64)
	wantIs(t, "too far", s.CopyPeer(here, 1, there, 0, 64), driver.ErrInvalidValue, "destination")
	wantIs(t, "too far", s.CopyPeer(here, 0, there, 65, 0), driver.ErrInvalidValue, "source")
	wantIs(t, "no memory of the stream's device", s.CopyPeer(there, 0, more, 0, 64), driver.ErrDeviceMismatch, "neither")
	wantIs(t, "nil memory", s.CopyPeer(nil, 0, there, 0, 64), driver.ErrInvalidValue, "nil")
	wantIs(t, "nil memory", s.CopyPeer(here, 0, (*Memory)(nil), 0, 64), driver.ErrInvalidValue, "nil")
	wantIs(t, "a nil stream", (*Stream)(nil).CopyPeer(here, 0, there, 0, 64), driver.ErrInvalidValue)
	wantIs(t, "rows", s.CopyPeerRect(here, driver.Rect{RowPitch: 8}, there, driver.Rect{}, driver.Extent{Bytes: 16, Rows: 2}), driver.ErrInvalidValue, "apart")
	h, err := other.HostAlloc(64, 0)
	check(t, err)
	defer h.Close()
	wantIs(t, "host memory", s.CopyPeerRect(here, driver.Rect{}, h, driver.Rect{}, driver.Extent{Bytes: 16}), driver.ErrUnsupported, "CopyRect")
	check(t, s.CopyPeer(here, 0, there, 0, 0))
	check(t, there.Close())
	wantIs(t, "closed", s.CopyPeer(here, 0, there, 0, 64), driver.ErrClosed)
}
