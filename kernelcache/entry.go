package kernelcache

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/triad-gpu/triad/driver"
)

// entry is a kernel resolved on one device. Declarations that differ in nothing
// share it, those of other sources with the same text included.
type entry struct {
	kernel driver.Kernel
	module *loaded
	bind   time.Duration // how long binding took
	store  time.Duration // how long getting the binary and writing it took
}

// Close closes the driver's kernel.
func (e *entry) Close() error { return e.kernel.Close() }

// binding is an entry as one declaration uses it.
type binding struct {
	device driver.DeviceID
	kernel driver.Kernel // the entry's
	entry  *entry
	// world is the generation in which the entry was last found to be this
	// declaration's: of two that share an entry, only one may be redefined.
	world atomic.Uint64
}

// replaced tells whether err, of a call on b's kernel, may be for a redefinition
// that closed the kernel after it was found: then there is a later generation
// than the last in which b was valid.
func (b *binding) replaced(err error) bool {
	return errors.Is(err, driver.ErrClosed) && b.world.Load() != generation()
}
