package opencl

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/kernelcache"
)

type versionArgs struct{ Out driver.Ptr[uint32] }

// versionText is a kernel that stores its version after some work.
func versionText(v int) string {
	return fmt.Sprintf("__kernel void version(__global uint *out) { out[get_global_id(0)] = %du; }", v)
}

func redefine(t testing.TB, src *kernelcache.Source, v int) {
	t.Helper()
	check(t, src.Redefine(t.Context(), kernelcache.Text{OpenCL: versionText(v)}))
}

// A launch that waits in its stream while the source is redefined runs the code
// of its own world, and what belongs to that world goes when it is done.
func TestRedefinedWhileALaunchIsHeld(t *testing.T) {
	t.Setenv("TRIAD_CACHE", "off")
	d := testDevice(t, DeviceOptions{})
	src := kernelcache.FromText(kernelcache.Text{OpenCL: versionText(1)})
	f := kernelcache.Declare[versionArgs](src, "version")
	held, other := testStream(t, d, driver.StreamOptions{}), testStream(t, d, driver.StreamOptions{})
	a, b := buffer(t, held, []uint32{0}), buffer(t, other, []uint32{0})
	check(t, f.Bind(t.Context(), d))
	before := lifetime.Live()
	release := hold(t, held)
	check(t, f.Launch(held, one, versionArgs{a.Ptr()}))
	redefine(t, src, 2)
	check(t, f.Launch(other, one, versionArgs{b.Ptr()}))
	if got := values(t, other, b)[0]; got != 2 {
		t.Errorf("a launch after the redefinition is of version %d", got)
	}
	err := src.Redefine(t.Context(), kernelcache.Text{OpenCL: "__kernel void version(__global uint *out) { out[0] = nonsense; }"})
	wantIs(t, "a text that does not compile", err, driver.ErrBuild, "nonsense")
	check(t, f.Launch(other, one, versionArgs{b.Ptr()}))
	if got := values(t, other, b)[0]; got != 2 {
		t.Errorf("after a redefinition that failed: version %d", got)
	}
	release()
	if got := values(t, held, a)[0]; got != 1 {
		t.Errorf("the held launch is of version %d", got)
	}
	after := lifetime.Live()
	for _, kind := range []string{"opencl module", "opencl kernel"} {
		if before[kind] != after[kind] {
			t.Errorf("%s: %d live before, %d after", kind, before[kind], after[kind])
		}
	}
}

// Goroutines launch while a real compiler makes world after world; each result
// is of one that was current.
func TestRedefinedUnderLaunches(t *testing.T) {
	t.Setenv("TRIAD_CACHE", "off")
	before := lifetime.Live()
	d, err := Open(0, DeviceOptions{})
	if err != nil {
		drivertest.Unavailable(t, "opencl", err)
	}
	src := kernelcache.FromText(kernelcache.Text{OpenCL: versionText(0)})
	f := kernelcache.Declare[versionArgs](src, "version")
	var begun, ended, launches atomic.Int64
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 8 {
		s, err := d.Stream(driver.StreamOptions{})
		check(t, err)
		b, err := driver.Alloc[uint32](d, 1)
		check(t, err)
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer s.Close()
			defer b.Close()
			got := make([]uint32, 1)
			for !stop.Load() {
				from := ended.Load()
				err := f.Launch(s, one, versionArgs{b.Ptr()})
				to := begun.Load()
				if err == nil {
					err = b.CopyTo(t.Context(), s, got)
				}
				if v := int64(got[0]); err != nil || v < from || v > to {
					t.Errorf("version %d, error %v; current were %d to %d", v, err, from, to)
					stop.Store(true)
				}
				launches.Add(1)
			}
		}()
	}
	n := 6
	if testing.Short() {
		n = 2
	}
	check(t, f.Bind(t.Context(), d))
	for v := 1; v <= n && !stop.Load(); v++ {
		begun.Store(int64(v))
		redefine(t, src, v)
		ended.Store(int64(v))
	}
	stop.Store(true)
	wg.Wait()
	check(t, d.Close())
	t.Logf("%d launches, %d redefinitions", launches.Load(), n)
	drivertest.LiveReturns(t, before)
}

func TestTwoKernelsOfOneNameDoNotCompile(t *testing.T) {
	t.Setenv("TRIAD_CACHE", "off")
	d := testDevice(t, DeviceOptions{})
	twice := kernelcache.FromText(kernelcache.Text{Name: "twice", OpenCL: storeSource + "\n" + storeSource})
	err := kernelcache.Declare[storeArgs](twice, "store").Bind(t.Context(), d)
	wantIs(t, "a name used twice", err, driver.ErrBuild, "store", "twice.cl")
}

// A restart finds kernels on disk, verified as if they had been compiled, in a
// fraction of the time. PoCL has a cache of its own, for which each process gets
// an empty folder here; the last one does not, to show what that cache is worth.
func TestKernelsSurviveARestart(t *testing.T) {
	testDevice(t, DeviceOptions{})
	ours, theirs := t.TempDir(), t.TempDir()
	var phases []string
	for _, run := range []struct{ want, pocl string }{
		{"compiler", theirs}, {"disk", t.TempDir()}, {"disk", theirs},
	} {
		out := drivertest.RunChild(t, "TestOneStart", "TRIAD_CACHE=", "TRIAD_CACHE_DIR="+ours, "POCL_CACHE_DIR="+run.pocl, "TRIAD_TEST_ORIGIN="+run.want)
		for _, line := range strings.Split(out, "\n") {
			if _, text, ok := strings.Cut(line, "measured: "); ok {
				phases = append(phases, text)
			}
		}
	}
	t.Logf("compiled; from disk with PoCL's cache empty; and with PoCL's cache full:\n%s", strings.Join(phases, "\n"))
}

func TestOneStart(t *testing.T) {
	drivertest.OnlyAsChild(t)
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	src := kernelcache.FromText(kernelcache.Text{Name: "d", OpenCL: describedSource})
	var res kernelcache.Resolution
	h := &kernelcache.Hook{Resolved: func(r *kernelcache.Resolution) { res = *r }}
	ctx := kernelcache.WithHook(t.Context(), h)
	f := kernelcache.Declare[describedArgs](src, "described")
	check(t, f.Bind(ctx, d))
	if want := os.Getenv("TRIAD_TEST_ORIGIN"); string(res.Origin) != want || res.DiskNote != "" {
		t.Errorf("from %s, want %s; note %q", res.Origin, want, res.DiskNote)
	}
	if res.Origin == kernelcache.FromDisk && res.Times.Compile != 0 {
		t.Error("compiled although it was on disk")
	}
	out := buffer(t, s, []float32{0})
	args := describedArgs{Out: out.Ptr(), X: 0.5, Scratch: driver.LocalOf[uint32](4)}
	args.T.A, args.T.B, args.T.C = 1, 2, 3
	begin := time.Now()
	check(t, f.Launch(s, one, args))
	check(t, s.Wait(t.Context()))
	launch := time.Since(begin)
	if got := values(t, s, out)[0]; got != 6.5 {
		t.Errorf("got %v", got)
	}
	k, err := f.On(t.Context(), d)
	check(t, err)
	if !k.Verified() {
		t.Errorf("unverified: %s", k.Unverified())
	}
	wrong := kernelcache.Declare[struct {
		Out     driver.Ptr[float32]
		X       float32
		T       struct{ A, B int32 }
		Scratch driver.Local[uint32]
	}](src, "described")
	wantIs(t, "a shorter struct", wrong.Bind(t.Context(), d), driver.ErrSignature, "12 bytes", "8")
	tm := res.Times
	fmt.Printf("measured: disk %v, compile %v, bind %v, store %v, first launch and wait %v\n", tm.Disk, tm.Compile, tm.Bind, tm.Store, launch)
}
