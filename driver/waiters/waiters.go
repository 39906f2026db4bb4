// Package waiters is what backends have in common that wait by way of package waitpool:
// the objects that stand for waits, kept for the next ones; host memory that stays in
// its place as long as a wait lasts; and how many wait on a device at once.
//
// It knows nothing of drivers, and nothing here allocates once it is warm.
package waiters

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// MostIdle is how many an Idle keeps.
const MostIdle = 1024

// Idle keeps what stood for a wait that is over. The zero value has none; any goroutine
// may use it.
type Idle[W any] struct {
	mu   sync.Mutex
	list []W
}

// Take gives one out, if there is one.
func (v *Idle[W]) Take() (w W, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	last := len(v.list) - 1
	if last < 0 {
		return w, false
	}
	var none W
	w, v.list[last] = v.list[last], none
	v.list = v.list[:last]
	return w, true
}

// Put keeps w, or says that there are enough: then whoever calls gives it up.
func (v *Idle[W]) Put(w W) (kept bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.list) >= MostIdle {
		return false
	}
	v.list = append(v.list, w)
	return true
}

// Len is how many there are.
func (v *Idle[W]) Len() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.list)
}

// Nap returns once done says so. It looks at growing intervals, from 10 µs to 10 ms.
func Nap(done func() bool) {
	for nap := 10 * time.Microsecond; !done(); nap = min(2*nap, 10*time.Millisecond) {
		time.Sleep(nap)
	}
}

// Pin keeps host memory where it is. The zero value holds none.
type Pin struct {
	pinner runtime.Pinner
	held   bool
}

// Hold keeps the memory, of one byte at least, in its place until Release. Memory that
// is not Go's, such as page-locked memory, needs no pinning, and the runtime refuses it
// with a panic.
func (p *Pin) Hold(host []byte) {
	defer func() { _ = recover() }()
	p.pinner.Pin(&host[0])
	p.held = true
}

// Begin is a new Begin, which stays in its place until Release.
func (p *Pin) Begin() *Begin {
	b := new(Begin)
	p.pinner.Pin(b)
	p.held = true
	return b
}

// Begin decides whether a command that a worker gives to a stream, once that gets there,
// is given at all: not if its caller has left by then, since it would come behind
// commands that were enqueued later. C sees the number, and makes it 1 when it begins.
type Begin uint32

const (
	waiting Begin = 0
	left    Begin = 2
)

// Leave has the command left out, if it has not begun.
func (b *Begin) Leave() { atomic.CompareAndSwapUint32((*uint32)(b), uint32(waiting), uint32(left)) }

// Release lets go of what Hold and Begin keep, if they keep any.
func (p *Pin) Release() {
	if p.held {
		p.pinner.Unpin()
		p.held = false
	}
}
