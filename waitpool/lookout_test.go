//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"context"
	"runtime"
	"testing"
	"time"
)

// paced is a kind of waits for words that learn from each other.
func paced(t *testing.T, p *Pool, pace *Pace) *Kind[op, int64] {
	s := spec("word")
	word := s.Word
	s.Word = func(o op) Word {
		w := word(o)
		w.Pace = pace
		return w
	}
	return mustKind(t, p, s)
}

// seen is how many waiters the pool's lookouts woke while it waits for an operation of
// that length.
func seen(t *testing.T, k *Kind[op, int64], length time.Duration) uint64 {
	t.Helper()
	before := k.pool.Stats().Seen
	o := newOp(t)
	o.Submit(length)
	if _, err := k.Wait(context.Background(), o); err != nil {
		t.Error(err)
	}
	return k.pool.Stats().Seen - before
}

// A lookout sees what ends soon, where there is a processor for it, and nothing else.
func TestLookout(t *testing.T) {
	p := newPool(t, Options{Spin: 1})
	k := newKind(t, p, "word")
	if runtime.GOMAXPROCS(0) == 1 {
		for range 50 {
			seen(t, k, 50*time.Microsecond)
		}
		if s := p.Stats(); s.Seen != 0 || s.LookedOut != 0 {
			t.Errorf("with one processor for goroutines, %d waiters were woken by a goroutine that looked out for %v", s.Seen, s.LookedOut)
		}
		return
	}
	eventually(t, "a lookout wakes a waiter", func() bool { return seen(t, k, 50*time.Microsecond) != 0 })
	if s := p.Stats(); s.LookedOut <= 0 {
		t.Errorf("%d waiters were woken, by looking out for %v", s.Seen, s.LookedOut)
	}
	before := p.Stats().LookedOut
	for range 10 {
		if n := seen(t, k, 5*time.Millisecond); n != 0 {
			t.Error("a lookout woke a waiter after 5 ms that nothing was known of")
		}
	}
	// 150 µs each, and a little; the rest is other programs' turn.
	if took := p.Stats().LookedOut - before; took > 25*time.Millisecond {
		t.Errorf("10 waits were looked out for during %v", took)
	}
	economy := newPool(t, Options{Policy: PolicyEconomy})
	for range 20 {
		seen(t, newKind(t, economy, "word"), 50*time.Microsecond)
	}
	if s := economy.Stats(); s.LookedOut != 0 {
		t.Errorf("with PolicyEconomy goroutines looked out for %v", s.LookedOut)
	}
}

// Of waits that keep a pace, a lookout sees the end.
func TestLookoutKeepsPace(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		return // there is none: see TestLookout
	}
	for _, length := range []time.Duration{500 * time.Microsecond, 3 * time.Millisecond, 30 * time.Millisecond} {
		p := newPool(t, Options{})
		var pace Pace
		k := paced(t, p, &pace)
		eventually(t, length.String(), func() bool { return seen(t, k, length) != 0 })
		// One that takes longer all of a sudden ends as well, and one that takes less.
		seen(t, k, 2*length)
		seen(t, k, length/2)
	}
}

func TestPace(t *testing.T) {
	var p *Pace
	if e := p.expect(); e != 0 {
		t.Errorf("no pace expects %v", e)
	}
	p = new(Pace)
	for i, x := range []struct{ note, want time.Duration }{
		{1000, 0}, {1000, 1000}, {1100, 1000}, {1000, 1000}, {2000, 0}, {2000, 2000}, {1800, 1800}, {0, 0}, {0, 0}, {5, 0}, {5, 5},
	} {
		p.note(x.note)
		if e := p.expect(); e != x.want {
			t.Errorf("after %d waits, the last of %v, the next is expected to take %v; want %v", i+1, x.note, e, x.want)
		}
	}
}
