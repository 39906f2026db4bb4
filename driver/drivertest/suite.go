package drivertest

import (
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Harness is what the suite needs of a backend. Backend, Open and Sources must
// be set.
type Harness struct {
	// Backend is the name that TRIAD_REQUIRE lists and that errors begin with.
	Backend string
	// Require is the word of TRIAD_REQUIRE for this device; Backend if empty.
	Require string
	// Open opens the device under test anew. An error from Open skips the suite if
	// it says that the backend or the device is not there, and fails it else.
	Open func() (driver.Device, error)
	// Sources gives the kernels of the suite by name; see the function Sources.
	Sources func(name string) (driver.ModuleSource, error)
	// Hold makes the commands that are enqueued on the stream from now on wait
	// until release is called, which happens once. Where it is nil, the suite
	// enqueues kernels that take a while.
	Hold func(t testing.TB, s driver.Stream) (release func())
	// Exclude gives, for names of tests such as "Events/ElapsedIsMonotone", or of
	// whole subjects, the reason for which they don't run.
	Exclude map[string]string
	// Subjects are those that run, such as "Events"; none is all of them.
	Subjects []string
	// Parameters says how much the driver tells of a kernel's parameters.
	Parameters ParameterFacts
	// Done is called when the tests are over, before the device is closed; it may be nil.
	Done func(driver.Device)
	// SlowOpen has devices opened a few times only, where that takes a second.
	SlowOpen bool
	// Small runs with a few work-items and rounds, for devices that are simulated.
	Small bool
}

// ParameterFacts is how much a driver tells of a kernel's parameters. What it does
// not tell can't be compared when a kernel is bound.
type ParameterFacts uint8

const (
	ParameterTypes ParameterFacts = iota // number, sizes, names and types, as OpenCL does
	ParameterSizes                       // number and sizes, as CUDA does since 12.4
	NoParameters                         // nothing: no kernel is Verified
)

// test is one test of a subject; its name reads as the behaviour.
type test struct {
	name string
	run  func(*env)
}

type subject struct {
	name  string
	tests []test
}

func subjects() []subject {
	return []subject{
		{"Device", deviceTests},
		{"Streams", streamTests},
		{"Events", eventTests},
		{"Memory", memoryTests},
		{"Copies", copyTests},
		{"Rectangles", rectTests},
		{"Modules", moduleTests},
		{"Arguments", argumentTests},
		{"Vectors", vectorTests},
		{"Mismatches", mismatchTests},
		{"Launches", launchTests},
		{"Threads", threadTests},
		{"Waits", waitTests},
		{"Errors", errorTests},
		{"Lifetime", lifetimeTests},
		{"StreamOrder", orderTests},
		{"Allocations", allocationTests},
		{"Soak", soakTests},
	}
}

// Run runs the suite as subtests of t.
func Run(t *testing.T, h Harness) {
	t.Helper()
	before := lifetime.Live()
	dev, err := h.Open()
	if err != nil {
		word := h.Require
		if word == "" {
			word = h.Backend
		}
		Unavailable(t, word, err)
	}
	info := dev.Info()
	t.Logf("%s:%d: %s, %s, driver %s", info.Backend, info.Index, info.Name, info.Version, info.Driver)
	checkExclusions(t, h)
	s := &shared{h: &h, dev: dev, modules: make(map[string]driver.Module)}
	for _, sub := range subjects() {
		if len(h.Subjects) > 0 && !slices.Contains(h.Subjects, sub.name) {
			continue
		}
		t.Run(sub.name, func(t *testing.T) {
			for _, x := range sub.tests {
				runTest(t, s, sub.name, x)
			}
		})
	}
	if h.Done != nil {
		h.Done(dev)
	}
	s.close()
	if err := dev.Close(); err != nil {
		t.Errorf("closing the device: %v", err)
	}
	LiveReturns(t, before)
}

func runTest(t *testing.T, s *shared, subject string, x test) {
	reason := s.h.Exclude[subject+"/"+x.name]
	if reason == "" {
		reason = s.h.Exclude[subject]
	}
	again := Required("excluded")
	t.Run(x.name, func(t *testing.T) {
		if reason != "" && !again {
			t.Skipf("excluded, unless TRIAD_REQUIRE lists the word excluded: %s", reason)
		}
		defer func() {
			if reason != "" && again && !t.Failed() && !t.Skipped() {
				t.Errorf("excluded (%s), and passes: take the exclusion out", reason)
			}
		}()
		x.run(&env{T: t, shared: s})
	})
}

// checkExclusions fails for exclusions of tests that there are not.
func checkExclusions(t testing.TB, h Harness) {
	t.Helper()
	names := Names()
	for _, sub := range subjects() {
		names = append(names, sub.name)
	}
	for name, reason := range h.Exclude {
		if !slices.Contains(names, name) {
			t.Errorf("%q is excluded and is no test", name)
		}
		if strings.TrimSpace(reason) == "" {
			t.Errorf("%q is excluded without a reason", name)
		}
	}
}

// Names are the suite's tests, such as "Memory/CopyBeyondTheEndIsRefused".
func Names() (list []string) {
	for _, sub := range subjects() {
		for _, x := range sub.tests {
			list = append(list, sub.name+"/"+x.name)
		}
	}
	return list
}
