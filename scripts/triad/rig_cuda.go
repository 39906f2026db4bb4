package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
	"github.com/triad-gpu/triad/testdata/kernels"
	"github.com/triad-gpu/triad/testdata/twins/cudatwin"
)

type spinArgs struct{ NS uint64 }

// spin runs on the device for a given time.
var spin = kernelcache.Declare[spinArgs](kernelcache.FromFS(kernels.Files, "spin"), "spin")

// cuRig is a rig on CUDA, or on HIP, with its C twin, which works on the same streams.
type cuRig struct {
	*rig
	native native
	pinned driver.HostMemory
	// own is a stream that the twin doesn't know: one whose handle was given out is
	// never known to be idle.
	own driver.Stream
	// apart is another opening of the device, none of whose streams the twin knows.
	apart struct {
		dev    driver.Device
		stream driver.Stream
	}
	twin *cudatwin.Twin
}

const (
	many  = 64      // goroutines, and C threads, that wait at once
	small = 4 << 10 // bytes of a small copy
)

// The calls alone are measured in groups of 50, as C programs that measure CUDA's
// launches do: past some hundred commands a full queue would be measured.
var cuOptions = rigOptions{lanes: many, every: 50, bytes: 256 << 20, host: small}

func newCURig(ctx context.Context, log io.Writer, dev driver.Device) (bencher, error) {
	base, err := newRig(ctx, log, dev, cuOptions)
	if err != nil {
		return nil, err
	}
	r := &cuRig{rig: base, native: natives[dev.Info().Backend]}
	if err := r.open(); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *cuRig) open() (err error) {
	if err = spin.Bind(r.ctx, r.dev); err != nil {
		return err
	}
	if r.own, err = r.dev.NewStream(driver.StreamOptions{}); err != nil {
		return err
	}
	if r.apart.dev, err = driver.Open(fmt.Sprintf("%s:%d", r.dev.Info().Backend, r.dev.Info().Index)); err != nil {
		return err
	}
	if r.apart.stream, err = r.apart.dev.NewStream(driver.StreamOptions{}); err != nil {
		return err
	}
	if r.pinned, err = r.dev.AllocHost(uint64(r.bytes)); err != nil {
		return err
	}
	kernel, err := spin.On(r.ctx, r.dev)
	if err != nil {
		return err
	}
	backend := r.dev.Info().Backend
	c := cudatwin.Config{
		Library: library(backend), HIP: backend == "hip", Context: r.native.context(r.dev),
		Empty4: r.native.function(r.kernel4), Empty16: r.native.function(r.kernel16), Spin: r.native.function(kernel),
		X: r.x.Memory().Addr(), Y: r.y.Memory().Addr(), Pinned: r.pinned.Bytes(), Bytes: r.bytes,
	}
	for _, s := range r.streams {
		c.Streams = append(c.Streams, r.native.stream(s))
	}
	r.twin, err = cudatwin.Open(c)
	return err
}

// callsAlone is a side that repeats an operation on the first stream. The waits
// between the groups are off the clock, and the twin's: so both sides begin each
// group in the same state, while a goroutine that had parked would begin it with
// cold caches, on a stranger's thread.
func (r *cuRig) callsAlone(op func() error) side {
	return func(n int) (calls time.Duration, err error) {
		for done := 0; done < n; {
			begin := time.Now()
			for range min(r.every, n-done) {
				if err := op(); err != nil {
					return 0, err
				}
				done++
			}
			calls += time.Since(begin)
			if _, err := r.twin.IdleWait(1); err != nil {
				return 0, err
			}
		}
		return calls, nil
	}
}

func (r *cuRig) pairs(s suite) []pair {
	if s.cuda == nil {
		return nil
	}
	return s.cuda(r)
}

func (r *cuRig) close() {
	if r.twin != nil {
		r.twin.Close()
	}
	if r.pinned != nil {
		_ = r.pinned.Close()
	}
	if r.own != nil {
		_ = r.own.Close()
	}
	if r.apart.stream != nil {
		_ = r.apart.stream.Close()
	}
	if r.apart.dev != nil {
		_ = r.apart.dev.Close()
	}
	r.rig.close()
}

// spinWait launches a kernel that runs for the given time, and waits for it.
func (r *cuRig) spinWait(s driver.Stream, device time.Duration) error {
	if err := spin.Launch(s, one, spinArgs{uint64(device.Nanoseconds())}); err != nil {
		return err
	}
	return s.Wait(r.ctx)
}

// medianOf is a side that takes the time of each operation, and returns n times
// the median, so that a few that were disturbed don't count.
func medianOf(op func() error) side {
	var took []float64 // kept, so that rounds allocate nothing
	return func(n int) (time.Duration, error) {
		took = took[:0]
		last := time.Now()
		for range n {
			if err := op(); err != nil {
				return 0, err
			}
			now := time.Now()
			took = append(took, float64(now.Sub(last)))
			last = now
		}
		slices.Sort(took)
		return time.Duration(medianOfSorted(took) * float64(n)), nil
	}
}
