package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
)

func TestBenchJSONHasALinePerOperation(t *testing.T) {
	if testing.Short() {
		t.Skip("measuring takes several seconds")
	}
	dev := openDevice(t)
	var out, errout bytes.Buffer
	if code := run(context.Background(), []string{"bench", "-suite", "event", "-rounds", "2", "-json"}, &out, &errout); code != 0 {
		t.Fatalf("exit code %d: %s", code, &errout)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 {
		t.Errorf("%d lines: %s", len(lines), &out)
	}
	for _, l := range lines {
		var r map[string]any
		if err := json.Unmarshal([]byte(l), &r); err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		for _, name := range []string{"suite", "name", "device", "ns", "c_ns", "ratio", "allocs", "bytes", "n"} {
			if r[name] == nil {
				t.Errorf("no %s in %s", name, l)
			}
		}
		if r["device"] != dev.Info().Name || r["suite"] != "event" || r["ns"].(float64) <= 0 || r["c_ns"].(float64) <= 0 {
			t.Errorf("%s", l)
		}
	}
}

// steady is a side whose operations take as long as said.
func steady(each time.Duration, rounds *int) side {
	return func(n int) (time.Duration, error) {
		*rounds++
		return time.Duration(n) * each, nil
	}
}

func TestMeasure(t *testing.T) {
	var ours, c int
	p := pair{suite: "s", name: "n", ours: steady(3*time.Microsecond, &ours), c: steady(2*time.Microsecond, &c), ops: 2}
	r, err := p.measure(context.Background(), 5)
	if err != nil {
		t.Fatal(err)
	}
	if r.NS != 1500 || r.CNS != 1000 || r.Ratio != 1.5 || r.Suite != "s" || r.Name != "n" {
		t.Errorf("%+v", r)
	}
	if ours != c {
		t.Errorf("%d rounds of ours, %d of C's", ours, c)
	}
	if each := r.N / 2 / 5; time.Duration(each)*2*time.Microsecond < roundTime {
		t.Errorf("a round of C's is %d operations, shorter than %v", each, roundTime)
	}
}

func TestMeasureCountsAllocations(t *testing.T) {
	var rounds int
	var keep []byte
	p := pair{
		ours: func(n int) (time.Duration, error) {
			for range n {
				keep = make([]byte, 1000)
			}
			return time.Duration(n) * time.Millisecond, nil
		},
		c: steady(time.Millisecond, &rounds),
	}
	r, err := p.measure(context.Background(), 3)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Allocs-1) > 0.5 || r.Bytes < 1000 {
		t.Errorf("%+v", r)
	}
	_ = keep
}

func TestMeasureStops(t *testing.T) {
	var rounds int
	fine, failure := steady(time.Millisecond, &rounds), errors.New("failed")
	broken := func(int) (time.Duration, error) { return 0, failure }
	for _, p := range []pair{{ours: broken, c: fine}, {ours: fine, c: broken}} {
		if _, err := p.measure(context.Background(), 3); !errors.Is(err, failure) {
			t.Errorf("got %v", err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (pair{ours: fine, c: fine}).measure(ctx, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestRigCleansUpWhenItCannotBeMade(t *testing.T) {
	dev := openDevice(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := newRig(ctx, io.Discard, dev, clOptions); r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", r, err)
	}
	if b, err := newBlurrer(ctx, dev, noise(2, 2), gauss(1)); b != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", b, err)
	}
}

func TestMedian(t *testing.T) {
	for want, list := range map[float64][]float64{2: {9, 1, 2}, 3: {9, 1, 4, 2}, 7: {7}} {
		if got := median(list); got != want {
			t.Errorf("median of %v: %v, want %v", list, got, want)
		}
	}
}

func TestSuitesOfOtherBackendsAreRefused(t *testing.T) {
	dev, err := driver.Open("opencl")
	if err != nil {
		missing(t, "opencl", err.Error())
	}
	defer dev.Close()
	var out, log bytes.Buffer
	if code := run(context.Background(), []string{"bench", "-device", "opencl", "-suite", "park"}, &out, &log); code != 1 || !strings.Contains(log.String(), "opencl have no suite park") {
		t.Errorf("exit code %d: %s", code, &log)
	}
}
