package hip

import (
	"runtime"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

func TestRegisteredMemory(t *testing.T) {
	drivertest.LeavesNothing(t)
	before := pins()
	d := open(t)
	s := newStream(t, d)
	const n = 1 << 20
	outside, free := outsideOfGo(t, n)
	defer func() {
		if pins() <= before { // else it must stay where it is
			free()
		}
	}()
	for what, b := range map[string][]byte{"Go's": make([]byte, n), "not Go's": outside, "a part": make([]byte, n+8192)[4096 : 4096+n]} {
		h, err := d.Register(b, 0)
		check(t, err)
		if &h.Bytes()[0] != &b[0] || h.Size() != n || h.Addr() != word(bytesAddr(b)) {
			t.Errorf("%s: %d bytes at %#x", what, h.Size(), h.Addr())
		}
		want := pattern(n)
		copy(b, want)
		m := scratch(t, d, n)
		check(t, s.Copy(m, 0, h, 0, n))
		check(t, s.Wait(t.Context()))
		clear(b)
		for range 3 {
			runtime.GC()
		}
		check(t, s.CopyToHost(t.Context(), b, m, 0)) // page-locked: no staging
		if string(b) != string(want) {
			t.Errorf("%s: other bytes came back", what)
		}
		info, err := d.PointerInfo(h.Addr())
		check(t, err)
		if info.Kind != PointerHost {
			t.Errorf("%s: is %v while registered", what, info.Kind)
		}
		_, err = d.Register(b[:4096], 0)
		wantIs(t, "registered already", err, driver.ErrInvalidValue, "AlreadyRegistered")
		check(t, h.Close())
		check(t, h.Close())
		if h.Bytes() != nil || h.Addr() != driver.PtrClosed {
			t.Errorf("%s: is there after Close", what)
		}
		if info, err := d.PointerInfo(word(bytesAddr(b))); info.Kind != PointerUnknown || err != nil {
			t.Errorf("%s: is %v after Close, error %v", what, info.Kind, err)
		}
		b[0] = 1
	}
	if now := pins(); now > before {
		t.Errorf("%d pieces of memory stay pinned", now-before)
	}
}

// pins is how many pieces of registered memory are kept where they are.
func pins() int {
	registered.Lock()
	defer registered.Unlock()
	return len(registered.pins)
}

// A copy that is under way keeps the registration.
func TestRegisteredMemoryOutlivesItsUses(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	b := make([]byte, 1<<20)
	h, err := d.Register(b, 0)
	check(t, err)
	m := scratch(t, d, 1<<20)
	check(t, s.Fill(m, 0, 1<<20, driver.Pattern{Bytes: [16]byte{8}, Len: 1}))
	release := hold(t, s)
	check(t, s.Copy(h, 0, m, 0, 1<<20))
	check(t, h.Close())
	if info, err := d.PointerInfo(word(bytesAddr(b))); info.Kind != PointerHost || err != nil {
		t.Errorf("the memory is %v, error %v, while a copy to it is under way", info.Kind, err)
	}
	release()
	check(t, s.Wait(t.Context()))
	if b[0] != 8 || b[1<<20-1] != 8 {
		t.Errorf("%d … %d were copied", b[0], b[1<<20-1])
	}
}

func TestRegisterMisuse(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	h, err := d.Register(nil, 0)
	check(t, err)
	if h.Size() != 0 || h.Addr() != 0 || len(h.Bytes()) != 0 {
		t.Errorf("no bytes are %d at %#x", h.Size(), h.Addr())
	}
	check(t, h.Close())
	_, err = (*Device)(nil).Register(make([]byte, 16), 0)
	wantIs(t, "a nil device", err, driver.ErrInvalidValue, "nil")
	own := open(t)
	check(t, own.Close())
	_, err = own.Register(make([]byte, 16), 0)
	wantIs(t, "a closed device", err, driver.ErrClosed)
}
