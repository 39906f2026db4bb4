//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"context"
	"math"
	"testing"
	"time"
)

func noPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("%s panicked: %v", what, v)
		}
	}()
	f()
}

func TestHugeOverflowIsNoPanic(t *testing.T) {
	noPanic(t, "New", func() {
		p, err := New(Options{Overflow: math.MaxInt})
		if err == nil {
			p.Close()
		}
	})
}

func TestShutdownWithoutContext(t *testing.T) {
	p, _ := New(Options{})
	k := newKind(t, p, "subscribe")
	o := newOp(t)
	go k.Wait(context.Background(), o)
	eventually(t, "in flight", func() bool { return p.Stats().Parked == 1 })
	noPanic(t, "Shutdown(nil)", func() {
		go o.Finish(1)
		p.Shutdown(nil) // a mistake that must not crash
	})
	p.Close()
}

func TestZeroValuesDoNotPanic(t *testing.T) {
	noPanic(t, "Stats of a zero Pool", func() { new(Pool).Stats() })
	noPanic(t, "Close of a zero Pool", func() { new(Pool).Close() })
	noPanic(t, "Wait of a zero Kind", func() { new(Kind[int, int]).Wait(context.Background(), 1) })
	noPanic(t, "a kind on a zero Pool", func() { NewKind(new(Pool), spec("poll")) })
}

type badContext struct{ context.Context }

func (badContext) Done() <-chan struct{} { panic("Done") }

// A context that panics doesn't hold the pool up for good.
func TestContextThatPanicsHoldsNothingUp(t *testing.T) {
	p, _ := New(Options{})
	k := newKind(t, p, "poll")
	func() {
		defer func() { recover() }()
		k.Wait(badContext{}, newOp(t))
	}()
	if n := p.Stats().InFlight; n != 0 {
		t.Errorf("in flight: %d", n)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := p.Shutdown(ctx); err != nil {
		t.Error(err)
	}
}
