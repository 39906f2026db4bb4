package hip

import (
	"context"
)

// discard frees a native object after its last use, and gives up its use of d. mayWait
// says that the driver's call waits for the device: then it is put off while the device
// is busy.
func (d *Device) discard(mayWait bool, free func()) {
	defer d.life.Release()
	if !mayWait || !rawDeviceBusy(d.raw) {
		free()
		return
	}
	if d.discards.Put(free) {
		if !d.life.Acquire() {
			d.discards.Relieved()
			return // a closed device frees at its end
		}
		go d.freeAnyway()
	}
}

// rest frees what was put off if the device has nothing to do. It is called where that
// may have become so.
func (d *Device) rest() {
	if !d.discards.Any() || !d.life.Acquire() {
		return // a closed device frees at its end
	}
	defer d.life.Release()
	if !rawDeviceBusy(d.raw) {
		d.discards.Free()
	}
}

// freeAnyway frees all that was put off, having waited, parked, for what the streams
// have been given. It holds a use of d.
func (d *Device) freeAnyway() {
	defer d.life.Release()
	streams, left := d.snapshot()
	for _, s := range streams {
		_ = s.drain()
		s.life.Release()
	}
	for _, c := range left {
		<-c
	}
	d.discards.Free()
	d.discards.Relieved()
}

// snapshot is the streams that there are, each in use, and the ends of those that
// were closed.
func (d *Device) snapshot() (streams []*Stream, left []chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for s := range d.streams {
		if s.life.Acquire() {
			streams = append(streams, s)
		}
	}
	for _, c := range d.leaving {
		left = append(left, c)
	}
	return streams, left
}

// drain waits for everything on a stream, whatever comes of it. The caller keeps the
// stream.
func (s *Stream) drain() error {
	if rawStreamIdle(s.raw) {
		return nil
	}
	w, err := takeWaiter("Stream.Close", s.dev)
	if err != nil {
		return err
	}
	rawWaitStream(w.raw, s.raw)
	return w.wait(context.Background(), w.onStream())
}
