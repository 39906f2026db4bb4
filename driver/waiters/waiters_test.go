package waiters_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/triad-gpu/triad/driver/waiters"
)

func TestIdleGivesBackWhatItWasGiven(t *testing.T) {
	var v waiters.Idle[*int]
	if w, ok := v.Take(); ok || w != nil {
		t.Errorf("the zero value gave %v, %v", w, ok)
	}
	given := map[*int]bool{}
	for range 3 {
		p := new(int)
		given[p] = true
		if !v.Put(p) {
			t.Error("it did not keep one of three")
		}
	}
	for range 3 {
		p, ok := v.Take()
		if !ok || !given[p] {
			t.Errorf("gave %v, %v, which it was not given, or gave already", p, ok)
		}
		delete(given, p)
	}
	if _, ok := v.Take(); ok {
		t.Error("it gave more than it was given")
	}
}

func TestIdleKeepsSoManyAndNoMore(t *testing.T) {
	var v waiters.Idle[int]
	kept := 0
	for i := range 5000 {
		if v.Put(i) {
			kept++
		}
	}
	if kept != waiters.MostIdle || v.Len() != kept {
		t.Errorf("%d were kept, and there are %d; want %d", kept, v.Len(), waiters.MostIdle)
	}
	for range kept {
		if _, ok := v.Take(); !ok {
			t.Fatal("what was kept is not there")
		}
	}
	if _, ok := v.Take(); ok {
		t.Error("there are more than were kept")
	}
}

func TestIdleOfManyGoroutines(t *testing.T) {
	var v waiters.Idle[*int]
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 1000 {
				p, ok := v.Take()
				if !ok {
					p = new(int)
				}
				if *p != 0 {
					t.Error("two have the same")
				}
				*p++
				runtime.Gosched()
				*p--
				v.Put(p)
			}
		}()
	}
	group.Wait()
}

func TestIdleDoesNotAllocateOnceWarm(t *testing.T) {
	var v waiters.Idle[*int]
	v.Put(new(int))
	if n := testing.AllocsPerRun(100, func() {
		p, _ := v.Take()
		v.Put(p)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What is held stays; what was let go is collected.
func TestPinHoldsUntilRelease(t *testing.T) {
	var p waiters.Pin
	p.Release() // of nothing
	for range 2 {
		host := make([]byte, 64)
		left := weak.Make(&host[0])
		p.Hold(host)
		host = nil
		runtime.GC()
		if left.Value() == nil {
			t.Error("what is held was collected")
		}
		p.Release()
		p.Release()
		runtime.GC()
		if left.Value() != nil {
			t.Error("what was let go is held")
		}
	}
}

// A command is left out only if it has not begun when its caller leaves.
func TestWhoLeavesBeforeTheBeginning(t *testing.T) {
	var p waiters.Pin
	defer p.Release()
	early, late := p.Begin(), p.Begin()
	early.Leave()
	if !atomic.CompareAndSwapUint32((*uint32)(late), 0, 1) { // as C does
		t.Error("a command that nobody left can't begin")
	}
	late.Leave()
	if *early != 2 || *late != 1 {
		t.Errorf("left before it began: %d, afterwards: %d; want 2 and 1", *early, *late)
	}
}
