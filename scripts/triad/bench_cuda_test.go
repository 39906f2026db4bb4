//go:build cgo && linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
)

// openCUDA opens the first CUDA device. Without one it runs the test in a process
// that has the fake driver, and returns nil.
func openCUDA(t *testing.T) driver.Device {
	t.Helper()
	dev, err := driver.Open("cuda:0")
	if err == nil {
		t.Cleanup(func() { _ = dev.Close() })
		return dev
	}
	if drivertest.IsChild() || os.Getenv("TRIAD_CUDA_LIBRARY") != "" {
		t.Fatal(err)
	}
	if drivertest.Required("cuda") {
		drivertest.Unavailable(t, "cuda", err)
	}
	fake, err := fakedriver.Build(fakedriver.Options{})
	if err != nil {
		drivertest.Unavailable(t, "cuda", err)
	}
	drivertest.RunChild(t, t.Name(), "TRIAD_CUDA_LIBRARY="+fake.Cuda, "TRIAD_NVRTC_LIBRARY="+fake.Nvrtc)
	return nil
}

// Every suite runs, whatever it finds; it is one round, which says nothing of the
// times.
func TestBenchMeasuresCUDA(t *testing.T) {
	if drivertest.Instrumented {
		t.Skip("what is measured is the detector")
	}
	dev := openCUDA(t)
	if dev == nil {
		return
	}
	defer func(was time.Duration) { roundTime = was }(roundTime)
	roundTime = time.Millisecond
	peers := filepath.Join(t.TempDir(), "peers.tsv")
	if err := os.WriteFile(peers, []byte("Snail\t1.0\tlaunch4\t1e12\nLight\t1.0\trecord\t1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, log bytes.Buffer
	args := []string{"bench", "-device", "cuda:0", "-rounds", "1", "-json", "-check", "-peers", peers}
	// Whoever is as fast as light is not beaten, so the check fails in any case.
	if code := run(context.Background(), args, &out, &log); code != 1 || !strings.Contains(log.String(), "event record beside Light 1.0") {
		t.Errorf("exit code %d: %s", code, &log)
	}
	lines := make(map[string]map[string]any)
	for l := range strings.Lines(out.String()) {
		var r map[string]any
		if err := json.Unmarshal([]byte(l), &r); err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		name := r["suite"].(string) + " " + r["name"].(string)
		if r["peer"] != nil {
			name += " " + r["peer"].(string)
		} else if r["device"] != dev.Info().Name {
			t.Errorf("another device: %s", l)
		}
		if lines[name] != nil {
			t.Errorf("%s is there twice", name)
		}
		if r["ns"].(float64) <= 0 || r["c_ns"].(float64) <= 0 || r["peer"] == nil && r["ratio"].(float64) <= 0 {
			t.Errorf("no time: %s", l)
		}
		lines[name] = r
	}
	for name, bound := range map[string]any{
		"launch args4/kernelcache":                   "≤ 1.03 × C, 0 allocs",
		"launch args16/driver":                       "≤ 1.03 × C, 0 allocs",
		"launch args4/kernelcache/x16":               "≥ 0.97 of C's rate",
		"wait launch+wait/query":                     "≤ 1.05 × C, 0 allocs",
		"copy 4096B/fill":                            "≤ C + 60ns, 0 allocs",
		"copy 4096B/pageable-to-device":              "≤ C + 60ns, 0 allocs",
		"copy 256MiB/device-to-pinned/waits-every-4": "≥ 0.99 of C's rate",
		"event record":                               "≤ C + 60ns, 0 allocs",
		"floor crossing":                             nil,
		"park 100us/query":                           "≤ C + 10µs, 0 allocs",
		"park 100us/x64/synchronize":                 "≥ 0.95 of C's rate",
		"launch args4/kernelcache Snail 1.0":         nil,
		"event record Light 1.0":                     nil,
	} {
		switch r := lines[name]; {
		case r == nil:
			t.Errorf("%s is missing", name)
		case r["bound"] != bound:
			t.Errorf("%s: %v is asked, want %v", name, r["bound"], bound)
		}
	}
	for _, name := range []string{"launch args4/kernelcache", "launch args16/kernelcache", "event record"} {
		if r := lines[name]; r != nil && r["allocs"].(float64) >= someAllocs {
			t.Errorf("%s: %v allocations", name, r["allocs"])
		}
	}
	if r := lines["launch args4/kernelcache Snail 1.0"]; r != nil && r["ok"] != true {
		t.Errorf("behind a snail: %v", r)
	}
}

func TestCUDARigCleansUpWhenItCannotBeMade(t *testing.T) {
	dev := openCUDA(t)
	if dev == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var log bytes.Buffer
	if b, err := newCURig(ctx, &log, dev); b != nil || err == nil {
		t.Errorf("got %v, %v", b, err)
	}
}
