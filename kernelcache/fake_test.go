package kernelcache_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// fakeDevice is a driver.Device that compiles nothing and records what it is
// asked for. A kernel is there if the text says "kernel NAME".
type fakeDevice struct {
	driver.Device // what is not overridden panics
	id            driver.DeviceID
	info          driver.DeviceInfo

	mu      sync.Mutex
	closed  bool
	onClose []func()
	loads   []fakeLoad
	modules []*fakeModule
	loadErr error // what Load fails with
	// onLaunch, if set before the first launch, gets those of all kernels.
	onLaunch func(*fakeKernel, driver.ArgRef)
	quick    bool // launches do nothing, for benchmarks
	light    bool // nothing is recorded, and every kernel is there, for benchmarks

	wrap func(*fakeKernel) driver.Kernel // for kernels that can do more

	compiler   string // CompilerID
	dialect    string // of binaries: Load takes no others
	noBinaries bool   // modules give none

	// When set, Load says that it has begun on loading and then waits for gate,
	// or for its context if heedContext.
	loading     chan struct{}
	gate        chan struct{}
	heedContext bool
	// When set, Load says on ended that it has made a module or given up.
	ended chan struct{}
}

type fakeLoad struct {
	Src  driver.ModuleSource
	Opts driver.BuildOptions
}

var lastID atomic.Uint64

func newDevice(backend string) *fakeDevice {
	id := driver.DeviceID(lastID.Add(1))
	return &fakeDevice{id: id, compiler: "1", info: driver.DeviceInfo{
		Backend: backend, Index: int(id), Name: "Fake", Vendor: "Nobody", Platform: "Fake", Version: "1", Driver: "1",
	}}
}

func (d *fakeDevice) ID() driver.DeviceID      { return d.id }
func (d *fakeDevice) Info() *driver.DeviceInfo { return &d.info }

func (d *fakeDevice) CompilerID() string { return d.compiler }

func (d *fakeDevice) stream() *fakeStream { return &fakeStream{dev: d} }

// Load records the call. It reads the fields that steer it once, so that a test
// can change them between loads.
func (d *fakeDevice) Load(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (driver.Module, error) {
	d.mu.Lock()
	if !d.light {
		src.Code = slices.Clone(src.Code)
		d.loads = append(d.loads, fakeLoad{src, opts})
	}
	loading, gate, heed, err, closed := d.loading, d.gate, d.heedContext, d.loadErr, d.closed
	d.mu.Unlock()
	if closed {
		return nil, driver.ClosedError("fake", "Load", "device")
	}
	if loading != nil {
		loading <- struct{}{}
	}
	if gate != nil {
		done := ctx.Done()
		if !heed {
			done = nil
		}
		select {
		case <-gate:
		case <-done:
			d.ended <- struct{}{}
			return nil, ctx.Err()
		}
	}
	if err != nil {
		return nil, err
	}
	m, err := d.module(src, opts)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.modules = append(d.modules, m)
	d.mu.Unlock()
	if d.ended != nil {
		d.ended <- struct{}{}
	}
	return m, nil
}

func (d *fakeDevice) set(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

func (d *fakeDevice) loadCount() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.loads)
}

// open is the number of modules and kernels that were made and not closed.
func (d *fakeDevice) open() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, m := range d.modules {
		if !m.closed.Load() {
			n++
		}
		for _, k := range m.kernels {
			if !k.closed.Load() {
				n++
			}
		}
	}
	return n
}

func (d *fakeDevice) OnClose(f func()) {
	d.mu.Lock()
	closed := d.closed
	if !closed {
		d.onClose = append(d.onClose, f)
	}
	d.mu.Unlock()
	if closed {
		f()
	}
}

func (d *fakeDevice) Close() error {
	d.mu.Lock()
	fs := d.onClose
	d.closed, d.onClose = true, nil
	d.mu.Unlock()
	for _, f := range fs {
		f()
	}
	return nil
}

// The fakes' native sides are counted, as those of backends are.
var (
	fakeModules = lifetime.NewKind("fake module")
	fakeKernels = lifetime.NewKind("fake kernel")
)

// module makes a module of text, or of what Binary made of text.
func (d *fakeDevice) module(src driver.ModuleSource, opts driver.BuildOptions) (*fakeModule, error) {
	m := &fakeModule{dev: d, code: string(src.Code), desc: "facts of " + string(src.Code), opts: opts}
	switch src.Kind {
	case driver.SourceText:
		if strings.Contains(m.code, "broken") {
			return nil, &driver.BuildError{Backend: "fake", Op: "Load", Name: "BROKEN", Code: -1, Device: d.info.Name, Log: "f.cl:1: this is broken"}
		}
	case driver.SourceSPIRV:
	case driver.SourceBinary:
		code, ok := strings.CutPrefix(m.code, d.dialect+"binary of ")
		if !ok {
			return nil, driver.Errorf("fake", "Load", driver.ErrInvalidValue, "%q is no binary", m.code)
		}
		m.code, m.desc = code, string(src.Description)
	}
	m.life.Init(fakeModules, func() {})
	return m, nil
}

type fakeModule struct {
	driver.Module
	life    lifetime.Life
	dev     *fakeDevice
	code    string
	desc    string
	opts    driver.BuildOptions
	closed  atomic.Bool
	kernels []*fakeKernel // guarded by dev.mu
}

func (m *fakeModule) Kernel(ctx context.Context, name string, sig *driver.Signature) (driver.Kernel, error) {
	if !m.life.Acquire() {
		return nil, driver.ClosedError("fake", "Kernel", "module")
	}
	if !m.dev.light && !strings.Contains(m.code, "kernel "+name) {
		m.life.Release()
		return nil, driver.Errorf("fake", "Kernel", driver.ErrNotFound, "no kernel %s", name)
	}
	k := &fakeKernel{module: m, name: name, sig: sig}
	k.life.Init(fakeKernels, m.life.Release)
	m.dev.mu.Lock()
	defer m.dev.mu.Unlock()
	m.kernels = append(m.kernels, k)
	if m.dev.wrap != nil {
		return m.dev.wrap(k), nil
	}
	return k, nil
}

func (m *fakeModule) BuildLog() string { return "log of " + m.code }
func (m *fakeModule) Binary() ([]byte, error) {
	if m.dev.noBinaries {
		return nil, driver.Errorf("fake", "Binary", driver.ErrUnsupported, "no binary")
	}
	return []byte(m.dev.dialect + "binary of " + m.code), nil
}

func (m *fakeModule) Description() ([]byte, error) { return []byte(m.desc), nil }

func (m *fakeModule) Close() error {
	if !m.closed.CompareAndSwap(false, true) {
		return fmt.Errorf("module closed twice")
	}
	m.life.Close()
	return nil
}

type fakeKernel struct {
	life     lifetime.Life
	module   *fakeModule
	name     string
	sig      *driver.Signature
	closed   atomic.Bool
	launches atomic.Int64
	// onEnter, if set, is called before a launch looks whether the kernel is
	// closed, and onLaunch, after that, gets its arguments.
	onEnter  func()
	refuse   error // what launches fail with
	onLaunch func(driver.Stream, driver.LaunchConfig, driver.ArgRef)
}

func (k *fakeKernel) Name() string                 { return k.name }
func (k *fakeKernel) Device() driver.Device        { return k.module.dev }
func (k *fakeKernel) Signature() *driver.Signature { return k.sig }
func (k *fakeKernel) Verified() bool               { return k.module.desc != "" }
func (k *fakeKernel) Unverified() string           { return "" }
func (k *fakeKernel) Attributes() (driver.KernelAttributes, error) {
	return driver.KernelAttributes{Registers: 42}, nil
}

func (k *fakeKernel) Launch(s driver.Stream, cfg driver.LaunchConfig, args driver.ArgRef) error {
	if k.module.dev.quick {
		return nil
	}
	if k.onEnter != nil {
		k.onEnter()
	}
	if k.refuse != nil {
		return k.refuse
	}
	if !k.life.Acquire() {
		return driver.ClosedError("fake", "Launch", "kernel")
	}
	defer k.life.Release()
	k.launches.Add(1)
	if k.onLaunch != nil {
		k.onLaunch(s, cfg, args)
	}
	if f := k.module.dev.onLaunch; f != nil {
		f(k, args)
	}
	return nil
}

func (k *fakeKernel) Close() error {
	if !k.closed.CompareAndSwap(false, true) {
		return fmt.Errorf("kernel closed twice")
	}
	k.life.Close()
	return nil
}

type fakeStream struct {
	driver.Stream
	dev *fakeDevice
}

func (s *fakeStream) Device() driver.Device { return s.dev }
