package cuda

import (
	"github.com/triad-gpu/triad/driver"
)

// eventInterprocess is CU_EVENT_INTERPROCESS.
const eventInterprocess = 4

// EventHandle stands for an event in other processes on the machine
// (CUipcEventHandle).
type EventHandle [64]byte

// SharedEvent makes an event that other processes can open by its Handle
// (cuEventCreate with CU_EVENT_INTERPROCESS, which CUDA has without timing only).
func (d *Device) SharedEvent() (*Event, error) {
	return d.event("cuEventCreate", eventInterprocess|eventDisableTiming|eventBlockingSync)
}

// Handle is what another process opens the event with (cuIpcGetEventHandle). The
// event must be one of SharedEvent's, and must not be closed before that process is
// done with it. ErrInvalidValue for other events.
func (e *Event) Handle() (EventHandle, error) {
	const op = "cuIpcGetEventHandle"
	if err := e.use(op); err != nil {
		return EventHandle{}, err
	}
	defer e.life.Release()
	if e.timing {
		return EventHandle{}, refused(op, driver.ErrInvalidValue, "the event is of this process alone; make one with Device.SharedEvent")
	}
	h, code := rawEventHandle(e.raw)
	return h, e.dev.failure(op, code, "the event must be one of Device.SharedEvent")
}

// OpenEvent opens an event of another process (cuIpcOpenEventHandle), on the same
// device. What that process records, this one's streams can wait for, and the other
// way round. The process that made the handle can't open it itself.
func (d *Device) OpenEvent(h EventHandle) (*Event, error) {
	const op = "cuIpcOpenEventHandle"
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
// runs, for streams outside of it (cuEventRecordWithFlags with
// CU_EVENT_RECORD_EXTERNAL). Record, captured, only orders the parts of the graph.
// ErrInvalidValue if s is not being captured.
func (s *Stream) RecordExternal(e driver.Event) error {
	return s.external("cuEventRecordWithFlags", e, rawEventRecordExternal)
}

// WaitEventExternal has the graph that s is being captured into wait for the event
// when it runs, which something outside of it records (cuStreamWaitEvent with
// CU_EVENT_WAIT_EXTERNAL). ErrInvalidValue if s is not being captured.
func (s *Stream) WaitEventExternal(e driver.Event) error {
	return s.external("cuStreamWaitEvent", e, rawEventWaitExternal)
}

func (s *Stream) external(op string, e driver.Event, call func(s, e handle) int32) error {
	ev, err := s.eventUse(op, e)
	if err != nil {
		return err
	}
	defer s.life.Release()
	defer ev.life.Release()
	yes, code := rawStreamCapturing(s.raw)
	if err := s.dev.failure("cuStreamIsCapturing", code, ""); err != nil {
		return err
	}
	if !yes {
		return refused(op, driver.ErrInvalidValue, "the stream is not being captured, and only a graph can do that")
	}
	return s.dev.failure(op, call(s.raw, ev.raw), "")
}
