package drivertest

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// Held are tests of a backend on a fake driver whose streams can be held: they take
// commands, and begin none. They are for a process of their own.
type Held struct {
	Open func() (driver.Device, error)
	Hold func(on bool)
	// Calls is how often a function of the driver was called.
	Calls func(symbol string) int
	// Begins is the symbol that a wait calls at its beginning, once; Writes the one by
	// which a stream is given a word to write, and Queries the one that asks whether a
	// stream has finished.
	Begins, Writes, Queries string
	// AllocOn allocates memory of a pool in the order of a stream, and Share gives out
	// a stream's handle: from then on the driver is asked whether it has finished.
	AllocOn func(s driver.Stream) (driver.Memory, error)
	Share   func(s driver.Stream)
}

// CrowdedWaits has more streams waited for than the device has channels: those beyond
// are asked for, and given no words to write.
func (h Held) CrowdedWaits(t *testing.T, channels int) {
	d := h.open(t)
	e, err := d.NewEvent(driver.EventOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	n := channels + 3
	ended := make(chan error, n)
	h.Hold(true)
	words := h.Calls(h.Writes)
	for i := range n {
		s := h.stream(t, d)
		if err := s.Record(e); err != nil {
			t.Fatal(err)
		}
		begun := h.Calls(h.Begins)
		go func() { ended <- s.Wait(context.Background()) }()
		if i < channels {
			h.until(t, "a word is enqueued for each channel", func() bool { return h.Calls(h.Writes) == words+i+1 })
			continue
		}
		h.until(t, "the wait has begun", func() bool { return h.Calls(h.Begins) > begun })
		asked := h.Calls(h.Queries)
		h.until(t, "the driver is asked", func() bool { return h.Calls(h.Queries) > asked+100 })
	}
	if got := h.Calls(h.Writes) - words; got != channels {
		t.Errorf("%d words were enqueued for %d waits on %d channels; want one for each channel", got, n, channels)
	}
	h.Hold(false)
	for range n {
		if err := <-ended; err != nil {
			t.Errorf("a wait failed: %v", err)
		}
	}
	// Alone again, a wait has its word.
	h.Hold(true)
	words = h.Calls(h.Writes)
	s := h.stream(t, d)
	if err := s.Record(e); err != nil {
		t.Fatal(err)
	}
	go func() { ended <- s.Wait(context.Background()) }()
	h.until(t, "a word is enqueued again", func() bool { return h.Calls(h.Writes) == words+1 })
	h.Hold(false)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// MemoryGoesHome frees memory of a pool while nothing is under way: it goes back to the
// stream that it was allocated on, which can have it again with no wait for another. With
// one other stream busy it is freed behind that; and when the stream is gone, elsewhere.
func (h Held) MemoryGoesHome(t *testing.T) {
	d := h.open(t)
	home, other := h.stream(t, d), h.stream(t, d)
	h.Share(home)
	h.Share(other)
	alloc := func(s driver.Stream) driver.Memory {
		t.Helper()
		m, err := h.AllocOn(s)
		if err == nil {
			err = s.Wait(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	// has tells whether a stream has something to do, which can but be the free.
	has := func(s driver.Stream) bool {
		t.Helper()
		done, err := s.Query()
		if err != nil {
			t.Fatal(err)
		}
		return !done
	}
	m := alloc(home)
	h.Hold(true)
	_ = m.Close()
	if !has(home) || has(other) {
		t.Errorf("with nothing under way the free is on the stream of the allocation: %v, on another: %v", has(home), has(other))
	}
	h.Hold(false)
	for _, s := range []driver.Stream{home, other} {
		if err := s.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}

	m = alloc(home)
	e, err := d.NewEvent(driver.EventOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	h.Hold(true)
	if err := other.Record(e); err != nil {
		t.Fatal(err)
	}
	_ = m.Close()
	if has(home) {
		t.Error("with another stream busy the free is on the stream of the allocation, which does not wait for that")
	}
	h.Hold(false)
	if err := other.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}

	gone := h.stream(t, d)
	m = alloc(gone)
	_ = gone.Close()
	h.Hold(true)
	_ = m.Close()
	if has(home) || has(other) {
		t.Error("the free is on a stream that has nothing to do with the memory")
	}
	h.Hold(false)
	if err := d.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

func (h Held) open(t *testing.T) driver.Device {
	t.Helper()
	d, err := h.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.Hold(false)
		_ = d.Close()
	})
	return d
}

func (h Held) stream(t *testing.T, d driver.Device) driver.Stream {
	t.Helper()
	s, err := d.NewStream(driver.StreamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func (h Held) until(t *testing.T, what string, done func() bool) {
	t.Helper()
	if !Eventually(done) {
		t.Fatalf("it is not so that %s", what)
	}
}

// ResetAmidCopies resets the device while copies by way of staging memory are under way
// or abandoned, and copies on streams of before: errors, but no memory that is gone.
func (h Held) ResetAmidCopies(t *testing.T, reset func(d driver.Device) error) {
	const size = 1 << 20
	for range 20 {
		d, err := h.Open()
		if err != nil {
			t.Fatal(err)
		}
		s := h.stream(t, d)
		m, err := d.Alloc(size)
		if err != nil {
			t.Fatal(err)
		}
		host := make([]byte, size)
		if err := s.CopyFromHost(context.Background(), m, 0, host); err != nil {
			t.Fatal(err)
		}
		h.Hold(true)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := s.CopyToHost(ctx, host, m, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("a copy that was given up: %v", err)
		}
		h.Hold(false)
		if err := reset(d); err != nil {
			t.Fatal(err)
		}
		for what, err := range map[string]error{
			"to": s.CopyFromHost(context.Background(), m, 0, host), "from": s.CopyToHost(context.Background(), host, m, 0),
		} {
			if !errors.Is(err, driver.ErrDeviceLost) {
				t.Errorf("a copy %s a device of before the reset: %v; want ErrDeviceLost", what, err)
			}
		}
		for _, c := range []io.Closer{m, s, d} {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// FreesOnce closes memory while two streams stand still, and counts the calls that free:
// one for each piece, also where one of the calls before that, which fail makes, fails.
func (h Held) FreesOnce(t *testing.T, frees string, fail func()) {
	for what, prepare := range map[string]func(){"freed": func() {}, "freed later": fail} {
		d, err := h.Open()
		must(t, err)
		memory := func() driver.Memory {
			m, err := d.Alloc(4096)
			must(t, err)
			return m
		}
		filled, m, after := memory(), memory(), memory()
		streams := []driver.Stream{h.stream(t, d), h.stream(t, d)}
		h.Hold(true)
		for _, s := range streams {
			must(t, s.Fill(filled, 0, 4096, driver.Pattern{Len: 1}))
		}
		before := h.Calls(frees)
		prepare()
		must(t, m.Close())
		h.Hold(false)
		for _, s := range streams {
			must(t, s.Wait(t.Context()))
		}
		must(t, after.Close())
		if n := h.Calls(frees) - before; n != 2 {
			t.Errorf("%s: %d calls of %s for two pieces of memory", what, n, frees)
		}
		must(t, filled.Close())
		for _, s := range streams {
			must(t, s.Close())
		}
		must(t, d.Close())
	}
}

// AbandonedAreDelivered abandons copies to the host on a stream that stands still. When a
// wait has seen the stream pass one, the bytes are where they were to go.
func (h Held) AbandonedAreDelivered(t *testing.T) {
	const size = 4096
	d := h.open(t)
	s := h.stream(t, d)
	m, err := d.Alloc(size)
	must(t, err)
	defer m.Close()
	must(t, s.Fill(m, 0, size, driver.Pattern{Bytes: [16]byte{1}, Len: 1}))
	for round := range 200 {
		must(t, s.Wait(t.Context()))
		h.Hold(true)
		dst := make([]byte, size)
		ctx, cancel := context.WithCancel(t.Context())
		done, asked := make(chan error), h.Calls(h.Queries)
		go func() { done <- s.CopyToHost(ctx, dst, m, 0) }()
		h.until(t, "the copy is waited for", func() bool { return h.Calls(h.Queries) > asked })
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Fatalf("an abandoned copy: %v", err)
		}
		h.Hold(false)
		must(t, s.Wait(t.Context()))
		if dst[0] != 1 || dst[size-1] != 1 {
			t.Fatalf("round %d: %d … %d were copied when the stream had passed the copy", round, dst[0], dst[size-1])
		}
	}
}
