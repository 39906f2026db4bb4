package waitpool

import (
	"sync/atomic"
	"time"
)

// A Pace remembers how long the latest waits for an object took, a stream's say, so
// that the next one is looked at in time: a thread wakes up shortly before it is due.
// It is expected to take as long as the wait that came after the last one like the
// latest; so it may be waits that take turns. The zero value remembers nothing. Any
// goroutine may use it.
type Pace struct {
	n    atomic.Uint32
	took [paceLength]atomic.Int64 // nanoseconds; that of wait i at i % paceLength
}

const paceLength = 8

// note takes in how long a wait took.
func (p *Pace) note(d time.Duration) {
	p.took[(p.n.Add(1)-1)%paceLength].Store(int64(d))
}

// expect is how long the next wait may take; 0 when nothing is known.
func (p *Pace) expect() time.Duration {
	if p == nil {
		return 0
	}
	n := p.n.Load()
	latest := p.took[(n-1)%paceLength].Load()
	next := latest
	for i := uint32(2); i <= min(n, paceLength); i++ {
		d := p.took[(n-i)%paceLength].Load()
		if alike(d, latest) {
			return time.Duration(next)
		}
		next = d
	}
	return 0
}

// alike tells whether two waits took about the same.
func alike(a, b int64) bool {
	return a > 0 && b > 0 && max(a, b)-min(a, b) <= max(a, b)/8
}
