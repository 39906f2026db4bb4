package places

import (
	"errors"
	"reflect"
	"testing"
)

func nothing() error { return nil }

func accept(string) bool { return true }

func put(t *testing.T, s *Places[string], at, size uint64, piece string) {
	t.Helper()
	if there, taken, err := s.Put(at, size, piece, nothing); taken || err != nil {
		t.Fatalf("%d bytes at %d: taken %v by %v, error %v", size, at, taken, there, err)
	}
}

func TestPiecesDoNotOverlap(t *testing.T) {
	var s Places[string]
	put(t, &s, 100, 10, "b")
	put(t, &s, 50, 10, "a")
	put(t, &s, 110, 5, "c") // just behind
	for _, x := range []struct {
		at, size uint64
		by       string // empty: free
	}{
		{100, 10, "b"}, {101, 1, "b"}, {99, 2, "b"}, {109, 1, "b"}, {90, 100, "b"}, {0, 51, "a"}, {59, 1, "a"}, {114, 9, "c"}, {112, 1, "c"},
		{60, 40, ""}, {115, 1, ""}, {0, 50, ""}, {99, 1, ""},
	} {
		called := false
		there, taken, err := s.Put(x.at, x.size, "x", func() error { called = true; return nil })
		if taken != (x.by != "") || there.Piece != x.by || called == taken || err != nil {
			t.Errorf("%d bytes at %d: taken %v by %q, made %v, error %v; want it taken by %q", x.size, x.at, taken, there.Piece, called, err, x.by)
		}
		if called {
			s.Remove("x", func() {})
		}
	}
}

func TestWhatFailsHasNoPlace(t *testing.T) {
	var s Places[string]
	failure := errors.New("failure")
	if _, taken, err := s.Put(0, 10, "a", func() error { return failure }); taken || !errors.Is(err, failure) {
		t.Errorf("taken %v, error %v", taken, err)
	}
	put(t, &s, 0, 10, "b")
	did := false
	s.Remove("b", func() { did = true })
	if !did {
		t.Error("what ends a piece was not called")
	}
	put(t, &s, 5, 10, "c")
}

func TestPiecesAreTakenUpToAGap(t *testing.T) {
	var s Places[string]
	for i, name := range []string{"a", "b", "c"} {
		put(t, &s, 100+10*uint64(i), 10, name)
	}
	put(t, &s, 140, 10, "e") // "d" is missing
	for _, x := range []struct {
		at, size uint64
		refused  string
		want     []string
		gap      uint64
	}{
		{100, 30, "", []string{"a", "b", "c"}, 130},
		{105, 10, "", []string{"a", "b"}, 115},
		{110, 10, "", []string{"b"}, 120},
		{100, 45, "", []string{"a", "b", "c"}, 130},
		{125, 30, "", []string{"c"}, 130},
		{100, 30, "b", []string{"a"}, 110},
		{90, 20, "", nil, 90},
		{140, 20, "", []string{"e"}, 150},
		{130, 5, "", nil, 130},
		{200, 5, "", nil, 200},
		{100, 0, "", nil, 100},
	} {
		got, gap := s.Through(x.at, x.size, func(p string) bool { return p != x.refused })
		if !reflect.DeepEqual(got, x.want) || gap != x.gap {
			t.Errorf("%d bytes at %d: %v up to %d; want %v up to %d", x.size, x.at, got, gap, x.want, x.gap)
		}
	}
	var none Places[string]
	if got, gap := none.Through(7, 1, accept); got != nil || gap != 7 {
		t.Errorf("of nothing: %v up to %d", got, gap)
	}
}
