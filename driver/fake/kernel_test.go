package fake_test

import (
	"errors"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/fake"
	"github.com/triad-gpu/triad/kernelcache"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func stream(t testing.TB, dev driver.Device) driver.Stream {
	t.Helper()
	s, err := dev.NewStream(driver.StreamOptions{})
	check(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func buffer(t testing.TB, s driver.Stream, content ...uint32) *driver.Buffer[uint32] {
	t.Helper()
	b, err := driver.Alloc[uint32](s.Device(), len(content))
	check(t, err)
	t.Cleanup(func() { _ = b.Close() })
	check(t, b.CopyFrom(t.Context(), s, content))
	return b
}

func values(t testing.TB, s driver.Stream, b *driver.Buffer[uint32]) []uint32 {
	t.Helper()
	list := make([]uint32, b.Len())
	check(t, b.CopyTo(t.Context(), s, list))
	return list
}

type mixedArgs struct {
	A   uint8
	B   float64
	V   driver.Float3
	L   driver.Local[uint64]
	Out driver.Ptr[uint32]
	S   struct{ X, Y uint16 }
}

func TestFunctionsGetTheirArguments(t *testing.T) {
	dev := fake.Start(t, fake.H200)
	s := stream(t, dev)
	out := buffer(t, s, 0, 0, 0, 0, 0, 0)
	k := fake.Kernel(t, dev, "mixed", func(g fake.Grid, a mixedArgs) error {
		list := fake.Slice(a.Out, 6)
		copy(list, []uint32{uint32(a.A), uint32(a.B), uint32(a.V.Z), uint32(a.S.Y), uint32(len(g.Shared)) / 40, g.Blocks.X*100 + g.Block.X})
		return nil
	})
	a := mixedArgs{1, 2, driver.Float3{Z: 3}, driver.LocalOf[uint64](4), out.Ptr(), struct{ X, Y uint16 }{0, 5}}
	check(t, k.Launch(s, driver.LaunchConfig{Grid: driver.Dim3{X: 7}, Block: driver.Dim3{X: 9}, SharedBytes: 8}, driver.ArgsOf(&a)))
	want := []uint32{1, 2, 3, 5, 1, 709}
	for i, got := range values(t, s, out) {
		if got != want[i] {
			t.Errorf("value %d is %d, want %d", i, got, want[i])
		}
	}
	if n := dev.KernelRuns("mixed"); n != 1 {
		t.Errorf("the kernel ran %d times", n)
	}
	if err := dev.KernelErr(); err != nil {
		t.Error(err)
	}
	if !k.Verified() {
		t.Error("the signature was not verified")
	}
}

func TestThreadsCoverTheGrid(t *testing.T) {
	g := fake.Grid{Blocks: driver.Dim3{X: 2, Y: 3, Z: 2}, Block: driver.Dim3{X: 4, Y: 1, Z: 2}}
	seen := make(map[[3]uint32]bool)
	for th := range g.Threads() {
		seen[[3]uint32{th.X, th.Y, th.Z}] = true
		if th.X != th.Block.X*4+th.Thread.X || th.Z != th.Block.Z*2+th.Thread.Z {
			t.Fatalf("%+v", th)
		}
	}
	if len(seen) != 8*3*4 {
		t.Errorf("%d threads, want 96", len(seen))
	}
	for range g.Threads() {
		break // it must stop
	}
}

type stepArgs struct {
	Data driver.Ptr[uint32]
	N    uint32
}

// A function waits for what its stream has before it, and what comes after waits for
// it; another stream does not.
func TestFunctionsRunInStreamOrder(t *testing.T) {
	dev := fake.Start(t, fake.H200)
	s, other := stream(t, dev), stream(t, dev)
	data, elsewhere := buffer(t, s, 5), buffer(t, other, 5)
	entered, proceed := make(chan struct{}), make(chan struct{})
	waits := fake.Kernel(t, dev, "waits", func(_ fake.Grid, a stepArgs) error {
		entered <- struct{}{}
		<-proceed
		fake.Slice(a.Data, 1)[0] *= 10
		return nil
	})
	adds := fake.Kernel(t, dev, "adds", func(_ fake.Grid, a stepArgs) error {
		fake.Slice(a.Data, 1)[0] += a.N
		return nil
	})
	one := driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}
	launch := func(k driver.Kernel, s driver.Stream, b *driver.Buffer[uint32], n uint32) {
		t.Helper()
		check(t, k.Launch(s, one, driver.ArgsOf(&stepArgs{b.Ptr(), n})))
	}
	launch(adds, s, data, 1)
	launch(waits, s, data, 0)
	launch(adds, s, data, 2)
	<-entered
	launch(adds, other, elsewhere, 3)
	if got := values(t, other, elsewhere)[0]; got != 8 {
		t.Errorf("the other stream has %d, want 8", got)
	}
	if done, err := s.Query(); done || err != nil {
		t.Errorf("the stream is done: %v, %v", done, err)
	}
	close(proceed)
	if got := values(t, s, data)[0]; got != 62 {
		t.Errorf("the stream has %d, want (5+1)·10+2", got)
	}
}

// Many streams run functions at once.
func TestManyFunctionsAtOnce(t *testing.T) {
	const streams, launches = 20, 50
	dev := fake.Start(t, fake.H200)
	adds := fake.Kernel(t, dev, "adds", func(_ fake.Grid, a stepArgs) error {
		fake.Slice(a.Data, 1)[0] += a.N
		return nil
	})
	var wg sync.WaitGroup
	for i := range streams {
		s := stream(t, dev)
		data := buffer(t, s, 0)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range launches {
				if err := adds.Launch(s, driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}, driver.ArgsOf(&stepArgs{data.Ptr(), uint32(i)})); err != nil {
					t.Error(err)
					return
				}
			}
			got := make([]uint32, 1)
			if err := data.CopyTo(t.Context(), s, got); err != nil || got[0] != uint32(i*launches) {
				t.Errorf("stream %d has %d, %v", i, got[0], err)
			}
		}()
	}
	wg.Wait()
}

func TestErrorsAreFaults(t *testing.T) {
	for name, x := range map[string]struct {
		fn   func(fake.Grid, stepArgs) error
		kind error
		word string
	}{
		"an error":        {func(fake.Grid, stepArgs) error { return errors.New("no such luck") }, driver.ErrDeviceFault, "LAUNCH_FAILED"},
		"a code":          {func(fake.Grid, stepArgs) error { return fake.Assert }, driver.ErrDeviceFault, "ASSERT"},
		"beyond the end":  {func(_ fake.Grid, a stepArgs) error { fake.Slice(a.Data, 1e6)[0] = 1; return nil }, driver.ErrDeviceFault, "ILLEGAL_ADDRESS"},
		"a stray pointer": {func(fake.Grid, stepArgs) error { fake.Slice(driver.PtrFrom[uint64](8), 1); return nil }, driver.ErrDeviceFault, "ILLEGAL_ADDRESS"},
		"below nothing":   {func(_ fake.Grid, a stepArgs) error { fake.Slice(a.Data, -1); return nil }, driver.ErrDeviceFault, "ILLEGAL_ADDRESS"},
	} {
		t.Run(name, func(t *testing.T) {
			dev := fake.Start(t, fake.H200)
			s := stream(t, dev)
			data := buffer(t, s, 0)
			k := fake.Kernel(t, dev, "fails", x.fn)
			check(t, k.Launch(s, driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}, driver.ArgsOf(&stepArgs{data.Ptr(), 1})))
			if err := s.Wait(t.Context()); !errors.Is(err, x.kind) || !strings.Contains(err.Error(), x.word) {
				t.Errorf("the stream says %v", err)
			}
			if err := dev.KernelErr(); err == nil || !strings.Contains(err.Error(), `kernel "fails"`) {
				t.Errorf("the kernel says %v", err)
			}
		})
	}
}

func TestSourcesOfFunctions(t *testing.T) {
	dev := fake.Start(t, fake.H200)
	s := stream(t, dev)
	data := buffer(t, s, 4)
	src := fake.Source(t, dev,
		fake.NewFunc("adds", func(_ fake.Grid, a stepArgs) error { fake.Slice(a.Data, 1)[0] += a.N; return nil }),
		fake.NewFunc("nothing", func(fake.Grid, struct{}) error { return nil }))
	adds, nothing := kernelcache.Declare[stepArgs](src, "adds"), kernelcache.Declare[struct{}](src, "nothing")
	one := driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: 1}}
	check(t, nothing.Launch(s, one, struct{}{}))
	check(t, adds.Launch(s, one, stepArgs{data.Ptr(), 3}))
	if got := values(t, s, data)[0]; got != 7 {
		t.Errorf("the kernel left %d, want 7", got)
	}
	wrong := kernelcache.Declare[struct{ A, B, C uint32 }](src, "adds")
	if err := wrong.Launch(s, one, struct{ A, B, C uint32 }{}); !errors.Is(err, driver.ErrSignature) {
		t.Errorf("a wrong signature: %v", err)
	}
}

const cText = `
#include "fake_kernel.h"
static __thread const fake_thread *position;
static const fake_thread **self(void) { return &position; }
static const fake_services *services;
static void invoke(void *function, void **params) {
	(*(unsigned **)params[0])[position->block.x] = *(unsigned *)params[1] + position->block.x;
}
static const fake_param params[] = {{0, 8}, {8, 4}};
static const fake_kernel kernels[] = {{.name = "fill", .function = invoke, .invoke = invoke, .params = params, .n_params = 2}};
__attribute__((visibility("default"))) const fake_image fake_image_table = {
	.version = FAKE_IMAGE_VERSION, .n_kernels = 1, .kernels = kernels, .self = self, .services = &services};
`

func TestKernelsInC(t *testing.T) {
	dev := fake.Start(t, fake.H200)
	s := stream(t, dev)
	data := buffer(t, s, 0, 0, 0)
	src := kernelcache.FromBinaries("c", kernelcache.Binary{Backend: "cuda", Code: fake.CompileC(t, dev, cText)})
	fill := kernelcache.Declare[stepArgs](src, "fill")
	check(t, fill.Launch(s, driver.Grid1D(3, 1), stepArgs{data.Ptr(), 40}))
	if got := values(t, s, data); got[0] != 40 || got[2] != 42 {
		t.Errorf("the kernel left %v", got)
	}
}

func TestKernelsInCUDA(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		drivertest.Lacks(t, "c++", "there is no C++ compiler")
	}
	dev := fake.Start(t, fake.H200)
	src := kernelcache.FromText(kernelcache.Text{Name: "fill", CUDA: `extern "C" __global__ void fill(unsigned *out, unsigned v) { out[blockIdx.x] = v + blockIdx.x; }`})
	fill := kernelcache.Declare[stepArgs](src, "fill")
	s := stream(t, dev)
	data := buffer(t, s, 0, 0, 0)
	check(t, fill.Launch(s, driver.Grid1D(3, 1), stepArgs{data.Ptr(), 40}))
	if got := values(t, s, data); got[0] != 40 || got[2] != 42 {
		t.Errorf("the kernel left %v", got)
	}
}
