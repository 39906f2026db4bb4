package fake

import (
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/triad-gpu/triad/cuda"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/hip"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// library is one of the two fake drivers of a process: CUDA's driver or HIP's runtime.
type library struct {
	start   string // the function that gives its devices: "fake.Start"
	kind    string // of its devices, in package lifetime
	models  []Model
	symbols func() ([]fakedriver.Symbol, error)
	example string   // of symbols
	memory  []string // calls that allocate the device's memory
	set     func(fakedriver.Paths) map[string]string
	path    func(fakedriver.Paths) string
	probe   func() driver.Report
	// reset ends what an earlier test left of a device.
	reset func(ctl *control.Driver, device int)

	loading sync.Mutex
	tried   bool
	ctl     atomic.Pointer[control.Driver]
	paths   fakedriver.Paths
	err     error

	turn   chan struct{} // held by the test that has the fake driver
	mu     sync.Mutex    // guards holder
	holder string        // its name
}

var cudas = &library{
	start: "fake.Start", kind: "cuda device", models: []Model{H200, Old},
	symbols: fakedriver.Symbols, example: "cuMemAlloc, cuLaunchKernel",
	memory: []string{"cuMemAllocFromPoolAsync", "cuMemAllocAsync", "cuMemAlloc"},
	set: func(p fakedriver.Paths) map[string]string {
		return map[string]string{"TRIAD_CUDA_LIBRARY": p.Cuda, "TRIAD_NVRTC_LIBRARY": p.Nvrtc}
	},
	path:  func(p fakedriver.Paths) string { return p.Cuda },
	probe: func() driver.Report { return cuda.Backend().Probe() },
	reset: func(ctl *control.Driver, device int) { ctl.Call("cuDevicePrimaryCtxReset_v2", uintptr(device)) },
	turn:  make(chan struct{}, 1),
}

var hips = &library{
	start: "fake.StartHIP", kind: "hip device", models: []Model{MI300X, RX7900},
	symbols: fakedriver.HIPSymbols, example: "hipMalloc, hipModuleLaunchKernel",
	memory: []string{"hipMallocFromPoolAsync", "hipMalloc", "hipExtMallocWithFlags"},
	set: func(p fakedriver.Paths) map[string]string {
		return map[string]string{"TRIAD_HIP_LIBRARY": p.Hip, "TRIAD_HIPRTC_LIBRARY": p.Hiprtc}
	},
	path:  func(p fakedriver.Paths) string { return p.Hip },
	probe: func() driver.Report { return hip.Backend().Probe() },
	reset: func(ctl *control.Driver, device int) {
		ctl.Call("hipSetDevice", uintptr(device))
		ctl.Call("hipDeviceReset")
		ctl.Call("hipSetDevice", 0)
	},
	turn: make(chan struct{}, 1),
}

// load loads the fake driver, once.
func (l *library) load(o func() (fakedriver.Options, error)) error {
	l.loading.Lock()
	defer l.loading.Unlock()
	if !l.tried {
		l.tried = true
		l.err = l.loadNow(o)
	}
	return l.err
}

func (l *library) loadNow(options func() (fakedriver.Options, error)) error {
	o, err := options()
	if err != nil {
		return err
	}
	if l.paths, err = fakedriver.Build(o); err != nil {
		return err
	}
	ctl, err := control.Open(l.path(l.paths))
	if err != nil {
		return err
	}
	if err := ctl.Serve(run); err != nil {
		return err
	}
	l.ctl.Store(ctl)
	// Kernels that are Go functions are of no use to another process, and what is
	// compiled here of none to a real driver.
	if os.Getenv("TRIAD_CACHE") == "" {
		if err := os.Setenv("TRIAD_CACHE", "off"); err != nil {
			return err
		}
	}
	for name, value := range l.set(l.paths) {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	report := l.probe() // loads a driver, if that hasn't happened
	if report.Loaded != l.path(l.paths) {
		what := report.Loaded
		if what == "" {
			what = "none, which was found out"
		}
		return driver.Errorf("fake", "Start", driver.ErrInvalidContext, "a process loads a driver once, and this one has loaded %s before the fake one; "+
			"call fake.Main from TestMain, which comes first, or give the tests with the fake driver a package of their own", what)
	}
	return report.Err
}

// patience is how long a test waits for its turn.
const patience = 2 * time.Minute

func (l *library) take(t testing.TB) {
	t.Helper()
	l.mu.Lock()
	have := l.holder
	l.mu.Unlock()
	if have != "" && (t.Name() == have || strings.HasPrefix(t.Name(), have+"/")) {
		t.Fatalf("fake: %s has started the fake driver already; for more devices set Model.Devices and use Device.Other", have)
	}
	select {
	case l.turn <- struct{}{}:
	case <-time.After(patience):
		t.Fatalf("fake: %s has had the fake driver for %v, and one test at a time has it; if it is parallel, it must call t.Parallel before %s", have, patience, l.start)
	}
	l.mu.Lock()
	l.holder = t.Name()
	l.mu.Unlock()
}

func (l *library) leave() {
	l.mu.Lock()
	l.holder = ""
	l.mu.Unlock()
	<-l.turn
}

// settle gives what an earlier test closed a moment to come to its end, which streams
// under way may put off: it would be counted as this test's. A test may have left a
// device open, so the moment is short.
func (l *library) settle() {
	for end := time.Now().Add(time.Second); lifetime.Live()[l.kind] > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// symbolsOf are those of a call: "cuMemAlloc" is cuMemAlloc_v2, and where a driver has
// a call in several forms, each of them. "*" stays what it is.
func (l *library) symbolsOf(call string) ([]string, error) {
	if call == "*" {
		return []string{call}, nil
	}
	all, err := l.symbols()
	if err != nil {
		return nil, err
	}
	var found, like []string
	for _, s := range all {
		switch {
		case s.Name == call:
			return []string{call}, nil
		case s.Known == call:
			found = append(found, s.Name)
		case len(call) >= 5 && strings.Contains(strings.ToLower(s.Name), strings.ToLower(call[3:])):
			like = append(like, s.Name)
		}
	}
	if found == nil {
		like = slices.Concat(like[:min(len(like), 10)], []string{l.example})
		return nil, driver.Errorf("fake", call, driver.ErrNotFound, "the driver has no such function; there are, for example: %s", strings.Join(like, ", "))
	}
	return found, nil
}
