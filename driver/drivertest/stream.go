package drivertest

import (
	"context"
	"errors"

	"github.com/triad-gpu/triad/driver"
)

var streamTests = []test{
	{"CommandsRunInOrder", func(e *env) {
		s := e.stream()
		n := e.scale(500)
		x := upload(e, s, []uint32{0})
		store, add := bind[storeArgs](e, "basic", "store"), bind[storeArgs](e, "basic", "add")
		for i := range uint32(n) {
			launch(e, store, s, one, storeArgs{x.Ptr(), i * 10})
			launch(e, add, s, one, storeArgs{x.Ptr(), 7})
		}
		if got, want := download(e, s, x)[0], uint32(n-1)*10+7; got != want {
			e.Errorf("got %d, want %d", got, want)
		}
	}},
	{"CopiesLaunchesAndFillsKeepTheirOrder", func(e *env) {
		s := e.stream()
		a, b := buffer[uint32](e, 64), buffer[uint32](e, 64)
		add := bind[storeArgs](e, "basic", "add")
		for i := range uint32(max(e.scale(100), 3)) {
			e.ok(a.Fill(s, i))
			launch(e, add, s, driver.Grid1D(64, 16), storeArgs{a.Ptr(), 1000})
			e.ok(b.CopyBuffer(s, a, 64))
			launch(e, add, s, driver.Grid1D(64, 16), storeArgs{a.Ptr(), 5})
			for j, v := range download(e, s, b) {
				if v != i+1000 {
					e.Fatalf("round %d, element %d: %d, want %d", i, j, v, i+1000)
				}
			}
		}
	}},
	{"QueryTellsWhetherWorkIsLeft", func(e *env) {
		s := e.stream()
		if done, err := s.Query(); !done || err != nil {
			e.Errorf("a stream without work: done %v, error %v", done, err)
		}
		x := buffer[uint32](e, 1)
		release := e.hold(s)
		launch(e, bind[storeArgs](e, "basic", "store"), s, one, storeArgs{x.Ptr(), 1})
		if e.h.Hold != nil {
			for range 3 {
				if done, err := s.Query(); done || err != nil {
					e.Errorf("a stream that stands still: done %v, error %v", done, err)
				}
			}
		}
		release()
		e.within("Query's way to true", func() {
			for done := false; !done; {
				var err error
				if done, err = s.Query(); err != nil {
					e.Errorf("Query: %v", err)
					return
				}
			}
		})
		e.wait(s)
	}},
	{"FlushStartsTheWork", func(e *env) {
		s := e.stream()
		x := upload(e, s, []uint32{0})
		launch(e, bind[storeArgs](e, "basic", "store"), s, one, storeArgs{x.Ptr(), 1})
		ev := e.event()
		e.ok(s.Record(ev))
		e.ok(s.Flush())
		e.within("the event after a Flush", func() {
			for done := false; !done; {
				var err error
				if done, err = ev.Query(); err != nil {
					e.Errorf("Query: %v", err)
					return
				}
			}
		})
	}},
	{"WaitOnAnIdleStreamReturns", func(e *env) {
		s := e.stream()
		e.within("Wait", func() {
			for range 100 {
				if err := s.Wait(background); err != nil {
					e.Errorf("Wait: %v", err)
				}
			}
		})
	}},
	{"PrioritiesAreTakenOrIgnored", func(e *env) {
		for _, p := range []int{-5, -1, 0, 1, 5} {
			s := e.streamWith(driver.StreamOptions{Priority: p})
			x := upload(e, s, []uint32{0})
			launch(e, bind[storeArgs](e, "basic", "store"), s, one, storeArgs{x.Ptr(), 9})
			if got := download(e, s, x)[0]; got != 9 {
				e.Errorf("priority %d: got %d", p, got)
			}
		}
	}},
	{"OutOfOrderStreamsObeyEvents", func(e *env) {
		if !e.dev.Info().OutOfOrder {
			_, err := e.dev.NewStream(driver.StreamOptions{OutOfOrder: true})
			e.is("NewStream", err, driver.ErrUnsupported)
			return
		}
		s := e.streamWith(driver.StreamOptions{OutOfOrder: true})
		x := upload(e, s, []uint32{0})
		add, ev := bind[storeArgs](e, "basic", "add"), e.event()
		n := uint32(e.scale(100))
		for range n {
			launch(e, add, s, one, storeArgs{x.Ptr(), 3})
			e.ok(s.Record(ev))
			e.ok(s.WaitEvent(ev))
		}
		e.wait(s)
		if got := download(e, s, x)[0]; got != 3*n {
			e.Errorf("got %d, want %d", got, 3*n)
		}
	}},
	{"OutOfOrderWaitCoversEverything", func(e *env) {
		if !e.dev.Info().OutOfOrder {
			e.lacks("out-of-order", "the device has no out-of-order streams")
		}
		s := e.streamWith(driver.StreamOptions{OutOfOrder: true})
		store := bind[storeArgs](e, "basic", "store")
		list := make([]*driver.Buffer[uint32], 16)
		for i := range list {
			list[i] = upload(e, s, []uint32{0})
			launch(e, store, s, one, storeArgs{list[i].Ptr(), uint32(i + 1)})
		}
		e.wait(s)
		for i, b := range list {
			if got := download(e, s, b)[0]; got != uint32(i+1) {
				e.Errorf("buffer %d: got %d", i, got)
			}
		}
	}},
	{"ManyStreamsWorkAtOnce", func(e *env) {
		store := bind[storeArgs](e, "basic", "store")
		n := max(e.scale(100), 4)
		streams, list := make([]driver.Stream, n), make([]*driver.Buffer[uint32], n)
		for i := range streams {
			streams[i] = e.stream()
			list[i] = buffer[uint32](e, 16)
			launch(e, store, streams[i], driver.Grid1D(16, 16), storeArgs{list[i].Ptr(), uint32(i)})
		}
		for i, s := range streams {
			for _, v := range download(e, s, list[i]) {
				if v != uint32(i) {
					e.Fatalf("stream %d: got %d", i, v)
				}
			}
		}
	}},
	{"ClosedStreamsRefuseEverything", func(e *env) {
		s := e.stream()
		x, y, ev := buffer[uint32](e, 4), buffer[uint32](e, 4), e.event()
		k := bind[storeArgs](e, "basic", "store")
		closeAll(e, s)
		p, _ := driver.PatternOf(uint32(1))
		a := storeArgs{x.Ptr(), 1}
		_, query := s.Query()
		for what, err := range map[string]error{
			"Copy": s.Copy(x.Memory(), 0, y.Memory(), 0, 16), "Fill": s.Fill(x.Memory(), 0, 16, p),
			"CopyRect":     s.CopyRect(x.Memory(), driver.Rect{}, y.Memory(), driver.Rect{}, driver.Extent{Bytes: 4}),
			"CopyFromHost": s.CopyFromHost(background, x.Memory(), 0, make([]byte, 4)),
			"CopyToHost":   s.CopyToHost(background, make([]byte, 4), x.Memory(), 0),
			"Record":       s.Record(ev), "WaitEvent": s.WaitEvent(ev), "Flush": s.Flush(), "Query": query,
			"Wait": s.Wait(background), "Launch": k.Launch(s, one, driver.ArgsOf(&a)),
		} {
			e.is(what, err, driver.ErrClosed)
		}
	}},
	{"WorkOfAClosedStreamStillRuns", func(e *env) {
		s, other := e.stream(), e.stream()
		x := upload(e, s, make([]uint32, 64))
		release := e.hold(s)
		launch(e, bind[storeArgs](e, "basic", "store"), s, driver.Grid1D(64, 16), storeArgs{x.Ptr(), 5})
		ev := e.event()
		e.ok(s.Record(ev))
		closeAll(e, s)
		release()
		ctx, cancel := context.WithTimeout(background, Patience)
		defer cancel()
		e.ok(ev.Wait(ctx))
		if got := download(e, other, x)[63]; got != 5 {
			e.Errorf("got %d", got)
		}
	}},
	{"NilAndForeignStreamsAreRefused", func(e *env) {
		k := bind[storeArgs](e, "basic", "store")
		x := buffer[uint32](e, 4)
		a := storeArgs{x.Ptr(), 1}
		e.is("Launch on nil", k.Launch(nil, one, driver.ArgsOf(&a)), driver.ErrInvalidValue)
		e.is("CopyFrom on nil", x.CopyFrom(background, nil, make([]uint32, 4)), driver.ErrInvalidValue)
		e.is("Fill on nil", x.Fill(nil, 1), driver.ErrInvalidValue)
		e.is("Launch on a stranger's", k.Launch(strangeStream{}, one, driver.ArgsOf(&a)), driver.ErrDeviceMismatch)
		other := streamOn(e, e.open(), driver.StreamOptions{})
		e.is("Launch on another device's", k.Launch(other, one, driver.ArgsOf(&a)), driver.ErrDeviceMismatch)
		e.is("Copy on another device's", other.Copy(x.Memory(), 0, x.Memory(), 8, 4), driver.ErrDeviceMismatch)
		e.is("CopyToHost on another device's", other.CopyToHost(background, make([]byte, 4), x.Memory(), 0), driver.ErrDeviceMismatch)
		e.is("Record on another device's", other.Record(e.event()), driver.ErrDeviceMismatch)
		var de *driver.Error
		if err := k.Launch(nil, one, driver.ArgsOf(&a)); !errors.As(err, &de) || de.Detail == "" {
			e.Errorf("a nil stream's error explains nothing: %v", err)
		}
	}},
}

// strangeStream is a stream of no backend.
type strangeStream struct{ driver.Stream }
