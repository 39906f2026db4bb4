package hip

import (
	"github.com/triad-gpu/triad/driver"
)

// eventInterprocess is hipEventInterprocess.
const eventInterprocess = 4

// EventHandle stands for an event in other processes on the machine
// (hipIpcEventHandle_t).
type EventHandle [64]byte

// SharedEvent makes an event that other processes can open by its Handle
// (hipEventCreateWithFlags with hipEventInterprocess, which HIP has without timing only).
func (d *Device) SharedEvent() (*Event, error) {
	return d.event("hipEventCreateWithFlags", eventInterprocess|eventDisableTiming|eventBlockingSync)
}

// Handle is what another process opens the event with (hipIpcGetEventHandle). The
// event must be one of SharedEvent's, and must not be closed before that process is
// done with it. ErrInvalidValue for other events.
func (e *Event) Handle() (EventHandle, error) {
	const op = "hipIpcGetEventHandle"
	if err := e.use(op); err != nil {
		return EventHandle{}, err
	}
	defer e.life.Release()
	if e.timing {
		return EventHandle{}, refused(op, driver.ErrInvalidValue, "the event is of this process alone; make one with Device.SharedEvent")
	}
	h, code := rawEventHandle(e.raw)
	return h, e.dev.optional(op, code, "HIP 5.2", "the event must be one of Device.SharedEvent")
}

// OpenEvent opens an event of another process (hipIpcOpenEventHandle), on the same
// device. What that process records, this one's streams can wait for, and the other
// way round. The process that made the handle can't open it itself.
func (d *Device) OpenEvent(h EventHandle) (*Event, error) {
	const op = "hipIpcOpenEventHandle"
	if err := d.use(op); err != nil {
		return nil, err
	}
	raw, code := rawEventImport(d.raw, h)
	if err := d.failure(op, code, "the handle must be another process's, of an event on %s that is still open", d.place()); err != nil {
		d.life.Release()
		return nil, err
	}
	return d.newEvent(raw, false), nil
}

// RecordExternal has the graph that s is being captured into record the event when it
// runs, for streams outside of it (hipEventRecordWithFlags with
// hipEventRecordExternal). Record, captured, only orders the parts of the graph.
// ErrInvalidValue if s is not being captured, ErrUnsupported before HIP 6.4.
func (s *Stream) RecordExternal(e driver.Event) error {
	return s.external("hipEventRecordWithFlags", e, rawEventRecordExternal)
}

// WaitEventExternal has the graph that s is being captured into wait for the event
// when it runs, which something outside of it records (hipStreamWaitEvent with
// hipEventWaitExternal). ErrInvalidValue if s is not being captured.
func (s *Stream) WaitEventExternal(e driver.Event) error {
	return s.external("hipStreamWaitEvent", e, rawEventWaitExternal)
}

func (s *Stream) external(op string, e driver.Event, call func(s, e handle) int32) error {
	ev, err := s.eventUse(op, e)
	if err != nil {
		return err
	}
	defer s.life.Release()
	defer ev.life.Release()
	yes, code := rawStreamCapturing(s.raw)
	if err := s.dev.failure("hipStreamIsCapturing", code, ""); err != nil {
		return err
	}
	if !yes {
		return refused(op, driver.ErrInvalidValue, "the stream is not being captured, and only a graph can do that")
	}
	code = call(s.raw, ev.raw)
	if code == codeNotSupported && !load().Has("hipEventRecordWithFlags") {
		return unsupported(op, "hipEventRecordWithFlags", "HIP 6.4")
	}
	return s.dev.failure(op, code, "")
}
