package kernelcache

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/triad-gpu/triad/driver"
)

// moduleKey is the full identity of a module on a device.
type moduleKey struct {
	file    string // compilers report and expand it
	sum     [sha256.Size]byte
	since   uint64 // the world generation of the text
	options string
}

// kernelKey is the full identity of a bound kernel on a device.
type kernelKey struct {
	module    moduleKey
	name      string
	signature string
}

// resolve is the slow path of On.
func (d *decl) resolve(ctx context.Context, dev driver.Device) (driver.Kernel, error) {
	switch {
	case d.err != nil:
		return nil, d.err
	case d.source == nil:
		return nil, driver.Errorf("kernelcache", "kernel", driver.ErrInvalidValue, "this kernel was never declared; make it with Declare")
	case dev == nil:
		return nil, driver.Errorf("kernelcache", "kernel "+d.name, driver.ErrInvalidValue, "the device is nil; open one with driver.Open")
	}
	now := world.Load() // before the text: see world
	kernel, err := d.resolveIn(ctx, dev, now)
	if err != nil {
		info := dev.Info()
		return nil, &driver.Error{
			Backend: "kernelcache", Op: "kernel " + d.name,
			Detail: fmt.Sprintf("on %s:%d (%s)", info.Backend, info.Index, info.Name), Err: err,
		}
	}
	return kernel, nil
}

func (d *decl) resolveIn(ctx context.Context, dev driver.Device, now uint64) (driver.Kernel, error) {
	txt, err := d.source.text(dev.Info().Backend)
	if err != nil {
		return nil, err
	}
	module := moduleKey{file: txt.name, sum: txt.sum, since: txt.since, options: d.opts.key}
	key := kernelKey{module: module, name: d.name, signature: d.sig.Key()}
	t := tableOf(dev)
	e, err := t.kernels.do(ctx, t, key, func(ctx context.Context) (*entry, error) {
		m, err := t.modules.do(ctx, t, module, func(ctx context.Context) (driver.Module, error) {
			src := driver.ModuleSource{Kind: driver.SourceText, Name: txt.name, Code: txt.code}
			return dev.Load(ctx, src, d.opts.build)
		})
		if err != nil {
			return nil, err
		}
		kernel, err := m.Kernel(ctx, d.name, d.sig)
		if err != nil {
			return nil, err
		}
		return &entry{device: dev.ID(), kernel: kernel}, nil
	})
	if err != nil {
		return nil, err
	}
	t.publish(d, e, now)
	return e.kernel, nil
}

// tables are the open devices on which anything was resolved.
var tables struct {
	sync.Mutex
	m map[driver.DeviceID]*table
}

// table has what was resolved on one device.
type table struct {
	dev driver.Device
	// ctx ends when the device is closed.
	ctx   context.Context
	close context.CancelFunc

	mu      sync.Mutex // guards what follows
	closed  bool
	kernels flights[kernelKey, *entry]
	modules flights[moduleKey, driver.Module]
	users   map[*decl]struct{} // whose slots may hold an entry of this device
}

// tableOf finds a device's table or makes it.
func tableOf(dev driver.Device) *table {
	id := dev.ID()
	tables.Lock()
	t := tables.m[id]
	if t != nil {
		tables.Unlock()
		return t
	}
	t = &table{dev: dev, users: make(map[*decl]struct{})}
	t.kernels.m = make(map[kernelKey]*flight[*entry])
	t.modules.m = make(map[moduleKey]*flight[driver.Module])
	t.ctx, t.close = context.WithCancel(context.Background())
	if tables.m == nil {
		tables.m = make(map[driver.DeviceID]*table)
	}
	tables.m[id] = t
	tables.Unlock()
	// Without the lock: a device that was closed already calls drop at once.
	dev.OnClose(t.drop)
	return t
}

// publish puts an entry that is valid in generation now where the warm path
// finds it, unless the device was closed meanwhile.
func (t *table) publish(d *decl, e *entry, now uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	if now > e.world.Load() {
		e.world.Store(now)
	}
	t.users[d] = struct{}{}
	d.slots[e.device%driver.DeviceID(len(d.slots))].Store(e)
}

// drop forgets a device that is being closed and closes its kernels and modules.
// Launches that found one of them before get the driver's ErrClosed.
func (t *table) drop() {
	id := t.dev.ID()
	tables.Lock()
	delete(tables.m, id)
	tables.Unlock()

	t.mu.Lock()
	t.closed = true
	kernels, modules := t.kernels.take(), t.modules.take()
	for d := range t.users {
		slot := &d.slots[id%driver.DeviceID(len(d.slots))]
		if e := slot.Load(); e != nil && e.device == id {
			slot.CompareAndSwap(e, nil) // another device may have the slot by now
		}
	}
	t.users = nil
	t.mu.Unlock()

	t.close()
	for _, k := range kernels {
		k.Close()
	}
	for _, m := range modules {
		m.Close()
	}
}

func (t *table) closedError() error {
	return driver.ClosedError("kernelcache", "resolve", "device")
}
