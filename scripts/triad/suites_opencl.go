package main

import (
	"fmt"
	"time"

	"github.com/triad-gpu/triad/testdata/twins/cltwin"
)

// launches measures warm launches of empty kernels. The C twin sets the
// arguments and enqueues each time. Both wait now and then, so that the queue
// stays short; that counts, but for the pairs of calls alone.
func (r *clRig) launches() []pair {
	launch := func(name string, args int, op func() error) pair {
		return pair{
			suite: "launch", name: name, ours: r.withWaits(op),
			c: func(n int) (time.Duration, error) { return r.twin.Launch(args, n, r.every) },
		}
	}
	calls := func(name string, args int, op func() error) pair {
		return pair{
			suite: "launch", name: name, ours: r.callsAlone(op),
			c: func(n int) (time.Duration, error) { return r.twin.LaunchCalls(args, n, r.every) },
		}
	}
	return []pair{
		launch("args0/kernelcache", 0, func() error { return empty0.Launch(r.stream, one, args0{}) }),
		launch("args4/kernelcache", 4, r.launch4),
		launch("args4/driver", 4, r.launch4Driver),
		launch("args16/kernelcache", 16, r.launch16),
		calls("args4/kernelcache/calls", 4, r.launch4),
		calls("args4/driver/calls", 4, r.launch4Driver),
		{
			suite: "launch", name: fmt.Sprintf("args4/kernelcache/x%d", r.lanes), ops: r.lanes,
			ours: r.launchAtOnce(r.lanes, r.every),
			c:    func(n int) (time.Duration, error) { return r.twin.LaunchThreads(r.lanes, n, r.every) },
		},
	}
}

// waits measures waits. C has several ways to wait for a launch; ours is
// compared with each.
func (r *clRig) waits() []pair {
	launchRecordWait := func() error {
		if err := r.launch4(); err != nil {
			return err
		}
		if err := r.record(); err != nil {
			return err
		}
		return r.event.Wait(r.ctx)
	}
	launch := func(name string, how cltwin.Wait, op func() error) pair {
		return pair{
			suite: "wait", name: name, ours: loop(op),
			c: func(n int) (time.Duration, error) { return r.twin.LaunchWait(how, n) },
		}
	}
	return []pair{
		launch("launch+wait/clFinish", cltwin.Finish, r.launch4Wait),
		launch("launch+wait/clWaitForEvents", cltwin.WaitForEvents, r.launch4Wait),
		launch("launch+wait/polling", cltwin.Poll, r.launch4Wait),
		launch("launch+record+wait/marker", cltwin.Marker, launchRecordWait),
		{
			suite: "wait", name: "idle-stream/clFinish",
			ours: loop(func() error { return r.stream.Wait(r.ctx) }), c: r.twin.IdleWait,
		},
		{
			suite: "wait", name: "reached-event/clWaitForEvents",
			ours: r.reached(func() error { return r.event.Wait(r.ctx) }), c: r.twin.ReachedWait,
		},
	}
}

// copies measures copies between pageable host memory and the device, which
// block on both sides, and copies on the device.
func (r *clRig) copies() []pair {
	var pairs []pair
	for _, size := range []int{64, 4 << 10, r.bytes} {
		add := func(name string, d cltwin.Direction, ours side) {
			pairs = append(pairs, pair{
				suite: "copy", name: fmt.Sprintf("%dB/%s", size, name), ours: ours,
				c: func(n int) (time.Duration, error) { return r.twin.Copy(d, size, n, r.every) },
			})
		}
		x, y, host := r.x.Memory(), r.y.Memory(), r.pageable[:size]
		add("to-device", cltwin.ToDevice, loop(func() error { return r.stream.CopyFromHost(r.ctx, x, 0, host) }))
		add("to-host", cltwin.ToHost, loop(func() error { return r.stream.CopyToHost(r.ctx, host, y, 0) }))
		add("on-device", cltwin.OnDevice, r.withWaits(func() error { return r.stream.Copy(x, 0, y, 0, uint64(size)) }))
	}
	return pairs
}

// events measures events.
func (r *clRig) events() []pair {
	return []pair{
		{
			suite: "event", name: "record", ours: r.withWaits(r.record),
			c: func(n int) (time.Duration, error) { return r.twin.Record(n, r.every) },
		},
		{suite: "event", name: "query", ours: r.reached(r.query), c: r.twin.Query},
	}
}
