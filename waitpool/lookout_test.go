//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/triad-gpu/triad/waitpool/internal/twins"
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

// What the watchdog ends, since the word never rises, isn't part of the pace; in
// particular it isn't taken for as long as what the request stood for before.
func TestWatchdogKeepsNoPace(t *testing.T) {
	p := newPool(t, Options{Spin: 1})
	var pace Pace
	k := paced(t, p, &pace)
	k.spec.CPoll, k.poll = twins.Poll, uintptr(twins.Poll)
	word, never := k.spec.Word, newOp(t)
	for range 3 {
		seen(t, k, 3*time.Millisecond)
	}
	k.spec.Word = func(o op) Word {
		w := word(o)
		w.Addr32 = never.Word32()
		return w
	}
	seen(t, k, 12*time.Millisecond)
	if e := pace.expect(); e != 0 {
		t.Errorf("after a word that never rose a wait of %v is expected", e)
	}
}

func TestPace(t *testing.T) {
	var none *Pace
	if e := none.expect(); e != 0 {
		t.Errorf("no pace expects %v", e)
	}
	// What is expected after each wait, given those before.
	for _, x := range []struct{ waits, want []time.Duration }{
		{[]time.Duration{1000, 1000, 1100, 1000}, []time.Duration{0, 1000, 1100, 1000}},
		{[]time.Duration{1000, 5000, 1050, 5000, 1000, 5000}, []time.Duration{0, 0, 5000, 1050, 5000, 1000}},
		{[]time.Duration{1, 20, 300, 1, 20, 300, 1}, []time.Duration{0, 0, 0, 20, 300, 1, 20}},
		{[]time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 1, 256}, make([]time.Duration, 10)}, // 1 is forgotten
		{[]time.Duration{1, 2, 4, 8, 16, 32, 64, 1}, []time.Duration{0, 0, 0, 0, 0, 0, 0, 2}},
		{[]time.Duration{0, 0, 5, 5, 0}, []time.Duration{0, 0, 0, 5, 0}},
	} {
		var p Pace
		if e := p.expect(); e != 0 {
			t.Errorf("at first %v are expected", e)
		}
		for i, took := range x.waits {
			p.note(took)
			if e := p.expect(); e != x.want[i] {
				t.Errorf("after waits of %v, one of %v is expected; want %v", x.waits[:i+1], e, x.want[i])
			}
		}
	}
}

// Waits that take turns keep a pace, too.
func TestLookoutKeepsTurns(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		return // there is none: see TestLookout
	}
	p := newPool(t, Options{})
	var pace Pace
	k := paced(t, p, &pace)
	eventually(t, "both are seen", func() bool {
		short, long := seen(t, k, 700*time.Microsecond), seen(t, k, 4*time.Millisecond)
		return short != 0 && long != 0
	})
}
