package injection

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver/drivertest"
)

func (r *Result) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// workers is how many children run at once.
const workers = 2

// ReportEnv names a file that gets a line for each failure that was met.
const ReportEnv = "TRIAD_INJECT_REPORT"

// SeedEnv is a number that chooses a sample.
const SeedEnv = "TRIAD_INJECT_SEED"

// seed is the number that chooses samples.
func seed() uint64 {
	if n, err := strconv.ParseUint(os.Getenv(SeedEnv), 10, 64); err == nil {
		return n
	}
	return 1
}

// verdict fails a test for what should not have been, and logs the figures.
func (b *Backend) verdict(t testing.TB, results []Result) {
	t.Helper()
	b.write(t, results)
	tests, symbols, pairs := make(map[string]bool), make(map[string]bool), make(map[string]bool)
	named := make(map[string]bool)
	var fired, survived, bad, told, open int
	var longest Result
	for _, r := range results {
		if r.Millis > longest.Millis {
			longest = r
		}
		if len(r.Problems) > 0 {
			if bad++; bad <= 40 {
				t.Errorf("%s, call %d of %s fails with %d: %s\n%s", r.Test, r.N, r.Symbol, r.Code,
					strings.Join(r.Problems, "; "), drivertest.LastLines(r.Text, 25))
			}
		}
		if r.Symbol == "" {
			continue
		}
		if r.Fired || r.Outcome == "died" {
			fired++
			tests[r.Test], symbols[r.Symbol], pairs[fmt.Sprint(r.Symbol, r.Code)] = true, true, true
			if len(r.Problems) == 0 {
				survived++
			}
			named[r.Symbol] = named[r.Symbol] || r.Named
			if r.Named {
				told++
			}
			if r.Open {
				open++
			}
		}
	}
	if bad > 40 {
		t.Errorf("and %d more", bad-40)
	}
	t.Logf("%s: %d failures in %d tests: %d symbols, %d pairs of symbol and code; %d survived, %d reported by an error that names them, %d in tests that ended without closing what they had; the longest run took %v (%s, %s)",
		b.Name, fired, len(tests), len(symbols), len(pairs), survived, told, open,
		time.Duration(longest.Millis)*time.Millisecond, longest.Test, longest.Symbol)
	if all() {
		b.unseen(t, symbols, named)
		b.covers(t, results)
	}
}

// unseen compares the symbols whose failure no error ever named with the list of them.
func (b *Backend) unseen(t testing.TB, symbols, named map[string]bool) {
	t.Helper()
	for s := range symbols {
		if reason := b.Unseen[s]; !named[s] && reason == "" {
			t.Errorf("no failure of %s was ever reported, and nothing says why", s)
		} else if named[s] && reason != "" {
			t.Errorf("%s is listed as never reported (%s), and was", s, reason)
		}
	}
}

func (b *Backend) write(t testing.TB, results []Result) {
	t.Helper()
	name := os.Getenv(ReportEnv)
	if name == "" {
		return
	}
	var text strings.Builder
	slices.SortFunc(results, func(x, y Result) int { return strings.Compare(x.Test+x.Symbol, y.Test+y.Symbol) })
	for _, r := range results {
		fmt.Fprintf(&text, "%s\t%s\t%d\t%d\t%s\tfired=%v\tnamed=%v\t%d ms\t%s\n", r.Test, r.Symbol, r.Code, r.N, r.Outcome, r.Fired, r.Named, r.Millis, strings.Join(r.Problems, "; "))
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
		t.Error(err)
	}
}
