//go:build cgo && linux

package cuda

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
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

// Without a call that a driver may lack, what it is for is missing, and says so, or
// something else takes its place; everything else works.
func TestEveryOptionalCallIsMissed(t *testing.T) {
	rows, err := fakedriver.Symbols()
	check(t, err)
	var optional []string
	for _, row := range rows {
		if !row.Required {
			optional = append(optional, row.Name)
		}
	}
	injection.Missing(t, faulty(), optional, func(missing ...string) []string { return withFake(t, "devices=2", missing...) })
}

// faulty is the backend whose calls fail.
func faulty() injection.Backend {
	b := injection.Backend{
		Name:    "cuda",
		Library: func() string { return load().Path },
		Open: func() (driver.Device, error) {
			d, err := Open(0, DeviceOptions{})
			if err != nil {
				return nil, err
			}
			return d, nil
		},
		Codes:       plausible,
		Common:      []int{999, codeInvalidValue, 719, 4, codeInvalidContext, 46},
		Answers:     answers,
		Brief:       func(test string) bool { return strings.HasPrefix(test, "TestConformance/OwnContext/") },
		Whole:       []string{"TestConformance/PrimaryContext/Device/InfoDescribesTheDevice", "TestConformance/OwnContext/Device/InfoDescribesTheDevice", "TestConformance/PrimaryContext/Launches/IDsAreRightInOneDimension"},
		ReportedAs:  reportedAs,
		Keeps:       keeps,
		Unseen:      unseen,
		Kept:        "testdata/failures.tsv",
		Quiet:       quiet,
		Substitutes: substitutes,
		Lacks:       lacks,
		About:       map[string]string{"cuStreamWriteValue32_v2": "TestBeyondTheContract/WordsAreWrittenInOrder"},
		Skip: map[string]string{
			"TestEveryOptionalCallIsMissed":   "is what runs the others",
			"TestEveryCallFails":              "is what runs the others",
			"TestFaults":                      "is about faults, and runs processes of its own",
			"TestFailuresLeaveNothing":        "has a call fail by itself, in a process of its own",
			"TestPhysicalIsSharedWithAnother": "runs a process of its own",
		},
	}
	for _, mode := range []string{"PrimaryContext", "OwnContext"} {
		for _, name := range drivertest.Names() {
			if strings.HasPrefix(name, "Soak/") {
				continue // does what the others do, for longer
			}
			b.Tests = append(b.Tests, "TestConformance/"+mode+"/"+name)
		}
	}
	for _, x := range slices.Concat(contextTests, streamTests, captureTests, moduleTests, kernelTests, launchTests) {
		b.Tests = append(b.Tests, "TestBeyondTheContract/"+x.name)
	}
	return b
}

// plausible are codes that the manual gives for a call, besides those for all calls.
func plausible(symbol string) (codes []int) {
	for _, x := range []struct {
		calls string
		code  int
	}{
		{`Alloc|Create|LoadData|Reserve|Register|Retain|GetExported|Mipmap|Instantiate`, codeOutOfMemory},
		{`ModuleLoad|Link`, codeNoBinary},
		{`ModuleLoad|Link`, codeInvalidPTX},
		{`Launch`, codeLaunchOutOfRes},
		{`Stream|Event|Func|Module|Graph|Launch|Pool`, codeInvalidHandle},
		{`WriteValue|WaitValue|Attribute|Virtual|Ipc|Export|Cluster`, codeNotSupported},
		{`DeviceGet|PrimaryCtx|CtxCreate`, codeInvalidDevice},
	} {
		if regexp.MustCompile(x.calls).MatchString(symbol) {
			codes = append(codes, x.code)
		}
	}
	return codes
}
