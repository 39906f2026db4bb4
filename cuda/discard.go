package cuda

import (
	"context"

	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/driver/waiters"
)

// drain waits, parked, for what the streams have been given, also those that were
// closed.
func (d *Device) drain() {
	_ = d.streams.Wait(context.Background(), streamLife, func(_ context.Context, s *Stream) error {
		s.drain()
		s.life.Release()
		return nil
	})
}

func streamLife(s *Stream) *lifetime.Life { return &s.life }

// drain waits for everything on a stream, whatever comes of it. The caller keeps the
// stream.
func (s *Stream) drain() {
	if rawStreamIdle(s.raw) {
		return
	}
	w, err := takeWaiter("Stream.Close", s.dev)
	if err != nil {
		return
	}
	rawWaitStream(w.raw, s.raw)
	if w.wait(context.Background(), w.onStream()) != nil {
		// What could not be waited for may be under way still.
		waiters.Nap(func() bool { return rawStreamQuery(s.raw) != codeNotReady })
	}
}
