//go:build cgo && linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	hiponcuda "github.com/triad-gpu/triad/testdata/hip_on_cuda"
)

// openHIP opens the first HIP device. Without one it runs the test in a process that
// has HIP over the fake CUDA driver, and returns nil.
func openHIP(t *testing.T) driver.Device {
	t.Helper()
	dev, err := driver.Open("hip:0")
	if err == nil {
		t.Cleanup(func() { _ = dev.Close() })
		return dev
	}
	if drivertest.IsChild() {
		t.Fatal(err)
	}
	if drivertest.Required("hip") {
		drivertest.Unavailable(t, "hip", err)
	}
	fake, err := fakedriver.Build(fakedriver.Options{})
	if err != nil {
		drivertest.Unavailable(t, "cgo", err)
	}
	face, err := hiponcuda.Build("")
	if err != nil {
		drivertest.Unavailable(t, "cgo", err)
	}
	drivertest.RunChild(t, t.Name(), append(face.Env(), "TRIAD_CUDA_LIBRARY="+fake.Cuda, "TRIAD_NVRTC_LIBRARY="+fake.Nvrtc)...)
	return nil
}

// HIP has CUDA's suites, and its twin calls HIP's functions.
func TestBenchMeasuresHIP(t *testing.T) {
	if drivertest.Instrumented {
		t.Skip("what is measured is the detector")
	}
	dev := openHIP(t)
	if dev == nil {
		return
	}
	defer func(was time.Duration) { roundTime = was }(roundTime)
	roundTime = time.Millisecond
	found := make(map[string]bool)
	for _, suite := range []string{"launch", "wait", "event", "memory"} {
		var out, log bytes.Buffer
		if code := run(context.Background(), []string{"bench", "-device", "hip:0", "-suite", suite, "-rounds", "1", "-json"}, &out, &log); code != 0 {
			t.Fatalf("exit code %d: %s", code, &log)
		}
		for l := range strings.Lines(out.String()) {
			var r map[string]any
			if err := json.Unmarshal([]byte(l), &r); err != nil {
				t.Fatalf("%q: %v", l, err)
			}
			if r["ns"].(float64) <= 0 || r["c_ns"].(float64) <= 0 || r["device"] != dev.Info().Name {
				t.Errorf("no time, or another device: %s", l)
			}
			found[r["suite"].(string)+" "+r["name"].(string)] = true
		}
	}
	for _, name := range []string{"launch args4/kernelcache", "launch args16/driver", "launch args4/kernelcache/x16", "wait launch+wait/query", "event record", "memory 1MiB/alloc+free"} {
		if !found[name] {
			t.Errorf("%s is missing; there are %v", name, found)
		}
	}
}
