//go:build cgo && linux

package hip

import (
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/injection"
)

func init() {
	if injection.Child() {
		opened, done = injection.Opened, injection.Done
		runTests = func(m *testing.M) int { return injection.Main(m, faulty()) }
	}
}

// Every call fails in every test, one at a time: it is reported by its name, or does
// no harm.
func TestEveryCallFails(t *testing.T) {
	injection.Run(t, faulty(), withFake(t, "devices=2"))
}

// faulty is the backend whose calls fail.
func faulty() injection.Backend {
	b := injection.Backend{
		Name:       "hip",
		Library:    func() string { return load().Path },
		Open:       openFirst,
		Codes:      plausible,
		Common:     []int{999, codeInvalidValue, 719, 100},
		Answers:    answers,
		ReportedAs: reportedAs,
		Keeps:      keeps,
		Unseen:     unseen,
		Quiet:      quiet,
		Kept:       "testdata/failures.tsv",
		Skip: map[string]string{
			"TestEveryCallFails":                  "is what runs the others",
			"TestFaults":                          "is about faults, and runs processes of its own",
			"TestFailuresLeaveNothing":            "has a call fail by itself, in a process of its own",
			"TestGenerations":                     "runs processes of its own, with other runtimes",
			"TestAnotherModel":                    "runs a process of its own",
			"TestPeersOnFake":                     "runs processes of its own",
			"TestPhysicalIsSharedWithAnother":     "runs a process of its own",
			"TestTheRealRuntimeWithoutADevice":    "runs a process of its own, with another runtime",
			"TestTheAPIIsThatOfCUDA":              "reads source files",
			"TestCandidatesAreTriedFromTheNewest": "calls nothing",
		},
	}
	for _, name := range drivertest.Names() {
		if strings.HasPrefix(name, "Soak/") {
			continue // does what the others do, for longer
		}
		b.Tests = append(b.Tests, "TestConformance/Device0/"+name)
	}
	for _, x := range slices.Concat(streamTests, captureTests, moduleTests, kernelTests, launchTests, verifyTests, imageTests) {
		b.Tests = append(b.Tests, "TestBeyondTheContract/"+x.name)
	}
	return b
}

// openFirst opens the first device. What the runtime keeps of a device once it was used
// is nothing that a test leaves behind: so the other one was used before.
func openFirst() (driver.Device, error) {
	if other, err := Open(1, DeviceOptions{}); err == nil {
		_ = other.Close()
	}
	d, err := Open(0, DeviceOptions{})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// plausible are codes that the manual gives for a call, besides those for all calls.
func plausible(symbol string) (list []int) {
	for _, part := range []string{"Alloc", "Create", "Register", "Reserve", "Load", "Map"} {
		if strings.Contains(symbol, part) {
			list = append(list, codeOutOfMemory)
			break
		}
	}
	switch {
	case strings.HasPrefix(symbol, "hipModuleLaunch"), strings.HasPrefix(symbol, "hipDrvLaunch"):
		list = append(list, 701, codeCooperative)
	case strings.HasPrefix(symbol, "hipModuleLoad"):
		list = append(list, codeNoBinary, 200)
	case strings.Contains(symbol, "Query"):
		list = append(list, 400)
	}
	return append(list, codeNotSupported)
}
