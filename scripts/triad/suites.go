package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/testdata/twins/cltwin"
)

// launchPairs measures warm launches of empty kernels. The C twin sets the
// arguments and enqueues each time. Both wait now and then, so that the queue
// stays short; that counts, but for the pairs of calls alone.
func launchPairs(r *rig) []pair {
	s := r.stream
	launch := func(name string, args int, op func() error) pair {
		return pair{
			suite: "launch", name: name, ours: r.withWaits(s, op),
			c: func(n int) (time.Duration, error) { return r.twin.Launch(args, n, every) },
		}
	}
	calls := func(name string, args int, op func() error) pair {
		return pair{
			suite: "launch", name: name, ours: r.callsAlone(s, op),
			c: func(n int) (time.Duration, error) { return r.twin.LaunchCalls(args, n, every) },
		}
	}
	launch4 := func() error { return empty4.Launch(s, one, r.args4) }
	launch4Driver := func() error { return r.kernel4.Launch(s, one, driver.ArgsOf(&r.args4)) }
	return []pair{
		launch("args0/kernelcache", 0, func() error { return empty0.Launch(s, one, args0{}) }),
		launch("args4/kernelcache", 4, launch4),
		launch("args4/driver", 4, launch4Driver),
		launch("args16/kernelcache", 16, func() error { return empty16.Launch(s, one, r.args16) }),
		calls("args4/kernelcache/calls", 4, launch4),
		calls("args4/driver/calls", 4, launch4Driver),
		{
			suite: "launch", name: fmt.Sprintf("args4/kernelcache/x%d", lanes), ops: lanes,
			ours: r.launchAtOnce,
			c:    func(n int) (time.Duration, error) { return r.twin.LaunchThreads(lanes, n, every) },
		},
	}
}

// launchAtOnce launches one kernel n times from each of the goroutines, each on
// a stream of its own. The time runs from when all are there until the last has
// finished.
//
// With fewer cores than goroutines PoCL makes this look worse than it is: it
// calls malloc in each launch, and glibc gives each of C's threads an arena of
// its own, while Go runs on as many threads as there are cores. On 2 cores the
// ratio was 1.26, and 0.5 to 1.03 with MALLOC_ARENA_MAX=1.
func (r *rig) launchAtOnce(n int) (time.Duration, error) {
	var (
		ready, done sync.WaitGroup
		start       = make(chan struct{})
		errs        [lanes]error
	)
	ready.Add(lanes)
	done.Add(lanes)
	for i, s := range r.streams {
		go func() {
			defer done.Done()
			ready.Done()
			<-start
			_, _, errs[i] = r.repeat(s, n, func() error { return empty4.Launch(s, one, r.args4) })
		}()
	}
	ready.Wait()
	begin := time.Now()
	close(start)
	done.Wait()
	took := time.Since(begin)
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return took, nil
}

// waitPairs measures waits. C has several ways to wait for a launch; ours is
// compared with each.
func waitPairs(r *rig) []pair {
	s, e := r.stream, r.event
	launchWait := func() error {
		if err := empty4.Launch(s, one, r.args4); err != nil {
			return err
		}
		return s.Wait(r.ctx)
	}
	launchRecordWait := func() error {
		if err := empty4.Launch(s, one, r.args4); err != nil {
			return err
		}
		if err := s.Record(e); err != nil {
			return err
		}
		return e.Wait(r.ctx)
	}
	launch := func(name string, how cltwin.Wait, op func() error) pair {
		return pair{
			suite: "wait", name: name, ours: loop(op),
			c: func(n int) (time.Duration, error) { return r.twin.LaunchWait(how, n) },
		}
	}
	return []pair{
		launch("launch+wait/clFinish", cltwin.Finish, launchWait),
		launch("launch+wait/clWaitForEvents", cltwin.WaitForEvents, launchWait),
		launch("launch+wait/polling", cltwin.Poll, launchWait),
		launch("launch+record+wait/marker", cltwin.Marker, launchRecordWait),
		{
			suite: "wait", name: "idle-stream/clFinish",
			ours: loop(func() error { return s.Wait(r.ctx) }), c: r.twin.IdleWait,
		},
		{
			suite: "wait", name: "reached-event/clWaitForEvents",
			ours: r.reached(func() error { return e.Wait(r.ctx) }), c: r.twin.ReachedWait,
		},
	}
}

// copyPairs measures copies between pageable host memory and the device, which
// block on both sides, and copies on the device.
func copyPairs(r *rig) []pair {
	var pairs []pair
	for _, size := range []int{64, 4 << 10, memoryBytes} {
		add := func(name string, d cltwin.Direction, ours side) {
			pairs = append(pairs, pair{
				suite: "copy", name: fmt.Sprintf("%dB/%s", size, name), ours: ours,
				c: func(n int) (time.Duration, error) { return r.twin.Copy(d, size, n, every) },
			})
		}
		x, y, host := r.x.Memory(), r.y.Memory(), r.host[:size]
		add("to-device", cltwin.ToDevice, loop(func() error { return r.stream.CopyFromHost(r.ctx, x, 0, host) }))
		add("to-host", cltwin.ToHost, loop(func() error { return r.stream.CopyToHost(r.ctx, host, y, 0) }))
		add("on-device", cltwin.OnDevice, r.withWaits(r.stream, func() error { return r.stream.Copy(x, 0, y, 0, uint64(size)) }))
	}
	return pairs
}

// eventPairs measures events.
func eventPairs(r *rig) []pair {
	return []pair{
		{
			suite: "event", name: "record",
			ours: r.withWaits(r.stream, func() error { return r.stream.Record(r.event) }),
			c:    func(n int) (time.Duration, error) { return r.twin.Record(n, every) },
		},
		{
			suite: "event", name: "query",
			ours: r.reached(func() error {
				done, err := r.event.Query()
				if err == nil && !done {
					err = fmt.Errorf("the event was reached and is not done")
				}
				return err
			}),
			c: r.twin.Query,
		},
	}
}

// loop makes a side of an operation that waits by itself.
func loop(op func() error) side {
	return func(n int) (time.Duration, error) {
		begin := time.Now()
		for range n {
			if err := op(); err != nil {
				return 0, err
			}
		}
		return time.Since(begin), nil
	}
}

// reached is loop for an operation on the event, which was reached before.
func (r *rig) reached(op func() error) side {
	again := loop(op)
	return func(n int) (time.Duration, error) {
		if err := r.stream.Record(r.event); err != nil {
			return 0, err
		}
		if err := r.event.Wait(r.ctx); err != nil {
			return 0, err
		}
		return again(n)
	}
}
