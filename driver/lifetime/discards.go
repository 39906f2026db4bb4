package lifetime

import (
	"sync"
	"sync/atomic"
)

// Discards are native objects that are of no use any more, and that a driver frees only
// by waiting for the device, and with a lock held that nobody else can even launch
// without: page-locked memory, modules. A backend puts them here while the device is
// busy, and frees them when it has nothing to do. The zero value has none; any goroutine
// may use it.
type Discards struct {
	n    atomic.Int32
	mu   sync.Mutex
	list []func()
	busy bool // told once that there are many, and not relieved since
}

// mostDiscards is how many may be kept.
const mostDiscards = 1024

// Put keeps what frees an object. many says that there are too many: whoever is told,
// one at a time, has the device made to wait, frees them and calls Relieved.
func (v *Discards) Put(free func()) (many bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.list = append(v.list, free)
	if v.n.Add(1) <= mostDiscards || v.busy {
		return false
	}
	v.busy = true
	return true
}

// Any tells whether there are any, at the cost of a load.
func (v *Discards) Any() bool { return v.n.Load() != 0 }

// Free frees all, on the calling goroutine.
func (v *Discards) Free() {
	v.mu.Lock()
	list := v.list
	v.list = nil
	v.n.Add(-int32(len(list)))
	v.mu.Unlock()
	for _, f := range list {
		f()
	}
}

// Relieved says that whoever was told of many has done what can be done.
func (v *Discards) Relieved() {
	v.mu.Lock()
	v.busy = false
	v.mu.Unlock()
}
