package opencl_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
	"github.com/triad-gpu/triad/opencl"
	"github.com/triad-gpu/triad/testdata/kernels"
	"github.com/triad-gpu/triad/testdata/twins/cltwin"
)

// Each benchmark takes turns with the same work in C, in the same process and
// context, and reports that as C-ns/op, and its own time over C's as ratio.

type benchArgs struct {
	A    float32
	X, Y driver.Ptr[float32]
	N    uint32
}

const (
	benchBytes = 16 << 20 // of each memory
	benchLanes = 8        // launching at once
	benchEvery = 256      // commands, after which both sides wait, so that queues stay short
)

var (
	benchOne    = driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}
	benchEmpty4 = kernelcache.Declare[benchArgs](kernelcache.FromFS(kernels.Files, "empty"), "empty4")
)

// benchRig is the first device, with what the benchmarks need on it.
type benchRig struct {
	ctx    context.Context
	dev    *opencl.Device
	lanes  [benchLanes]*opencl.Stream
	stream *opencl.Stream // the first of them
	event  *opencl.Event
	kernel *opencl.Kernel // empty4
	x, y   driver.Memory
	host   []byte
	args   benchArgs
	twin   *cltwin.Twin
}

func newBenchRig(b *testing.B) *benchRig {
	b.Helper()
	r := &benchRig{ctx: context.Background(), host: make([]byte, benchBytes)}
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	var err error
	if r.dev, err = opencl.Open(0, opencl.DeviceOptions{}); err != nil {
		if slices.Contains(strings.Split(os.Getenv("TRIAD_REQUIRE"), ","), "opencl") {
			b.Fatal(err)
		}
		b.Skipf("no OpenCL device: %v", err)
	}
	b.Cleanup(func() { _ = r.dev.Close() })
	for i := range r.lanes {
		r.lanes[i], err = r.dev.Stream(driver.StreamOptions{})
		must(err)
		b.Cleanup(func() { _ = r.lanes[i].Close() })
	}
	r.stream = r.lanes[0]
	r.event, err = r.dev.Event()
	must(err)
	b.Cleanup(func() { _ = r.event.Close() })
	r.x, err = r.dev.Alloc(benchBytes)
	must(err)
	b.Cleanup(func() { _ = r.x.Close() })
	r.y, err = r.dev.Alloc(benchBytes)
	must(err)
	b.Cleanup(func() { _ = r.y.Close() })
	r.args = benchArgs{A: 2, X: driver.PtrFrom[float32](r.x.Addr()), Y: driver.PtrFrom[float32](r.y.Addr())}

	code, err := kernels.Files.ReadFile("empty.cl")
	must(err)
	m, err := r.dev.Load(r.ctx, driver.ModuleSource{Kind: driver.SourceText, Name: "empty.cl", Code: code}, driver.BuildOptions{})
	must(err)
	module := m.(*opencl.Module)
	b.Cleanup(func() { _ = module.Close() })
	sig, err := driver.SignatureOf[benchArgs]()
	must(err)
	r.kernel, err = module.Bind(r.ctx, "empty4", sig)
	must(err)
	b.Cleanup(func() { _ = r.kernel.Close() })
	must(benchEmpty4.Bind(r.ctx, r.dev))

	device, clContext := r.dev.Native()
	r.twin, err = cltwin.Open(cltwin.Config{
		Library: opencl.Backend().Probe().Loaded, Device: device, Context: clContext, Program: module.Native(),
		Shared: r.dev.Info().RealAddresses, Bytes: benchBytes,
	})
	must(err)
	b.Cleanup(r.twin.Close)
	return r
}

// versus runs a benchmark of ours in turns with C's.
func versus(b *testing.B, name string, ours func(n int) error, c func(n int) (time.Duration, error)) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		b.StopTimer()
		b.ResetTimer()
		var inC time.Duration
		const turns = 10
		for i := range turns {
			n := b.N*(i+1)/turns - b.N*i/turns
			if n == 0 {
				continue
			}
			b.StartTimer()
			err := ours(n)
			b.StopTimer()
			if err != nil {
				b.Fatal(err)
			}
			took, err := c(n)
			if err != nil {
				b.Fatal(err)
			}
			inC += took
		}
		b.ReportMetric(float64(inC.Nanoseconds())/float64(b.N), "C-ns/op")
		b.ReportMetric(float64(b.Elapsed())/float64(inC), "ratio")
	})
}

// each does an operation n times.
func each(op func() error) func(n int) error {
	return func(n int) error {
		for range n {
			if err := op(); err != nil {
				return err
			}
		}
		return nil
	}
}

// enqueue does an operation n times and waits now and then.
func (r *benchRig) enqueue(s driver.Stream, op func() error) func(n int) error {
	return func(n int) error {
		for i := 1; i <= n; i++ {
			if err := op(); err != nil {
				return err
			}
			if i%benchEvery == 0 || i == n {
				if err := s.Wait(r.ctx); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

func BenchmarkLaunch4Args(b *testing.B) {
	r := newBenchRig(b)
	inC := func(n int) (time.Duration, error) { return r.twin.Launch(4, n, benchEvery) }
	versus(b, "concrete", r.enqueue(r.stream, func() error {
		return r.kernel.Launch(r.stream, benchOne, driver.ArgsOf(&r.args))
	}), inC)
	var (
		k driver.Kernel = r.kernel
		s driver.Stream = r.stream
	)
	versus(b, "driver", r.enqueue(s, func() error { return k.Launch(s, benchOne, driver.ArgsOf(&r.args)) }), inC)
	versus(b, "kernelcache", r.enqueue(s, func() error { return benchEmpty4.Launch(s, benchOne, r.args) }), inC)
}

// Eight goroutines launch one kernel, each on a stream of its own; eight C
// threads have a kernel object and a queue each.
func BenchmarkLaunchParallel(b *testing.B) {
	r := newBenchRig(b)
	perLane := func(n int) int { return (n + benchLanes - 1) / benchLanes }
	ours := func(n int) error {
		var (
			done sync.WaitGroup
			errs [benchLanes]error
		)
		for i, s := range r.lanes {
			done.Add(1)
			go func() {
				defer done.Done()
				errs[i] = r.enqueue(s, func() error { return benchEmpty4.Launch(s, benchOne, r.args) })(perLane(n))
			}()
		}
		done.Wait()
		return errors.Join(errs[:]...)
	}
	versus(b, "lanes=8", ours, func(n int) (time.Duration, error) {
		return r.twin.LaunchThreads(benchLanes, perLane(n), benchEvery)
	})
}

// Waiting for a stream, and for an event, with nothing under way.
func BenchmarkWaitIdle(b *testing.B) {
	r := newBenchRig(b)
	versus(b, "stream", each(func() error { return r.stream.Wait(r.ctx) }), r.twin.IdleWait)
	if err := errors.Join(r.stream.Record(r.event), r.event.Wait(r.ctx)); err != nil {
		b.Fatal(err)
	}
	versus(b, "event", each(func() error { return r.event.Wait(r.ctx) }), r.twin.ReachedWait)
}

func BenchmarkLaunchWait(b *testing.B) {
	r := newBenchRig(b)
	launch := func() error { return r.kernel.Launch(r.stream, benchOne, driver.ArgsOf(&r.args)) }
	inC := func(how cltwin.Wait) func(n int) (time.Duration, error) {
		return func(n int) (time.Duration, error) { return r.twin.LaunchWait(how, n) }
	}
	onStream := each(func() error {
		if err := launch(); err != nil {
			return err
		}
		return r.stream.Wait(r.ctx)
	})
	versus(b, "stream/clFinish", onStream, inC(cltwin.Finish))
	versus(b, "stream/clWaitForEvents", onStream, inC(cltwin.WaitForEvents))
	versus(b, "stream/polling", onStream, inC(cltwin.Poll))
	versus(b, "event/marker", each(func() error {
		if err := launch(); err != nil {
			return err
		}
		if err := r.stream.Record(r.event); err != nil {
			return err
		}
		return r.event.Wait(r.ctx)
	}), inC(cltwin.Marker))
}

func BenchmarkCopy(b *testing.B) {
	r := newBenchRig(b)
	for _, size := range []int{64, 4 << 10, benchBytes} {
		inC := func(d cltwin.Direction) func(n int) (time.Duration, error) {
			return func(n int) (time.Duration, error) { return r.twin.Copy(d, size, n, benchEvery) }
		}
		host, name := r.host[:size], strings.ReplaceAll(driver.ByteSize(uint64(size)), " ", "")
		versus(b, name+"/toDevice", each(func() error { return r.stream.CopyFromHost(r.ctx, r.x, 0, host) }), inC(cltwin.ToDevice))
		versus(b, name+"/toHost", each(func() error { return r.stream.CopyToHost(r.ctx, host, r.y, 0) }), inC(cltwin.ToHost))
		versus(b, name+"/onDevice", r.enqueue(r.stream, func() error {
			return r.stream.Copy(r.x, 0, r.y, 0, uint64(size))
		}), inC(cltwin.OnDevice))
	}
}

func BenchmarkEvent(b *testing.B) {
	r := newBenchRig(b)
	versus(b, "record", r.enqueue(r.stream, func() error { return r.stream.Record(r.event) }), func(n int) (time.Duration, error) {
		return r.twin.Record(n, benchEvery)
	})
	if err := errors.Join(r.stream.Record(r.event), r.event.Wait(r.ctx)); err != nil {
		b.Fatal(err)
	}
	versus(b, "query", each(func() error {
		done, err := r.event.Query()
		if err == nil && !done {
			err = errors.New("the event was reached and is not done")
		}
		return err
	}), r.twin.Query)
}
