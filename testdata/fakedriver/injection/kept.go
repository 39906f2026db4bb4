package injection

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Kept reads a file of failures, a line each: the test, the symbol, the code, which of
// its calls fails, and whether calls are counted from the test's beginning, separated by
// tabs. Lines that begin with # are comments.
func Kept(name string) (list []Injection, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		i, err := parse(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		list = append(list, i)
	}
	return list, nil
}

func parse(fields []string) (i Injection, err error) {
	if len(fields) != 5 {
		return i, fmt.Errorf("%d fields; want 5", len(fields))
	}
	i.Test, i.Symbol = fields[0], fields[1]
	if i.Code, err = strconv.Atoi(fields[2]); err != nil {
		return i, err
	}
	if i.N, err = strconv.ParseUint(fields[3], 10, 64); err != nil {
		return i, err
	}
	i.Early, err = strconv.ParseBool(fields[4])
	return i, err
}

// line is a failure as it stands in a file.
func (i Injection) line() string {
	return fmt.Sprintf("%s\t%s\t%d\t%d\t%v", i.Test, i.Symbol, i.Code, i.N, i.Early)
}

// uncovered gives, for symbols that failed somewhere and do in no kept failure, one: of
// those that an error named, if there are any, the quickest.
func uncovered(kept []Injection, results []Result) (list []Injection) {
	has := make(map[string]bool)
	for _, i := range kept {
		has[i.Symbol] = true
	}
	best := make(map[string]Result)
	for _, r := range results {
		if has[r.Symbol] || !r.Fired || len(r.Problems) > 0 {
			continue
		}
		if b, ok := best[r.Symbol]; !ok || better(r, b) {
			best[r.Symbol] = r
		}
	}
	for _, symbol := range slices.Sorted(maps.Keys(best)) {
		list = append(list, best[symbol].Injection)
	}
	return list
}

func better(a, b Result) bool {
	if a.Named != b.Named {
		return a.Named
	}
	return cmp.Or(cmp.Compare(a.Millis, b.Millis), cmp.Compare(a.Test, b.Test), cmp.Compare(a.Code, b.Code), cmp.Compare(a.N, b.N)) < 0
}

// covers fails a run of everything after which there is a symbol that no kept failure
// is of.
func (b *Backend) covers(t testing.TB, results []Result) {
	t.Helper()
	kept, err := Kept(b.Kept)
	if err != nil {
		t.Error(err)
	}
	var lines []string
	for _, i := range uncovered(kept, results) {
		lines = append(lines, i.line())
	}
	if len(lines) > 0 {
		t.Errorf("of %d symbols %s has no failure; add\n%s", len(lines), b.Kept, strings.Join(lines, "\n"))
	}
}
