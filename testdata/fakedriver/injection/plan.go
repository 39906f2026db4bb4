package injection

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
)

// counts are how often a test calls each symbol.
type counts map[string]int

// group is what tests have in common that do the same before and after their own: the
// subtests of one test, or the tests that are none.
func group(test string) string {
	if name, _, sub := strings.Cut(test, "/"); sub {
		return name
	}
	return ""
}

// traced is the result of a run without a failure.
type traced struct {
	Result
	Calls counts
}

// plan gives the injections for tests that were traced, in an order that depends on
// nothing else. What every test of a group calls, such as what closes the device, is left to those
// that meet failures from their beginning.
func (b *Backend) plan(traces map[string]traced) (list []Injection) {
	common, size := make(map[string]counts), make(map[string]int)
	tests := make([]string, 0, len(traces))
	for test, t := range traces {
		tests = append(tests, test)
		g, c := group(test), t.Calls
		if t.Early {
			continue
		}
		size[g]++
		if common[g] == nil {
			common[g] = make(counts)
			for s, n := range c {
				common[g][s] = n
			}
			continue
		}
		for s, n := range common[g] {
			common[g][s] = min(n, c[s])
		}
	}
	for g, n := range size {
		if n < 10 { // too few to tell
			common[g] = nil
		}
	}
	slices.Sort(tests)
	for _, test := range tests {
		t := traces[test]
		symbols := make([]string, 0, len(t.Calls))
		for s, n := range t.Calls {
			if t.Early || n > common[group(test)][s] {
				symbols = append(symbols, s)
			}
		}
		slices.Sort(symbols)
		for _, s := range symbols {
			list = append(list, b.of(Injection{Test: test, Symbol: s, Early: t.Early}, t.Calls[s])...)
		}
	}
	return list
}

// of gives the injections into one test's n calls of a symbol: the first call fails
// with each code, the second and the last with the first two.
func (b *Backend) of(one Injection, n int) (list []Injection) {
	codes := b.codes(one.Symbol)
	add := func(n int, codes []int) {
		for _, c := range codes {
			one.Code, one.N = c, uint64(n)
			list = append(list, one)
		}
	}
	few := codes[:min(2, len(codes))]
	if b.Brief != nil && b.Brief(one.Test) {
		add(1, few)
		return list
	}
	add(1, codes)
	if n > 1 {
		add(2, few)
	}
	if n > 2 {
		add(n, few)
	}
	return list
}

// sample is n of a list, chosen with a seed, in the list's order.
func sample[T any](list []T, n int, seed uint64) []T {
	if n <= 0 || n >= len(list) {
		return list
	}
	r := rand.New(rand.NewPCG(seed, 0))
	picks := r.Perm(len(list))[:n]
	slices.Sort(picks)
	some := make([]T, n)
	for i, p := range picks {
		some[i] = list[p]
	}
	return some
}

// shard is every n-th of the tests, from the i-th. Neighbours differ in cost less
// than subjects do.
func shard(tests []string, i, n int) (list []string) {
	slices.SortFunc(tests, cmp.Compare[string])
	for j := i; j < len(tests); j += max(n, 1) {
		list = append(list, tests[j])
	}
	return list
}
