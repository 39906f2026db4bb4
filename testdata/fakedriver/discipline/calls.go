package discipline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// Calls are how often an operation calls each of the driver's functions. What looks
// at the thread's context is left out: every operation may do so once.
type Calls map[string]int

// operation is one that is warm: it was done before.
type operation struct {
	name string
	do   func(x *set) error
	// before prepares each turn; what it calls is not counted.
	before  func(x *set) error
	least   bool // one call of the driver, and at most one look at the context
	several bool // more than one operation, each with a look
	// waits: what is waited for may take so long that it is asked for meanwhile, with
	// more calls. Once is enough then.
	waits bool
}

// operations are in the order in which they are done.
var operations = []operation{
	{name: "launch", do: (*set).launch, least: true},
	{name: "copy on the device", do: func(x *set) error { return x.s.Copy(x.a, 0, x.b, 0, 256) }, least: true},
	{name: "copy to the device", do: func(x *set) error { return x.s.Copy(x.a, 0, x.host, 0, 256) }, least: true},
	{name: "copy to the host", do: func(x *set) error { return x.s.Copy(x.host, 0, x.a, 0, 256) }, least: true},
	{name: "copy of a rectangle", do: func(x *set) error {
		return x.s.CopyRect(x.a, driver.Rect{RowPitch: 64}, x.b, driver.Rect{RowPitch: 64}, driver.Extent{Bytes: 16, Rows: 8})
	}, least: true},
	{name: "fill", do: func(x *set) error { return x.s.Fill(x.a, 0, 256, x.pattern) }, least: true},
	{name: "record", do: func(x *set) error { return x.s.Record(x.event) }, least: true},
	{name: "wait for an event on a stream", do: func(x *set) error { return x.s.WaitEvent(x.event) }, least: true},
	{name: "flush", do: func(x *set) error { return x.s.Flush() }},
	{name: "query of a stream known to be idle", do: query, before: idle},
	{name: "wait for a stream known to be idle", do: func(x *set) error { return x.s.Wait(background) }, before: idle},
	{name: "wait for a device known to be idle", do: func(x *set) error { return x.dev.Wait(background) }, before: idle},
	{name: "query of a stream that has finished", do: query, before: finished},
	{name: "wait for a stream that has finished", do: func(x *set) error { return x.s.Wait(background) }, waits: true, before: finished},
	{name: "query of an event", do: func(x *set) error { _, err := x.event.Query(); return err }, before: finished},
	{name: "wait for an event", do: func(x *set) error { return x.event.Wait(background) }, waits: true, before: finished},
	{name: "upload", do: func(x *set) error { return x.s.CopyFromHost(background, x.a, 0, x.slice) }, before: idle},
	{name: "download", do: func(x *set) error { return x.s.CopyToHost(background, x.slice, x.a, 0) }, waits: true, before: idle},
	{name: "allocate and free", do: func(x *set) error {
		m, err := x.dev.Alloc(4096)
		if err == nil {
			err = m.Close()
		}
		return err
	}, before: idle, several: true},
}

func query(x *set) error {
	_, err := x.s.Query()
	return err
}

// idle has the stream's work done, and known to be.
func idle(x *set) error { return x.s.Wait(background) }

// finished has the stream's work done, unknown to the stream.
func finished(x *set) error {
	if err := x.launch(); err != nil {
		return err
	}
	if err := x.s.Record(x.event); err != nil {
		return err
	}
	return x.event.Wait(background)
}

// counted are the calls of the driver that f makes.
func (r *rig) counted(f func()) Calls {
	r.ctl.ResetCounts()
	f()
	c := Calls{}
	if r.ctl.Calls("*") == 0 {
		return c
	}
	for _, s := range r.ctl.Symbols() {
		if n := r.ctl.Calls(s); n > 0 {
			c[s] = n
		}
	}
	return c
}

func (c Calls) String() string {
	list := make([]string, 0, len(c))
	for _, s := range slices.Sorted(maps.Keys(c)) {
		list = append(list, fmt.Sprintf("%d %s", c[s], s))
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

func calls(r *rig) {
	for how := range r.Opens {
		r.sub(fmt.Sprintf("OfOperations%d", how), func(r *rig) { r.countOperations(how) })
	}
	r.sub("OfAOneStreamProgram", oneStream)
}

func (r *rig) countOperations(how int) {
	x := r.newSet(r.open(0, how))
	defer x.close(r)
	names := map[string]bool{}
	for _, op := range operations {
		names[op.name] = true
		once := func() Calls {
			if op.before != nil {
				r.ok(op.before(x))
			}
			return r.counted(func() { r.ok(op.do(x)) })
		}
		for range 3 {
			once() // until it is warm
		}
		turns, right := 5, 0
		if op.waits {
			turns = 50
		}
		var looks int
		var c Calls
		for right = 0; right < turns; right++ {
			c = once()
			looks = c[r.Current.Check]
			delete(c, r.Current.Check)
			if same := maps.Equal(c, r.Calls[op.name]); same == op.waits {
				break
			}
		}
		if op.waits == (right == turns) {
			r.Errorf("%s: %v; want %v", op.name, c, r.Calls[op.name])
		}
		total := 0
		for _, n := range c {
			total += n
		}
		if looks > 1 && !op.several || op.least && total != 1 {
			r.Errorf("%s: %d calls, and %d looks at the context; want 1 and at most 1", op.name, total, looks)
		}
		r.Logf("%s: %v; %d looks at the context", op.name, r.Calls[op.name], looks)
	}
	r.ok(x.s.Wait(background))
	for name := range r.Calls {
		if !names[name] {
			r.Errorf("the backend expects calls of %q, which is no operation", name)
		}
	}
}

// oneStream is a program that needs no events, and makes no call about any.
func oneStream(r *rig) {
	dev := r.open(0, 0)
	c := r.counted(func() {
		x := r.newSet(dev)
		r.ok(x.event.Close())
		for range 10 {
			r.ok(x.s.CopyFromHost(background, x.a, 0, x.slice))
			r.ok(x.s.Copy(x.b, 0, x.a, 0, 256))
			r.ok(x.launch())
			r.ok(x.s.CopyToHost(background, x.slice, x.b, 0))
			m, err := dev.Alloc(100)
			r.ok(err)
			r.ok(x.s.Fill(m, 0, 100, x.pattern))
			r.ok(m.Close())
			r.ok(x.s.Wait(background))
		}
		x.close(r)
	})
	events := 0
	for s, n := range c {
		if strings.Contains(s, r.Events) {
			events += n
		}
	}
	// The event of the set itself is made and closed.
	if events != 2 {
		r.Errorf("%d calls about events, of which the program has none: %v", events-2, c)
	}
}
