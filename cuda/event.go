package cuda

import (
	"context"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Event is a CUDA event. It implements driver.Event; all methods may be called from
// any goroutine.
type Event struct {
	life   lifetime.Life
	dev    *Device
	raw    handle
	timing bool
}

var eventKind = lifetime.NewKind("cuda event")

// Flags of events.
const (
	eventBlockingSync  = 1 // CU_EVENT_BLOCKING_SYNC
	eventDisableTiming = 2 // CU_EVENT_DISABLE_TIMING
)

// NewEvent implements driver.Device.
func (d *Device) NewEvent(opts driver.EventOptions) (driver.Event, error) {
	e, err := d.Event(opts)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Event makes an event (cuEventCreate with CU_EVENT_BLOCKING_SYNC: a thread that
// waits for it in the driver sleeps).
func (d *Device) Event(opts driver.EventOptions) (*Event, error) {
	flags := uint32(eventBlockingSync)
	if opts.NoTiming {
		flags |= eventDisableTiming
	}
	return d.event("cuEventCreate", flags)
}

func (d *Device) event(op string, flags uint32) (*Event, error) {
	if err := d.use(op); err != nil {
		return nil, err
	}
	raw, code := rawEventOpen(d.raw, flags)
	if err := d.failure(op, code, ""); err != nil {
		d.life.Release()
		return nil, err
	}
	return d.newEvent(raw, flags&eventDisableTiming == 0), nil
}

// newEvent makes the Go side of an event. It holds a use of d, which ends with it.
func (d *Device) newEvent(raw handle, timing bool) *Event {
	e := &Event{dev: d, raw: raw, timing: timing}
	e.life.Init(eventKind, func() {
		rawEventClose(raw)
		d.life.Release()
	})
	return e
}

func (e *Event) use(op string) error {
	if e == nil {
		return nilEvent(op)
	}
	if !e.life.Acquire() {
		return driver.ClosedError(backendName, op, "event")
	}
	return nil
}

// Device implements driver.Event.
func (e *Event) Device() driver.Device {
	if e == nil || e.dev == nil {
		return nil
	}
	return e.dev
}

// Native returns the CUevent as an integer, for a user's own C code; 0 once closed.
func (e *Event) Native() uintptr {
	if e == nil || !e.life.Acquire() {
		return 0
	}
	defer e.life.Release()
	return native(rawEventNative(e.raw))
}

// Query implements driver.Event (cuEventQuery).
func (e *Event) Query() (bool, error) {
	if err := e.use("cuEventQuery"); err != nil {
		return false, err
	}
	defer e.life.Release()
	code := rawEventQuery(e.raw)
	switch code {
	case 0:
		e.dev.deliveries.Settle()
		return true, nil
	case codeNotReady:
		return false, nil
	}
	return false, e.dev.commandFailure("cuEventQuery", code)
}

// Wait implements driver.Event (cuEventQuery, cuEventSynchronize).
func (e *Event) Wait(ctx context.Context) error {
	if err := e.use("Event.Wait"); err != nil {
		return err
	}
	w, err := takeWaiter("Event.Wait", e.dev)
	if err != nil {
		e.life.Release()
		return err
	}
	w.event = e
	rawWaitEvent(w.raw, e.raw)
	return w.wait(ctx, waits().event)
}

// Elapsed implements driver.Event (cuEventElapsedTime). The resolution is about
// half a microsecond.
func (e *Event) Elapsed(start driver.Event) (time.Duration, error) {
	const op = "cuEventElapsedTime"
	if err := e.use(op); err != nil {
		return 0, err
	}
	defer e.life.Release()
	first, err := eventOf(op, start, e.dev)
	if err != nil {
		return 0, err
	}
	defer first.life.Release()
	switch {
	case !e.timing || !first.timing:
		return 0, refused(op, driver.ErrUnsupported, "an event was made with EventOptions.NoTiming")
	case !rawEventRecorded(e.raw) || !rawEventRecorded(first.raw):
		return 0, refused(op, driver.ErrNotReady, "an event was never recorded")
	}
	ms, code := rawEventElapsed(first.raw, e.raw)
	switch code {
	case 0:
		return time.Duration(float64(ms) * 1e6), nil
	case codeNotReady:
		return 0, refused(op, driver.ErrNotReady, "an event has not been reached")
	}
	return 0, e.dev.failure(op, code, "")
}

// Close implements driver.Event (cuEventDestroy).
func (e *Event) Close() error {
	if e != nil {
		e.life.Close()
	}
	return nil
}

// eventOf is an event of the contract as ours, in use until its life's Release.
func eventOf(op string, e driver.Event, d *Device) (*Event, error) {
	if ours, ok := e.(*Event); ok && ours != nil && ours.dev == d && ours.life.Acquire() {
		return ours, nil
	}
	return nil, notEvent(op, e, d)
}

// notEvent is why e is of no use to d.
func notEvent(op string, e driver.Event, d *Device) error {
	ours, ok := e.(*Event)
	switch {
	case e == nil || ok && ours == nil:
		return nilEvent(op)
	case !ok:
		return refused(op, driver.ErrDeviceMismatch, "the event is a %T, not one of this backend", e)
	case ours.dev != d:
		return refused(op, driver.ErrDeviceMismatch, "the event is of %s (device id %d), the other object of %s (device id %d)",
			ours.dev.info.Name, ours.dev.id, d.info.Name, d.id)
	}
	return driver.ClosedError(backendName, op, "event")
}

func nilEvent(op string) error {
	return refused(op, driver.ErrInvalidValue, "the event is nil; make one with Device.NewEvent")
}
