package main

import (
	"testing"
	"time"
)

func TestBound(t *testing.T) {
	for _, test := range []struct {
		bound bound
		text  string
		good  []result
		bad   []result
	}{
		{bound{}, "", []result{{NS: 1000, CNS: 1, Allocs: 9}}, nil},
		{
			bound{ratio: 1.03, noHeap: true}, "≤ 1.03 × C, 0 allocs",
			[]result{{NS: 103, CNS: 100}, {NS: 50, CNS: 100, Allocs: 0.01}},
			[]result{{NS: 103.1, CNS: 100}, {NS: 50, CNS: 100, Allocs: 1}},
		},
		{
			bound{rate: 0.95}, "≥ 0.95 of C's rate",
			[]result{{NS: 100, CNS: 95}, {NS: 90, CNS: 95}},
			[]result{{NS: 100, CNS: 94.9}},
		},
		{
			bound{over: 60 * time.Nanosecond}, "≤ C + 60ns",
			[]result{{NS: 190, CNS: 130}},
			[]result{{NS: 190.1, CNS: 130}},
		},
	} {
		if got := test.bound.String(); got != test.text {
			t.Errorf("%+v reads %q, want %q", test.bound, got, test.text)
		}
		for _, r := range test.good {
			if !test.bound.holds(r) {
				t.Errorf("%v does not hold for %+v", test.bound, r)
			}
		}
		for _, r := range test.bad {
			if test.bound.holds(r) {
				t.Errorf("%v holds for %+v", test.bound, r)
			}
		}
	}
}
