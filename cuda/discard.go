package cuda

import (
	"context"
	"sync"
	"time"
)

// freeing lets one call at a time wait in the driver, on behalf of all that free:
// each would hold a thread.
var freeing sync.Mutex

// discard frees a native object after its last use, and gives up its use of d. When
// the driver's call may wait for the device, and the device is busy, that is left to
// a goroutine, which first waits, parked, for what the streams have been given.
func (d *Device) discard(mayWait bool, free func()) {
	if !mayWait || !rawDeviceBusy(d.raw) {
		free()
		d.life.Release()
		return
	}
	streams, left := d.snapshot()
	go func() {
		for _, s := range streams {
			_ = s.drain()
			s.life.Release()
		}
		for _, c := range left {
			<-c
		}
		freeing.Lock()
		free()
		freeing.Unlock()
		d.life.Release()
	}()
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
	err = w.wait(context.Background(), waits().stream)
	// What could not be waited for may be under way still.
	for nap := 10 * time.Microsecond; err != nil && rawStreamQuery(s.raw) == codeNotReady; nap = min(2*nap, 10*time.Millisecond) {
		time.Sleep(nap)
	}
	return err
}
