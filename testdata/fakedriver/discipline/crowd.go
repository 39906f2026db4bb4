package discipline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/mallocs"
	"github.com/triad-gpu/triad/waitpool"
)

// crowdSize is how many wait at once: the race detector knows 8128 goroutines at most.
func crowdSize() int {
	if drivertest.Instrumented {
		return 2000
	}
	return 20_000
}

// crowd has many wait while the driver hangs.
func crowd(r *rig) {
	r.sub("Warm", func(r *rig) { r.standStill(true) }) // Go keeps what it knows goroutines by
	r.sub("StreamsStandStill", func(r *rig) { r.standStill(true) })
	r.sub("StreamsStandStillAndAllGiveUp", func(r *rig) { r.standStill(false) })
	r.sub("CallsHang", callsHang)
	r.sub("CallsHangAndAllGiveUp", callsHangAndAllGiveUp)
}

func threads(r *rig) int {
	list, err := os.ReadDir("/proc/self/task")
	r.ok(err)
	return len(list)
}

// people are goroutines that wait for streams and events in turn.
type people struct {
	n       int
	streams []driver.Stream
	events  []driver.Event
	dev     driver.Device
	begun   atomic.Int64
	all     sync.WaitGroup
	errs    chan error
	cancel  context.CancelFunc
}

const crowdStreams = 40

// gather opens a device and has commands that do not begin.
func (r *rig) gather() *people {
	r.Helper()
	c := &people{n: crowdSize()}
	var err error
	c.dev, err = r.Opens[0](0)
	r.ok(err)
	m, err := c.dev.Alloc(64)
	r.ok(err)
	p, err := driver.PatternOf(uint32(7))
	r.ok(err)
	r.ok(c.dev.Wait(background))
	r.ctl.Hold(true)
	for range crowdStreams {
		s, err := c.dev.NewStream(driver.StreamOptions{})
		r.ok(err)
		e, err := c.dev.NewEvent(driver.EventOptions{})
		r.ok(err)
		r.ok(s.Fill(m, 0, 64, p))
		r.ok(s.Record(e))
		c.streams, c.events = append(c.streams, s), append(c.events, e)
	}
	r.ok(m.Close())
	return c
}

// wait has everybody begin.
func (c *people) wait() {
	c.errs = make(chan error, c.n)
	ctx, cancel := context.WithCancel(background)
	c.cancel = cancel
	for i := range c.n {
		c.all.Add(1)
		go func() {
			defer c.all.Done()
			c.begun.Add(1)
			if i%2 == 0 {
				c.errs <- c.streams[i/2%crowdStreams].Wait(ctx)
			} else {
				c.errs <- c.events[i/2%crowdStreams].Wait(ctx)
			}
		}()
	}
}

// ended returns once nobody waits, with the errors other than the one allowed.
func (c *people) ended(r *rig, allowed error) {
	r.Helper()
	done := make(chan struct{})
	go func() { c.all.Wait(); close(done) }()
	within(r, "the last of the waits", done)
	c.cancel()
	close(c.errs)
	for err := range c.errs {
		if !errors.Is(err, allowed) {
			r.Errorf("a wait ended with %v; want %v", err, allowed)
			break
		}
	}
	r.ctl.Hold(false)
	for i := range c.streams {
		r.ok(c.streams[i].Close())
		r.ok(c.events[i].Close())
	}
	r.ok(c.dev.Close())
}

// memory is what Go and C have in use, in KiB.
func memory() (inGo, inC int) {
	runtime.GC()
	runtime.GC() // what pools let go in the first
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc+m.StackInuse) / 1024, mallocs.InUse() / 1024
}

// given fails unless memory is given back, but for what pools of a thousand keep.
func (r *rig) given(what string, goBefore, cBefore int) {
	r.Helper()
	const most = 8 << 10 // of 90 MiB
	var inGo, inC int
	for begin := time.Now(); time.Since(begin) < 10*time.Second; time.Sleep(10 * time.Millisecond) {
		inGo, inC = memory()
		if inGo <= goBefore+most && inC <= cBefore+most {
			break
		}
	}
	if inGo > goBefore+most || inC > cBefore+most {
		r.Errorf("%s: %d KiB of Go and %d KiB of C are in use, and %d and %d were before", what, inGo, inC, goBefore, cBefore)
	}
}

// standStill has streams begin no command, until all wait, and then lets them go on,
// or everybody give up.
func (r *rig) standStill(goOn bool) {
	before := r.left()
	goBefore, cBefore := memory()
	c := r.gather()
	few := threads(r)
	begin := time.Now()
	c.wait()
	r.until("all wait", func() bool { return waitpool.Default().Stats().InFlight >= before.waiting+c.n })
	inGo, inC := memory()
	many := threads(r)
	if most := few + mostLooks() + runtime.GOMAXPROCS(0) + 40; many > most {
		r.Errorf("%d threads while %d wait, and %d before; want at most %d", many, c.n, few, most)
	}
	allowed := error(nil)
	if goOn {
		r.ctl.Hold(false)
	} else {
		allowed = context.Canceled
		c.cancel()
	}
	let := time.Now()
	c.ended(r, allowed)
	r.Logf("%d waits on %d streams: %d threads more, %d bytes of Go and %d of C each; begun in %v, all ended %v after", c.n, crowdStreams,
		many-few, (inGo-goBefore)*1024/c.n, (inC-cBefore)*1024/c.n, let.Sub(begin).Round(time.Millisecond), time.Since(let).Round(time.Millisecond))
	r.nothingLeft(before)
	if !strings.HasSuffix(r.Name(), "Warm") {
		r.given(fmt.Sprintf("%d waits", c.n), goBefore, cBefore)
	}
}

// mostLooks is how many may wait in calls of the driver's at once.
func mostLooks() int { return waitpool.Default().Stats().MostLooking }

// callsHang has calls of the driver not return, until all wait or queue for making one,
// and then go on.
func callsHang(r *rig) {
	before := r.left()
	c := r.gather()
	few := threads(r)
	var release []func()
	for _, s := range r.Points.Hang {
		release = append(release, r.ctl.Block(s))
	}
	c.wait()
	r.until("all wait or queue", func() bool {
		s := waitpool.Default().Stats()
		return s.Looking+s.LookQueue+s.InFlight >= before.waiting+c.n
	})
	many := threads(r)
	if most := few + mostLooks() + runtime.GOMAXPROCS(0) + 40; many > most {
		r.Errorf("%d threads while %d wait for calls that hang, and %d before; want at most %d", many, c.n, few, most)
	}
	let := time.Now()
	for _, f := range release {
		f()
	}
	r.ctl.Hold(false)
	c.ended(r, nil)
	r.Logf("%d waits in calls that hang: %d threads more; all ended %v after they went on", c.n, many-few, time.Since(let).Round(time.Millisecond))
	r.nothingLeft(before)
}

// callsHangAndAllGiveUp has everybody give up meanwhile: those who are in a call of the
// driver's return once that does, the others at once.
func callsHangAndAllGiveUp(r *rig) {
	before := r.left()
	c := r.gather()
	var release []func()
	for _, s := range r.Points.Hang {
		release = append(release, r.ctl.Block(s))
	}
	c.wait()
	r.until("all wait or queue", func() bool {
		s := waitpool.Default().Stats()
		return s.Looking+s.LookQueue+s.InFlight >= before.waiting+c.n
	})
	c.cancel()
	r.until("those who queue have gone", func() bool { return len(c.errs) >= c.n-mostLooks() })
	for _, f := range release {
		f()
	}
	c.ended(r, context.Canceled)
	r.nothingLeft(before)
}
