// Package places keeps what lies where in a range of addresses, for the backends alike.
package places

import (
	"cmp"
	"slices"
	"sync"
)

// Places are pieces of a range that do not overlap, in order. The zero value is empty.
// Any goroutine may use it.
type Places[P comparable] struct {
	mu   sync.Mutex
	list []Place[P]
}

// Place is where a piece lies.
type Place[P comparable] struct {
	At, Size uint64
	Piece    P
}

// Put gives a piece a place, if nothing is in the way and do succeeds, which is called
// meanwhile. What is in the way it returns, with taken.
func (s *Places[P]) Put(at, size uint64, piece P, do func() error) (there Place[P], taken bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, _ := slices.BinarySearchFunc(s.list, at, func(p Place[P], at uint64) int { return cmp.Compare(p.At, at) })
	for _, p := range s.list[max(i-1, 0):min(i+1, len(s.list))] {
		if at < p.At+p.Size && p.At < at+size {
			return p, true, nil
		}
	}
	if err := do(); err != nil {
		return there, false, err
	}
	s.list = slices.Insert(s.list, i, Place[P]{at, size, piece})
	return there, false, nil
}

// Remove takes a piece away once do, which is called meanwhile, has returned.
func (s *Places[P]) Remove(piece P, do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	s.list = slices.DeleteFunc(s.list, func(p Place[P]) bool { return p.Piece == piece })
}

// Through gives the pieces that so many bytes from an address on lie in, each of which
// take has accepted, up to the first gap, or piece that was refused, whose address it
// returns: at+size where there is none.
func (s *Places[P]) Through(at, size uint64, take func(P) bool) (pieces []P, gap uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	end := at + size
	for _, p := range s.list {
		switch {
		case at >= end:
			return pieces, end
		case p.At+p.Size <= at:
			continue
		case p.At > at || !take(p.Piece):
			return pieces, at
		}
		pieces = append(pieces, p.Piece)
		at = p.At + p.Size
	}
	return pieces, min(at, end)
}
