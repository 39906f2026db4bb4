package discipline

import (
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// losses has drivers leave undone what waits are told by.
func losses(r *rig) {
	r.sub("Words", lostWords)
	for name, how := range map[string]control.Callbacks{"LostCallbacks": control.Lost, "DoubledCallbacks": control.Doubled, "EarlyCallbacks": control.Early} {
		r.sub(name, func(r *rig) { r.callbacks(how) })
	}
}

// turn is a wait of a way, which may not end before its stream gets there, and must
// then, and what it copies must be there.
func (r *rig) turn(x *set, w func() error, n *time.Duration) {
	r.Helper()
	r.ctl.Hold(true)
	r.ok(x.launch())
	r.ok(x.s.Record(x.event))
	done := make(chan error, 1)
	go func() { done <- w() }()
	// Nothing tells when a wait would end that must not. This is long enough for one
	// that is told the wrong thing at once.
	select {
	case err := <-done:
		r.Errorf("a wait ended, with %v, before its stream had begun", err)
		return
	case <-time.After(2 * time.Millisecond):
	}
	r.ctl.Hold(false)
	let := time.Now()
	r.ok(within(r, "a wait", done))
	*n = max(*n, time.Since(let))
}

func (r *rig) turns(x *set) (longest time.Duration) {
	r.Helper()
	for range 3 {
		r.turn(x, func() error { return x.s.Wait(background) }, &longest)
		r.turn(x, func() error { return x.event.Wait(background) }, &longest)
		r.turn(x, func() error { return x.dev.Wait(background) }, &longest)
		got := make([]uint32, 1)
		r.turn(x, func() error { return x.out.CopyTo(background, x.s, got) }, &longest)
		if got[0] != 1 {
			r.Errorf("%d was copied, want 1", got[0])
		}
		r.ok(x.out.CopyFrom(background, x.s, []uint32{5}))
	}
	return longest
}

// lostWords has words that streams raise not arrive.
func lostWords(r *rig) {
	before := r.left()
	dev, err := r.Opens[0](0)
	r.ok(err)
	x := r.newSet(dev)
	usual := r.turns(x)
	r.ctl.LoseWords(true)
	longest := r.turns(x)
	x.close(r)
	// Other streams come to have the words of those that were closed.
	r.ctl.LoseWords(false)
	for range 70 {
		s, err := dev.NewStream(driver.StreamOptions{})
		r.ok(err)
		p, err := driver.PatternOf(uint32(1))
		r.ok(err)
		m, err := dev.Alloc(64)
		r.ok(err)
		r.ok(s.Fill(m, 0, 64, p))
		r.ok(s.Wait(background))
		r.ok(m.Close())
		r.ok(s.Close())
	}
	y := r.newSet(dev)
	r.turns(y)
	y.close(r)
	r.ok(dev.Close())
	r.nothingLeft(before)
	r.Logf("waits whose word was lost took %v at most, others %v", longest, usual)
}

// callbacks has host functions be lost, doubled or early: waits don't go by them.
func (r *rig) callbacks(how control.Callbacks) {
	if r.HostFunc == nil {
		r.Skip("the backend has no host functions")
	}
	before := r.left()
	dev, err := r.Opens[0](0)
	r.ok(err)
	x := r.newSet(dev)
	r.ctl.Callbacks(how)
	r.ctl.Hold(true)
	clear(x.host.Bytes())
	r.ok(r.HostFunc(x.s, x.host))
	early := x.host.Bytes()[0] == 1
	r.ctl.Hold(false)
	r.turns(x)
	called := x.host.Bytes()[0] == 1
	if want := how != control.Lost; called != want || early != (how == control.Early) {
		r.Errorf("a host function was called: %v, early: %v", called, early)
	}
	x.close(r)
	r.ok(dev.Close())
	r.nothingLeft(before)
}
