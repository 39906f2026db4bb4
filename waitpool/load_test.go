//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/triad-gpu/triad/waitpool/internal/twins"
)

// 20,000 goroutines wait at once, or fewer where that takes long.
func TestHerd(t *testing.T) {
	n := 20000
	if raceOrAsan || testing.Short() {
		n = 2000 // the detector's limit is 8128 goroutines
	}
	for _, road := range []string{"word", "poll", "subscribe+poll", "wait+poll", "gopoll"} {
		t.Run(road, func(t *testing.T) {
			r := herd(t, n, road, 300*time.Millisecond)
			if limit := r.pool.opt.Workers + runtime.GOMAXPROCS(0) + 8; r.threads > limit {
				t.Errorf("%d threads more than before; want at most %d", r.threads, limit)
			}
			t.Logf("%d goroutines: %d threads more, all woken %v after the last operation ended, %d wake-ups", n, r.threads, r.late, r.wakeups)
		})
	}
}

type herdResult struct {
	pool    *Pool
	threads int
	late    time.Duration
	wakeups uint64
}

// herd has n goroutines wait until all their operations end at once, after they
// have all begun to wait and after more than that. Late is how much later than
// that the last of them ran again.
func herd(tb testing.TB, n int, road string, after time.Duration) herdResult {
	p := newPool(tb, Options{})
	k := newKind(tb, p, road)
	base, _ := threads(tb, "")
	ops := make([]op, n)
	var wg sync.WaitGroup
	var ended atomic.Int64
	for i := range ops {
		o := newOp(tb)
		ops[i] = o
		wg.Add(1)
		go func() {
			defer wg.Done()
			if _, err := k.Wait(context.Background(), o); err != nil {
				tb.Error(err)
			}
			ended.Add(1)
		}()
	}
	for p.Stats().Parked < uint64(n) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(after)
	all, _ := threads(tb, "")
	if ended.Load() != 0 {
		tb.Errorf("%d waits ended before their operations", ended.Load())
	}
	before := p.Stats().Wakeups
	for _, o := range ops {
		o.Finish(1)
	}
	start := time.Now()
	wg.Wait()
	return herdResult{p, all - base, time.Since(start), p.Stats().Wakeups - before}
}

// One sweep wakes all whose operations have ended, with few wake-ups.
func TestBatch(t *testing.T) {
	p := newPool(t, Options{Policy: PolicyEconomy})
	s := spec("word")
	shared := newOp(t)
	s.Word = func(op) Word { return Word{Addr32: shared.Word32(), Target: 1} }
	k := mustKind(t, p, s)
	const n = 400
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			k.Wait(t.Context(), shared)
		}()
	}
	eventually(t, "parked", func() bool { return p.Stats().Parked == n })
	before := p.Stats().Wakeups
	shared.Finish(1)
	wg.Wait()
	if w := p.Stats().Wakeups - before; w > n/10 {
		t.Errorf("%d wake-ups for %d waiters", w, n)
	}
}

// 64 long waits don't keep short ones from ending, whatever the roads.
func TestLongBesideShort(t *testing.T) {
	for _, road := range roads {
		t.Run(road, func(t *testing.T) {
			p := newPool(t, Options{Workers: 4})
			k := newKind(t, p, road)
			var long []op
			var wg sync.WaitGroup
			for range 64 {
				o := newOp(t)
				long = append(long, o)
				wg.Add(1)
				go func() {
					defer wg.Done()
					k.Wait(context.Background(), o)
				}()
			}
			eventually(t, "parked", func() bool { return p.Stats().Parked == 64 })
			within(t, "short waits", func() {
				for range 20 {
					o := newOp(t)
					o.Submit(100 * time.Microsecond)
					k.Wait(t.Context(), o)
				}
			})
			for _, o := range long {
				o.Finish(1)
			}
			wg.Wait()
		})
	}
}

// Processor time that the process uses while one wait is pending.
func TestCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second for each policy and road")
	}
	for _, c := range []struct {
		policy Policy
		limit  float64 // of a processor
		polls  int     // at most, in a second
	}{{PolicyLatency, 1.05, math.MaxInt}, {PolicyDefault, 0.05, 3000}, {PolicyEconomy, 0.005, 300}} {
		for _, road := range []string{"poll", "word", "gopoll"} {
			if c.policy == PolicyLatency && road != "poll" {
				continue
			}
			p := newPool(t, Options{Policy: c.policy})
			k := newKind(t, p, road)
			// The make-believe device spins for 0.2 ms before the end.
			limit := c.limit + 0.001
			used, polls := pendingCPU(t, k)
			if polls > c.polls {
				t.Errorf("%v, %s: %d polls in a second; want at most %d", c.policy, road, polls, c.polls)
			}
			// A wake-up costs many times as much while other programs take turns on the
			// processor, as other packages' tests do: then not more than a C thread that
			// only sleeps, as often, and the least of three counts.
			naps, i := 0.0, 0
			for ; used > max(limit, 3*naps) && i < 3; i++ {
				naps = max(naps, nappingCPU(min(c.polls, 500)))
				again, _ := pendingCPU(t, k)
				used = min(used, again)
			}
			if used > max(limit, 3*naps) && !raceOrAsan {
				t.Errorf("%v, %s: %.2f %% of a processor; want at most %.1f %%, or three times the %.2f %% of as many sleeps", c.policy, road, 100*used, 100*limit, 100*naps)
			}
			t.Logf("%v, %s: %.2f %%, %d polls", c.policy, road, 100*used, polls)
		}
	}
}

// pendingCPU is the part of a processor that the process uses while a wait is pending
// for a second, and how often its operation is polled.
func pendingCPU(t *testing.T, k *Kind[op, int64]) (used float64, polls int) {
	o := newOp(t)
	runtime.GC() // not meanwhile
	const span = time.Second
	o.Submit(span)
	cpu := twins.CPU()
	if _, err := k.Wait(t.Context(), o); err != nil {
		t.Error(err)
	}
	return float64(twins.CPU()-cpu) / float64(span), o.Polls()
}

// nappingCPU is the part that a C thread uses which sleeps n times within a second.
func nappingCPU(n int) float64 {
	cpu := twins.CPU()
	twins.Nap(n, time.Second/time.Duration(n))
	return float64(twins.CPU()-cpu) / float64(time.Second)
}
