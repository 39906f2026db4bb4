package memorytest

import (
	"bytes"
	"io"
	"sync"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/driver/texels"
)

// made are objects that were made; what could not be made is logged.
type made struct {
	testing.TB
	all []io.Closer
}

func (m *made) add(c io.Closer, err error) bool {
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

// Everything makes one of each object that memory is allocated, shared or read by,
// and uses it on the stream. What can't be made is left out.
func Everything[
	D interface {
		ranges[S, R, P, O]
		shaped[Y, Z]
		pitching[S, W]
		texturing[X]
		registering[S, H, F]
		NewPool(opts Q) (L, error)
		AllocPlain(size uint64) (M, error)
		WrapMemory(addr, size uint64) (M, error)
		AllocManaged(size uint64) (G, error)
	},
	S interface {
		rectangular
		allocating[M]
	},
	M, G driver.Memory, H driver.HostMemory, W pitched, Q poolOptions,
	L interface {
		io.Closer
		AllocOn(s S, size uint64) (M, error)
	},
	R addressRange[P, N, V], P physical, N, V driver.Memory,
	Y textured[X, U], Z mipmap[Y], X, U io.Closer, O any, F ~uint32,
](t testing.TB, rig Rig[D], d D, s S) []io.Closer {
	t.Helper()
	list := &made{TB: t}
	fill := func(m driver.Memory) {
		list.did(s.Fill(m, 0, min(m.Size(), 4096), driver.Pattern{Len: 1}))
	}
	if m, err := s.Alloc(4096); list.add(m, err) {
		fill(m)
	}
	if p, err := d.NewPool(Q{Keep: 1 << 20}); list.add(p, err) {
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
		x, err := d.PitchedTexture(m, 0, 16, 4, m.Pitch(), rig.Formats.Float32, 1, texels.Sampler{})
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
	mapped(list, d, s)
	arrays(list, d, rig.Formats)
	return list.all
}

func mapped[
	D ranges[S, R, P, O], S driver.Stream, R addressRange[P, N, V], P physical, N, V driver.Memory, O any,
](list *made, d D, s S) {
	var plain O
	unit, _, err := d.Granularity(plain)
	if !list.did(err) {
		return
	}
	p, err := d.NewPhysical(unit, plain)
	if !list.add(p, err) {
		return
	}
	r, err := d.Reserve(unit, 0)
	if !list.add(r, err) {
		return
	}
	if x, err := r.Map(0, p); list.add(x, err) {
		list.did(s.Fill(x, 0, 4096, driver.Pattern{Len: 1}))
	}
	v, err := r.View(8, 8)
	list.add(v, err)
}

func arrays[
	D shaped[Y, Z], Y textured[X, U], Z mipmap[Y], X, U io.Closer,
](list *made, d D, f Formats) {
	o := texels.Shape{Width: 8, Height: 8, Format: f.Float32, Surface: true}
	if a, err := d.NewArray(o); list.add(a, err) {
		x, err := a.Texture(texels.Sampler{})
		list.add(x, err)
		y, err := a.Surface()
		list.add(y, err)
	}
	if x, err := d.NewMipmap(o, 2); list.add(x, err) {
		a, err := x.Level(1)
		list.add(a, err)
	}
}

// CloseAll closes all of a list.
func CloseAll(t testing.TB, all []io.Closer) {
	t.Helper()
	for _, c := range all {
		Check(t, c.Close())
	}
}

// CloseWaitsForUses closes everything while a stream stands still: Close waits for nothing,
// and frees nothing that a stream has yet to use.
func CloseWaitsForUses[D streams[S], S driver.Stream](t *testing.T, rig Rig[D], everything func(testing.TB, D, S) []io.Closer) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	all := everything(t, d, s)
	if len(all) < 12 {
		t.Errorf("only %d objects were made", len(all))
	}
	Check(t, s.Wait(t.Context()))
	release := rig.Hold(t, s)
	before := lifetime.Live()
	CloseAll(t, all)
	if done, err := s.Query(); done || err != nil {
		t.Errorf("the stream is done: %v, error %v; something waited for it", done, err)
	}
	release()
	Check(t, s.Wait(t.Context()))
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

// MemoryFromManyGoroutines makes and closes everything on several streams at a time.
func MemoryFromManyGoroutines[
	D streams[S], S allocating[M], M driver.Memory,
](t *testing.T, rig Rig[D], everything func(testing.TB, D, S) []io.Closer) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
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
				CloseAll(t, append(all, m))
			}
		}()
	}
	group.Wait()
}

// CapturesSurviveMemory makes everything during captures of each mode: a capture doesn't
// end by what is done with memory meanwhile, on another stream or on none, and what can't
// be captured says so.
func CapturesSurviveMemory[
	D interface {
		streams[S]
		NewPool(opts O) (P, error)
	},
	S allocating[M], M driver.Memory, O poolOptions,
	P interface {
		io.Closer
		AllocOn(s S, size uint64) (M, error)
	},
](
	t *testing.T, rig Rig[D], everything func(testing.TB, D, S) []io.Closer,
	modes []int, capture func(t *testing.T, s S, mode int, f func()),
) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s, other := newStream(t, d), newStream(t, d)
	p := NewPool(t, rig, d, O{})
	var all []io.Closer
	for _, mode := range modes {
		capture(t, s, mode, func() {
			_, err := s.Alloc(16)
			WantIs(t, "Stream.Alloc", err, driver.ErrUnsupported, "being captured")
			_, err = p.AllocOn(s, 16)
			WantIs(t, "Pool.AllocOn", err, driver.ErrUnsupported, "being captured")
			more := everything(t, d, other)
			if len(more) < 12 {
				t.Errorf("during a capture only %d objects were made", len(more))
			}
			Check(t, other.Wait(t.Context()))
			half := len(more) / 2
			CloseAll(t, more[:half])
			all = append(all, more[half:]...)
		})
	}
	CloseAll(t, all)
	Check(t, other.Wait(t.Context()))
}
