package injection

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
)

// AllEnv set to all has [Run] and [Missing] do everything, rather than a sample.
const AllEnv = "TRIAD_INJECT"

// all tells whether everything is asked for.
func all() bool { return os.Getenv(AllEnv) == "all" }

// start runs one child to its end, and returns what it reported and its last words.
func start(t testing.TB, o order, env []string) (lines []json.RawMessage, words string, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Results = filepath.Join(t.TempDir(), "results")
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Hour)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "-test.run=^$")
	// A test that fails may leave open what it had made, which AddressSanitizer counts.
	cmd.Env = append(append(os.Environ(), env...), orderEnv+"="+string(text), "ASAN_OPTIONS=detect_leaks=0")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = drivertest.RunBound(cmd)
	f, openErr := os.Open(o.Results)
	if openErr != nil {
		return nil, said.String(), fmt.Errorf("%w, and nothing was reported", err)
	}
	defer f.Close()
	for r := bufio.NewReader(f); ; {
		line, readErr := r.ReadBytes('\n')
		if readErr != nil {
			return lines, said.String(), err
		}
		lines = append(lines, line)
	}
}

// failures runs children until all of an order has been done: one that ends early has
// met a failure that it could not survive.
func failures(t testing.TB, o order, env []string) (results []Result) {
	t.Helper()
	o.Traces = filepath.Join(t.TempDir(), "traces")
	for range 200 {
		lines, words, err := start(t, o, env)
		var open *Injection
		for _, line := range lines {
			var b begun
			var r Result
			if json.Unmarshal(line, &b) == nil && b.Begun.Test != "" {
				open = &b.Begun
			} else if err := json.Unmarshal(line, &r); err != nil {
				t.Fatalf("a line of results: %v: %s", err, line)
			} else {
				open = nil
				results = append(results, r)
			}
		}
		if err == nil {
			return results
		}
		if open == nil {
			t.Fatalf("a child ended: %v\n%s", err, drivertest.LastLines(words, 60))
		}
		what := "the process ended"
		if strings.Contains(words, "test timed out after") {
			what = "it hangs"
		}
		results = append(results, Result{Injection: *open, Outcome: "died", Problems: []string{what}, Text: words})
		o.After = open
	}
	t.Fatal("too many children ended early")
	return nil
}

// images has children compile each program once.
func images(t *testing.T) string {
	dir := os.Getenv(fakedriver.ImagesEnv)
	if dir == "" {
		dir = t.TempDir()
	}
	return fakedriver.ImagesEnv + "=" + dir
}

// Run has the tests of a backend meet failures: those that are kept, or all where
// TRIAD_INJECT is all, or a sample where TRIAD_INJECT_SEED is set. env is what the
// children need to load the fake library.
func Run(t *testing.T, b Backend, env []string) {
	t.Helper()
	env = append(env, images(t))
	o := order{Mode: "fail", Seed: seed(), Shards: 1, Tests: 8, Failures: 30}
	shards := 1
	if all() {
		o.Tests, o.Failures, shards = 0, 0, workers
	} else if os.Getenv(SeedEnv) == "" {
		var err error
		if o.Kept, err = Kept(b.Kept); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var results []Result
	for i := range shards {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mine := o
			mine.Shard, mine.Shards = i, shards
			some := failures(t, mine, env)
			mu.Lock()
			defer mu.Unlock()
			results = append(results, some...)
		}()
	}
	wg.Wait()
	b.verdict(t, results)
	// Some calls are made or not, as it happens.
	var unmet []string
	for _, r := range results {
		if !r.Fired && r.Outcome != "died" {
			unmet = append(unmet, r.line())
		}
	}
	if len(unmet) > len(o.Kept)/10 && len(o.Kept) > 0 {
		t.Errorf("of %d failures in %s, %d are of calls that the tests don't make any more:\n%s", len(o.Kept), b.Kept, len(unmet), strings.Join(unmet, "\n"))
	}
}
