package main

import (
	"fmt"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/testdata/twins/cudatwin"
)

// spun is how long the kernels run that waits are measured with.
const spun = 100 * time.Microsecond

// waits measures waits. C has several ways to wait for a launch; ours is compared
// with each.
func (r *cuRig) waits() []pair {
	launch := func(name string, how cudatwin.Wait, b bound) pair {
		return pair{
			suite: "wait", name: "launch+wait/" + name, ours: loop(r.launch4Wait), bound: b,
			c: func(n int) (time.Duration, error) { return r.twin.LaunchWait(how, n) },
		}
	}
	pairs := []pair{
		launch("query", cudatwin.Query, bound{ratio: 1.05, noHeap: true}),
		launch("synchronize", cudatwin.Synchronize, bound{}),
		launch("blocking", cudatwin.Blocking, bound{}),
		{
			suite: "wait", name: "idle-stream/synchronize", c: r.twin.IdleWait,
			ours: loop(func() error { return r.own.Wait(r.ctx) }),
		},
		{
			suite: "wait", name: "reached-event/query", c: r.twin.Query,
			ours: r.reached(func() error { return r.event.Wait(r.ctx) }),
		},
	}
	pairs[0].peers = "launch_wait"
	return pairs
}

// parks measures waits for kernels that run for long.
func (r *cuRig) parks() []pair {
	return []pair{
		r.spins("100us/query", spun, cudatwin.Query, bound{over: 10 * time.Microsecond, noHeap: true}),
		r.spins("100us/blocking", spun, cudatwin.Blocking, bound{}),
		r.idleCaller(10 * time.Millisecond),
		r.waitMany(),
	}
}

// spins measures the time from the launch of a kernel that runs for a known time
// until its end was seen. The difference to C's is how much later it was seen. The
// goroutine parks: the kernel outlasts what waitpool spins for, and waitpool has
// learnt that by the time that counts.
func (r *cuRig) spins(name string, device time.Duration, how cudatwin.Wait, b bound) pair {
	return pair{
		suite: "park", name: name, bound: b,
		ours: medianOf(func() error { return r.spinWait(r.own, device) }),
		c:    func(n int) (time.Duration, error) { return r.twin.SpinWait(how, device, n) },
		note: func(res *result) (string, bool) {
			return fmt.Sprintf("seen %+.1f µs later; CPU %s, callers %s, C %s",
				(res.NS-res.CNS)/1e3, micros(res.CPU), micros(res.CallerCPU), micros(res.CCPU)), true
		},
	}
}

// idleCaller measures the processor time of a parked goroutine: what the process uses
// while it waits, but for what waitpool does. C's time is that of its blocking wait, and
// both have a launch in it that found the driver's code out of the caches.
func (r *cuRig) idleCaller(device time.Duration) pair {
	p := r.spins(fmt.Sprintf("%v/blocking", device), device, cudatwin.Blocking, bound{})
	var meanwhile time.Duration
	waits := 0
	p.ours = medianOf(func() error {
		if err := spin.Launch(r.own, one, spinArgs{uint64(device.Nanoseconds())}); err != nil {
			return err
		}
		began := processTime()
		err := r.own.Wait(r.ctx)
		meanwhile += processTime() - began
		waits++
		return err
	})
	p.note = func(res *result) (string, bool) {
		// All of waitpool's time is spent while somebody waits.
		caller := float64(meanwhile)/float64(waits) - (res.CPU - res.CallerCPU)
		share := max(caller, 0) / float64(device)
		return fmt.Sprintf("the caller's CPU while parked %.2f %% (asked: ≤ 1 %%); all, with the launch, %s, C %s",
			share*100, micros(res.CPU), micros(res.CCPU)), share <= 0.01
	}
	return p
}

// maxWorkers is how many threads may wait on behalf of many goroutines.
const maxWorkers = 4

// waitMany measures how fast many goroutines get on who launch a kernel and wait
// for it, each on a stream of its own.
func (r *cuRig) waitMany() pair {
	workers := 0
	return pair{
		suite: "park", name: fmt.Sprintf("100us/x%d/synchronize", many), ops: many, bound: bound{rate: 0.95},
		ours: r.atOnce(many, func(s driver.Stream, n int) error {
			for range n {
				if err := r.spinWait(s, spun); err != nil {
					return err
				}
			}
			return nil
		}),
		c:    func(n int) (time.Duration, error) { return r.twin.SpinThreads(many, spun, n) },
		each: func() { workers = max(workers, len(workerThreads())) },
		note: func(res *result) (string, bool) {
			return fmt.Sprintf("%d worker threads (asked: ≤ %d), C %d; CPU %s, C %s",
				workers, maxWorkers, many, micros(res.CPU), micros(res.CCPU)), workers <= maxWorkers
		},
	}
}

func micros(ns float64) string { return fmt.Sprintf("%.1f µs", ns/1e3) }
