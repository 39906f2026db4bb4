package cuda

import (
	"math/bits"
	"sync"
)

// Staging memory comes in sizes of powers of two.
const (
	stageSmallest = 64 << 10
	stageLargest  = 32 << 20
	stageTotal    = 128 << 20 // the most of a device's staging memory
	stageClasses  = 10
)

// staging is page-locked memory through which copies from and to other host memory
// go. The driver, given such memory, makes copies to the host when the stream has
// come to them, and holds the thread until then. With page-locked memory in between
// they are commands like any other: in their place, and waited for like others.
//
// What was allocated is kept for the next copy.
type staging struct {
	mu    sync.Mutex
	free  [stageClasses][]handle
	all   []handle
	total uint64
}

// stageClass is the size class of n bytes; they are 64 KiB << class.
func stageClass(n uint64) int { return bits.Len64((n - 1) / stageSmallest) }

// take is room for n bytes, n above 0; nil if there is none.
func (g *staging) take(dev handle, n uint64) handle {
	if n > stageLargest {
		return nil
	}
	class := stageClass(n)
	size := uint64(stageSmallest) << class
	g.mu.Lock()
	if list := g.free[class]; len(list) > 0 {
		p := list[len(list)-1]
		g.free[class] = list[:len(list)-1]
		g.mu.Unlock()
		return p
	}
	if g.total+size > stageTotal {
		g.mu.Unlock()
		return nil
	}
	g.total += size
	g.mu.Unlock()
	p, _, code := rawHostAlloc(dev, size, hostPortable|hostMapped)
	g.mu.Lock()
	defer g.mu.Unlock()
	if code != 0 {
		g.total -= size
		return nil
	}
	g.all = append(g.all, p)
	return p
}

// put gives room for n bytes back.
func (g *staging) put(p handle, n uint64) {
	class := stageClass(n)
	g.mu.Lock()
	g.free[class] = append(g.free[class], p)
	g.mu.Unlock()
}

// close frees all of it, once no copy is under way.
func (g *staging) close(dev handle) {
	for _, p := range g.all {
		rawHostFree(dev, p)
	}
}
