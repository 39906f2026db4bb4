package waiters

import (
	"os"
	"strconv"
	"sync/atomic"
)

// Crowd counts the waits for streams of a device that are under way, and tells how to
// wait for one more: by a word that the stream writes, or by asking the driver.
//
// A device has so many channels. When more streams than that are waited for, some share
// one, and a word holds up the others there: it is written once all before it has
// finished. Then asking is the better way. On an H200, where it takes 0.2 µs a stream,
// 64 streams with kernels of 100 µs got twice as many waits a second so. Beyond
// MostAsked streams words take less.
//
// The zero value counts none; any goroutine may use it.
type Crowd struct{ n atomic.Int32 }

// MostAsked is how many streams are asked for at most.
const MostAsked = 256

// Join counts a wait, until its Leave, and tells whether the driver is to be asked.
func (c *Crowd) Join(channels int) (ask bool) {
	n := int(c.n.Add(1))
	return n > channels && n <= MostAsked
}

// Leave ends a wait that Join has counted.
func (c *Crowd) Leave() { c.n.Add(-1) }

// Channels is the number of channels that an environment variable names, most at the
// most, or else the one that drivers have without it.
func Channels(variable string, otherwise, most int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil && n > 0 {
		return min(n, most)
	}
	return otherwise
}
