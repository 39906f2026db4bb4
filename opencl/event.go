package opencl

import (
	"context"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Event stands for a command, a marker or a user event; recording replaces what
// it stands for. It implements driver.Event; all methods may be called from any
// goroutine.
type Event struct {
	life lifetime.Life
	dev  *Device
	raw  handle
}

var eventKind = lifetime.NewKind("opencl event")

// MaxEvents is the most events that one command can wait for.
const MaxEvents = 64

// NewEvent implements driver.Device. Timing is a matter of the stream in OpenCL.
func (d *Device) NewEvent(driver.EventOptions) (driver.Event, error) {
	e, err := d.Event()
	if err != nil {
		return nil, err
	}
	return e, nil
}

// Event makes an event that stands for nothing yet.
func (d *Device) Event() (*Event, error) {
	if err := d.use("NewEvent"); err != nil {
		return nil, err
	}
	raw := rawEventNew()
	if raw == nil {
		d.life.Release()
		return nil, refused("NewEvent", driver.ErrOutOfMemory, "no host memory for an event")
	}
	e := &Event{dev: d, raw: raw}
	e.life.Init(eventKind, func() {
		rawEventFree(raw)
		d.life.Release()
	})
	return e, nil
}

// UserEvent makes an event that the program completes (clCreateUserEvent).
// Commands that wait for it hold until Complete or Fail is called.
func (d *Device) UserEvent() (*Event, error) {
	e, err := d.Event()
	if err != nil {
		return nil, err
	}
	if err := failure("clCreateUserEvent", rawEventUser(d.raw, e.raw), ""); err != nil {
		_ = e.Close()
		return nil, err
	}
	return e, nil
}

// Complete sets a user event to complete (clSetUserEventStatus), once.
func (e *Event) Complete() error { return e.setStatus(0) }

// Fail sets a user event to a failure; commands that wait for it fail with it.
// status is negative. ErrUnsupported on PoCL before version 5, which ends the
// process over it.
func (e *Event) Fail(status int32) error {
	if status >= 0 {
		return refused("clSetUserEventStatus", driver.ErrInvalidValue, "status %d is no failure; failures are negative", status)
	}
	if e != nil && e.dev != nil && e.dev.abortsOnFailure {
		return refused("clSetUserEventStatus", driver.ErrUnsupported, "PoCL %s ends the process when commands wait for an event that fails; PoCL 5 does not. Complete the event instead", e.dev.info.Driver)
	}
	return e.setStatus(status)
}

func (e *Event) setStatus(status int32) error {
	const op = "clSetUserEventStatus"
	if err := e.use(op); err != nil {
		return err
	}
	defer e.life.Release()
	return failure(op, rawEventComplete(e.raw, status), "status %d; a user event is set once", status)
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

// Native returns the cl_event that the event stands for, as an integer; 0 if
// none, and once closed. It is valid until the event is recorded again or closed.
func (e *Event) Native() uintptr {
	if e == nil || !e.life.Acquire() {
		return 0
	}
	defer e.life.Release()
	return uintptr(rawEventNative(e.raw))
}

// Query implements driver.Event (clGetEventInfo).
func (e *Event) Query() (bool, error) {
	if err := e.use("Event.Query"); err != nil {
		return false, err
	}
	done, code := rawEventQuery(e.raw)
	e.life.Release()
	if code < 0 {
		return false, commandFailure("Event.Query", code)
	}
	return done, nil
}

// Wait implements driver.Event.
func (e *Event) Wait(ctx context.Context) error {
	if err := e.use("Event.Wait"); err != nil {
		return err
	}
	w, err := takeWaiter("Event.Wait")
	if err != nil {
		e.life.Release()
		return err
	}
	w.event = e
	rawWaitEvent(w.raw, e.raw)
	return w.wait(ctx, e.dev)
}

// Times are a command's timestamps on the device's clock.
type Times struct {
	Queued, Submitted, Started, Ended time.Duration
}

// Times reads the timestamps (clGetEventProfilingInfo). ErrNotReady before the
// command has ended, ErrUnsupported for a stream without Timing.
func (e *Event) Times() (Times, error) {
	const op = "clGetEventProfilingInfo"
	if err := e.use(op); err != nil {
		return Times{}, err
	}
	defer e.life.Release()
	done, code := rawEventQuery(e.raw)
	if code < 0 {
		return Times{}, commandFailure(op, code)
	}
	if !done {
		return Times{}, refused(op, driver.ErrNotReady, "the event has not been reached")
	}
	t, code := rawEventTimes(e.raw)
	switch code {
	case 0:
		return Times{time.Duration(t[0]), time.Duration(t[1]), time.Duration(t[2]), time.Duration(t[3])}, nil
	case -7: // CL_PROFILING_INFO_NOT_AVAILABLE
		return Times{}, refused(op, driver.ErrUnsupported, "the event's stream keeps no timestamps, or it is a user event; make the stream with StreamOptions.Timing")
	case -58: // CL_INVALID_EVENT
		return Times{}, refused(op, driver.ErrNotReady, "the event was never recorded")
	}
	return Times{}, failure(op, code, "")
}

// Elapsed implements driver.Event: from the end of start's command to the end of
// this one.
func (e *Event) Elapsed(start driver.Event) (time.Duration, error) {
	const op = "clGetEventProfilingInfo"
	if err := e.use(op); err != nil {
		return 0, err
	}
	defer e.life.Release()
	first, err := eventOf(op, start, e.dev)
	if err != nil {
		return 0, err
	}
	defer first.life.Release()
	t0, err := first.Times()
	if err != nil {
		return 0, err
	}
	t1, err := e.Times()
	if err != nil {
		return 0, err
	}
	return t1.Ended - t0.Ended, nil
}

// Close implements driver.Event (clReleaseEvent).
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

// eventList begins a use of each event; done ends them.
func eventList(op string, d *Device, events []*Event) (list []uintptr, done func(), err error) {
	if len(events) > MaxEvents {
		return nil, nil, refused(op, driver.ErrInvalidValue, "%d events to wait for; at most %d are possible; join them with a Marker", len(events), MaxEvents)
	}
	if len(events) == 0 {
		return nil, func() {}, nil
	}
	raws := make([]handle, 0, len(events))
	done = func() {
		for _, e := range events[:len(raws)] {
			e.life.Release()
		}
	}
	for _, e := range events {
		if _, err := eventOf(op, e, d); err != nil {
			done()
			return nil, nil, err
		}
		raws = append(raws, e.raw)
	}
	return uintptrsOf(raws), done, nil
}
