package injection

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
)

// mostCallers is how many tests that call a symbol are run without it.
const mostCallers = 8

// Missing runs tests of a backend without a symbol, for each of those that a driver may
// lack: those that call it, which pass or say that it is missing, and others, which
// pass. env is what children need to load a library that lacks the symbols given.
func Missing(t *testing.T, b Backend, optional []string, env func(missing ...string) []string) {
	t.Helper()
	images := images(t)
	o := order{Mode: "trace", Shards: 1, Tests: 10, Seed: seed()}
	if all() {
		o.Tests = 0
	}
	traces := make(map[string]traced)
	lines, words, err := start(t, o, append(env(), images))
	if err != nil {
		t.Fatalf("tests can't be traced: %v\n%s", err, drivertest.LastLines(words, 40))
	}
	for _, line := range lines {
		var one traced
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		if one.Outcome == "passed" {
			traces[one.Test] = one
		}
	}
	if !all() {
		optional = sample(slices.DeleteFunc(slices.Clone(optional), func(s string) bool { return len(callers(traces, s)) == 0 }), 2, o.Seed)
	}
	var gone, replaced, uncalled []string
	for _, symbol := range optional {
		calling := callers(traces, symbol)
		if len(calling) == 0 {
			uncalled = append(uncalled, symbol)
			continue
		}
		if b.without(t, symbol, b.with(calling, symbol), others(traces, symbol), append(env(symbol), images)) {
			gone = append(gone, symbol)
		} else {
			replaced = append(replaced, symbol)
		}
	}
	t.Logf("%s: %d symbols were missing, one at a time: with %d a feature was, and said so; %d have a substitute %v; %d are called by none of the tests %v",
		b.Name, len(gone)+len(replaced), len(gone), len(replaced), replaced, len(uncalled), uncalled)
}

// callers are the tests that call a symbol, a few of them: those of small groups first,
// since what is particular to a call stands there.
func callers(traces map[string]traced, symbol string) (list []string) {
	size := make(map[string]int)
	for test := range traces {
		size[group(test)]++
	}
	for _, test := range slices.Sorted(maps.Keys(traces)) {
		if traces[test].Calls[symbol] > 0 {
			list = append(list, test)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return size[group(a)] - size[group(b)] })
	return list[:min(len(list), mostCallers)]
}

// with adds the test that is about a symbol to those that call it.
func (b *Backend) with(calling []string, symbol string) []string {
	if test := b.About[symbol]; test != "" && !slices.Contains(calling, test) {
		return append(calling, test)
	}
	return calling
}

// others are some tests that don't.
func others(traces map[string]traced, symbol string) (list []string) {
	for _, test := range slices.Sorted(maps.Keys(traces)) {
		if traces[test].Calls[symbol] == 0 {
			list = append(list, test)
		}
	}
	return sample(list, 4, seed())
}

// without runs tests without a symbol. It tells whether a feature was missing.
func (b *Backend) without(t *testing.T, symbol string, calling, others, env []string) (gone bool) {
	t.Helper()
	lines, words, err := start(t, order{Mode: "run", Shards: 1, Only: slices.Concat(calling, others)}, env)
	if err != nil {
		t.Errorf("without %s: %v\n%s", symbol, err, drivertest.LastLines(words, 40))
		return false
	}
	for _, line := range lines {
		var r Result
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		said := strings.Contains(r.Text, "unsupported: needs "+symbol) || strings.Contains(r.Text, "unsupported: needs "+Call(symbol))
		var wrong string
		switch {
		case len(r.Problems) > 0:
			wrong = strings.Join(r.Problems, "; ")
		case r.Outcome == "passed":
		case slices.Contains(others, r.Test):
			wrong = "it does not call the symbol, and is " + r.Outcome
		case said:
			gone = true
		case b.Lacks[r.Test+" "+symbol] == "":
			wrong = fmt.Sprintf("it is %s and does not say that it needs the symbol", r.Outcome)
		}
		if wrong != "" {
			t.Errorf("%s without %s: %s\n%s", r.Test, symbol, wrong, drivertest.LastLines(r.Text, 25))
		}
	}
	switch reason := b.Substitutes[symbol]; {
	case gone && reason != "":
		t.Errorf("%s is listed as one that something else takes the place of (%s), and a feature is missing without it", symbol, reason)
	case !gone && reason == "":
		t.Errorf("without %s nothing is missing, and nothing says why", symbol)
	}
	return gone
}
