package kernelcache

import "github.com/triad-gpu/triad/driver"

// AdvanceWorld begins a new world generation in which nothing was redefined.
func AdvanceWorld() { world.Add(1) }

// Remembers tells whether the cache holds anything of a device.
func Remembers(id driver.DeviceID) bool {
	tables.Lock()
	defer tables.Unlock()
	return tables.m[id] != nil
}

// HasEntry tells whether a kernel's warm path has an entry of a device.
func (k *Kernel[A]) HasEntry(id driver.DeviceID) bool {
	e := k.slots[id%driver.DeviceID(len(k.slots))].Load()
	return e != nil && e.device == id
}

// Bound returns a function that tells whether the kernel's present binding to a
// device is valid in the world of the time when that is called.
func (k *Kernel[A]) Bound(id driver.DeviceID) (valid func() bool) {
	b := k.slot(id).Load()
	return func() bool { return b.world.Load() == generation() }
}

// BeforeSwap has f called whenever a redefinition is about to take over.
func BeforeSwap(f func()) (restore func()) {
	beforeSwap = f
	return func() { beforeSwap = func() {} }
}

// WarmPathIsOff tells whether a hook keeps all launches off the warm path.
func WarmPathIsOff() bool { return world.Load()&cacheHook != 0 }
