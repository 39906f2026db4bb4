package hip

import "github.com/triad-gpu/triad/driver/staging"

// Copies from and to host memory that isn't page-locked go by way of memory that is; see
// package staging. The runtime, given other memory, waits for all that the stream has
// before the copy, in the call. With page-locked memory in between they are commands
// like any other: in their place, and waited for like others.

// initStaging has the device's staging memory come from the runtime.
func (d *Device) initStaging() {
	d.stage.Alloc = func(size uint64) (handle, bool) {
		p := rawStageAlloc(d.raw, size)
		return p, p != nil
	}
	d.stage.Free = func(p handle) { rawStageFree(d.raw, p) }
}

// commands is a stream as package staging sees it.
type commands struct{ *Stream }

var _ staging.Commands = commands{}

func (c commands) Counts() (submitted, done uint64) { return rawStreamCounts(c.raw) }
func (c commands) Look()                            { rawStreamQuery(c.raw) }

// Arrived implements staging.Delivery.
func (w *waiter) Arrived() bool { return w.into != nil && rawWaitReached(w.raw) }

// Deliver implements staging.Delivery.
func (w *waiter) Deliver() {
	copy(w.into, hostBytes(w.slot, uint64(len(w.into))))
	w.into = nil
}
