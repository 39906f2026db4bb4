package discipline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/waitpool"
)

// Points are where waits can be when something happens to them.
type Points struct {
	// Models are devices that have backends wait in different ways.
	Models []string
	// Watch is what the driver is asked now and then during a wait, by the model and
	// the name of the way, and Stand the call that does not return until it is over.
	// A wait has one of them.
	Watch, Stand map[string]map[string]string
	// Hang are the calls that waits begin with.
	Hang []string
}

// way is a way to wait.
type way struct {
	name string
	wait func(ctx context.Context, x *waiting) error
	size uint64 // of the memory that it copies

	watch, stand string // of Points
}

// megabytes is more than is copied by way of staging memory.
const megabytes = 33 << 20

// host is made when it is needed: Go lets as much garbage lie as there is memory in use.
var host = sync.OnceValue(func() []byte { return make([]byte, megabytes) })

var ways = []way{
	{"Stream.Wait", func(ctx context.Context, x *waiting) error { return x.s.Wait(ctx) }, 64, "", ""},
	{"Event.Wait", func(ctx context.Context, x *waiting) error { return x.event.Wait(ctx) }, 64, "", ""},
	{"Device.Wait", func(ctx context.Context, x *waiting) error { return x.dev.Wait(ctx) }, 64, "", ""},
	{"CopyFromHost", func(ctx context.Context, x *waiting) error {
		return x.s.CopyFromHost(ctx, x.m, 0, make([]byte, x.m.Size()))
	}, 100_000, "", ""},
	{"CopyToHost", func(ctx context.Context, x *waiting) error {
		return x.s.CopyToHost(ctx, make([]byte, x.m.Size()), x.m, 0)
	}, 100_000, "", ""},
	{"CopyToHost by a worker", func(ctx context.Context, x *waiting) error { return x.s.CopyToHost(ctx, host(), x.m, 0) }, megabytes, "", ""},
}

// waiting is a wait, and what it is for: a stream with a command that does not begin
// until the streams are let go.
type waiting struct {
	*rig
	way
	dev    driver.Device
	s      driver.Stream
	event  driver.Event
	m      driver.Memory
	before left
	cancel context.CancelFunc
	done   chan error
}

// prepare has everything but the wait.
func (r *rig) prepare(w way) *waiting {
	r.Helper()
	x := &waiting{rig: r, way: w, before: r.left(), done: make(chan error, 1)}
	var err error
	x.dev, err = r.Opens[len(r.Opens)-1](0)
	r.ok(err)
	x.s, err = x.dev.NewStream(driver.StreamOptions{})
	r.ok(err)
	x.event, err = x.dev.NewEvent(driver.EventOptions{})
	r.ok(err)
	x.m, err = x.dev.Alloc(w.size)
	r.ok(err)
	p, err := driver.PatternOf(uint32(7))
	r.ok(err)
	r.ctl.Hold(true)
	r.ok(x.s.Fill(x.m, 0, 64, p))
	r.ok(x.s.Record(x.event))
	return x
}

// begin begins the wait.
func (x *waiting) begin() {
	ctx, cancel := context.WithCancel(background)
	x.cancel = cancel
	go func() { x.done <- x.wait(ctx, x) }()
}

// begun begins the wait, and returns once its goroutine has parked.
func (x *waiting) begun() {
	x.Helper()
	parked := waitpool.Default().Stats().Parked
	x.begin()
	x.until(x.name+" parks", func() bool { return waitpool.Default().Stats().Parked > parked })
}

// asked returns once a symbol was called so often.
func (x *waiting) asked(symbol string, n int) {
	x.Helper()
	x.until(x.name+": "+symbol+" is called", func() bool { return x.ctl.Calls(symbol) >= n })
}

func (x *waiting) close() {
	x.Helper()
	for _, c := range []interface{ Close() error }{x.event, x.m, x.s, x.dev} {
		if err := c.Close(); err != nil {
			x.Errorf("closing a %T: %v", c, err)
		}
	}
}

// end ends a case: nothing is held or blocked any more.
func (x *waiting) end() {
	x.Helper()
	x.cancel()
	x.ctl.Hold(false)
	x.close()
	if x.Recover != nil {
		x.oursEnded(x.before) // what is under way must not meet it
		x.Recover(x.ctl)
		again, err := x.Opens[0](0) // what the driver keeps for itself
		x.ok(err)
		x.ok(again.Close())
	}
	x.nothingLeft(x.before)
}

// phases are the symbols that a wait calls until it has parked, while it is parked,
// and in the end.
type phases struct{ first, parked, last []string }

func (r *rig) phases(w way) (p phases) {
	r.Helper()
	x := r.prepare(w)
	defer x.end()
	counts := func() Calls {
		c := Calls{}
		for _, s := range r.ctl.Symbols() {
			c[s] = r.ctl.Calls(s)
		}
		return c
	}
	risen := func(a, b Calls) (list []string) {
		for s, n := range b {
			if n > a[s] {
				list = append(list, s)
			}
		}
		slices.Sort(list)
		return list
	}
	r.ctl.ResetCounts()
	x.begun()
	if w.stand != "" {
		x.asked(w.stand, 1)
	} else {
		x.asked(w.watch, 1)
	}
	first := counts()
	p.first = risen(Calls{}, first)
	if w.stand == "" {
		x.asked(w.watch, first[w.watch]+2) // one may have been under way
		p.parked = risen(first, counts())
	}
	r.ctl.Hold(false)
	r.ok(within(r, w.name, x.done))
	for _, s := range risen(Calls{}, counts()) {
		if !slices.Contains(p.first, s) && !slices.Contains(p.parked, s) {
			p.last = append(p.last, s)
		}
	}
	return p
}

// happening is what happens to a wait, and what comes of it.
type happening struct {
	name string
	do   func(x *waiting)
	// free: the streams must be let go for the wait to end.
	free bool
	want func(r *rig) []error // one of them; nil is success
}

var happenings = []happening{
	{"Cancel", func(x *waiting) { x.cancel() }, false, func(*rig) []error { return []error{context.Canceled} }},
	{"Close", func(x *waiting) { x.close() }, true, func(*rig) []error { return []error{nil} }},
	{"DeviceLost", func(x *waiting) { x.ctl.LoseDevice(0, x.Lost) }, false, func(*rig) []error { return []error{driver.ErrDeviceLost} }},
	{"Fault", func(x *waiting) { x.ctl.FaultNext(719) }, true, func(*rig) []error { return []error{driver.ErrDeviceFault} }},
}

// moment is when a wait makes a call: before it has parked, while it is parked, or
// once the stream has got there.
type moment int

const (
	before moment = iota
	meanwhile
	after
)

// happens checks one case: the wait is at its call of a symbol, or, without one, just
// parked.
func (r *rig) happens(w way, h happening, symbol string, at moment) {
	r.Helper()
	x := r.prepare(w)
	if at != before {
		x.begun()
	}
	release := func() {}
	if symbol != "" {
		release = r.ctl.Block(symbol)
	}
	switch at {
	case before:
		x.begin()
	case after:
		r.ctl.Hold(false)
	}
	if symbol != "" {
		r.until(fmt.Sprintf("%s is at %s", w.name, symbol), func() bool { return r.ctl.Blocked(symbol) > 0 })
	}
	did := make(chan struct{})
	go func() { defer close(did); h.do(x) }() // which may have to wait at the same symbol
	if h.name != "Close" {
		<-did
	}
	release()
	if h.free {
		r.ctl.Hold(false)
	}
	err := within(r, w.name, x.done)
	within(r, h.name, did)
	want := h.want(r)
	if at == after {
		want = append(want, nil) // it had been done
	}
	if !slices.ContainsFunc(want, func(e error) bool { return errors.Is(err, e) }) {
		r.Errorf("%s at %q: %v; want %v", w.name, symbol, err, want)
	}
	r.ctl.FaultNext(0)
	r.ctl.LoseDevice(0, 0)
	x.end()
}

// waits has things happen to waits at every point.
func waits(r *rig) {
	for _, model := range r.Points.Models {
		r.Run(model, func(t *testing.T) {
			r := &rig{t, r.Backend, r.ctl}
			r.ok(r.ctl.Devices(model, 2, 0))
			n := 0
			for _, w := range ways {
				w.watch, w.stand = r.Points.Watch[model][w.name], r.Points.Stand[model][w.name]
				var p phases
				r.sub(w.name, func(r *rig) { p = r.phases(w) })
				if r.Failed() {
					return
				}
				if testing.Short() && w.size == megabytes {
					p.first = []string{w.watch + w.stand}
				}
				for _, h := range happenings {
					if testing.Short() && w.size == megabytes && h.free {
						continue // copies that are made take half a second each
					}
					r.sub(w.name+"/"+h.name, func(r *rig) {
						r.happens(w, h, "", meanwhile)
						for at, list := range [][]string{p.first, p.parked, p.last} {
							for _, s := range list {
								r.happens(w, h, s, moment(at))
							}
						}
						n += 1 + len(p.first) + len(p.parked) + len(p.last)
					})
				}
				r.Logf("%s: %+v", w.name, p)
			}
			r.Logf("%d waits, at every call of the driver that they make", n)
		})
	}
}
