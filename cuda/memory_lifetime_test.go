package cuda

import (
	"bytes"
	"sync"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

type closer interface{ Close() error }

// made are objects that were made; what could not be made is logged.
type made struct {
	testing.TB
	all []closer
}

func (m *made) add(c closer, err error) bool {
	if err == nil {
		m.all = append(m.all, c)
		m.Cleanup(func() { _ = c.Close() }) // for a test that ends early
	}
	return m.did(err)
}

func (m *made) did(err error) bool {
	if err != nil {
		m.Logf("left out: %v", err)
	}
	return err == nil
}

// everything makes one of each object that memory is allocated, shared or read by,
// and uses it on the stream. What can't be made is left out.
func everything(t testing.TB, d *Device, s *Stream) []closer {
	t.Helper()
	list := &made{TB: t}
	fill := func(m driver.Memory) {
		list.did(s.Fill(m, 0, min(m.Size(), 4096), driver.Pattern{Len: 1}))
	}
	if m, err := s.Alloc(4096); list.add(m, err) {
		fill(m)
	}
	if p, err := d.NewPool(PoolOptions{Keep: 1 << 20}); list.add(p, err) {
		if m, err := p.AllocOn(s, 4096); list.add(m, err) {
			fill(m)
		}
	}
	if m, err := d.AllocPlain(4096); list.add(m, err) {
		fill(m)
		if w, err := d.WrapMemory(m.Addr(), 64); list.add(w, err) {
			fill(w)
		}
	}
	if m, err := d.AllocPitched(64, 4, 4); list.add(m, err) {
		list.did(s.FillRect(m, m.Rect(0, 0), driver.Extent{Bytes: 64, Rows: 4}, driver.Pattern{Len: 4}))
		x, err := d.PitchedTexture(m, 0, 16, 4, m.Pitch(), FormatFloat32, 1, TextureOptions{})
		list.add(x, err)
	}
	if m, err := d.AllocManaged(4096); list.add(m, err) {
		fill(m)
	}
	if h, err := d.Register(make([]byte, 4096), 0); list.add(h, err) {
		if m, err := d.AllocPlain(4096); list.add(m, err) {
			list.did(s.Copy(h, 0, m, 0, 4096))
		}
	}
	list.mapped(d, s)
	list.arrays(d)
	return list.all
}

func (m *made) mapped(d *Device, s *Stream) {
	unit, _, err := d.Granularity(PhysicalOptions{})
	if !m.did(err) {
		return
	}
	p, err := d.NewPhysical(unit, PhysicalOptions{})
	if !m.add(p, err) {
		return
	}
	r, err := d.Reserve(unit, 0)
	if !m.add(r, err) {
		return
	}
	if x, err := r.Map(0, p); m.add(x, err) {
		m.did(s.Fill(x, 0, 4096, driver.Pattern{Len: 1}))
	}
	v, err := r.View(8, 8)
	m.add(v, err)
}

func (m *made) arrays(d *Device) {
	o := ArrayOptions{Width: 8, Height: 8, Format: FormatFloat32, Surface: true}
	if a, err := d.NewArray(o); m.add(a, err) {
		x, err := a.Texture(TextureOptions{})
		m.add(x, err)
		y, err := a.Surface()
		m.add(y, err)
	}
	if x, err := d.NewMipmap(o, 2); m.add(x, err) {
		a, err := x.Level(1)
		m.add(a, err)
	}
}

func closeAll(t testing.TB, all []closer) {
	t.Helper()
	for _, c := range all {
		check(t, c.Close())
	}
}

// Close waits for nothing, and frees nothing that a stream has yet to use.
func TestCloseWaitsForUses(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	all := everything(t, d, s)
	if len(all) < 12 {
		t.Errorf("only %d objects were made", len(all))
	}
	check(t, s.Wait(t.Context()))
	release := hold(t, s)
	before := lifetime.Live()
	closeAll(t, all)
	if done, err := s.Query(); done || err != nil {
		t.Errorf("the stream is done: %v, error %v; something waited for it", done, err)
	}
	release()
	check(t, s.Wait(t.Context()))
	if sum(lifetime.Live()) >= sum(before) {
		t.Errorf("live objects before %v, afterwards %v", before, lifetime.Live())
	}
}

func sum(counts map[string]int64) (n int64) {
	for _, v := range counts {
		n += v
	}
	return n
}

func TestMemoryFromManyGoroutines(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	var group sync.WaitGroup
	for g := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			s, err := d.Stream(driver.StreamOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			for range 20 {
				all := everything(t, d, s)
				m, err := s.Alloc(4096)
				if err != nil {
					t.Error(err)
					return
				}
				got := make([]byte, 4096)
				if err := s.Fill(m, 0, 4096, driver.Pattern{Bytes: [16]byte{byte(g)}, Len: 1}); err != nil {
					t.Error(err)
				}
				if err := s.CopyToHost(t.Context(), got, m, 0); err != nil || !bytes.Equal(got, bytes.Repeat([]byte{byte(g)}, 4096)) {
					t.Errorf("goroutine %d reads %d, error %v", g, got[0], err)
				}
				closeAll(t, append(all, m))
			}
		}()
	}
	group.Wait()
}

// A capture doesn't end by what is done with memory meanwhile, on another stream or
// on none, and what can't be captured says so.
func TestCapturesSurviveMemory(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s, other := newStream(t, d), newStream(t, d)
	p := memorytest.NewPool(t, rig, d, PoolOptions{})
	var all []closer
	for _, mode := range []int{captureGlobal, captureThreadLocal, captureRelaxed} {
		capture(t, s, mode, func() {
			_, err := s.Alloc(16)
			wantIs(t, "Stream.Alloc", err, driver.ErrUnsupported, "being captured")
			_, err = p.AllocOn(s, 16)
			wantIs(t, "Pool.AllocOn", err, driver.ErrUnsupported, "being captured")
			more := everything(t, d, other)
			if len(more) < 12 {
				t.Errorf("during a capture only %d objects were made", len(more))
			}
			check(t, other.Wait(t.Context()))
			half := len(more) / 2
			closeAll(t, more[:half])
			all = append(all, more[half:]...)
		})
	}
	closeAll(t, all)
	check(t, other.Wait(t.Context()))
}
