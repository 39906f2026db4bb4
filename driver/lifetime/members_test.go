package lifetime_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/triad-gpu/triad/driver/lifetime"
)

type member struct {
	life lifetime.Life
	err  error
}

func lifeOf(m *member) *lifetime.Life { return &m.life }

func newMember(t *testing.T, v *lifetime.Members[*member], err error) *member {
	m := &member{err: err}
	m.life.Init(lifetime.NewKind(t.Name()), func() {})
	v.Join(m)
	return m
}

func TestMembersAreWaitedForWhileInUse(t *testing.T) {
	var v lifetime.Members[*member]
	if err := v.Wait(t.Context(), lifeOf, nil); err != nil {
		t.Errorf("waiting for none: %v", err)
	}
	one, two := errors.New("one"), errors.New("two")
	a, b := newMember(t, &v, one), newMember(t, &v, two)
	closed, parted := newMember(t, &v, nil), newMember(t, &v, nil)
	closed.life.Close()
	v.Part(parted)
	var seen []*member
	err := v.Wait(t.Context(), lifeOf, func(_ context.Context, m *member) error {
		seen = append(seen, m)
		m.life.Close()
		m.life.Release()
		return m.err
	})
	if len(seen) != 2 || !slices.Contains(seen, a) || !slices.Contains(seen, b) {
		t.Errorf("waited for %d of them, and 2 are open", len(seen))
	}
	if !errors.Is(err, one) || !errors.Is(err, two) {
		t.Errorf("error %v; both failed", err)
	}
}

// What closed ones have left is waited for until nothing is, and before they end.
func TestWhatMembersHaveLeftIsWaitedFor(t *testing.T) {
	var v lifetime.Members[*member]
	work, ended := make(chan struct{}), make(chan struct{})
	v.Leave(func() { <-work }, func() { close(ended) })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := v.Wait(ctx, lifeOf, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with work under way, and a context that has ended: %v", err)
	}
	waited := make(chan error)
	go func() { waited <- v.Wait(t.Context(), lifeOf, nil) }()
	select {
	case err := <-waited:
		t.Fatalf("the wait is over while there is work under way: %v", err)
	case <-ended:
		t.Fatal("it ended while there is work under way")
	default:
	}
	close(work)
	if err := <-waited; err != nil {
		t.Error(err)
	}
	<-ended
	if err := v.Wait(ctx, lifeOf, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}

// Once the context is done, those that are left are let go without a wait.
func TestMembersAreLetGoWhenTheContextEnds(t *testing.T) {
	var v lifetime.Members[*member]
	all := []*member{newMember(t, &v, nil), newMember(t, &v, nil), newMember(t, &v, nil)}
	ctx, cancel := context.WithCancel(t.Context())
	waits := 0
	err := v.Wait(ctx, lifeOf, func(_ context.Context, m *member) error {
		waits++
		cancel()
		m.life.Release()
		return nil
	})
	if waits != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d waits, error %v", waits, err)
	}
	for _, m := range all {
		m.life.Close()
	}
	if n := lifetime.Live()[t.Name()]; n != 0 {
		t.Errorf("%d are in use still", n)
	}
}

func TestHooksRunOnceInOrder(t *testing.T) {
	var v lifetime.Hooks
	var ran []int
	add := func(i int) { v.Add(func() { ran = append(ran, i) }) }
	add(1)
	v.Add(func() { add(2) }) // while they run: at once
	add(3)
	if len(ran) != 0 {
		t.Errorf("ran %v before Run", ran)
	}
	v.Run()
	v.Run()
	add(4)
	if !slices.Equal(ran, []int{1, 2, 3, 4}) {
		t.Errorf("ran %v; want 1, 2, 3, 4", ran)
	}
}

// Guests stay until what the stream had when they came has finished, and the stream as
// long as there are any.
func TestGuestsStayUntilTheStreamIsDrained(t *testing.T) {
	streams, guests := lifetime.NewKind(t.Name()+" stream"), lifetime.NewKind(t.Name()+" guest")
	var stream, first, second lifetime.Life
	streamEnded := make(chan struct{})
	stream.Init(streams, func() { close(streamEnded) })
	first.Init(guests, func() {})
	second.Init(guests, func() {})
	var v lifetime.Guests
	began, drained := make(chan struct{}), make(chan struct{})
	drain := func() { began <- struct{}{}; <-drained }
	add := func(l *lifetime.Life) {
		stream.Acquire()
		l.Acquire()
		v.Add(&stream, l, drain)
		l.Close()
	}
	add(&first)
	<-began
	add(&second)
	stream.Close()
	if n := guests.Live(); n != 2 {
		t.Errorf("%d guests are there before the stream is drained; want 2", n)
	}
	drained <- struct{}{}
	<-began
	if n := guests.Live(); n != 1 || streams.Live() != 1 {
		t.Errorf("%d guests and %d streams after the first drain; want 1 and 1", n, streams.Live())
	}
	drained <- struct{}{}
	<-streamEnded
	if n := guests.Live(); n != 0 {
		t.Errorf("%d guests are there at the end", n)
	}
}
