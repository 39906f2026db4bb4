package memorytest

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// Rig is what the tests must know of a backend, whose devices are of type D.
type Rig[D driver.Device] struct {
	Name string // as in what tests lack
	// Open opens the first device until the end of the test, or skips where there is none.
	Open func(t testing.TB) D
	// Hold keeps a stream from going on.
	Hold func(t testing.TB, s driver.Stream) (release func())
	// Fake tells whether the driver is the fake one.
	Fake    func() bool
	Formats Formats
}

// streams are devices with streams of type S.
type streams[S any] interface {
	driver.Device
	Stream(opts driver.StreamOptions) (S, error)
}

func newStream[D streams[S], S driver.Stream](t testing.TB, d D) S {
	t.Helper()
	s, err := d.Stream(driver.StreamOptions{})
	Check(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Scratch allocates device memory that is closed after the test.
func Scratch(t testing.TB, d driver.Device, n uint64) driver.Memory {
	t.Helper()
	m, err := d.Alloc(n)
	Check(t, err)
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// Pattern is n bytes, each different from its neighbours.
func Pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
	return b
}

// RoundTrip writes a pattern into memory and reads it back.
func RoundTrip(t testing.TB, s driver.Stream, m driver.Memory) {
	t.Helper()
	want := Pattern(int(min(m.Size(), 1<<20)))
	Check(t, s.CopyFromHost(t.Context(), m, 0, want))
	if got := Content(t, s, m, len(want)); !bytes.Equal(got, want) {
		t.Errorf("%d bytes came back other than they went", len(want))
	}
}

// Content is the first n bytes of memory.
func Content(t testing.TB, s driver.Stream, m driver.Memory, n int) []byte {
	t.Helper()
	b := make([]byte, n)
	Check(t, s.CopyToHost(t.Context(), b, m, 0))
	return b
}

// Check ends the test on an error.
func Check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// WantIs reports an error that is not the sentinel, or whose text lacks a word.
func WantIs(t testing.TB, what string, err, want error, words ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v; it should match %q", what, err, want)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: the error lacks %q: %v", what, w, err)
		}
	}
}
