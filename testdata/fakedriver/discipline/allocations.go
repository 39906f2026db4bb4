package discipline

import (
	"fmt"
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/mallocs"
)

// allocates are operations that may: Go objects stand for what is allocated, and a
// device's streams are listed.
var allocates = map[string]bool{"allocate and free": true, "wait for a device known to be idle": true}

// allocations has warm operations allocate nothing, in Go or in C.
func allocations(r *rig) {
	if drivertest.Instrumented {
		r.Skip("the race detector and AddressSanitizer allocate")
	}
	counter, err := mallocs.Open()
	if err != nil {
		r.Fatal(err)
	}
	for how := range r.Opens {
		r.sub(fmt.Sprintf("OfOperations%d", how), func(r *rig) { r.countAllocations(how, counter) })
	}
}

// turns is how often an operation is done while its allocations are counted.
const turns = 200

func (r *rig) countAllocations(how int, counter *mallocs.Counter) {
	x := r.newSet(r.open(0, how))
	defer x.close(r)
	list := append([]operation{
		{name: "launch and wait", do: func(x *set) error {
			if err := x.launch(); err != nil {
				return err
			}
			return x.s.Wait(background)
		}},
		{name: "record and wait", do: func(x *set) error {
			if err := x.s.Record(x.event); err != nil {
				return err
			}
			return x.event.Wait(background)
		}},
	}, operations...)
	drivers := 0 // a command that need not wait is none
	for _, op := range list {
		if allocates[op.name] {
			continue
		}
		once := func() {
			if op.before != nil {
				r.ok(op.before(x))
			}
			r.ok(op.do(x))
		}
		for range 50 {
			once() // until it is warm
		}
		// A thread that Go starts meanwhile allocates, and a collection may begin: the
		// least of three counts.
		inGo, inC := 1e9, 1<<30
		for range 3 {
			counter.Begin()
			n := testing.AllocsPerRun(turns, once)
			ours, others := counter.End()
			inGo, inC, drivers = min(inGo, n), min(inC, ours), max(drivers, others)
		}
		if inGo != 0 || inC != 0 {
			r.Errorf("%s, %d times: %v allocations of Go's a time, %d of C's in all", op.name, turns, inGo, inC)
		}
	}
	if drivers == 0 {
		r.Error("the fake driver allocates for each command, and no allocation of its was counted")
	}
	r.ok(x.s.Wait(background))
}
