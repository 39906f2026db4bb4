package memorytest

import (
	"runtime"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// registering are devices that register memory of the host's, as H.
type registering[S, H, F any] interface {
	streams[S]
	Register(b []byte, flags F) (H, error)
}

// Registered is what the tests must know of registered memory.
type Registered struct {
	Pins    func() int // how many pieces of it are kept where they are
	Already string     // in the error of what is registered
}

// RegisteredMemory registers memory of Go's and others, uses it, and has it free again.
func RegisteredMemory[
	D registering[S, H, F], S driver.Stream, H driver.HostMemory, F ~uint32, M any, K comparable,
](t *testing.T, rig Rig[D], p Pointers[D, M, K], x Registered) {
	drivertest.LeavesNothing(t)
	before := x.Pins()
	d := rig.Open(t)
	s := newStream(t, d)
	const n = 1 << 20
	outside, free := OutsideOfGo(t, n)
	defer func() {
		if x.Pins() <= before { // else it must stay where it is
			free()
		}
	}()
	for what, b := range map[string][]byte{"Go's": make([]byte, n), "not Go's": outside, "a part": make([]byte, n+8192)[4096 : 4096+n]} {
		h, err := d.Register(b, 0)
		Check(t, err)
		if &h.Bytes()[0] != &b[0] || h.Size() != n || h.Addr() != p.AddrOf(b) {
			t.Errorf("%s: %d bytes at %#x", what, h.Size(), h.Addr())
		}
		want := Pattern(n)
		copy(b, want)
		m := Scratch(t, d, n)
		Check(t, s.Copy(m, 0, h, 0, n))
		Check(t, s.Wait(t.Context()))
		clear(b)
		for range 3 {
			runtime.GC()
		}
		Check(t, s.CopyToHost(t.Context(), b, m, 0)) // page-locked: no staging
		if string(b) != string(want) {
			t.Errorf("%s: other bytes came back", what)
		}
		info, err := p.Info(d, h.Addr())
		Check(t, err)
		if info.Kind != p.Host {
			t.Errorf("%s: is %v while registered", what, info.Kind)
		}
		_, err = d.Register(b[:4096], 0)
		WantIs(t, "registered already", err, driver.ErrInvalidValue, x.Already)
		Check(t, h.Close())
		Check(t, h.Close())
		if h.Bytes() != nil || h.Addr() != driver.PtrClosed {
			t.Errorf("%s: is there after Close", what)
		}
		if info, err := p.Info(d, p.AddrOf(b)); info.Kind != p.Unknown || err != nil {
			t.Errorf("%s: is %v after Close, error %v", what, info.Kind, err)
		}
		b[0] = 1
	}
	if now := x.Pins(); now > before {
		t.Errorf("%d pieces of memory stay pinned", now-before)
	}
}

// RegisteredMemoryOutlivesItsUses closes it while a copy is under way, which keeps the
// registration.
func RegisteredMemoryOutlivesItsUses[
	D registering[S, H, F], S driver.Stream, H driver.HostMemory, F ~uint32, M any, K comparable,
](t *testing.T, rig Rig[D], p Pointers[D, M, K]) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	b := make([]byte, 1<<20)
	h, err := d.Register(b, 0)
	Check(t, err)
	m := Scratch(t, d, 1<<20)
	Check(t, s.Fill(m, 0, 1<<20, driver.Pattern{Bytes: [16]byte{8}, Len: 1}))
	release := rig.Hold(t, s)
	Check(t, s.Copy(h, 0, m, 0, 1<<20))
	Check(t, h.Close())
	if info, err := p.Info(d, p.AddrOf(b)); info.Kind != p.Host || err != nil {
		t.Errorf("the memory is %v, error %v, while a copy to it is under way", info.Kind, err)
	}
	release()
	Check(t, s.Wait(t.Context()))
	if b[0] != 8 || b[1<<20-1] != 8 {
		t.Errorf("%d … %d were copied", b[0], b[1<<20-1])
	}
}

// RegisterMisuse registers what can't be; unknown is a flag that the driver refuses, or 0.
func RegisterMisuse[
	D registering[S, H, F], S driver.Stream, H driver.HostMemory, F ~uint32,
](t *testing.T, rig Rig[D], unknown F) {
	var noDevice D
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	h, err := d.Register(nil, 0)
	Check(t, err)
	if h.Size() != 0 || h.Addr() != 0 || len(h.Bytes()) != 0 {
		t.Errorf("no bytes are %d at %#x", h.Size(), h.Addr())
	}
	Check(t, h.Close())
	_, err = noDevice.Register(make([]byte, 16), 0)
	WantIs(t, "a nil device", err, driver.ErrInvalidValue, "nil")
	if unknown != 0 {
		if h, err := d.Register(make([]byte, 4096), unknown); err == nil {
			t.Error("an unknown flag was taken")
			_ = h.Close()
		}
	}
	own := rig.Open(t)
	Check(t, own.Close())
	_, err = own.Register(make([]byte, 16), 0)
	WantIs(t, "a closed device", err, driver.ErrClosed)
}
