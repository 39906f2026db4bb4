//go:build cgo && linux

package injection

import (
	"flag"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// Opened is called by tests once their device is open: failures count from there,
// and a test that never calls it meets them from its beginning.
func Opened() {
	if c := current; c != nil && c.armed != nil && !c.set {
		c.arm()
	}
}

// Done is called by tests that have done all but close their device.
func Done(dev driver.Device) {
	if c := current; c != nil && c.armed != nil && dev != nil {
		c.disarm()
		c.works("the device that the call failed on", dev)
	}
}

func (c *child) arm() {
	c.set = true
	c.fake.ResetCounts()
	if i := c.armed; i.Symbol != "" {
		c.fake.Fail(i.Symbol, i.Code, control.Nth(i.N))
	}
}

func (c *child) disarm() {
	if i := c.armed; i.Symbol != "" {
		c.fake.Fail(i.Symbol, 0, control.Never)
	}
}

// trace runs a test without a failure, and tells what it calls.
func (c *child) trace(test string) traced {
	i := Injection{Test: test, Early: contains(c.b.Whole, test)}
	t := traced{Calls: make(counts)}
	t.Result = c.run(i, func() {
		for _, s := range c.fake.Symbols() {
			if n := c.fake.Calls(s); n > 0 {
				t.Calls[s] = n
			}
		}
		t.Early = t.Early || !c.set
	})
	return t
}

// inject runs a test with a failure.
func (c *child) inject(i Injection) (r Result) {
	return c.run(i, nil)
}

// run runs a test, and looks at what became of it; then is called when it has ended.
func (c *child) run(i Injection, then func()) Result {
	r := Result{Injection: i}
	watch := time.AfterFunc(limit+limit/4, func() { panic("test timed out after " + limit.String()) })
	defer watch.Stop()
	dev, err := c.b.Open()
	if err != nil {
		r.problem("a device can't be opened before: %v", err)
		return r
	}
	before := c.state()
	begin := time.Now()
	c.armed, c.set, c.result = &i, false, &r
	_ = flag.Set("test.run", pattern(i.Test))
	c.fake.ResetCounts()
	if i.Early {
		c.arm()
	}
	text := c.quietly(func() { c.m.Run() })
	if i.Symbol != "" {
		r.Fired = uint64(c.fake.Calls(i.Symbol)) >= i.N
	}
	c.disarm()
	if then != nil {
		then()
	}
	r.Millis = time.Since(begin).Milliseconds()
	c.armed = nil
	c.judge(&r, text)
	c.left(&r, before)
	c.works("another opening of the device", dev)
	if err := dev.Close(); err != nil {
		r.problem("another opening of the device does not close: %v", err)
	}
	if len(r.Problems) > 0 || c.lacking && r.Outcome != "passed" {
		r.Text = text
	}
	return r
}

// state is what must come back to what it was.
type state struct {
	live, bytes int64
	wrong       int
	goes        map[string]int64
}

func (c *child) state() state {
	return state{int64(c.engine.Live("*")), c.engine.Bytes("*"), c.engine.WrongContext(), lifetime.Live()}
}
