package staging

import (
	"sync"
	"sync/atomic"
)

// Delivery is a copy to the host by way of staging memory.
type Delivery interface {
	comparable
	// Arrived tells whether the bytes are in staging memory, and not delivered.
	Arrived() bool
	// Deliver copies them to where they are wanted.
	Deliver()
}

// Deliveries are copies to the host whose callers may leave before their end. Their
// bytes go to where they are wanted when the wait ends; and before any other wait ends
// that saw the stream pass the copy, for whoever waited then may look.
type Deliveries[W Delivery] struct {
	n    atomic.Int32 // how many there are
	mu   sync.Mutex
	list []W
}

// Add begins w's part in it.
func (v *Deliveries[W]) Add(w W) {
	v.mu.Lock()
	v.list = append(v.list, w)
	v.n.Add(1)
	v.mu.Unlock()
}

// Remove ends w's part in it, when its wait ends, and before the stream is known to
// have passed it: delivered first, so that no other wait ends in between. It waits for
// a delivery that is under way.
func (v *Deliveries[W]) Remove(w W) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if w.Arrived() {
		w.Deliver()
	}
	for i, have := range v.list {
		if have == w {
			last := len(v.list) - 1
			var none W
			v.list[i], v.list[last] = v.list[last], none
			v.list = v.list[:last]
			v.n.Add(-1)
			return
		}
	}
}

// Settle delivers what has arrived.
func (v *Deliveries[W]) Settle() {
	if v.n.Load() == 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, w := range v.list {
		if w.Arrived() {
			w.Deliver()
		}
	}
}
