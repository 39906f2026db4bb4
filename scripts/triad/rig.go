package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
	"github.com/triad-gpu/triad/testdata/kernels"
)

type (
	args0 struct{}
	args4 struct {
		A    float32
		X, Y driver.Ptr[float32]
		N    uint32
	}
	args16 struct {
		P0, P1, P2, P3, P4, P5, P6, P7 driver.Ptr[float32]
		A0, A1, A2, A3                 float32
		N0, N1, N2, N3                 uint32
	}
)

var (
	emptySource = kernelcache.FromFS(kernels.Files, "empty")
	empty0      = kernelcache.Declare[args0](emptySource, "empty0")
	empty4      = kernelcache.Declare[args4](emptySource, "empty4")
	empty16     = kernelcache.Declare[args16](emptySource, "empty16")
)

// one is a launch of one thread.
var one = driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}

// rig is the library's side of the suites: what all backends have. It is closed
// along with the backend's own side.
type rig struct {
	rigOptions
	ctx      context.Context
	dev      driver.Device
	streams  []driver.Stream
	stream   driver.Stream // the first of them
	event    driver.Event
	x, y     *driver.Buffer[float32]
	pageable []byte
	kernel4  driver.Kernel
	kernel16 driver.Kernel
	args4    args4
	args16   args16
}

// rigOptions are what backends want differently.
type rigOptions struct {
	lanes int // streams
	every int // after how many commands both sides wait, so that queues stay short
	bytes int // the size of each memory, and the largest copy
	host  int // the size of the pageable memory
}

func newRig(ctx context.Context, log io.Writer, dev driver.Device, o rigOptions) (*rig, error) {
	r := &rig{rigOptions: o, ctx: ctx, dev: dev}
	if err := r.open(log); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *rig) open(log io.Writer) (err error) {
	for range r.lanes {
		s, err := r.dev.NewStream(driver.StreamOptions{})
		if err != nil {
			return err
		}
		r.streams = append(r.streams, s)
	}
	r.stream = r.streams[0]
	if r.event, err = r.dev.NewEvent(driver.EventOptions{NoTiming: true}); err != nil {
		return err
	}
	if r.x, err = driver.Alloc[float32](r.dev, r.bytes/4); err != nil {
		return err
	}
	if r.y, err = driver.Alloc[float32](r.dev, r.bytes/4); err != nil {
		return err
	}
	r.pageable = make([]byte, r.host)
	for i := range r.pageable {
		r.pageable[i] = 1
	}
	x, y := r.x.Ptr(), r.y.Ptr()
	r.args4 = args4{A: 2, X: x, Y: y}
	r.args16 = args16{P0: x, P1: y, P2: x, P3: y, P4: x, P5: y, P6: x, P7: y, A0: 2, A1: 2, A2: 2, A3: 2}
	return r.compile(log)
}

func (r *rig) compile(log io.Writer) error {
	fmt.Fprintf(log, "compiling for %s… ", r.dev.Info().Name)
	begin := time.Now()
	err := empty0.Bind(r.ctx, r.dev)
	if err == nil {
		r.kernel16, err = empty16.On(r.ctx, r.dev)
	}
	if err == nil {
		r.kernel4, err = empty4.On(r.ctx, r.dev)
	}
	if err != nil {
		fmt.Fprintln(log, "failed")
		return err
	}
	fmt.Fprintf(log, "%.1f s\n", time.Since(begin).Seconds())
	return nil
}

// library is the path of the library that a backend uses.
func library(backend string) string {
	for _, b := range driver.Backends() {
		if b.Name() == backend {
			return b.Probe().Loaded
		}
	}
	return ""
}

func (r *rig) close() {
	if r.x != nil {
		_ = r.x.Close()
	}
	if r.y != nil {
		_ = r.y.Close()
	}
	if r.event != nil {
		_ = r.event.Close()
	}
	for _, s := range r.streams {
		_ = s.Close()
	}
}

// The operations that every backend is measured with, on the first stream.

func (r *rig) launch4() error  { return empty4.Launch(r.stream, one, r.args4) }
func (r *rig) launch16() error { return empty16.Launch(r.stream, one, r.args16) }
func (r *rig) launch4Driver() error {
	return r.kernel4.Launch(r.stream, one, driver.ArgsOf(&r.args4))
}

func (r *rig) launch4Wait() error {
	if err := r.launch4(); err != nil {
		return err
	}
	return r.stream.Wait(r.ctx)
}

func (r *rig) record() error { return r.stream.Record(r.event) }

// query is for an event that was reached.
func (r *rig) query() error {
	done, err := r.event.Query()
	if err == nil && !done {
		err = fmt.Errorf("the event was reached and is not done")
	}
	return err
}

// repeat does an operation n times, waits for the stream after every `every` and
// at the end, and says how long the calls took, and how long all.
func (r *rig) repeat(s driver.Stream, n, every int, op func() error) (calls, all time.Duration, err error) {
	begin := time.Now()
	for done := 0; done < n; {
		resume := time.Now()
		for range min(every, n-done) {
			if err := op(); err != nil {
				return 0, 0, err
			}
			done++
		}
		calls += time.Since(resume)
		if err := s.Wait(r.ctx); err != nil {
			return 0, 0, err
		}
	}
	return calls, time.Since(begin), nil
}

// withWaits is a side that repeats an operation on the first stream, waits
// counted.
func (r *rig) withWaits(op func() error) side {
	return func(n int) (time.Duration, error) {
		_, all, err := r.repeat(r.stream, n, r.every, op)
		return all, err
	}
}

// callsAlone is a side that repeats an operation on the first stream, waits not
// counted.
func (r *rig) callsAlone(op func() error) side {
	return func(n int) (time.Duration, error) {
		calls, _, err := r.repeat(r.stream, n, r.every, op)
		return calls, err
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

// launchAtOnce is a side that launches one kernel n times from each of so many
// goroutines, and waits after every `every`.
//
// With fewer cores than goroutines PoCL makes this look worse than it is: it
// calls malloc in each launch, and glibc gives each of C's threads an arena of
// its own, while Go runs on as many threads as there are cores. On 2 cores the
// ratio was 1.26, and 0.5 to 1.03 with MALLOC_ARENA_MAX=1.
func (r *rig) launchAtOnce(goroutines, every int) side {
	return r.atOnce(goroutines, func(s driver.Stream, n int) error {
		_, _, err := r.repeat(s, n, every, func() error { return empty4.Launch(s, one, r.args4) })
		return err
	})
}

// atOnce is a side that works in so many goroutines at once, each on a stream of
// its own. The time runs from when all are there until the last has finished.
func (r *rig) atOnce(goroutines int, work func(s driver.Stream, n int) error) side {
	return func(n int) (time.Duration, error) {
		var (
			ready, done sync.WaitGroup
			start       = make(chan struct{})
			errs        = make([]error, goroutines)
		)
		ready.Add(goroutines)
		done.Add(goroutines)
		for i, s := range r.streams[:goroutines] {
			go func() {
				defer done.Done()
				ready.Done()
				<-start
				errs[i] = work(s, n)
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
}
