package lifetime_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/triad-gpu/triad/driver/lifetime"
)

// counted is what Life and Shared have in common.
type counted interface {
	Init(*lifetime.Kind, func())
	Close() bool
	Closed() bool
}

// object adds uses by a stripe, which Life ignores.
type object struct {
	counted
	acquire func(stripe uint32) bool
	release func(stripe uint32)
}

func life() object {
	l := new(lifetime.Life)
	return object{l, func(uint32) bool { return l.Acquire() }, func(uint32) { l.Release() }}
}

func shared() object {
	s := new(lifetime.Shared)
	return object{s, s.Acquire, s.Release}
}

// both runs a test for Life and for Shared.
func both(t *testing.T, f func(*testing.T, func() object)) {
	t.Run("Life", func(t *testing.T) { f(t, life) })
	t.Run("Shared", func(t *testing.T) { f(t, shared) })
}

func TestFreedByCloseWithoutUses(t *testing.T) {
	both(t, func(t *testing.T, mk func() object) {
		kind, freed := lifetime.NewKind(t.Name()), 0
		o := mk()
		o.Init(kind, func() { freed++ })
		if kind.Live() != 1 || lifetime.Live()[t.Name()] != 1 || o.Closed() {
			t.Errorf("before Close: %d live, closed %v", kind.Live(), o.Closed())
		}
		if !o.acquire(3) {
			t.Error("refused before Close")
		}
		o.release(3)
		if freed != 0 {
			t.Error("freed before Close")
		}
		if !o.Close() || o.Close() {
			t.Error("only the first Close says that it was the first")
		}
		if freed != 1 || kind.Live() != 0 || !o.Closed() {
			t.Errorf("after Close: freed %d times, %d live, closed %v", freed, kind.Live(), o.Closed())
		}
		if _, there := lifetime.Live()[t.Name()]; there {
			t.Error("a kind without live objects is listed")
		}
		if o.acquire(3) || o.acquire(4) || freed != 1 {
			t.Errorf("after Close: acquired, or freed %d times", freed)
		}
	})
}

func TestFreedByTheLastUse(t *testing.T) {
	both(t, func(t *testing.T, mk func() object) {
		freed := 0
		o := mk()
		o.Init(lifetime.NewKind(t.Name()), func() { freed++ })
		for stripe := range uint32(2 * lifetime.Stripes) {
			if !o.acquire(stripe) {
				t.Fatal("refused before Close")
			}
		}
		o.Close()
		for stripe := range uint32(2 * lifetime.Stripes) {
			if freed != 0 {
				t.Fatal("freed while in use")
			}
			if o.acquire(stripe) {
				t.Error("acquired after Close")
			}
			o.release(stripe)
		}
		if freed != 1 {
			t.Errorf("freed %d times; want 1", freed)
		}
	})
}

func TestChildKeepsItsParentAlive(t *testing.T) {
	both(t, func(t *testing.T, mk func() object) {
		kind := lifetime.NewKind(t.Name())
		var order []string
		parent, child := mk(), mk()
		parent.Init(kind, func() { order = append(order, "parent") })
		parent.acquire(0)
		child.Init(kind, func() { order = append(order, "child"); parent.release(0) })
		parent.Close()
		if len(order) != 0 || kind.Live() != 2 {
			t.Fatalf("freed %v while the child lives", order)
		}
		child.Close()
		if len(order) != 2 || order[0] != "child" || kind.Live() != 0 {
			t.Errorf("freed %v, %d live", order, kind.Live())
		}
	})
}

// Users and closers at once: freed exactly once, never in use, and nobody gets
// in afterwards.
func TestUsesRaceWithClose(t *testing.T) {
	both(t, func(t *testing.T, mk func() object) {
		kind := lifetime.NewKind(t.Name())
		for range 300 {
			var users, frees atomic.Int32
			var native atomic.Bool
			native.Store(true)
			o := mk()
			o.Init(kind, func() {
				if users.Load() != 0 {
					t.Error("freed while in use")
				}
				native.Store(false)
				frees.Add(1)
			})
			var wg sync.WaitGroup
			var first atomic.Int32
			used := make(chan struct{}, 4)
			for g := range uint32(4) {
				wg.Add(1)
				go func() {
					defer wg.Done()
					for i := 0; o.acquire(g); i++ {
						users.Add(1)
						if !native.Load() {
							t.Error("acquired what is freed")
						}
						if i == 0 {
							used <- struct{}{}
							runtime.Gosched()
						}
						users.Add(-1)
						o.release(g)
					}
					if frees.Load() > 1 {
						t.Error("freed twice")
					}
				}()
			}
			<-used
			for range 2 {
				wg.Add(1)
				go func() {
					defer wg.Done()
					if o.Close() {
						first.Add(1)
					}
				}()
			}
			wg.Wait()
			if frees.Load() != 1 || first.Load() != 1 || kind.Live() != 0 {
				t.Fatalf("freed %d times, %d first Closes, %d live; want 1, 1, 0", frees.Load(), first.Load(), kind.Live())
			}
		}
	})
}

func TestReleaseWithoutAcquirePanics(t *testing.T) {
	both(t, func(t *testing.T, mk func() object) {
		for name, misuse := range map[string]func(object){
			"open":   func(o object) { o.release(3) },
			"closed": func(o object) { o.Close(); o.release(3) },
		} {
			t.Run(name, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				o := mk()
				o.Init(lifetime.NewKind(t.Name()), func() {})
				misuse(o)
			})
		}
	})
}

func TestUsesDoNotAllocate(t *testing.T) {
	both(t, func(t *testing.T, mk func() object) {
		o := mk()
		o.Init(lifetime.NewKind(t.Name()), func() {})
		defer o.Close()
		if n := testing.AllocsPerRun(100, func() { o.acquire(1); o.release(1) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func BenchmarkUse(b *testing.B) {
	for name, mk := range map[string]func() object{"Life": life, "Shared": shared} {
		b.Run(name, func(b *testing.B) {
			o := mk()
			o.Init(lifetime.NewKind(b.Name()), func() {})
			defer o.Close()
			var next atomic.Uint32
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				stripe := next.Add(1)
				for pb.Next() {
					o.acquire(stripe)
					o.release(stripe)
				}
			})
		})
	}
}

// Objects that were never made are as closed ones, also for many at once.
func TestObjectsWithoutInitAreClosed(t *testing.T) {
	both(t, func(t *testing.T, mk func() object) {
		o := mk()
		var wg sync.WaitGroup
		for g := range uint32(4) {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for range 1000 {
					if o.acquire(g % 2) {
						t.Error("acquired what was never made")
						return
					}
				}
			}()
		}
		wg.Wait()
		if !o.Closed() || o.Close() {
			t.Error("what was never made can be closed")
		}
	})
}

// Whoever returns from Close finds the object closed, also if another Close, which was
// first, is under way still.
func TestNoUseBeginsAfterASecondClose(t *testing.T) {
	both(t, func(t *testing.T, mk func() object) {
		kind := lifetime.NewKind(t.Name())
		for range 3000 {
			o := mk()
			o.Init(kind, func() {})
			var wg sync.WaitGroup
			var firsts atomic.Int32
			start := make(chan struct{})
			for range 2 {
				wg.Add(1)
				go func() {
					defer wg.Done()
					<-start
					if o.Close() {
						firsts.Add(1)
					}
					if !o.Closed() {
						t.Error("closed, and not Closed")
					}
					for stripe := range uint32(lifetime.Stripes) {
						if o.acquire(stripe) {
							t.Errorf("acquired stripe %d after Close", stripe)
							o.release(stripe)
						}
					}
				}()
			}
			close(start)
			wg.Wait()
			if n := firsts.Load(); n != 1 || kind.Live() != 0 {
				t.Fatalf("%d were the first to close it, %d live", n, kind.Live())
			}
		}
	})
}
