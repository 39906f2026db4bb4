package injection

import (
	"regexp"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// Backend is what the runs need to know of a backend and of its tests.
type Backend struct {
	// Name is what the backend's errors begin with.
	Name string
	// Library is the path of the fake library that was loaded.
	Library func() string
	// Engine is the path of the library that has the engine, where that is another one.
	Engine func() string
	// Open opens the first device. A device is held open around each run, so that
	// closing the test's own is not what frees everything; it must still work
	// afterwards.
	Open func() (driver.Device, error)
	// Tests are names of subtests that are run one by one, such as
	// "TestConformance/PrimaryContext/Memory/CopyBeyondTheEndIsRefused". Tests that
	// have none in the list are run as a whole.
	Tests []string
	// Whole are names of tests that meet failures from their beginning, when their
	// device is opened, to their end.
	Whole []string
	// Skip gives, for names of tests, the reason for which they don't run.
	Skip map[string]string
	// Codes are those that a symbol may return, besides the ones that each may.
	Codes func(symbol string) []int
	// Common are the codes that each symbol may return.
	Common []int
	// ReportedAs gives, for a symbol, further names by which an error may call it,
	// with the reason.
	ReportedAs map[string]Names
	// Keeps gives, for symbols whose failure leaves something with the driver that
	// the program can do nothing about, what that is.
	Keeps map[string]string
	// Unseen gives, for symbols whose failure no error tells of, the reason.
	Unseen map[string]string
	// Substitutes gives, for optional symbols, what is done without them where nothing
	// is unsupported then.
	Substitutes map[string]string
}

// Names are what a failure may be reported as, and why.
type Names struct {
	Names []string
	Why   string
}

// Injection is one failure: the n-th call of a symbol, counted from 1 and from when
// the test's device has been opened, or from its beginning, returns a code.
type Injection struct {
	Test   string
	Symbol string
	Code   int
	N      uint64
	Early  bool // from its beginning
}

// Result is what became of it.
type Result struct {
	Injection
	Outcome  string   // passed, failed, skipped
	Fired    bool     // whether the call was made
	Named    bool     // whether an error named it
	Problems []string // empty: as it should be
	Millis   int64
	Text     string // what the test wrote, where there is a problem
}

var versioned = regexp.MustCompile(`_v\d+(_ptsz|_ptds)?$`)

// Call is a symbol's name in the manual.
func Call(symbol string) string { return versioned.ReplaceAllString(symbol, "") }

func (b *Backend) codes(symbol string) (list []int) {
	seen := make(map[int]bool)
	add := func(codes []int) {
		for _, c := range codes {
			if !seen[c] {
				seen[c] = true
				list = append(list, c)
			}
		}
	}
	if b.Codes != nil {
		add(b.Codes(symbol))
	}
	add(b.Common)
	return list
}

// names tells whether a text has an error of the backend's that names the call, or
// one that stands for it, and the code.
func (b *Backend) names(text string, i Injection) bool {
	names := append([]string{Call(i.Symbol), i.Symbol}, b.ReportedAs[i.Symbol].Names...)
	for j, n := range names {
		names[j] = regexp.QuoteMeta(n)
	}
	re := regexp.MustCompile(b.Name + `: (` + strings.Join(names, "|") + `)\b[^\n]*: [^\n]*\(` + itoa(i.Code) + `\)`)
	return re.MatchString(text)
}
