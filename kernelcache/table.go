package kernelcache

import (
	"context"
	"sync"

	"github.com/triad-gpu/triad/driver"
)

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
	modules flights[moduleKey, *loaded]
	// users are the declarations that were to be resolved here, and whether they
	// ever were: then their slots may hold a binding to this device.
	users map[*decl]bool
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
	t = &table{dev: dev, users: make(map[*decl]bool)}
	t.kernels.m = make(map[kernelKey]*flight[*entry])
	t.modules.m = make(map[moduleKey]*flight[*loaded])
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

// tablesOf are the tables of a backend's devices.
func tablesOf(backend string) []*table {
	tables.Lock()
	defer tables.Unlock()
	var list []*table
	for _, t := range tables.m {
		if t.dev.Info().Backend == backend {
			list = append(list, t)
		}
	}
	return list
}

// register notes, before anything is made for it, that d is to be resolved here:
// a redefinition of another source then leaves alone what the two share.
func (t *table) register(d *decl) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.users[d]; !ok && !t.closed {
		t.users[d] = false
	}
}

// publish binds d to an entry that is its own in generation now, and puts that
// where the warm path finds it, unless the device was closed meanwhile. Who comes
// late may put a former binding over a later one; the next launch sees its world,
// and looks again.
func (t *table) publish(d *decl, e *entry, now uint64) *binding {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.bind(d, e, now)
}

// bind is publish, for who has the lock.
func (t *table) bind(d *decl, e *entry, now uint64) *binding {
	id := t.dev.ID()
	slot := d.slot(id)
	if had := slot.Load(); had != nil && had.entry == e {
		if now > had.world.Load() {
			had.world.Store(now)
		}
		return had
	}
	b := &binding{device: id, kernel: e.kernel, entry: e}
	b.world.Store(now)
	if !t.closed {
		t.users[d] = true
		slot.Store(b)
	}
	return b
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
		slot := d.slot(id)
		if b := slot.Load(); b != nil && b.device == id {
			slot.CompareAndSwap(b, nil) // another device may have the slot by now
		}
	}
	t.users = nil
	t.mu.Unlock()

	t.close()
	closeAll(kernels, modules)
}

func closeAll(kernels []*entry, modules []*loaded) {
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
