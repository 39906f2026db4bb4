package lifetime_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/triad-gpu/triad/driver/lifetime"
)

func TestDiscardsAreFreedOnceInOrder(t *testing.T) {
	var v lifetime.Discards
	var freed []int
	if v.Any() {
		t.Error("the zero value has some")
	}
	for i := range 3 {
		if v.Put(func() { freed = append(freed, i) }) {
			t.Errorf("%d are many", i+1)
		}
	}
	if !v.Any() || len(freed) != 0 {
		t.Errorf("before Free: any %v, freed %v", v.Any(), freed)
	}
	v.Free()
	v.Free()
	if v.Any() || len(freed) != 3 || freed[0] != 0 || freed[2] != 2 {
		t.Errorf("after Free: any %v, freed %v", v.Any(), freed)
	}
}

// Of many who discard, one at a time is told that there are too many.
func TestOneIsToldOfManyDiscards(t *testing.T) {
	var v lifetime.Discards
	told := 0
	for range 3000 {
		if v.Put(func() {}) {
			told++
		}
	}
	if told != 1 {
		t.Errorf("%d were told; want 1", told)
	}
	v.Relieved()
	if !v.Put(func() {}) {
		t.Error("nobody is told of those that are left")
	}
}

// An object that frees others in turn, and many goroutines at once.
func TestDiscardsFromManyGoroutines(t *testing.T) {
	var v lifetime.Discards
	var freed atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 100 {
				v.Put(func() { v.Put(func() { freed.Add(1) }) })
				v.Free()
			}
		}()
	}
	group.Wait()
	for v.Any() {
		v.Free()
	}
	if freed.Load() != 800 {
		t.Errorf("%d were freed; want 800", freed.Load())
	}
}
