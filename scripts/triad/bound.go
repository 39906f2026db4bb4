package main

import (
	"fmt"
	"strings"
	"time"
)

// bound is what is asked of an operation; the zero value asks nothing.
type bound struct {
	ratio  float64       // at most so many times C's time
	rate   float64       // at least so much of C's rate, or bandwidth
	over   time.Duration // at most so much more than C's time
	noHeap bool          // no Go allocations
}

// someAllocs is how many allocations of one operation are more than those that
// the runtime makes now and then for itself.
const someAllocs = 0.1

// holds tells whether a result is within the bound.
func (b bound) holds(r result) bool {
	switch {
	case b.ratio > 0 && r.NS > b.ratio*r.CNS,
		b.rate > 0 && r.NS*b.rate > r.CNS,
		b.over > 0 && r.NS > r.CNS+float64(b.over.Nanoseconds()),
		b.noHeap && r.Allocs >= someAllocs:
		return false
	}
	return true
}

func (b bound) String() string {
	var parts []string
	if b.ratio > 0 {
		parts = append(parts, fmt.Sprintf("≤ %.2f × C", b.ratio))
	}
	if b.rate > 0 {
		parts = append(parts, fmt.Sprintf("≥ %.2f of C's rate", b.rate))
	}
	if b.over > 0 {
		parts = append(parts, fmt.Sprintf("≤ C + %v", b.over))
	}
	if b.noHeap {
		parts = append(parts, "0 allocs")
	}
	return strings.Join(parts, ", ")
}
