package kernelcache_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/triad-gpu/triad/driver"
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
	return &fakeDevice{id: id, info: driver.DeviceInfo{Backend: backend, Index: int(id), Name: "Fake"}}
}

func (d *fakeDevice) ID() driver.DeviceID      { return d.id }
func (d *fakeDevice) Info() *driver.DeviceInfo { return &d.info }

func (d *fakeDevice) stream() *fakeStream { return &fakeStream{dev: d} }

// Load records the call. It reads the fields that steer it once, so that a test
// can change them between loads.
func (d *fakeDevice) Load(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (driver.Module, error) {
	d.mu.Lock()
	src.Code = slices.Clone(src.Code)
	d.loads = append(d.loads, fakeLoad{src, opts})
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
	m := &fakeModule{dev: d, code: string(src.Code), opts: opts}
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

type fakeModule struct {
	driver.Module
	dev     *fakeDevice
	code    string
	opts    driver.BuildOptions
	closed  atomic.Bool
	kernels []*fakeKernel // guarded by dev.mu
}

func (m *fakeModule) Kernel(ctx context.Context, name string, sig *driver.Signature) (driver.Kernel, error) {
	if m.closed.Load() {
		return nil, driver.ClosedError("fake", "Kernel", "module")
	}
	if !strings.Contains(m.code, "kernel "+name) {
		return nil, driver.Errorf("fake", "Kernel", driver.ErrNotFound, "no kernel %s", name)
	}
	k := &fakeKernel{module: m, name: name, sig: sig}
	m.dev.mu.Lock()
	defer m.dev.mu.Unlock()
	m.kernels = append(m.kernels, k)
	return k, nil
}

func (m *fakeModule) Close() error {
	if !m.closed.CompareAndSwap(false, true) {
		return fmt.Errorf("module closed twice")
	}
	return nil
}

type fakeKernel struct {
	module   *fakeModule
	name     string
	sig      *driver.Signature
	closed   atomic.Bool
	launches atomic.Int64
	// onLaunch, if set, gets every launch's arguments.
	onLaunch func(driver.Stream, driver.LaunchConfig, driver.ArgRef)
}

func (k *fakeKernel) Name() string                 { return k.name }
func (k *fakeKernel) Device() driver.Device        { return k.module.dev }
func (k *fakeKernel) Signature() *driver.Signature { return k.sig }
func (k *fakeKernel) Verified() bool               { return true }
func (k *fakeKernel) Unverified() string           { return "" }
func (k *fakeKernel) Attributes() (driver.KernelAttributes, error) {
	return driver.KernelAttributes{Registers: 42}, nil
}

func (k *fakeKernel) Launch(s driver.Stream, cfg driver.LaunchConfig, args driver.ArgRef) error {
	if k.closed.Load() {
		return driver.ClosedError("fake", "Launch", "kernel")
	}
	k.launches.Add(1)
	if k.onLaunch != nil {
		k.onLaunch(s, cfg, args)
	}
	return nil
}

func (k *fakeKernel) Close() error {
	if !k.closed.CompareAndSwap(false, true) {
		return fmt.Errorf("kernel closed twice")
	}
	return nil
}

type fakeStream struct {
	driver.Stream
	dev *fakeDevice
}

func (s *fakeStream) Device() driver.Device { return s.dev }
