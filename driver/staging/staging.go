// Package staging is what backends have in common that copy by way of page-locked
// memory of their own: the memory, chunks of it for small copies to a device, and the
// list of copies from a device whose bytes are still to be delivered.
//
// It knows nothing of drivers: a backend says how memory is allocated, and how far a
// stream has come. P is how it names memory. What has a lock may be used by any
// goroutine. Nothing here allocates once it is warm.
package staging

import (
	"math/bits"
	"sync"
)

// Staging memory comes in sizes of powers of two.
const (
	Smallest = 64 << 10
	Largest  = 32 << 20
	Total    = 128 << 20 // the most of a device's staging memory
	classes  = 10
)

// Pool is page-locked memory through which copies from and to other host memory go.
// What was allocated is kept for the next copy.
type Pool[P any] struct {
	// Alloc allocates memory; false if there is none. Free frees it.
	Alloc func(size uint64) (P, bool)
	Free  func(p P)

	mu    sync.Mutex
	free  [classes][]P
	all   []P
	total uint64
}

// class is the size class of n bytes; they are Smallest << class.
func class(n uint64) int { return bits.Len64((n - 1) / Smallest) }

// Take is room for n bytes, n above 0; false if there is none.
func (g *Pool[P]) Take(n uint64) (p P, ok bool) {
	if n > Largest {
		return p, false
	}
	c := class(n)
	size := uint64(Smallest) << c
	g.mu.Lock()
	if list := g.free[c]; len(list) > 0 {
		p = list[len(list)-1]
		g.free[c] = list[:len(list)-1]
		g.mu.Unlock()
		return p, true
	}
	if g.total+size > Total {
		g.mu.Unlock()
		return p, false
	}
	g.total += size
	g.mu.Unlock()
	p, ok = g.Alloc(size)
	g.mu.Lock()
	defer g.mu.Unlock()
	if !ok {
		g.total -= size
		return p, false
	}
	g.all = append(g.all, p)
	return p, true
}

// Put gives room for n bytes back.
func (g *Pool[P]) Put(p P, n uint64) {
	c := class(n)
	g.mu.Lock()
	g.free[c] = append(g.free[c], p)
	g.mu.Unlock()
}

// Close frees all of it, once no copy is under way.
func (g *Pool[P]) Close() {
	for _, p := range g.all {
		g.Free(p)
	}
	g.all, g.free = nil, [classes][]P{}
}
