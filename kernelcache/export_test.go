package kernelcache

import (
	"crypto/sha256"

	"github.com/triad-gpu/triad/driver"
)

// AdvanceWorld begins a new world generation in which nothing was redefined.
func AdvanceWorld() { world.Add(1) }

// Retext gives a source a new text for a backend, and begins the generation in
// which it holds.
func (s *Source) Retext(backend, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts[backend] = &text{name: s.texts[backend].name, code: []byte(code), sum: sha256.Sum256([]byte(code)), since: world.Load() + 1}
	world.Add(1)
}

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
