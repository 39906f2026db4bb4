//go:build !cgo || !linux

package control

import (
	"fmt"
	"time"

	"github.com/triad-gpu/triad/driver"
)

// Driver is a loaded fake driver. There is none without cgo, or on other systems
// than Linux: Open fails, so that nothing calls the methods.
type Driver struct{}

// Open fails.
func Open(string) (*Driver, error) {
	return nil, fmt.Errorf("%w: a fake driver is loaded by way of cgo, on Linux", driver.ErrUnavailable)
}

// Called begins the texts of images whose kernels are functions of the program.
const Called = ""

// Launch is a launch of a kernel that is a function of the program.
type Launch struct {
	ID          uint64
	Grid, Block [3]uint32
	Shared      []byte
}

// Params is 0.
func (l *Launch) Params() int { return 0 }

// Param does nothing; so do all that follow.
func (l *Launch) Param(int, []byte) {}

// Serve does nothing.
func (d *Driver) Serve(func(*Launch) int) error { return nil }

// Room does nothing.
func (d *Driver) Room(uint64) int64 { return 0 }

// Devices does nothing.
func (d *Driver) Devices(string, int, uint64) error { return nil }

// Call does nothing.
func (d *Driver) Call(string, ...uintptr) int { return 0 }

// Fail does nothing.
func (d *Driver) Fail(string, int, When) {}

// Latency does nothing.
func (d *Driver) Latency(string, time.Duration) {}

// KernelLatency does nothing.
func (d *Driver) KernelLatency(string, time.Duration) {}

// Block does nothing.
func (d *Driver) Block(string) (release func()) { return func() {} }

// Blocked does nothing.
func (d *Driver) Blocked(string) int { return 0 }

// Calls does nothing.
func (d *Driver) Calls(string) int { return 0 }

// KernelRuns does nothing.
func (d *Driver) KernelRuns(string) int { return 0 }

// Live does nothing.
func (d *Driver) Live(string) int { return 0 }

// Bytes does nothing.
func (d *Driver) Bytes(string) int64 { return 0 }

// Hold does nothing.
func (d *Driver) Hold(bool) {}

// FaultNext does nothing.
func (d *Driver) FaultNext(int) {}

// LoseDevice does nothing.
func (d *Driver) LoseDevice(int, int) {}

// Seed does nothing.
func (d *Driver) Seed(uint64) {}

// ResetCounts does nothing.
func (d *Driver) ResetCounts() {}

// Reset does nothing.
func (d *Driver) Reset() {}

// WrongContext is 0.
func (*Driver) WrongContext() int { return 0 }

// Symbols are none.
func (*Driver) Symbols() []string { return nil }

// RefuseWrongContext does nothing.
func (*Driver) RefuseWrongContext(bool) {}

// Strict does nothing.
func (*Driver) Strict(bool) {}

// LoseWords does nothing.
func (*Driver) LoseWords(bool) {}

// Callbacks does nothing.
func (*Driver) Callbacks(Callbacks) {}
