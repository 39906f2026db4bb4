package drivertest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

var lifetimeTests = []test{
	{"CloseTwiceIsCloseOnce", func(e *env) {
		before := e.live()
		d, err := e.h.Open()
		e.ok(err)
		e.atEnd(d)
		s, err := d.NewStream(driver.StreamOptions{})
		e.ok(err)
		e.atEnd(s)
		ev, err := d.NewEvent(driver.EventOptions{})
		e.ok(err)
		e.atEnd(ev)
		m, err := d.Alloc(64)
		e.ok(err)
		e.atEnd(m)
		part, err := m.Slice(0, 16)
		e.ok(err)
		e.atEnd(part)
		h, err := d.AllocHost(64)
		e.ok(err)
		e.atEnd(h)
		mod := e.load(d, "basic", driver.BuildOptions{})
		e.atEnd(mod)
		sig, err := driver.SignatureOf[struct{}]()
		e.ok(err)
		k, err := mod.Kernel(background, "nothing", sig)
		e.ok(err)
		e.atEnd(k)
		list := []closer{d, s, ev, m, part, h, mod, k}
		closeAll(e, list...)
		LiveReturns(e, before)
		closeAll(e, list...)
		closeAll(e, list...)
		LiveReturns(e, before)
	}},
	{"CloseByManyAtOnceIsCloseOnce", func(e *env) {
		before := e.live()
		for range e.openings(50) {
			d, err := e.h.Open()
			e.ok(err)
			e.atEnd(d)
			s, err := d.NewStream(driver.StreamOptions{})
			e.ok(err)
			e.atEnd(s)
			m, err := d.Alloc(64)
			e.ok(err)
			e.atEnd(m)
			list := []closer{d, s, m}
			e.crowd(12, func(i int) error { return list[i%3].Close() })
		}
		LiveReturns(e, before)
	}},
	{"ChildrenKeepTheirDeviceAlive", func(e *env) {
		before := e.live()
		d, err := e.h.Open()
		e.ok(err)
		e.atEnd(d)
		s, err := d.NewStream(driver.StreamOptions{})
		e.ok(err)
		e.atEnd(s)
		ev, err := d.NewEvent(driver.EventOptions{})
		e.ok(err)
		e.atEnd(ev)
		mod := e.load(d, "basic", driver.BuildOptions{})
		e.atEnd(mod)
		sig, err := driver.SignatureOf[storeArgs]()
		e.ok(err)
		b, err := driver.Alloc[uint32](d, 64)
		e.ok(err)
		e.atEnd(b)
		h, err := driver.AllocHost[uint32](d, 64)
		e.ok(err)
		e.atEnd(h)
		closeAll(e, d)
		k, err := mod.Kernel(background, "store", sig)
		e.ok(err)
		e.atEnd(k)
		closeAll(e, mod)
		part, err := b.Slice(0, 64)
		e.ok(err)
		e.atEnd(part)
		closeAll(e, b)
		a := storeArgs{part.Ptr(), 5}
		e.ok(k.Launch(s, driver.Grid1D(64, 16), driver.ArgsOf(&a)))
		e.ok(part.CopyToPinned(s, h))
		e.ok(s.Record(ev))
		e.ok(ev.Wait(background))
		for _, v := range h.Slice() {
			if v != 5 {
				e.Fatalf("got %d", v)
			}
		}
		closeAll(e, part, k, h, ev, s)
		LiveReturns(e, before)
	}},
	{"CloseWhileOthersUseGivesThemErrClosed", func(e *env) {
		before := e.live()
		mod := e.module("basic")
		sig, err := driver.SignatureOf[storeArgs]()
		e.ok(err)
		for round := range max(e.scale(40), 4) {
			s, err := e.dev.NewStream(driver.StreamOptions{})
			e.ok(err)
			e.atEnd(s)
			other := e.stream()
			ev, err := e.dev.NewEvent(driver.EventOptions{})
			e.ok(err)
			e.atEnd(ev)
			b, err := driver.Alloc[uint32](e.dev, 64)
			e.ok(err)
			e.atEnd(b)
			k, err := mod.Kernel(background, "store", sig)
			e.ok(err)
			e.atEnd(k)
			victims := []closer{s, ev, k, b, s}
			calls := []func() error{
				func() error {
					// The pointer must not outlive the memory: b is closed last.
					a := storeArgs{b.Ptr(), 1}
					return k.Launch(s, one, driver.ArgsOf(&a))
				},
				func() error { return s.Record(ev) },
				func() error { return other.WaitEvent(ev) },
				func() error { return s.Wait(background) },
				func() error { return ev.Wait(background) },
				func() error { _, err := s.Query(); return err },
				func() error { _, err := ev.Query(); return err },
				func() error { return s.Flush() },
				func() error { return b.CopyTo(background, s, make([]uint32, 64)) },
				func() error { p, err := b.Memory().Slice(0, 4); return closeIf(p, err) },
			}
			v := round % len(victims)
			if victims[v] == closer(b) {
				calls = calls[3:] // a launch may not race with the end of its memory
			}
			var wg sync.WaitGroup
			gone := make(chan struct{})
			for _, call := range calls {
				wg.Add(1)
				go func() {
					defer wg.Done()
					for range 200 {
						if err := call(); err != nil {
							if !errors.Is(err, driver.ErrClosed) {
								e.Errorf("%T closed beside: %v", victims[v], err)
							}
							return
						}
						select {
						case <-gone:
							_ = call() // once more, with the object surely closed
							return
						default:
						}
					}
				}()
			}
			closeAll(e, victims[v])
			close(gone)
			wg.Wait()
			closeAll(e, s, ev, k, b, other)
		}
		LiveReturns(e, before)
	}},
	{"AbandonedWaitsHoldWhatTheyNeed", func(e *env) {
		if e.h.Hold == nil {
			e.lacks("hold", "streams can't be made to stand still here")
		}
		before := e.live()
		d, err := e.h.Open()
		e.ok(err)
		e.atEnd(d)
		s, err := d.NewStream(driver.StreamOptions{})
		e.ok(err)
		e.atEnd(s)
		ev, err := d.NewEvent(driver.EventOptions{})
		e.ok(err)
		e.atEnd(ev)
		b, err := driver.Alloc[uint32](d, 1000)
		e.ok(err)
		e.atEnd(b)
		release := e.hold(s)
		e.ok(b.Fill(s, 6))
		e.ok(s.Record(ev))
		dst := make([]uint32, 1000)
		e.cancelled("CopyTo", func(ctx context.Context) error { return b.CopyTo(ctx, s, dst) })
		e.cancelled("Stream.Wait", s.Wait)
		e.cancelled("Event.Wait", ev.Wait)
		closeAll(e, d, b, ev, s)
		if fmt.Sprint(lifetime.Live()) == fmt.Sprint(before) {
			e.Error("nothing is alive any more, while the copy is still to come")
		}
		churn()
		release()
		LiveReturns(e, before)
		for i, v := range dst {
			if v != 6 {
				e.Fatalf("element %d is %d", i, v)
			}
		}
	}},
	{"PooledWaitsKeepNothingAlive", func(e *env) {
		before := e.live()
		for range 3 {
			d, err := e.h.Open()
			e.ok(err)
			e.atEnd(d)
			s, err := d.NewStream(driver.StreamOptions{})
			e.ok(err)
			e.atEnd(s)
			b, err := driver.Alloc[uint32](d, 1000)
			e.ok(err)
			e.atEnd(b)
			e.crowd(20, func(int) error { return b.CopyTo(background, s, make([]uint32, 1000)) })
			closeAll(e, b, s, d)
		}
		LiveReturns(e, before)
	}},
	{"FailedCallsLeaveNothingBehind", func(e *env) {
		before := e.live()
		far := e.open()
		s, m := e.stream(), e.memory(16)
		farMem, err := far.Alloc(16)
		e.ok(err)
		e.atEnd(farMem)
		sig, err := driver.SignatureOf[struct{}]()
		e.ok(err)
		for i := range 10 {
			_ = s.Copy(m, 0, farMem, 0, 4)
			_ = s.Copy(m, 0, nil, 0, 4)
			_ = s.Copy(m, 0, m, 0, 400)
			_ = s.CopyRect(m, driver.Rect{}, farMem, driver.Rect{}, driver.Extent{Bytes: 4})
			_ = s.CopyFromHost(background, farMem, 0, make([]byte, 4))
			_ = s.CopyFromHost(background, m, 99, make([]byte, 4))
			_ = s.Fill(farMem, 0, 4, driver.Pattern{Len: 4})
			_ = s.Fill(m, 0, 4, driver.Pattern{Len: 3})
			_ = s.Record(nil)
			_ = s.WaitEvent(nil)
			_, _ = m.Slice(99, 1)
			_, _ = e.dev.Alloc(1 << 55)
			_, _ = e.dev.AllocHost(1 << 55)
			if i < 3 { // a compiler takes a while
				_, _ = e.dev.Load(background, e.source("broken"), driver.BuildOptions{})
			}
			_, _ = e.module("basic").Kernel(background, "absent", sig)
			if e.h.Parameters != NoParameters { // else the kernel is bound
				_, _ = e.module("basic").Kernel(background, "store", sig)
			}
		}
		closeAll(e, s, m, farMem, far)
		LiveReturns(e, before)
	}},
}

func closeIf(c closer, err error) error {
	if err != nil {
		return err
	}
	return c.Close()
}

var orderTests = []test{
	{"MemoryFreedAfterALaunchIsReadByIt", func(e *env) {
		s, other := e.stream(), e.stream()
		n := 4096
		want := make([]uint32, n)
		for i := range want {
			want[i] = uint32(i)*2654435761 + 1
		}
		for range max(e.scale(20), 3) {
			x, err := driver.Alloc[uint32](e.dev, n)
			e.ok(err)
			e.atEnd(x)
			y := buffer[uint32](e, n)
			e.ok(x.CopyFrom(background, s, want))
			release := e.hold(s)
			e.ok(y.CopyBuffer(s, x, n))
			launch(e, bind[storeArgs](e, "basic", "store"), s, one, storeArgs{x.Ptr(), 0})
			closeAll(e, x)
			// What comes in its place if it was freed too early.
			for range 4 {
				poison, err := driver.Alloc[uint32](e.dev, n)
				e.ok(err)
				e.atEnd(poison)
				e.ok(poison.Fill(other, 0xdeadbeef))
				e.wait(other)
				closeAll(e, poison)
			}
			release()
			for i, v := range download(e, s, y) {
				if v != want[i] {
					e.Fatalf("element %d is %#x, want %#x", i, v, want[i])
				}
			}
		}
	}},
	{"MemoryIsReadByAKernelOnAnotherStreamAfterItsClose", func(e *env) {
		type args struct {
			A    float32
			X, Y driver.Ptr[float32]
			N    uint32
		}
		a, b, other := e.stream(), e.stream(), e.stream()
		const n = 4096
		x, err := driver.Alloc[float32](e.dev, n)
		e.ok(err)
		e.atEnd(x)
		ones := make([]float32, n)
		for i := range ones {
			ones[i] = 1
		}
		e.ok(x.CopyFrom(background, a, ones))
		e.wait(a) // no event orders b behind the copy
		y := upload(e, b, make([]float32, n))
		release := e.hold(b)
		launch(e, bind[args](e, "basic", "saxpy"), b, driver.Grid1D(n, 64), args{2, x.Ptr(), y.Ptr(), n})
		closeAll(e, x, a)
		poison := buffer[float32](e, n)
		e.ok(poison.Fill(other, 1e9))
		e.wait(other)
		release()
		for i, v := range download(e, b, y) {
			if v != 2 {
				e.Fatalf("element %d is %v", i, v)
			}
		}
	}},
	{"PinnedMemoryFreedAfterACopyIsCopied", func(e *env) {
		s := e.stream()
		h, err := driver.AllocHost[uint32](e.dev, 4096)
		e.ok(err)
		e.atEnd(h)
		for i := range h.Slice() {
			h.Slice()[i] = uint32(i) + 1
		}
		b := buffer[uint32](e, 4096)
		release := e.hold(s)
		e.ok(b.CopyFromPinned(s, h))
		closeAll(e, h)
		for range 4 {
			poison, err := driver.AllocHost[uint32](e.dev, 4096)
			e.ok(err)
			e.atEnd(poison)
			clear(poison.Slice())
			defer poison.Close()
		}
		release()
		for i, v := range download(e, s, b) {
			if v != uint32(i)+1 {
				e.Fatalf("element %d is %d", i, v)
			}
		}
	}},
	{"MemoryOfAClosedStreamsWorkStays", func(e *env) {
		s, other := e.stream(), e.stream()
		x, err := driver.Alloc[uint32](e.dev, 4096)
		e.ok(err)
		e.atEnd(x)
		y, ev := buffer[uint32](e, 4096), e.event()
		e.ok(x.Fill(s, 41))
		release := e.hold(s)
		e.ok(y.CopyBuffer(s, x, 4096))
		e.ok(s.Record(ev))
		closeAll(e, s, x)
		poison := buffer[uint32](e, 4096)
		e.ok(poison.Fill(other, 0xdeadbeef))
		e.wait(other)
		release()
		ctx, cancel := context.WithTimeout(background, Patience)
		defer cancel()
		e.ok(ev.Wait(ctx))
		for i, v := range download(e, other, y) {
			if v != 41 {
				e.Fatalf("element %d is %#x", i, v)
			}
		}
	}},
	{"TheDeviceMayGoWithWorkUnderWay", func(e *env) {
		before := e.live()
		for range e.openings(20) {
			d, err := e.h.Open()
			e.ok(err)
			e.atEnd(d)
			s, err := d.NewStream(driver.StreamOptions{})
			e.ok(err)
			e.atEnd(s)
			b, err := driver.Alloc[uint32](d, 1<<16)
			e.ok(err)
			e.atEnd(b)
			for i := range uint32(5) {
				e.ok(b.Fill(s, i))
			}
			closeAll(e, b, s, d)
		}
		LiveReturns(e, before)
	}},
}
