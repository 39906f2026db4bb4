package drivertest

import (
	"context"
	"errors"

	"github.com/triad-gpu/triad/driver"
)

// pending enqueues work on s behind something that stands still, and gives what
// lets it go on.
func (e *env) pending(s driver.Stream) (x *driver.Buffer[uint32], release func()) {
	e.Helper()
	x = upload(e, s, []uint32{0})
	release = e.hold(s)
	launch(e, bind[storeArgs](e, "basic", "store"), s, one, storeArgs{x.Ptr(), 77})
	return x, release
}

var eventTests = []test{
	{"NeverRecordedIsReached", func(e *env) {
		ev, s := e.event(), e.stream()
		if done, err := ev.Query(); !done || err != nil {
			e.Errorf("Query: %v, %v", done, err)
		}
		e.within("Wait", func() {
			if err := ev.Wait(background); err != nil {
				e.Errorf("Wait: %v", err)
			}
		})
		e.ok(s.WaitEvent(ev))
		e.wait(s)
	}},
	{"StandsForWhatWasEnqueuedBefore", func(e *env) {
		s, ev := e.stream(), e.event()
		x, release := e.pending(s)
		e.ok(s.Record(ev))
		if done, err := ev.Query(); err != nil || done && e.h.Hold != nil {
			e.Errorf("Query while the stream stands still: %v, %v", done, err)
		}
		release()
		ctx, cancel := context.WithTimeout(background, Patience)
		defer cancel()
		e.ok(ev.Wait(ctx))
		if done, err := ev.Query(); !done || err != nil {
			e.Errorf("Query after Wait: %v, %v", done, err)
		}
		if got := download(e, e.stream(), x)[0]; got != 77 {
			e.Errorf("got %d", got)
		}
	}},
	{"OrdersOneStreamBehindAnother", func(e *env) {
		a, b, ev := e.stream(), e.stream(), e.event()
		x, release := e.pending(a)
		e.ok(a.Record(ev))
		e.ok(b.WaitEvent(ev))
		y := buffer[uint32](e, 1)
		e.ok(y.CopyBuffer(b, x, 1))
		e.ok(b.Flush())
		if done, err := b.Query(); err != nil || done && e.h.Hold != nil {
			e.Errorf("the stream that waits: done %v, error %v", done, err)
		}
		release()
		if got := download(e, b, y)[0]; got != 77 {
			e.Errorf("the second stream copied %d before the first had stored 77", got)
		}
	}},
	{"PingPongBetweenStreams", func(e *env) {
		a, b := e.stream(), e.stream()
		x := upload(e, a, []uint32{0})
		add, store := bind[storeArgs](e, "basic", "add"), bind[storeArgs](e, "basic", "store")
		ea, eb := e.event(), e.event()
		launch(e, store, a, one, storeArgs{x.Ptr(), 0})
		n := uint32(e.scale(200))
		for range n {
			launch(e, add, a, one, storeArgs{x.Ptr(), 1})
			e.ok(a.Record(ea))
			e.ok(b.WaitEvent(ea))
			launch(e, add, b, one, storeArgs{x.Ptr(), 2})
			e.ok(b.Record(eb))
			e.ok(a.WaitEvent(eb))
		}
		if got := download(e, a, x)[0]; got != 3*n {
			e.Errorf("got %d, want %d", got, 3*n)
		}
	}},
	{"RecordingAgainReplacesThePoint", func(e *env) {
		s, ev := e.stream(), e.event()
		e.ok(s.Record(ev))
		e.ok(ev.Wait(background))
		_, release := e.pending(s)
		e.ok(s.Record(ev))
		if done, err := ev.Query(); err != nil || done && e.h.Hold != nil {
			e.Errorf("recorded again behind pending work: done %v, error %v", done, err)
		}
		release()
		e.wait(s)
		if done, err := ev.Query(); !done || err != nil {
			e.Errorf("after the stream's Wait: done %v, error %v", done, err)
		}
	}},
	{"WaitEventKeepsThePointItSaw", func(e *env) {
		if e.h.Hold == nil {
			e.lacks("hold", "streams can't be made to stand still here")
		}
		a, b, ev := e.stream(), e.stream(), e.event()
		e.ok(a.Record(ev))
		e.ok(a.Wait(background))
		e.ok(b.WaitEvent(ev))
		_, release := e.pending(a)
		e.ok(a.Record(ev))
		e.within("the stream that waited for the earlier point", func() {
			if err := b.Wait(background); err != nil {
				e.Errorf("Wait: %v", err)
			}
		})
		release()
		e.wait(a)
	}},
	{"ElapsedIsMonotone", func(e *env) {
		s := e.streamWith(driver.StreamOptions{Timing: true})
		x := upload(e, s, []uint32{1})
		spin := bind[spinArgs](e, "basic", "spin")
		const n = 5
		var list [n]driver.Event
		for i := range list {
			list[i] = e.event()
			launch(e, spin, s, one, spinArgs{x.Ptr(), uint64(e.scale(100_000))})
			e.ok(s.Record(list[i]))
		}
		e.wait(s)
		total, err := list[n-1].Elapsed(list[0])
		e.ok(err)
		if total <= 0 {
			e.Errorf("%v for %d kernels", total, n-1)
		}
		sum := total - total
		for i := 1; i < n; i++ {
			d, err := list[i].Elapsed(list[i-1])
			e.ok(err)
			if d < 0 {
				e.Errorf("event %d is %v before the one before it", i, -d)
			}
			back, err := list[i-1].Elapsed(list[i])
			e.ok(err)
			// Drivers that report floating-point milliseconds round.
			if diff := d + back; diff > 1000 || diff < -1000 {
				e.Errorf("%v forth and %v back", d, back)
			}
			sum += d
		}
		if diff := sum - total; diff > 5000 || diff < -5000 {
			e.Errorf("the parts are %v, the whole %v", sum, total)
		}
	}},
	{"ElapsedNeedsPointsThatWereReached", func(e *env) {
		s := e.streamWith(driver.StreamOptions{Timing: true})
		a, b, never := e.event(), e.event(), e.event()
		e.ok(s.Record(a))
		_, release := e.pending(s)
		e.ok(s.Record(b))
		if e.h.Hold != nil {
			_, err := b.Elapsed(a)
			e.is("Elapsed before the event was reached", err, driver.ErrNotReady)
		}
		release()
		e.wait(s)
		_, err := a.Elapsed(never)
		e.is("Elapsed since an event never recorded", err, driver.ErrNotReady)
		_, err = never.Elapsed(a)
		e.is("Elapsed of an event never recorded", err, driver.ErrNotReady)
		_, err = b.Elapsed(a)
		e.ok(err)
	}},
	{"ManyGoroutinesWaitForOneEvent", func(e *env) {
		s, ev := e.stream(), e.event()
		_, release := e.pending(s)
		e.ok(s.Record(ev))
		n := max(e.scale(2000), 50)
		errs := make(chan error, n)
		for range n {
			go func() {
				ctx, cancel := context.WithTimeout(background, Patience)
				defer cancel()
				errs <- ev.Wait(ctx)
			}()
		}
		release()
		for range n {
			e.ok(<-errs)
		}
	}},
	{"ClosedEventsRefuseEverything", func(e *env) {
		s, ev, other := e.stream(), e.event(), e.event()
		e.ok(s.Record(other))
		closeAll(e, ev)
		_, query := ev.Query()
		_, elapsed := ev.Elapsed(other)
		_, since := other.Elapsed(ev)
		for what, err := range map[string]error{
			"Query": query, "Wait": ev.Wait(background), "Elapsed": elapsed, "Elapsed since": since,
			"Record": s.Record(ev), "WaitEvent": s.WaitEvent(ev),
		} {
			e.is(what, err, driver.ErrClosed)
		}
		e.wait(s)
	}},
	{"CommandsStillWaitForAClosedEvent", func(e *env) {
		a, b, ev := e.stream(), e.stream(), e.event()
		x, release := e.pending(a)
		e.ok(a.Record(ev))
		e.ok(b.WaitEvent(ev))
		closeAll(e, ev)
		y := buffer[uint32](e, 1)
		e.ok(y.CopyBuffer(b, x, 1))
		release()
		if got := download(e, b, y)[0]; got != 77 {
			e.Errorf("got %d", got)
		}
	}},
	{"NilAndForeignEventsAreRefused", func(e *env) {
		s, ev := e.stream(), e.event()
		e.ok(s.Record(ev))
		e.is("Record(nil)", s.Record(nil), driver.ErrInvalidValue)
		e.is("WaitEvent(nil)", s.WaitEvent(nil), driver.ErrInvalidValue)
		_, err := ev.Elapsed(nil)
		e.is("Elapsed(nil)", err, driver.ErrInvalidValue)
		e.is("Record of a stranger's", s.Record(strangeEvent{}), driver.ErrDeviceMismatch)
		other, err := e.open().NewEvent(driver.EventOptions{})
		e.ok(err)
		e.atEnd(other)
		defer other.Close()
		e.is("Record of another device's", s.Record(other), driver.ErrDeviceMismatch)
		e.is("WaitEvent of another device's", s.WaitEvent(other), driver.ErrDeviceMismatch)
		_, err = ev.Elapsed(other)
		e.is("Elapsed since another device's", err, driver.ErrDeviceMismatch)
		var de *driver.Error
		if !errors.As(err, &de) || de.Backend != e.h.Backend {
			e.Errorf("the error names no backend: %v", err)
		}
	}},
}

// strangeEvent is an event of no backend.
type strangeEvent struct{ driver.Event }
