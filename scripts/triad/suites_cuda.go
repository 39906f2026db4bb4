package main

import (
	"fmt"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/testdata/twins/cudatwin"
)

// launches measures warm launches of empty kernels. The C twin passes an array of
// pointers to its arguments. The calls count, the waits between them don't; of
// those on several streams at once everything counts.
func (r *cuRig) launches() []pair {
	launch := func(name string, args int, op func() error) pair {
		return pair{
			suite: "launch", name: name, ours: r.callsAlone(op), bound: bound{ratio: 1.03, noHeap: true},
			c: func(n int) (time.Duration, error) { return r.twin.Launch(args, n, r.every) },
		}
	}
	pairs := []pair{
		launch("args4/kernelcache", 4, r.launch4),
		launch("args4/driver", 4, r.launch4Driver),
		launch("args16/kernelcache", 16, r.launch16),
		launch("args16/driver", 16, func() error { return r.kernel16.Launch(r.stream, one, driver.ArgsOf(&r.args16)) }),
	}
	pairs[0].peers = "launch4"
	// Waits count here, so they are fewer.
	const every = 256
	for _, k := range []int{1, 4, 16} {
		pairs = append(pairs, pair{
			suite: "launch", name: fmt.Sprintf("args4/kernelcache/x%d", k), ops: k, bound: bound{rate: 0.97},
			ours: r.launchAtOnce(k, every),
			c:    func(n int) (time.Duration, error) { return r.twin.LaunchThreads(k, n, every) },
		})
	}
	return pairs
}

// copies measures copies and fills: small ones, of which the calls count but not
// the waits between them, and large ones, of which all counts.
func (r *cuRig) copies() []pair {
	var (
		x, y      = r.x.Memory(), r.y.Memory()
		pinned    = driver.Memory(r.pinned)
		host      = r.pageable
		word, err = driver.PatternOf(uint32(1))
	)
	add := func(name string, d cudatwin.Direction, op func() error) pair {
		return pair{
			suite: "copy", name: fmt.Sprintf("%dB/%s", small, name), ours: r.callsAlone(op),
			bound: bound{over: 60 * time.Nanosecond, noHeap: true},
			c:     func(n int) (time.Duration, error) { return r.twin.Copy(d, small, n, r.every) },
		}
	}
	fill := add("fill", 0, func() error {
		if err != nil {
			return err
		}
		return r.stream.Fill(x, 0, small, word)
	})
	fill.c = func(n int) (time.Duration, error) { return r.twin.Memset(small, n, r.every) }
	fill.peers = "fill4096"
	pairs := []pair{
		fill,
		add("pinned-to-device", cudatwin.PinnedToDevice, func() error { return r.stream.Copy(x, 0, pinned, 0, small) }),
		add("device-to-pinned", cudatwin.DeviceToPinned, func() error { return r.stream.Copy(pinned, 0, y, 0, small) }),
		add("on-device", cudatwin.OnDevice, func() error { return r.stream.Copy(x, 0, y, 0, small) }),
		add("pageable-to-device", cudatwin.PageableToDevice, func() error { return r.stream.CopyFromHost(r.ctx, x, 0, host) }),
		add("device-to-pageable", cudatwin.DeviceToPageable, func() error { return r.stream.CopyToHost(r.ctx, host, y, 0) }),
	}
	for _, every := range []int{1, 4} {
		pairs = append(pairs,
			r.bulk("pinned-to-device", every, cudatwin.PinnedToDevice, x, pinned),
			r.bulk("device-to-pinned", every, cudatwin.DeviceToPinned, pinned, y))
	}
	return pairs
}

// bulk measures copies of everything, waited for after every `every`.
func (r *cuRig) bulk(name string, every int, d cudatwin.Direction, to, from driver.Memory) pair {
	return pair{
		suite: "copy", name: fmt.Sprintf("%dMiB/%s/waits-every-%d", r.bytes>>20, name, every), bound: bound{rate: 0.99},
		ours: func(n int) (time.Duration, error) {
			_, all, err := r.repeat(r.stream, n, every, func() error { return r.stream.Copy(to, 0, from, 0, uint64(r.bytes)) })
			return all, err
		},
		c: func(n int) (time.Duration, error) { return r.twin.Bulk(d, r.bytes, n, every) },
		note: func(res *result) (string, bool) {
			return fmt.Sprintf("%.1f GB/s, C %.1f", float64(r.bytes)/res.NS, float64(r.bytes)/res.CNS), true
		},
	}
}

// events measures events.
func (r *cuRig) events() []pair {
	return []pair{
		{
			suite: "event", name: "record", ours: r.callsAlone(r.record), peers: "record",
			bound: bound{over: 60 * time.Nanosecond, noHeap: true},
			c:     func(n int) (time.Duration, error) { return r.twin.Record(n, r.every) },
		},
		{suite: "event", name: "query", ours: r.reached(r.query), c: r.twin.Query},
	}
}

// memories measures allocating and freeing in stream order. The twin has the
// device's memory pool keep what is freed, for both. The library's stream keeps what it
// is given back, so it has nothing to do, and to wait for it is no matter. It is of an
// opening of its own: each free asks the driver about the streams that the twin knows.
func (r *cuRig) memories() []pair {
	const size = 1 << 20
	return []pair{{
		suite: "memory", name: "1MiB/alloc+free", bound: bound{ratio: 1.05},
		ours: func(n int) (time.Duration, error) {
			calls, _, err := r.repeat(r.apart.stream, n, r.every, func() error {
				m, err := r.native.alloc(r.apart.stream, size)
				if err != nil {
					return err
				}
				return m.Close()
			})
			return calls, err
		},
		c: func(n int) (time.Duration, error) { return r.twin.AllocFree(size, n, r.every) },
	}}
}

// idler is a kernel whose launch does nothing.
type idler struct{ driver.Kernel }

func (idler) Launch(driver.Stream, driver.LaunchConfig, driver.ArgRef) error { return nil }

// floors measures what Go costs when there is nothing to do: a launch through the
// contract's interface that ends in Go, and one crossing into C. Between calls of the
// driver's that crossing costs more, since they leave the caches cold: so much is the
// twin's own call slower when Go makes it, one at a time, and does nothing else.
func (r *cuRig) floors() []pair {
	var kernel driver.Kernel = idler{}
	once := func(name string, what cudatwin.Call, c side) pair {
		return pair{
			suite: "floor", name: name + "/one-crossing", c: c,
			ours: r.callsAlone(func() error { return r.twin.Once(what, small) }),
		}
	}
	return []pair{
		once("args4", cudatwin.LaunchOnce, func(n int) (time.Duration, error) { return r.twin.Launch(4, n, r.every) }),
		once("record", cudatwin.RecordOnce, func(n int) (time.Duration, error) { return r.twin.Record(n, r.every) }),
		once("4096B/fill", cudatwin.MemsetOnce, func(n int) (time.Duration, error) { return r.twin.Memset(small, n, r.every) }),
		once("4096B/pinned-to-device", cudatwin.CopyOnce, func(n int) (time.Duration, error) {
			return r.twin.Copy(cudatwin.PinnedToDevice, small, n, r.every)
		}),
		{
			suite: "floor", name: "args4/interface", c: r.twin.Nothing,
			ours: loop(func() error { return kernel.Launch(r.stream, one, driver.ArgsOf(&r.args4)) }),
		},
		{
			suite: "floor", name: "crossing", c: r.twin.Nothing,
			ours: loop(func() error { cudatwin.Cross(); return nil }),
		},
	}
}
