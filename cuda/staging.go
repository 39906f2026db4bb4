package cuda

import "github.com/triad-gpu/triad/driver/staging"

// Copies from and to host memory that isn't page-locked go by way of memory that is; see
// package staging. The driver, given other memory, makes copies to the host when the
// stream has come to them, and holds the thread until then. With page-locked memory in
// between they are commands like any other: in their place, and waited for like others.
//
// Small copies to the device, of which the bytes are taken before the call returns, need
// 1 µs less of the driver so. To find out whether memory is page-locked takes it another
// 0.5 µs.

// initStaging has the device's staging memory come from the driver.
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
