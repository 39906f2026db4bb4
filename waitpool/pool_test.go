//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// idleWorkers tells for each worker whether it is idle.
func idleWorkers(p *Pool) (idle []bool) {
	for i := range p.Stats().Workers {
		idle = append(idle, p.engine.idle(i))
	}
	return idle
}

// Sequential waits use one worker, since it is idle before its waiter is woken,
// and of several idle ones the last to become idle.
func TestReuse(t *testing.T) {
	p := newPool(t, Options{Workers: 4})
	k := newKind(t, p, "wait")
	done := newOp(t)
	done.Finish(1)
	for range 1000 {
		k.Wait(t.Context(), done)
	}
	if s := p.Stats(); s.Workers != 1 || s.IdleWorkers != 1 || s.Blocking != 1000 {
		t.Errorf("after 1000 waits in a row: %+v", s)
	}
	var ops []op
	var wg sync.WaitGroup
	order := make(chan int, 4)
	for i := range 4 {
		o := newOp(t)
		ops = append(ops, o)
		wg.Add(1)
		go func() {
			defer wg.Done()
			k.Wait(t.Context(), o)
			order <- i
		}()
		eventually(t, "one more worker", func() bool { s := p.Stats(); return s.Workers == i+1 && s.IdleWorkers == 0 })
	}
	// The workers become idle in the order 2, 0, 3, 1; which have the operations
	// 2, 0, 3, 1 since each was started for its own.
	for _, i := range []int{2, 0, 3, 1} {
		ops[i].Finish(1)
		<-order
	}
	wg.Wait()
	var taken []op
	for n, want := range []int{1, 3, 0, 2} {
		before := idleWorkers(p)
		o := newOp(t)
		wg.Add(1)
		go func() {
			defer wg.Done()
			k.Wait(t.Context(), o)
		}()
		eventually(t, "taken", func() bool { return p.Stats().IdleWorkers == 3-n })
		for i := range before {
			if after := idleWorkers(p); before[i] != after[i] && i != want {
				t.Errorf("pick %d was worker %d; want %d", n, i, want)
			}
		}
		taken = append(taken, o)
	}
	for _, o := range taken {
		o.Finish(1)
	}
	wg.Wait()
	if s := p.Stats(); s.Workers != 4 {
		t.Errorf("%d workers", s.Workers)
	}
}

// Close waits for what is in flight, Shutdown until its context is done.
func TestClose(t *testing.T) {
	for _, road := range roads {
		t.Run(road, func(t *testing.T) {
			p := newPool(t, Options{})
			k := newKind(t, p, road)
			o := newOp(t)
			waited := make(chan error, 1)
			go func() { _, err := k.Wait(t.Context(), o); waited <- err }()
			eventually(t, "parked", func() bool { return p.Stats().Parked == 1 })
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			if err := p.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("with a wait in flight: %v", err)
			}
			if _, err := k.Wait(t.Context(), o); err != ErrClosed {
				t.Errorf("while closing: %v", err)
			}
			closed := make(chan error, 1)
			go func() { closed <- p.Close() }()
			o.Finish(1)
			if err := <-waited; err != nil {
				t.Error(err)
			}
			within(t, "Close", func() {
				if err := <-closed; err != nil {
					t.Error(err)
				}
			})
		})
	}
	// Close beside waits that begin.
	for range 50 {
		p := newPool(t, Options{})
		k := newKind(t, p, "nothing")
		o := newOp(t)
		var wg sync.WaitGroup
		for range 4 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for {
					if v, err := k.Wait(context.Background(), o); err == ErrClosed {
						return
					} else if v != 7 || err != nil {
						t.Error(v, err)
					}
				}
			}()
		}
		runtime.Gosched()
		within(t, "Close", func() { p.Close(); wg.Wait() })
	}
}

// A wait inside a wait function goes through, also when there is no room for it.
func TestNested(t *testing.T) {
	p := newPool(t, Options{Workers: 1, Overflow: 1})
	var k *Kind[int, int]
	k = mustKind(t, p, Spec[int, int]{Wait: func(depth int) (int, error) {
		if depth == 0 {
			return 1, nil
		}
		n, err := k.Wait(context.Background(), depth-1)
		return n + 1, err
	}})
	within(t, "nested waits", func() {
		if n, err := k.Wait(t.Context(), 50); n != 51 || err != nil {
			t.Error(n, err)
		}
	})
	if s := p.Stats(); s.Direct == 0 || s.Waits() != 51 {
		t.Errorf("%+v", s)
	}
}

// Finalizers and cleanups may wait.
func TestCleanupWaits(t *testing.T) {
	p := newPool(t, Options{Workers: 1, Overflow: 1})
	kinds := map[string]*Kind[op, int64]{}
	for _, road := range roads {
		kinds[road] = newKind(t, p, road)
	}
	for road, k := range kinds {
		o, o2 := newOp(t), newOp(t)
		ended := make(chan error, 2)
		wait := func(o op) {
			o.Submit(time.Millisecond)
			_, err := k.Wait(context.Background(), o)
			ended <- err
		}
		runtime.AddCleanup(&[100]byte{1}, wait, o)
		runtime.SetFinalizer(&[101]byte{1}, func(*[101]byte) { wait(o2) })
		runtime.GC()
		within(t, road, func() {
			for range 2 {
				if err := <-ended; err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A signal to the process reaches os/signal while all threads wait.
func TestOSSignal(t *testing.T) {
	p := newPool(t, Options{})
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGUSR1)
	defer signal.Stop(got)
	for _, road := range []string{"wait", "poll", "subscribe"} {
		o := newOp(t)
		done := make(chan struct{})
		go func() { newKind(t, p, road).Wait(t.Context(), o); close(done) }()
		eventually(t, "pending", func() bool { return p.Stats().InFlight == 1 })
		syscall.Kill(os.Getpid(), syscall.SIGUSR1)
		within(t, "the signal", func() { <-got })
		o.Finish(1)
		<-done
		eventually(t, "ended", func() bool { return p.Stats().InFlight == 0 })
	}
}

// Budgets shrink for kinds whose operations outlast them, and to nothing when
// goroutines queue for processors.
func TestBudget(t *testing.T) {
	p := newPool(t, Options{Spin: 16 * time.Microsecond})
	k := newKind(t, p, "poll")
	load.pressed.Store(false)
	if b := k.budget(); b != p.opt.Spin {
		t.Errorf("at first: %v", b)
	}
	for range 9 {
		o := newOp(t)
		o.Submit(3 * time.Millisecond)
		k.Wait(t.Context(), o)
	}
	load.pressed.Store(false)
	if b := k.budget(); b != p.opt.Spin/16 {
		t.Errorf("after 9 long waits: %v", b)
	}
	k.hit()
	load.pressed.Store(true)
	if b := k.budget(); b != 0 {
		t.Errorf("under pressure: %v", b)
	}
	load.next.Store(0)
	load.observe()
	if load.pressed.Load() {
		t.Error("the pressure doesn't go away")
	}
	if b := newKind(t, newPool(t, Options{Policy: PolicyEconomy}), "poll").budget(); b != 0 {
		t.Errorf("with PolicyEconomy: %v", b)
	}
}

// A bit of everything at once: many kinds, roads, cancellations and lengths.
func TestMix(t *testing.T) {
	p := newPool(t, Options{Workers: 3, Overflow: 4})
	var kinds []*Kind[op, int64]
	var released atomic.Int64
	for _, road := range append([]string{"nothing"}, roads...) {
		s := spec(road)
		s.Release = func(op) { released.Add(1) }
		if word := s.Word; word != nil {
			var pace Pace
			s.Word = func(o op) Word { w := word(o); w.Pace = &pace; return w }
		}
		kinds = append(kinds, mustKind(t, p, s))
	}
	var wg sync.WaitGroup
	const waiters, each = 32, 100
	for i := range waiters {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(uint64(i), 1))
			for range each {
				ctx, cancel := context.Background(), func() {}
				if r.IntN(2) == 0 {
					ctx, cancel = context.WithTimeout(t.Context(), time.Duration(r.IntN(400))*time.Microsecond)
				}
				o := newOp(t)
				o.Submit(time.Duration(r.IntN(300)) * time.Microsecond)
				if _, err := kinds[r.IntN(len(kinds))].Wait(ctx, o); err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				cancel()
			}
		}()
	}
	within(t, "the mix", wg.Wait)
	within(t, "Close", func() { p.Close() })
	if n := released.Load(); n != waiters*each {
		t.Errorf("%d releases after %d waits", n, waiters*each)
	}
	if s := p.Stats(); s.Waits() != waiters*each || s.InFlight != 0 || s.Queued != 0 {
		t.Errorf("%+v", s)
	}
}

func TestPolicyString(t *testing.T) {
	if s := fmt.Sprint(PolicyDefault, PolicyLatency, PolicyEconomy, Policy(7)); s != "default latency economy Policy(7)" {
		t.Error(s)
	}
}
