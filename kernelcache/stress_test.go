package kernelcache_test

import (
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/kernelcache"
)

// stressArgs say where a kernel leaves its result.
type stressArgs struct{ Slot uint32 }

// versioned is a source that is redefined again and again. Version v of its text
// says so, and so do its kernels' results.
type versioned struct {
	src *kernelcache.Source
	f   *kernelcache.Kernel[stressArgs]
	// A redefinition to v sets begun to v first and ended to v last, so a launch
	// may see any version from ended at its start to begun at its end.
	begun, ended atomic.Int64
}

func versionText(v int64) string { return "kernel f // version " + strconv.FormatInt(v, 10) }

// Sources are redefined a thousand times in all, some with text that does not
// compile, while goroutines launch on two devices. Each result is of a world
// that was current between the launch's start and its end, and nothing of the
// former worlds stays.
func TestThousandRedefinitionsUnderLaunches(t *testing.T) {
	const goroutines, redefinitions = 64, 1000
	before := lifetime.Live()
	results := make([]int64, goroutines) // each touched by its goroutine alone
	var devs [2]*fakeDevice
	for i := range devs {
		devs[i] = newDevice("opencl")
		devs[i].onLaunch = func(k *fakeKernel, ref driver.ArgRef) {
			_, digits, _ := strings.Cut(k.module.code, "version ")
			v, err := strconv.ParseInt(digits, 10, 64)
			if err != nil {
				t.Error(err)
			}
			results[(*(*stressArgs)(ref.Pointer())).Slot] = v
		}
	}
	var sources [4]*versioned
	for i := range sources {
		// Sources of equal text at first, which share their kernels.
		s := &versioned{src: kernelcache.FromText(kernelcache.Text{Name: "stress", OpenCL: versionText(0)})}
		s.f = kernelcache.Declare[stressArgs](s.src, "f")
		sources[i] = s
	}
	var (
		wg       sync.WaitGroup
		stop     atomic.Bool
		launches atomic.Int64
		running  sync.WaitGroup
	)
	running.Add(goroutines)
	for g := range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			dev := devs[g%2]
			stream := dev.stream()
			for n := 0; !stop.Load(); n++ {
				s := sources[(g+n)%len(sources)]
				from := s.ended.Load()
				err := s.f.Launch(stream, driver.Grid1D(1, 1), stressArgs{uint32(g)})
				to := s.begun.Load()
				if got := results[g]; err != nil || got < from || got > to {
					t.Errorf("goroutine %d: version %d, error %v; current were %d to %d", g, got, err, from, to)
					stop.Store(true)
				}
				launches.Add(1)
				if n == 0 {
					running.Done()
				}
				if n%16 == 0 {
					runtime.Gosched()
				}
			}
		}()
	}
	running.Wait()
	var redefiners sync.WaitGroup
	for _, s := range sources {
		redefiners.Add(1)
		go func() {
			defer redefiners.Done()
			for v := int64(1); v <= redefinitions/int64(len(sources)) && !stop.Load(); v++ {
				if v%10 == 0 {
					if err := s.src.Redefine(ctx, kernelcache.Text{OpenCL: "broken " + versionText(-v)}); err == nil {
						t.Error("a text that does not compile was accepted")
					}
				}
				s.begun.Store(v)
				if err := s.src.Redefine(ctx, kernelcache.Text{OpenCL: versionText(v)}); err != nil {
					t.Errorf("version %d: %v", v, err)
				}
				s.ended.Store(v)
				runtime.Gosched()
			}
		}()
	}
	redefiners.Wait()
	stop.Store(true)
	wg.Wait()
	t.Logf("%d launches", launches.Load())
	for _, d := range devs {
		if n := d.open(); n != 2*len(sources) {
			t.Errorf("%d objects open on a device; want a module and a kernel of each source, %d", n, 2*len(sources))
		}
		d.Close()
	}
	drivertest.LiveReturns(t, before)
}
