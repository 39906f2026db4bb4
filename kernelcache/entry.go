package kernelcache

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/triad-gpu/triad/driver"
)

// entry is a kernel resolved on one device.
type entry struct {
	device driver.DeviceID
	kernel driver.Kernel
	module *loaded
	bind   time.Duration // how long binding took
	store  time.Duration // how long getting the binary and writing it took
	// world is the generation in which the entry was last found valid.
	world atomic.Uint64
}

// Close closes the driver's kernel.
func (e *entry) Close() error { return e.kernel.Close() }

// replaced tells whether err, of a launch of e, may be for a redefinition that
// closed the kernel after it was found: then there is a later generation than
// the last in which e was valid.
func (e *entry) replaced(err error) bool {
	return errors.Is(err, driver.ErrClosed) && e.world.Load() != generation()
}
