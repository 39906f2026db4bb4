package waitpool

import (
	"sync/atomic"
	"time"
)

// A Pace remembers how long the latest waits for an object took, a stream's say, so
// that the next one is looked at in time: when two in a row took about the same, a
// thread wakes up shortly before the third is due. The zero value remembers nothing.
// Any goroutine may use it.
type Pace struct{ last, before atomic.Int64 } // nanoseconds

// note takes in how long a wait took.
func (p *Pace) note(d time.Duration) {
	p.before.Store(p.last.Swap(int64(d)))
}

// expect is how long the next wait may take; 0 when nothing is known.
func (p *Pace) expect() time.Duration {
	if p == nil {
		return 0
	}
	a, b := p.last.Load(), p.before.Load()
	if a > b {
		a, b = b, a
	}
	if a == 0 || b-a > a/8 {
		return 0
	}
	return time.Duration(a)
}
