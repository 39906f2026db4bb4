package library

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

const testEnv = "TRIAD_TEST_LIBRARY"

// search is one whose libraries fail for the reasons given; those without a
// reason open.
func search(reasons map[string]string, asked *[]string, candidates ...string) Search {
	return Search{
		Backend: "test", Env: testEnv, Candidates: candidates, Advice: "install the package libtest",
		Open: func(path string) (string, string) {
			*asked = append(*asked, path)
			if reason := reasons[path]; reason != "" {
				return "", reason
			}
			return "/found/" + path, ""
		},
		Missing: func() []Symbol { return []Symbol{{"testNew", 120}, {"testNewer", 130}} },
	}
}

func TestErrorsListEveryPathAndReasonInOrder(t *testing.T) {
	reasons := map[string]string{"first.so": "no such file", "second.so": "wrong ELF class", "third.so": "undefined symbol: testFinish"}
	var asked []string
	lib := Load(search(reasons, &asked, "first.so", "second.so", "third.so"))
	if !slices.Equal(asked, []string{"first.so", "second.so", "third.so"}) {
		t.Errorf("tried %v", asked)
	}
	if !errors.Is(lib.Err, driver.ErrLibraryNotFound) || !errors.Is(lib.Err, driver.ErrUnavailable) {
		t.Fatalf("the error is %v", lib.Err)
	}
	text, at := lib.Err.Error(), 0
	for _, want := range []string{"test: dlopen", "first.so: no such file", "second.so: wrong ELF class", "third.so: undefined symbol: testFinish",
		"install the package libtest or name one in " + testEnv} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("the error lacks %q, or has it out of order:\n%s", want, text)
		}
		at += i
	}
	if len(lib.Attempts) != 3 || lib.Attempts[1] != (driver.LibraryAttempt{Path: "second.so", Err: "wrong ELF class"}) || lib.Path != "" || lib.Missing != nil {
		t.Errorf("%+v", lib)
	}
}

func TestTheFirstUsableLibraryIsTaken(t *testing.T) {
	var asked []string
	lib := Load(search(map[string]string{"a": "no"}, &asked, "a", "b", "c"))
	if lib.Err != nil || lib.Path != "/found/b" || !slices.Equal(asked, []string{"a", "b"}) {
		t.Errorf("%+v, asked %v", lib, asked)
	}
	if len(lib.Attempts) != 2 || lib.Attempts[0].Err != "no" || lib.Attempts[1].Err != "" {
		t.Errorf("attempts %+v", lib.Attempts)
	}
	if lib.Has("testNew") || !lib.Has("testOld") {
		t.Errorf("missing are %v; testNew is there: %v, testOld is: %v", lib.Missing, lib.Has("testNew"), lib.Has("testOld"))
	}
	if got := lib.MissingNames(); !slices.Equal(got, []string{"testNew", "testNewer"}) {
		t.Errorf("missing names %v", got)
	}
}

func TestTheEnvironmentNamesTheOneLibrary(t *testing.T) {
	var asked []string
	t.Setenv(testEnv, "mine.so")
	lib := Load(search(map[string]string{"mine.so": "not mine"}, &asked, "a", "b"))
	if !errors.Is(lib.Err, driver.ErrLibraryNotFound) || !slices.Equal(asked, []string{"mine.so"}) {
		t.Errorf("asked %v, error %v", asked, lib.Err)
	}
}

func TestUnusableBuildsTryNothing(t *testing.T) {
	var asked []string
	s := search(nil, &asked, "a")
	s.Unusable = "built without cgo"
	lib := Load(s)
	if !errors.Is(lib.Err, driver.ErrUnavailable) || errors.Is(lib.Err, driver.ErrLibraryNotFound) || !strings.Contains(lib.Err.Error(), s.Unusable) {
		t.Errorf("the error is %v", lib.Err)
	}
	if asked != nil || lib.Attempts != nil {
		t.Errorf("asked %v, attempts %v", asked, lib.Attempts)
	}
}
