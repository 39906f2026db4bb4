package lifetime

import "sync"

// Hooks are functions that an object's Close is to call. The zero value has none; any
// goroutine may use it.
type Hooks struct {
	mu     sync.Mutex
	list   []func()
	closed bool
}

// Add has f called by Run; at once, if that was before.
func (v *Hooks) Add(f func()) {
	v.mu.Lock()
	if !v.closed {
		v.list = append(v.list, f)
		v.mu.Unlock()
		return
	}
	v.mu.Unlock()
	f()
}

// Run calls what was added and not called yet, in that order.
func (v *Hooks) Run() {
	v.mu.Lock()
	list := v.list
	v.list, v.closed = nil, true
	v.mu.Unlock()
	for _, f := range list {
		f()
	}
}
