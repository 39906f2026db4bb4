//go:build !cgo || !linux

package mallocs

import "github.com/triad-gpu/triad/driver"

// Counter counts.
type Counter struct{}

// Open fails: this build has no C memory to count.
func Open() (*Counter, error) {
	return nil, driver.Errorf("mallocs", "Open", driver.ErrUnavailable, "allocations are counted on Linux and with cgo only")
}

// Begin does nothing.
func (*Counter) Begin() {}

// End tells of nothing.
func (*Counter) End() (program, others int) { return 0, 0 }

// InUse is 0: there is no C memory.
func InUse() int { return 0 }
