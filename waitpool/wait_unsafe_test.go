//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/triad-gpu/triad/waitpool/internal/twins"
)

// within fails the test when f takes longer than any machine needs.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		buf := make([]byte, 1<<20)
		t.Fatalf("%s: still waiting after 20 s\n%s", what, buf[:runtime.Stack(buf, true)])
	}
}

// eventually waits for a condition that nothing announces.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(100 * time.Microsecond) {
		if time.Now().After(end) {
			t.Fatalf("not so after 20 s: %s", what)
		}
	}
}

// Every road, with and without cancellation, parked and not, yields the outcome
// and releases once.
func TestRoads(t *testing.T) {
	for _, policy := range []Policy{PolicyDefault, PolicyLatency, PolicyEconomy} {
		p := newPool(t, Options{Policy: policy})
		for _, road := range roads {
			t.Run(fmt.Sprintf("%v/%s", policy, road), func(t *testing.T) {
				var released atomic.Int32
				s := spec(road)
				s.Release = func(op) { released.Add(1) }
				k := mustKind(t, p, s)
				want := int64(5)
				if s.Word != nil {
					want = 0
				}
				for i, after := range []time.Duration{0, 30 * time.Microsecond, 2 * time.Millisecond} {
					for j, ctx := range []context.Context{context.Background(), t.Context()} {
						o := newOp(t)
						o.Result(5)
						o.Submit(after)
						got, err := k.Wait(ctx, o)
						if got != want || err != nil {
							t.Errorf("after %v: got %d, %v; want %d", after, got, err, want)
						}
						if n := int(released.Load()); n != 2*i+j+1 {
							t.Errorf("after %v: %d releases after %d waits", after, n, 2*i+j+1)
						}
					}
				}
			})
		}
	}
}

func TestBadInput(t *testing.T) {
	for _, o := range []Options{{Workers: -1}, {Workers: maxWorkers + 1}, {Overflow: -1}, {Spin: -5 * time.Microsecond}, {Policy: 3}, {Policy: -1}} {
		if p, err := New(o); err == nil {
			t.Errorf("New(%+v) made a pool", o)
			p.Close()
		} else if !strings.HasPrefix(err.Error(), "waitpool: New: ") {
			t.Errorf("New(%+v): %v", o, err)
		}
	}
	if _, err := NewKind(nil, Spec[int, int]{Name: "empty"}); err == nil || !strings.Contains(err.Error(), `"empty"`) {
		t.Errorf("a kind without functions: %v", err)
	}
	if _, err := NewKind(nil, Spec[int, int]{CPoll: twins.Poll}); err == nil {
		t.Error("a kind with a C function and no Object was made")
	}
	p := newPool(t, Options{})
	k := newKind(t, p, "poll")
	o := newOp(t)
	if _, err := k.Wait(nil, o); err == nil { //lint:ignore SA1012 it must not crash
		t.Error("a nil context was accepted")
	}
	bad := spec("word")
	bad.Word = func(op) Word { return Word{} }
	if _, err := mustKind(t, p, bad).Wait(t.Context(), o); err == nil {
		t.Error("a Word without an address was accepted")
	}
	if err := Default().Close(); err == nil {
		t.Error("the default pool was closed")
	}
	o.Finish(3)
	if v, err := newKind(t, nil, "poll").Wait(t.Context(), o); v != 3 || err != nil {
		t.Errorf("on the default pool: %v, %v", v, err)
	}
}

// A cancelled wait returns at once; its object stays until the operation ends.
func TestCancel(t *testing.T) {
	for _, road := range roads {
		t.Run(road, func(t *testing.T) {
			p := newPool(t, Options{})
			released := make(chan op, 1)
			s := spec(road)
			s.Release = func(o op) { released <- o }
			k := mustKind(t, p, s)
			o := newOp(t)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for p.Stats().Parked == 0 {
					runtime.Gosched()
				}
				cancel()
			}()
			if _, err := k.Wait(ctx, o); !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v", err)
			}
			if s := p.Stats(); s.Abandoned != 1 || s.InFlight != 1 {
				t.Errorf("abandoned %d, in flight %d; want 1 of each", s.Abandoned, s.InFlight)
			}
			select {
			case <-released:
				t.Error("released before the operation ended")
			default:
			}
			// Others go on meanwhile, with requests of their own.
			for range 10 {
				o := newOp(t)
				o.Submit(50 * time.Microsecond)
				if _, err := k.Wait(t.Context(), o); err != nil {
					t.Error(err)
				}
				<-released
			}
			o.Finish(1)
			if got := <-released; got != o {
				t.Error("another operation was released")
			}
			// A context that is done already: an ended operation yields its
			// result if it can be seen, and nothing hangs.
			o2 := newOp(t)
			o2.Finish(4)
			if _, err := k.Wait(ctx, o2); err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			<-released
			within(t, "Close", func() { p.Close() })
			select {
			case <-released:
				t.Error("released twice")
			default:
			}
		})
	}
}

func TestDeferCancel(t *testing.T) {
	for _, road := range roads {
		t.Run(road, func(t *testing.T) {
			p := newPool(t, Options{})
			s := spec(road)
			s.DeferCancel = true
			s.Result = func(op, int64) (int64, error) { return 9, nil }
			k := mustKind(t, p, s)
			o := newOp(t)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			go func() {
				for p.Stats().Parked == 0 {
					runtime.Gosched()
				}
				o.Finish(9)
			}()
			if v, err := k.Wait(ctx, o); v != 9 || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, %v; want 9 and the context's error", v, err)
			}
			if s := p.Stats(); s.Abandoned != 0 {
				t.Error("the wait was abandoned")
			}
		})
	}
}

// Panics of Go functions reach the waiter, and so does what follows Goexit.
func TestPanics(t *testing.T) {
	boom := errors.New("boom")
	for name, set := range map[string]func(*Spec[int, int], func()){
		"wait": func(s *Spec[int, int], f func()) { s.Wait = func(int) (int, error) { f(); return 0, nil } },
		"poll": func(s *Spec[int, int], f func()) { s.Poll = func(int) (int, bool, error) { f(); return 0, true, nil } },
		"second poll": func(s *Spec[int, int], f func()) {
			n := 0
			s.Poll = func(int) (int, bool, error) {
				if n++; n%2 == 0 {
					f()
				}
				return 0, n%2 == 0, nil
			}
		},
		"subscribe": func(s *Spec[int, int], f func()) { s.Subscribe = func(int, Signal) error { f(); return nil } },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, Options{})
			var released atomic.Int32
			s := Spec[int, int]{Release: func(int) { released.Add(1) }}
			do := func() { panic(boom) }
			set(&s, func() { do() })
			k := mustKind(t, p, s)
			func() {
				defer func() {
					e, ok := recover().(*PanicError)
					if !ok || e.Value != boom || !errors.Is(e, boom) || !strings.Contains(e.Error(), "TestPanics") {
						t.Errorf("recovered %v", e)
					}
				}()
				k.Wait(t.Context(), 1)
				t.Error("Wait returned")
			}()
			do = runtime.Goexit
			done := make(chan error, 1)
			go func() {
				err := errors.New("exited")
				defer func() { done <- err }()
				_, err = k.Wait(t.Context(), 1)
			}()
			if err := <-done; err != nil && err.Error() != "exited" && !errors.Is(err, ErrGoexit) {
				t.Error(err)
			} else if name == "wait" && !errors.Is(err, ErrGoexit) {
				t.Errorf("got %v; want ErrGoexit", err)
			}
			if n := released.Load(); n != 2 {
				t.Errorf("%d releases after 2 waits", n)
			}
			do = func() {}
			if name != "subscribe" {
				if _, err := k.Wait(t.Context(), 1); err != nil {
					t.Errorf("afterwards: %v", err)
				}
			}
			within(t, "Close", func() { p.Close() })
		})
	}
}

// Errors and results of Go functions.
func TestGoErrors(t *testing.T) {
	p := newPool(t, Options{})
	bad := errors.New("bad")
	k := mustKind(t, p, Spec[string, []string]{Wait: func(s string) ([]string, error) { return []string{s}, bad }})
	if v, err := k.Wait(t.Context(), "x"); len(v) != 1 || v[0] != "x" || err != bad {
		t.Error(v, err)
	}
	k2 := mustKind(t, p, Spec[op, int]{CPoll: twins.Poll, Object: func(o op) unsafe.Pointer { return o.Object() },
		Result: func(o op, r int64) (int, error) { return int(r), bad }})
	o := newOp(t)
	o.Finish(5)
	if v, err := k2.Wait(t.Context(), o); v != 5 || err != bad {
		t.Error(v, err)
	}
}

// Counters wrap around, in both widths, and a word that is never written is found
// out by its watchdog.
func TestWord(t *testing.T) {
	p := newPool(t, Options{Policy: PolicyEconomy})
	for _, c := range []struct {
		at, target uint64
		wide, done bool
	}{
		{0xfffffffe, 0xffffffff, false, false}, {0xffffffff, 0xffffffff, false, true},
		{0, 0xffffffff, false, true}, {1<<31 - 2, 0xffffffff, false, true}, {0xffffffff, 2, false, false},
		{5, 1<<32 + 5, false, true},
		{0xffffffff, 1 << 32, true, false}, {1 << 32, 1 << 32, true, true}, {0, 1<<64 - 1, true, true}, {1<<64 - 1, 1, true, false},
	} {
		o := newOp(t)
		w := Word{Target: c.target}
		if c.wide {
			w.Addr64 = o.Word64()
			*w.Addr64 = c.at
		} else {
			w.Addr32 = o.Word32()
			*w.Addr32 = uint32(c.at)
		}
		s := spec("word")
		s.Word = func(op) Word { return w }
		if got := tryWord(&w, 0).done; got != c.done || w.reached() != c.done {
			t.Errorf("%+v: C says %v, Go says %v", c, got, w.reached())
		}
		if !c.done {
			// Rising from another thread, in steps of one.
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			go func() {
				for ; !w.reached() && ctx.Err() == nil; time.Sleep(time.Millisecond) {
					if c.wide {
						atomic.AddUint64(w.Addr64, 1)
					} else {
						atomic.AddUint32(w.Addr32, 1)
					}
				}
			}()
			if _, err := mustKind(t, p, s).Wait(ctx, o); err != nil || !w.reached() {
				t.Errorf("%+v: %v", c, err)
			}
			cancel()
		}
	}
	s := spec("word")
	s.CPoll = twins.Poll
	for _, ctx := range []context.Context{context.Background(), t.Context()} {
		o := newOp(t)
		o.Result(-700) // the stream has failed
		o.After(time.Millisecond)
		if v, err := mustKind(t, p, s).Wait(ctx, o); v != -700 || err != nil {
			t.Error(v, err)
		}
		if n := o.Polls(); n > 5 {
			t.Errorf("the watchdog polled %d times", n)
		}
	}
}

// What an operation did before it ended is visible after the wait, and what came
// before the wait is visible in the wait function. Run with the race detector.
func TestOrder(t *testing.T) {
	p := newPool(t, Options{})
	for _, road := range roads {
		k := newKind(t, p, road)
		for i := range 50 {
			o := newOp(t)
			var shared int
			var wg sync.WaitGroup
			wg.Add(1)
			go func() {
				defer wg.Done()
				shared = i + 1
				o.Finish(1)
			}()
			if _, err := k.Wait(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if shared != i+1 {
				t.Fatalf("%s: saw %d", road, shared)
			}
			wg.Wait()
		}
	}
	var before int
	k := mustKind(t, p, Spec[int, int]{Wait: func(int) (int, error) { before++; return before, nil }})
	for range 100 {
		before++
		if v, _ := k.Wait(context.Background(), 0); v != before {
			t.Fatal(v, before)
		}
	}
}

// With a C poll function, a word is asked for only when the wait is handed over, and
// there may be none: then the wait takes another road.
func TestWordsAreOptionalBesideCPoll(t *testing.T) {
	p := newPool(t, Options{})
	s := spec("poll")
	asked, word := 0, func(op) Word { return Word{} }
	s.Word = func(o op) Word { asked++; return word(o) }
	k := mustKind(t, p, s)
	ended := newOp(t)
	ended.Finish(4)
	if v, err := k.Wait(t.Context(), ended); v != 4 || err != nil || asked != 0 {
		t.Errorf("a wait that the first look ends: %d, %v, and the word was asked for %d times", v, err, asked)
	}
	later := func() op {
		o := newOp(t)
		o.Result(5)
		o.Submit(5 * time.Millisecond)
		return o
	}
	if v, err := k.Wait(t.Context(), later()); v != 5 || err != nil || asked != 1 {
		t.Errorf("without a word: %d, %v, asked %d times; want what the poll function says", v, err, asked)
	}
	word = func(o op) Word { return Word{Addr32: o.Word32(), Target: 1} }
	if v, err := k.Wait(t.Context(), later()); v != 0 || err != nil || asked != 2 {
		t.Errorf("with a word: %d, %v, asked %d times; want 0, which a word yields", v, err, asked)
	}
	word = func(o op) Word { return Word{Addr32: o.Word32(), Addr64: o.Word64()} }
	o := later()
	if _, err := k.Wait(t.Context(), o); err == nil || !strings.Contains(err.Error(), "one of Word.Addr32 and Word.Addr64") {
		t.Errorf("two words: %v", err)
	}
}
