//go:build linux

package opencl

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/waitpool"
)

// threads is the number of the process's operating-system threads.
func threads(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	check(t, err)
	_, rest, _ := strings.Cut(string(text), "\nThreads:")
	line, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.Atoi(strings.TrimSpace(line))
	check(t, err)
	return n
}

func TestTwentyThousandGoroutinesWaitWithAFewThreads(t *testing.T) {
	testDevice(t, DeviceOptions{})
	drivertest.RunChild(t, "TestTwentyThousandWaits")
}

func TestTwentyThousandWaits(t *testing.T) {
	drivertest.OnlyAsChild(t) // threads of other tests stay, and would be counted
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	warm := buffer(t, s, []uint32{1})
	values(t, s, warm)
	before := threads(t) // the driver's own are among them
	n := 20_000
	if testing.Short() {
		n = 2000
	}
	gate := userEvent(t, d)
	errs := make(chan error, n)
	for range n {
		go func() { errs <- gate.Wait(context.Background()) }()
	}
	within(t, "the waits' way to where they park", func() {
		for waitpool.Default().Stats().InFlight < n {
			runtime.Gosched()
		}
	})
	stats := waitpool.Default().Stats()
	if most := max(4, min(16, runtime.GOMAXPROCS(0))); stats.Workers > most || stats.Overflow != 0 || stats.Direct != 0 {
		t.Errorf("%d threads wait, %d waits had a thread of their own, %d held their caller's; %d threads are enough", stats.Workers, stats.Overflow, stats.Direct, most)
	}
	// Go starts further threads for calls into C that take long. On a machine that
	// is busy otherwise short ones do too, when they lose their processor within.
	switch now, want := threads(t), before+stats.Workers+runtime.GOMAXPROCS(0)+8; {
	case now > want+400:
		t.Errorf("%d threads, %d before; about %d are enough", now, before, want)
	case now > want:
		t.Logf("%d threads, %d before; %d would be enough on a machine with nothing else to do", now, before, want)
	}
	check(t, gate.Complete())
	within(t, "waking everybody", func() {
		for range n {
			if err := <-errs; err != nil {
				t.Errorf("Wait: %v", err)
				return
			}
		}
	})
	if n := waitpool.Default().Stats().InFlight; n != 0 {
		t.Errorf("%d waits are left", n)
	}
}

// A program that waits should not burn a processor for it.
func TestPendingWaitsUseLittleProcessorTime(t *testing.T) {
	testDevice(t, DeviceOptions{})
	drivertest.RunChild(t, "TestProcessorTimeOfWaits")
}

func TestProcessorTimeOfWaits(t *testing.T) {
	drivertest.OnlyAsChild(t) // other tests' work would be counted
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	gate := userEvent(t, d)
	check(t, s.WaitEvent(gate))
	const n = 1000 // more than there are callbacks for, so that some are polled
	errs := make(chan error, n)
	for range n {
		go func() { errs <- s.Wait(context.Background()) }()
	}
	for waitpool.Default().Stats().InFlight < n {
		runtime.Gosched()
	}
	used := func() time.Duration {
		var u syscall.Rusage
		check(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	const wall = 500 * time.Millisecond
	before := used()
	time.Sleep(wall) // it is the time that passes which is measured
	if cpu := used() - before; cpu > wall/4 {
		t.Errorf("%d pending waits took %v of processor time in %v", n, cpu, wall)
	}
	check(t, gate.Complete())
	for range n {
		check(t, <-errs)
	}
}

func TestInterruptsDuringAWaitReachTheProgram(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	gate := userEvent(t, d)
	check(t, s.WaitEvent(gate))
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT)
	defer stop()
	done := make(chan error, 1)
	go func() { done <- s.Wait(ctx) }()
	for waitpool.Default().Stats().InFlight == 0 {
		runtime.Gosched()
	}
	for range 3 {
		check(t, syscall.Kill(os.Getpid(), syscall.SIGINT))
	}
	select {
	case err := <-done:
		if err == nil || ctx.Err() == nil {
			t.Errorf("the wait ended with %v, its context with %v", err, ctx.Err())
		}
	case <-time.After(30 * time.Second):
		t.Error("the interrupt did not end the wait")
	}
	check(t, gate.Complete())
	check(t, s.Wait(context.Background()))
}

// A wait must not hold a lock that others need: queries, launches, new objects
// and closings go on beside it.
func TestOthersWorkOnWhileAWaitIsPending(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	held, s := testStream(t, d, driver.StreamOptions{}), testStream(t, d, driver.StreamOptions{})
	gate := userEvent(t, d)
	check(t, held.WaitEvent(gate))
	var wg sync.WaitGroup
	for range 50 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := held.Wait(context.Background()); err != nil {
				t.Errorf("Wait: %v", err)
			}
		}()
	}
	within(t, "work beside the waits", func() {
		k := kernel[storeArgs](t, d, storeSource, "store")
		for i := range uint32(50) {
			x := buffer(t, s, []uint32{0})
			a := storeArgs{x.Ptr(), i}
			check(t, k.Launch(s, one, driver.ArgsOf(&a)))
			if got := values(t, s, x)[0]; got != i {
				t.Errorf("got %d, want %d", got, i)
			}
			check(t, x.Close())
			if done, err := held.Query(); done || err != nil {
				t.Errorf("the held stream: done %v, error %v", done, err)
			}
		}
	})
	check(t, gate.Complete())
	within(t, "the waits", wg.Wait)
}

func TestNilContextsWaitForGood(t *testing.T) {
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	e := testEvent(t, d)
	check(t, s.Record(e))
	var none context.Context
	check(t, s.Wait(none))
	check(t, e.Wait(none))
	check(t, d.Wait(none))
	m, err := d.Load(none, driver.ModuleSource{Kind: driver.SourceText, Code: []byte("typedef uint word; __kernel void store(__global word *out, word value) { *out = value; }")}, driver.BuildOptions{})
	check(t, err)
	defer m.Close()
	sig, err := driver.SignatureOf[storeArgs]()
	check(t, err)
	k, err := m.Kernel(none, "store", sig)
	check(t, err)
	if !k.Verified() {
		t.Errorf("not verified: %s", k.Unverified())
	}
	check(t, k.Close())
}
