package drivertest

import (
	"errors"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// PeerCopier is a stream that copies between two devices of its backend.
type PeerCopier interface {
	driver.Stream
	// CopyPeer copies n bytes; see the backend's.
	CopyPeer(dst driver.Memory, dstOff uint64, src driver.Memory, srcOff, n uint64) error
	// CopyPeerRect copies a box; see the backend's.
	CopyPeerRect(dst driver.Memory, dstRect driver.Rect, src driver.Memory, srcRect driver.Rect, size driver.Extent) error
}

// Peers are two devices of a backend whose streams are PeerCopiers, or two openings of
// one that share nothing.
type Peers struct {
	Backend     string
	Here, There driver.Device
	Hold        func(t testing.TB, s driver.Stream) (release func())
}

func (p Peers) stream(t testing.TB, d driver.Device) PeerCopier {
	t.Helper()
	s, err := d.NewStream(driver.StreamOptions{})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s.(PeerCopier)
}

func (p Peers) memory(t testing.TB, d driver.Device, n uint64) driver.Memory {
	t.Helper()
	m, err := d.Alloc(n)
	must(t, err)
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

func bytesOf(t testing.TB, s driver.Stream, m driver.Memory, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	must(t, s.CopyToHost(t.Context(), b, m, 0))
	return b
}

// Copies copies between the devices, both ways, and regions.
func (p Peers) Copies(t *testing.T) {
	s, o := p.stream(t, p.Here), p.stream(t, p.There)
	const n = 1 << 20
	here, back, there := p.memory(t, p.Here, n), p.memory(t, p.Here, n), p.memory(t, p.There, n)
	want := make([]byte, n)
	for i := range want {
		want[i] = byte(i*7 + i>>8)
	}
	must(t, s.CopyFromHost(t.Context(), here, 0, want))
	must(t, s.CopyPeer(there, 0, here, 0, n))
	must(t, s.Wait(t.Context()))
	if string(bytesOf(t, o, there, n)) != string(want) {
		t.Error("the other device has other bytes")
	}
	must(t, o.CopyPeer(back, 8, there, 0, n-8))
	must(t, o.Wait(t.Context()))
	if got := bytesOf(t, s, back, n); string(got[8:]) != string(want[:n-8]) {
		t.Error("other bytes came back")
	}
	must(t, s.Fill(back, 0, n, driver.Pattern{Len: 1}))
	must(t, s.CopyPeerRect(back, driver.Rect{Offset: 3, RowPitch: 64, SlicePitch: 640}, there, driver.Rect{RowPitch: 32},
		driver.Extent{Bytes: 20, Rows: 5, Slices: 3}))
	got := bytesOf(t, s, back, n)
	for k := range 3 {
		for j := range 5 {
			to, from := 3+640*k+64*j, 160*k+32*j
			if string(got[to:to+20]) != string(want[from:from+20]) || got[to+20] != 0 {
				t.Fatalf("row %d of slice %d is not where it should be", j, k)
			}
		}
	}
	// On one device they are the contract's copies.
	must(t, s.CopyPeer(back, 0, here, 0, n))
	must(t, s.CopyPeerRect(back, driver.Rect{Offset: 128}, here, driver.Rect{}, driver.Extent{Bytes: 64}))
	if got := bytesOf(t, s, back, n); string(got[128:192]) != string(want[:64]) || string(got[192:]) != string(want[192:]) {
		t.Error("a copy on one device went wrong")
	}
	// Page-locked memory is of no device.
	h, err := p.There.AllocHost(n)
	must(t, err)
	defer h.Close()
	must(t, s.CopyPeer(h, 0, here, 0, n))
	must(t, s.Wait(t.Context()))
	if string(h.Bytes()) != string(want) {
		t.Error("other bytes came to the host")
	}
}

// KeepsMemory closes memory that a copy under way reads, of whose use the other
// device's streams know nothing.
func (p Peers) KeepsMemory(t *testing.T) {
	s, o := p.stream(t, p.Here), p.stream(t, p.There)
	const n = 4096
	here := p.memory(t, p.Here, n)
	m, err := p.There.Alloc(n)
	must(t, err)
	must(t, o.Fill(m, 0, n, driver.Pattern{Bytes: [16]byte{6}, Len: 1}))
	must(t, o.Wait(t.Context()))
	pieces := func() int64 { return lifetime.Live()[p.Backend+" memory"] }
	release := p.Hold(t, s)
	live := pieces()
	must(t, s.CopyPeer(here, 0, m, 0, n))
	must(t, m.Close())
	must(t, s.Close()) // commands go on
	if now := pieces(); now != live {
		t.Errorf("%d pieces of memory; before the copy there were %d", now, live)
	}
	release()
	if !Eventually(func() bool { return pieces() < live }) {
		t.Fatal("the memory stays after the copy")
	}
	if got := bytesOf(t, p.stream(t, p.Here), here, n); got[0] != 6 || got[n-1] != 6 {
		t.Errorf("%d … %d were copied", got[0], got[n-1])
	}
}

// Misuse asks for copies that can't be; noMemory and noStream are nil pointers of the
// backend's types.
func (p Peers) Misuse(t *testing.T, noMemory driver.Memory, noStream PeerCopier) {
	s := p.stream(t, p.Here)
	here, there, more := p.memory(t, p.Here, 64), p.memory(t, p.There, 64), p.memory(t, p.There, 64)
	h, err := p.There.AllocHost(64)
	must(t, err)
	defer h.Close()
	for _, x := range []struct {
		what string
		err  error
		want error
		word string
	}{
		{"too far", s.CopyPeer(here, 1, there, 0, 64), driver.ErrInvalidValue, "destination"},
		{"too far", s.CopyPeer(here, 0, there, 65, 0), driver.ErrInvalidValue, "source"},
		{"no memory of the stream's device", s.CopyPeer(there, 0, more, 0, 64), driver.ErrDeviceMismatch, "neither"},
		{"nil memory", s.CopyPeer(nil, 0, there, 0, 64), driver.ErrInvalidValue, "nil"},
		{"nil memory", s.CopyPeer(here, 0, noMemory, 0, 64), driver.ErrInvalidValue, "nil"},
		{"a nil stream", noStream.CopyPeer(here, 0, there, 0, 64), driver.ErrInvalidValue, ""},
		{"rows", s.CopyPeerRect(here, driver.Rect{RowPitch: 8}, there, driver.Rect{}, driver.Extent{Bytes: 16, Rows: 2}), driver.ErrInvalidValue, "apart"},
		{"host memory", s.CopyPeerRect(here, driver.Rect{}, h, driver.Rect{}, driver.Extent{Bytes: 16}), driver.ErrUnsupported, "CopyRect"},
		{"nothing", s.CopyPeer(here, 0, there, 0, 0), nil, ""},
		{"closing", there.Close(), nil, ""},
		{"closed", s.CopyPeer(here, 0, there, 0, 64), driver.ErrClosed, ""},
	} {
		switch {
		case x.want == nil && x.err != nil, x.want != nil && !errors.Is(x.err, x.want):
			t.Errorf("%s: error %v; want %v", x.what, x.err, x.want)
		case x.want != nil && !strings.Contains(x.err.Error(), x.word):
			t.Errorf("%s: the error lacks %q: %v", x.what, x.word, x.err)
		}
	}
}
