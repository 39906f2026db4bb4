package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
	"github.com/triad-gpu/triad/testdata/kernels"
	"github.com/triad-gpu/triad/testdata/twins/cltwin"
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

const (
	// lanes is how many goroutines, and C threads, launch at once.
	lanes = 8
	// every is after how many commands both sides wait, so that queues stay short.
	every = 256
	// memoryBytes is the size of each memory, and the largest copy.
	memoryBytes = 16 << 20
)

// one is a launch of one thread.
var one = driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}

// rig is what the suites measure with: the library's objects, and the C twin.
type rig struct {
	ctx     context.Context
	dev     driver.Device
	module  driver.Module
	streams [lanes]driver.Stream
	stream  driver.Stream // the first of them
	event   driver.Event
	x, y    *driver.Buffer[float32]
	host    []byte
	kernel4 driver.Kernel
	args4   args4
	args16  args16
	twin    *cltwin.Twin
}

func newRig(ctx context.Context, log io.Writer, dev driver.Device) (*rig, error) {
	r := &rig{ctx: ctx, dev: dev, host: make([]byte, memoryBytes)}
	if err := r.open(log); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *rig) open(log io.Writer) (err error) {
	for i := range r.streams {
		if r.streams[i], err = r.dev.NewStream(driver.StreamOptions{}); err != nil {
			return err
		}
	}
	r.stream = r.streams[0]
	if r.event, err = r.dev.NewEvent(driver.EventOptions{}); err != nil {
		return err
	}
	if r.x, err = driver.Alloc[float32](r.dev, memoryBytes/4); err != nil {
		return err
	}
	if r.y, err = driver.Alloc[float32](r.dev, memoryBytes/4); err != nil {
		return err
	}
	for i := range r.host {
		r.host[i] = 1
	}
	x, y := r.x.Ptr(), r.y.Ptr()
	r.args4 = args4{A: 2, X: x, Y: y}
	r.args16 = args16{P0: x, P1: y, P2: x, P3: y, P4: x, P5: y, P6: x, P7: y, A0: 2, A1: 2, A2: 2, A3: 2}
	if err = r.compile(log); err != nil {
		return err
	}
	r.twin, err = r.newTwin()
	return err
}

func (r *rig) compile(log io.Writer) error {
	fmt.Fprintf(log, "compiling for %s… ", r.dev.Info().Name)
	begin := time.Now()
	err := empty0.Bind(r.ctx, r.dev)
	if err == nil {
		err = empty16.Bind(r.ctx, r.dev)
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

// newTwin hands the C program our context and a module of its own.
func (r *rig) newTwin() (*cltwin.Twin, error) {
	dev, ok := r.dev.(interface {
		Native() (device, context uintptr)
	})
	if !ok || r.dev.Info().Backend != "opencl" {
		return nil, fmt.Errorf("bench: there is no C twin for %s devices; opencl has one", r.dev.Info().Backend)
	}
	code, err := kernels.Files.ReadFile("empty.cl")
	if err != nil {
		return nil, err
	}
	r.module, err = r.dev.Load(r.ctx, driver.ModuleSource{Kind: driver.SourceText, Name: "empty.cl", Code: code}, driver.BuildOptions{})
	if err != nil {
		return nil, err
	}
	device, context := dev.Native()
	return cltwin.Open(cltwin.Config{
		Library: library(r.dev.Info().Backend), Device: device, Context: context,
		Program: r.module.(interface{ Native() uintptr }).Native(),
		Shared:  r.dev.Info().RealAddresses, Bytes: memoryBytes,
	})
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
	if r.twin != nil {
		r.twin.Close()
	}
	if r.module != nil {
		_ = r.module.Close()
	}
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
		if s != nil {
			_ = s.Close()
		}
	}
}

// repeat does an operation n times, waits for the stream after every `every` and
// at the end, and says how long the calls took, and how long all.
func (r *rig) repeat(s driver.Stream, n int, op func() error) (calls, all time.Duration, err error) {
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

// withWaits is a side that repeats an operation, waits counted.
func (r *rig) withWaits(s driver.Stream, op func() error) side {
	return func(n int) (time.Duration, error) {
		_, all, err := r.repeat(s, n, op)
		return all, err
	}
}

// callsAlone is a side that repeats an operation, waits not counted.
func (r *rig) callsAlone(s driver.Stream, op func() error) side {
	return func(n int) (time.Duration, error) {
		calls, _, err := r.repeat(s, n, op)
		return calls, err
	}
}
