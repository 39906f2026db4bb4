//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// threads counts the process's threads, and those whose name begins with prefix.
func threads(tb testing.TB, prefix string) (all, named int) {
	dirs, err := filepath.Glob("/proc/self/task/*/comm")
	if err != nil {
		tb.Fatal(err)
	}
	for _, d := range dirs {
		if b, err := os.ReadFile(d); err == nil {
			all++
			if strings.HasPrefix(string(b), prefix) {
				named++
			}
		}
	}
	return all, named
}

// A warm wait allocates nothing, on any road, with and without a context that
// could be cancelled, parked or not.
func TestAllocs(t *testing.T) {
	if raceOrAsan {
		t.Skip("the race detector and the address sanitizer allocate")
	}
	for _, policy := range []Policy{PolicyDefault, PolicyEconomy} {
		p := newPool(t, Options{Policy: policy})
		for _, road := range append([]string{"nothing", "go"}, roads...) {
			for _, after := range []time.Duration{-1, 0, 100 * time.Microsecond} {
				k := newKind(t, p, road)
				o := newOp(t)
				if after < 0 {
					o.Finish(1)
				}
				for name, ctx := range map[string]context.Context{"background": context.Background(), "cancellable": t.Context()} {
					got := testing.AllocsPerRun(30, func() {
						if after >= 0 {
							o.Reset()
							o.Submit(after)
						}
						k.Wait(ctx, o)
					})
					if got != 0 {
						t.Errorf("%v/%s, ends after %v, %s: %v allocations", policy, road, after, name, got)
					}
				}
			}
		}
	}
}

// Threads have names, and a closed pool leaves none.
func TestThreads(t *testing.T) {
	// Those of pools closed just now may still be on their way out.
	eventually(t, "no threads", func() bool { _, n := threads(t, "triad-"); return n == 0 })
	p := newPool(t, Options{Workers: 3})
	k := newKind(t, p, "wait")
	polled := newKind(t, p, "poll")
	var wg sync.WaitGroup
	var ops []op
	for range 10 {
		for _, k := range []*Kind[op, int64]{k, polled} {
			o := newOp(t)
			ops = append(ops, o)
			wg.Add(1)
			go func() {
				defer wg.Done()
				k.Wait(t.Context(), o)
			}()
		}
	}
	eventually(t, "all parked", func() bool { return p.Stats().Parked == 20 })
	eventually(t, "named threads", func() bool { _, n := threads(t, "triad-"); return n == 4 })
	if s := p.Stats(); s.Workers != 3 || s.Overflow != 7 || s.Blocking != 3 || s.Polled != 10 {
		t.Errorf("%+v", s)
	}
	for _, o := range ops {
		o.Finish(1)
	}
	wg.Wait()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Wait(t.Context(), ops[0]); err != ErrClosed {
		t.Errorf("on a closed pool: %v", err)
	}
	if s := p.Stats(); s.Workers != 0 || s.InFlight != 0 {
		t.Errorf("closed: %+v", s)
	}
	eventually(t, "no threads left", func() bool { _, n := threads(t, "triad-"); return n == 0 })
	if err := p.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
}

// Other goroutines run while waits are pending, on a single P too.
func TestOthersRun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, policy := range []Policy{PolicyDefault, PolicyLatency} {
		p := newPool(t, Options{Policy: policy})
		for _, road := range roads {
			k := newKind(t, p, road)
			o := newOp(t)
			done := make(chan struct{})
			go func() { k.Wait(t.Context(), o); close(done) }()
			ticks := 0
			for p.Stats().InFlight == 0 {
				runtime.Gosched()
			}
			for range 1000 {
				runtime.Gosched()
				ticks++
			}
			o.Finish(1)
			within(t, road, func() { <-done })
		}
	}
}

// An idle pool keeps nothing of the waits that it served alive.
func TestEmptied(t *testing.T) {
	p := newPool(t, Options{})
	type big struct{ data [1 << 16]byte }
	type held struct {
		o op
		b *big
	}
	collected := make(chan string, 10)
	track := func(what string) *big {
		b := &big{}
		runtime.AddCleanup(b, func(what string) { collected <- what }, what)
		return b
	}
	s := Spec[held, *big]{
		Wait:    func(h held) (*big, error) { h.o.Block(); return track("result"), nil },
		Release: func(held) {},
	}
	k := mustKind(t, p, s)
	for _, cancelled := range []bool{false, true} {
		o := newOp(t)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			eventually(t, "parked", func() bool { return p.Stats().Parked >= 1 })
			if cancelled {
				cancel()
			}
			o.Finish(1)
		}()
		k.Wait(ctx, held{o, track("object")})
		cancel()
		eventually(t, "ended", func() bool { return p.Stats().InFlight == 0 })
		want := 2
		for end := time.Now().Add(20 * time.Second); want > 0; {
			runtime.GC()
			select {
			case <-collected:
				want--
			case <-time.After(time.Millisecond):
				if time.Now().After(end) {
					t.Fatalf("cancelled=%v: %d objects are still held", cancelled, want)
				}
			}
		}
	}
}
