//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/waitpool/internal/twins"
)

// Signals that come early, twice, never, or are refused.
func TestCSignal(t *testing.T) {
	p := newPool(t, Options{})
	both := newKind(t, p, "subscribe+poll")
	only := newKind(t, p, "subscribe")
	t.Run("inside", func(t *testing.T) {
		for _, ctx := range []context.Context{context.Background(), t.Context()} {
			o := newOp(t)
			o.Mode(twins.Inside)
			o.Result(6)
			if v, err := only.Wait(ctx, o); v != 6 || err != nil {
				t.Error(v, err)
			}
		}
	})
	t.Run("twice", func(t *testing.T) {
		for i := range 100 {
			before := p.Stats().IgnoredSignals
			o := newOp(t)
			o.Mode(twins.Twice)
			o.Result(int64(i))
			o.Submit(time.Duration(i) * time.Microsecond)
			if v, err := only.Wait(t.Context(), o); v != int64(i) || err != nil {
				t.Fatal(v, err)
			}
			// Much later, when the request serves another wait.
			other := newOp(t)
			go func() {
				for !other.Subscribed() {
					runtime.Gosched()
				}
				o.FireAgain(-1)
				other.Finish(77)
			}()
			if v, err := only.Wait(t.Context(), other); v != 77 || err != nil {
				t.Fatal(v, err)
			}
			// The device may have ended before the subscription; then it didn't
			// fire twice.
			eventually(t, "ignored", func() bool { return p.Stats().IgnoredSignals > before })
		}
	})
	t.Run("never", func(t *testing.T) {
		for _, ctx := range []context.Context{context.Background(), t.Context()} {
			before := p.Stats()
			o := newOp(t)
			o.Mode(twins.Never)
			go func() {
				for !o.Subscribed() {
					runtime.Gosched()
				}
				o.Finish(8)
			}()
			if v, err := both.Wait(ctx, o); v != 8 || err != nil {
				t.Error(v, err)
			}
			if p.Stats().Backstops != before.Backstops+1 {
				t.Error("no backstop was counted")
			}
			o.FireAgain(1) // at last
			if p.Stats().IgnoredSignals != before.IgnoredSignals+1 {
				t.Error("the late signal wasn't ignored")
			}
		}
	})
	t.Run("never, without a poll", func(t *testing.T) {
		o := newOp(t)
		o.Mode(twins.Never)
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		if _, err := only.Wait(ctx, o); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if p.Stats().InFlight != 1 {
			t.Error("the abandoned wait is forgotten")
		}
		o.FireAgain(1)
		eventually(t, "in flight 0", func() bool { return p.Stats().InFlight == 0 })
	})
	t.Run("refused", func(t *testing.T) {
		o := newOp(t)
		o.Mode(twins.Refuse)
		o.Result(2)
		o.After(time.Millisecond)
		if v, err := both.Wait(t.Context(), o); v != 2 || err != nil {
			t.Error(v, err)
		}
		if _, err := only.Wait(t.Context(), o); err == nil || !strings.Contains(err.Error(), "-59") {
			t.Errorf("got %v; want the code", err)
		}
	})
}

func TestGoSignal(t *testing.T) {
	p := newPool(t, Options{})
	signals, fired := make(chan Signal, 1), make(chan Signal, 1)
	refuse := errors.New("refused")
	var answer error
	early := false
	s := Spec[int, int64]{
		Name: "signal",
		Subscribe: func(_ int, s Signal) error {
			if early {
				s.Fire(11)
			}
			signals <- s
			return answer
		},
		Result: func(_ int, o int64) (int64, error) { return o, nil },
	}
	k := mustKind(t, p, s)
	for i := range 100 {
		early = i%2 == 0
		go func() {
			s := <-signals
			if s.Fire(11) == early {
				t.Error("the first firing, and no other, ends a wait")
			}
			fired <- s
		}()
		if v, err := k.Wait(t.Context(), i); v != 11 || err != nil {
			t.Fatal(v, err)
		}
		if old := <-fired; old.Fire(12) {
			t.Error("a signal ended a wait that had ended")
		}
	}
	if n := p.Stats().IgnoredSignals - ignoredSignals(); n != 150 {
		t.Errorf("%d ignored signals; want 150", n)
	}
	if (Signal{}).Fire(1) {
		t.Error("no signal, but it fired")
	}

	early, answer = false, refuse
	if _, err := k.Wait(t.Context(), 0); err != refuse {
		t.Errorf("got %v", err)
	}
	if old := <-signals; old.Fire(1) {
		t.Error("a refused signal fired")
	}
	answer = fmt.Errorf("no more slots: %w", ErrNotArranged)
	if _, err := k.Wait(t.Context(), 0); err != answer {
		t.Errorf("got %v", err)
	}
	<-signals
	polls := 0
	s.Poll = func(int) (int64, bool, error) { polls++; return 4, polls%2 == 0, nil }
	k = mustKind(t, p, s)
	if v, err := k.Wait(t.Context(), 0); v != 4 || err != nil {
		t.Errorf("along another road: %v, %v", v, err)
	}
	<-signals
	answer = nil // and the signal is lost
	if v, err := k.Wait(t.Context(), 0); v != 4 || err != nil {
		t.Errorf("lost: %v, %v", v, err)
	}
	if (<-signals).Fire(1) || p.Stats().Backstops != 1 {
		t.Error("the backstop didn't end the wait")
	}
}
