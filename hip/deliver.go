package hip

import (
	"sync"
	"sync/atomic"
)

// deliveries are copies to the host, by way of staging memory, whose callers may
// leave before their end. Their bytes go to where they are wanted when the wait ends;
// and before any other wait ends that saw the stream pass the copy, for whoever
// waited then may look.
type deliveries struct {
	n    atomic.Int32 // how many there are
	mu   sync.Mutex
	list []*waiter
}

func (v *deliveries) add(w *waiter) {
	v.mu.Lock()
	v.list = append(v.list, w)
	v.n.Add(1)
	v.mu.Unlock()
}

// remove ends w's part in it, when its wait ends, and before the stream is known to
// have passed it: delivered first, so that no other wait ends in between. It waits for
// a delivery that is under way.
func (v *deliveries) remove(w *waiter) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if w.into != nil && rawWaitReached(w.raw) {
		w.deliver()
	}
	for i, have := range v.list {
		if have == w {
			last := len(v.list) - 1
			v.list[i], v.list[last] = v.list[last], nil
			v.list = v.list[:last]
			v.n.Add(-1)
			return
		}
	}
}

// settle delivers what has arrived.
func (v *deliveries) settle() {
	if v.n.Load() == 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, w := range v.list {
		if w.into != nil && rawWaitReached(w.raw) {
			w.deliver()
		}
	}
}

// deliver copies what arrived in staging memory.
func (w *waiter) deliver() {
	copy(w.into, hostBytes(w.slot, uint64(len(w.into))))
	w.into = nil
}
