package drivertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/triad-gpu/triad/driver"
)

// soon is far less than a held stream would hold a wait, and far more than a
// busy machine needs to return from one.
const soon = 5 * time.Second

// cancelled calls f with a context that is cancelled while f waits, and wants it
// to return with the context's error.
func (e *env) cancelled(what string, f func(context.Context) error) {
	e.Helper()
	ctx, cancel := context.WithCancel(background)
	begun, done := make(chan struct{}), make(chan error, 1)
	go func() {
		close(begun)
		done <- f(ctx)
	}()
	<-begun
	for range 100 {
		runtime.Gosched()
	}
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			e.Errorf("%s: %v, want %v", what, err, context.Canceled)
		}
	case <-time.After(soon):
		e.Errorf("%s goes on after its context has ended", what)
		<-done
	}
}

var waitTests = []test{
	{"CancelReturnsAtOnceAndTheWorkGoesOn", func(e *env) {
		if e.h.Hold == nil {
			e.lacks("hold", "streams can't be made to stand still here")
		}
		s, ev := e.stream(), e.event()
		x, release := e.pending(s)
		e.ok(s.Record(ev))
		e.cancelled("Stream.Wait", s.Wait)
		e.cancelled("Event.Wait", ev.Wait)
		e.cancelled("Device.Wait", e.dev.Wait)
		if done, err := s.Query(); done || err != nil {
			e.Errorf("Query after abandoned waits: %v, %v", done, err)
		}
		release()
		e.wait(s)
		if got := download(e, s, x)[0]; got != 77 {
			e.Errorf("got %d", got)
		}
	}},
	{"DeadlinesEndWaits", func(e *env) {
		if e.h.Hold == nil {
			e.lacks("hold", "streams can't be made to stand still here")
		}
		s := e.stream()
		_, release := e.pending(s)
		ctx, cancel := context.WithTimeout(background, time.Millisecond)
		defer cancel()
		if err := s.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			e.Errorf("Wait: %v, want %v", err, context.DeadlineExceeded)
		}
		release()
		e.wait(s)
	}},
	{"AbandonedCopiesToTheHostKeepTheirMemory", func(e *env) {
		if e.h.Hold == nil {
			e.lacks("hold", "streams can't be made to stand still here")
		}
		s := e.stream()
		want := random(100_000, 1)
		src := e.filled(s, want)
		dst := make([]byte, len(want))
		release := e.hold(s)
		e.cancelled("CopyToHost", func(ctx context.Context) error { return s.CopyToHost(ctx, dst, src, 0) })
		closeAll(e, src)
		churn()
		release()
		e.wait(s)
		if !bytes.Equal(dst, want) {
			e.Error("the copy did not reach the slice that it was given")
		}
	}},
	{"AbandonedCopiesAreNotOvertaken", func(e *env) {
		if e.h.Hold == nil {
			e.lacks("hold", "streams can't be made to stand still here")
		}
		s := e.stream()
		before := e.live()
		for _, n := range []int{100_000, 33 << 20} { // which a backend may leave to a worker
			src := e.memory(uint64(n))
			e.ok(s.Fill(src, 0, uint64(n), driver.Pattern{Bytes: [16]byte{1}, Len: 1}))
			e.wait(s)
			release := e.hold(s)
			dst := make([]byte, n)
			e.cancelled("CopyToHost", func(ctx context.Context) error { return s.CopyToHost(ctx, dst, src, 0) })
			e.ok(s.Fill(src, 0, uint64(n), driver.Pattern{Bytes: [16]byte{2}, Len: 1}))
			release()
			e.wait(s)
			then := dst[0]
			closeAll(e, src)
			LiveReturns(e, before) // of what the copy needs
			if then > 1 || !bytes.Equal(dst, bytes.Repeat([]byte{then}, n)) {
				e.Errorf("%d bytes: the first is %d when the stream has passed the copy; afterwards they are %d … %d; want all 1, or, left out, all 0", n, then, dst[0], dst[n-1])
			}
		}
	}},
	{"AbandonedCopiesFromTheHostKeepTheirMemory", func(e *env) {
		if e.h.Hold == nil {
			e.lacks("hold", "streams can't be made to stand still here")
		}
		s := e.stream()
		want := random(100_000, 2)
		dst := e.memory(uint64(len(want)))
		release := e.hold(s)
		for round := range 4 {
			e.cancelled("CopyFromHost", func(ctx context.Context) error {
				src := bytes.Clone(want) // only the copy knows it
				src[0] = byte(round)
				return s.CopyFromHost(ctx, dst, 0, src)
			})
		}
		churn()
		release()
		e.wait(s)
		want[0] = 3
		if !bytes.Equal(e.content(s, dst), want) {
			e.Error("what was copied is not what was in the slice")
		}
	}},
	{"AContextThatHasEndedLetsFinishedWorkBeSeen", func(e *env) {
		s, ev := e.stream(), e.event()
		e.ok(s.Record(ev))
		e.wait(s)
		ctx, cancel := context.WithCancel(background)
		cancel()
		if err := s.Wait(ctx); err != nil {
			e.Errorf("Stream.Wait: %v", err)
		}
		if err := ev.Wait(ctx); err != nil {
			e.Errorf("Event.Wait: %v", err)
		}
	}},
	{"WaitSeesWhatOthersEnqueued", func(e *env) {
		s := e.stream()
		x, add := upload(e, s, []uint32{0}), bind[storeArgs](e, "basic", "add")
		n := e.scale(200)
		for range n {
			done := make(chan error)
			go func() {
				a := storeArgs{x.Ptr(), 1}
				done <- add.Launch(s, one, driver.ArgsOf(&a))
			}()
			e.ok(<-done)
		}
		e.wait(s)
		if done, err := s.Query(); !done || err != nil {
			e.Errorf("Query after Wait: %v, %v", done, err)
		}
		if got := download(e, s, x)[0]; got != uint32(n) {
			e.Errorf("got %d, want %d", got, n)
		}
	}},
	{"ManyWaitsAreAbandonedWithoutLoss", func(e *env) {
		if e.h.Hold == nil {
			e.lacks("hold", "streams can't be made to stand still here")
		}
		s, ev := e.stream(), e.event()
		_, release := e.pending(s)
		e.ok(s.Record(ev))
		ctx, cancel := context.WithCancel(background)
		n := max(e.scale(1000), 20)
		errs := make(chan error, 2*n)
		for range n {
			go func() { errs <- s.Wait(ctx) }()
			go func() { errs <- ev.Wait(ctx) }()
		}
		cancel()
		for range 2 * n {
			if err := <-errs; !errors.Is(err, context.Canceled) {
				e.Fatalf("%v, want %v", err, context.Canceled)
			}
		}
		release()
		e.wait(s)
	}},
	{"WaitsOfManyStreamsEndInAnyOrder", func(e *env) {
		n := 24
		if e.h.Small {
			n = 4
		}
		streams, releases := make([]driver.Stream, n), make([]func(), n)
		ended := make([]chan error, n)
		for i := range streams {
			streams[i] = e.stream()
			_, releases[i] = e.pending(streams[i])
			ended[i] = make(chan error, 1)
			go func() { ended[i] <- streams[i].Wait(background) }()
		}
		for _, i := range newRand(3).Perm(n) {
			releases[i]()
			select {
			case err := <-ended[i]:
				e.ok(err)
			case <-time.After(Patience):
				for _, f := range releases {
					f()
				}
				e.Fatalf("the wait for stream %d did not end while others were held", i)
			}
		}
	}},
	{"GoroutinesGoOnWhileOthersWait", func(e *env) {
		s := e.stream()
		_, release := e.pending(s)
		const n = 200
		errs := make(chan error, n)
		for range n {
			go func() { errs <- s.Wait(background) }()
		}
		// A thousand turns of two goroutines take next to no time unless the waits
		// take the processors away from them.
		e.within("a thousand turns of two goroutines", func() {
			ping, pong := make(chan int), make(chan int)
			go func() {
				for v := range ping {
					pong <- v
				}
				close(pong)
			}()
			for i := range 1000 {
				ping <- i
				<-pong
			}
			close(ping)
		})
		release()
		for range n {
			e.ok(<-errs)
		}
	}},
	{"CollectionsRunBesideEveryCall", func(e *env) {
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				default:
					runtime.GC()
				}
			}
		}()
		defer func() { close(stop); <-stopped }()
		m := e.module("basic")
		sig, err := driver.SignatureOf[storeArgs]()
		e.ok(err)
		for i := range max(e.scale(60), 3) {
			if err := oneOfEach(e.dev, m, sig, uint32(i)); err != nil {
				e.Fatal(err)
			}
			s, err := e.dev.NewStream(driver.StreamOptions{})
			e.ok(err)
			e.atEnd(s)
			want := []uint32{uint32(i), 1, 2}
			b, err := driver.Alloc[uint32](e.dev, 3)
			e.ok(err)
			e.atEnd(b)
			e.ok(b.CopyFrom(background, s, want))
			got := make([]uint32, 3)
			e.ok(b.CopyTo(background, s, got))
			if fmt.Sprint(got) != fmt.Sprint(want) {
				e.Fatalf("got %v, want %v", got, want)
			}
			closeAll(e, s, b)
		}
	}},
}

// churn makes memory that was let go of be reused and overwritten.
func churn() {
	var keep [][]byte
	for range 3 {
		runtime.GC()
		for range 50 {
			keep = append(keep, bytes.Repeat([]byte{0xee}, 100_000))
		}
	}
	runtime.KeepAlive(keep)
}
