package injection

import (
	"regexp"
	"slices"
	"strconv"
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
	// Kept is the path of the file of failures that are met at each run: one of each
	// symbol, and those that once did harm. See [Kept].
	Kept string
	// Answers gives codes with which a symbol says something rather than fails, with what.
	Answers map[string]map[int]string
	// Brief tells of tests that meet the first two codes of each symbol only, since
	// others that do the same meet all.
	Brief func(test string) bool
	// ReportedAs gives, for a symbol, other calls that an error may name in its place,
	// with the reason; "*" is any.
	ReportedAs map[string]Names
	// Keeps gives, for symbols whose failure leaves something with the driver that
	// the program can do nothing about, what that is.
	Keeps map[string]string
	// Unseen gives, for symbols whose failure no error tells of, the reason.
	Unseen map[string]string
	// Quiet gives, for a test and a symbol, separated by a blank, why the test fails
	// without an error that names the symbol.
	Quiet map[string]string
	// About gives, for an optional symbol that many tests call, one that can't do without.
	About map[string]string
	// Lacks gives, for a test and a symbol that is missing, separated by a blank, why the
	// test does not pass, and does not say that it needs the symbol.
	Lacks map[string]string
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
	Open     bool     // whether it failed before it had closed what it made
	Problems []string // empty: as it should be
	Millis   int64
	Said     []string // the calls that errors with the code named, where none was it
	Text     string   // what the test wrote, where there is a problem
}

var versioned = regexp.MustCompile(`_v\d+(_ptsz|_ptds)?$`)

// Call is a symbol's name in the manual.
func Call(symbol string) string { return versioned.ReplaceAllString(symbol, "") }

func (b *Backend) codes(symbol string) (list []int) {
	seen := make(map[int]bool)
	add := func(codes []int) {
		for _, c := range codes {
			if !seen[c] && b.Answers[symbol][c] == "" {
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
	for _, said := range b.said(text, i.Code) {
		if slices.ContainsFunc(names, func(n string) bool { return n == said || n == "*" }) {
			return true
		}
	}
	return false
}

// said are the calls that a text has errors of with a code.
func (b *Backend) said(text string, code int) (list []string) {
	re := regexp.MustCompile(`^([\w.]+)[^\n:]*: [^\n]*\(` + strconv.Itoa(code) + `\)`)
	for _, part := range strings.Split(text, b.Name+": ") { // an error may have another one in it
		if m := re.FindStringSubmatch(part); m != nil {
			list = append(list, m[1])
		}
	}
	return list
}
