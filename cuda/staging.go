package cuda

import "sync"

// stageSize is the most that goes by way of a device's staging memory.
const stageSize = 64 << 10

// stageSlots is how many copies can be under way through it.
const stageSlots = 16

// staging is page-locked memory through which small copies to the host go: copied
// straight into memory that isn't page-locked, they would hold a thread until the
// stream has come to them.
type staging struct {
	mu    sync.Mutex
	made  bool
	block handle
	slots []handle
}

// take is a slot of stageSize bytes; nil if there is none.
func (g *staging) take(dev handle) handle {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.made {
		g.made = true
		if p, _, code := rawHostAlloc(dev, stageSize*stageSlots, hostPortable); code == 0 {
			g.block = p
			g.slots = make([]handle, stageSlots)
			for i := range g.slots {
				g.slots[i] = addrAt(p, uint64(i)*stageSize)
			}
		}
	}
	n := len(g.slots)
	if n == 0 {
		return nil
	}
	p := g.slots[n-1]
	g.slots = g.slots[:n-1]
	return p
}

// put gives a slot back.
func (g *staging) put(p handle) {
	g.mu.Lock()
	g.slots = append(g.slots, p)
	g.mu.Unlock()
}

// free gives the memory back, once no copy is under way.
func (g *staging) free(dev handle) {
	if g.block != nil {
		rawHostFree(dev, g.block)
	}
}
