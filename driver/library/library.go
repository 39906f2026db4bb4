// Package library chooses the shared library that a backend works with, and
// keeps what there is to say of the choice: what was tried, in which order, why
// each was passed over, and which optional symbols the chosen one lacks.
//
// It opens nothing itself: a backend gives it the function that does. Nothing
// here uses cgo.
package library

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// Symbol is a function of a library, and the version in which it appeared, in
// the numbers of the backend's table.
type Symbol struct {
	Name    string
	Version int
}

// Library is a loaded library, or why there is none. Loading happens once per
// process: a driver library can't be replaced under objects that it made. So a
// Library is kept by whoever loaded it, and may be read by any goroutine.
type Library struct {
	Attempts []driver.LibraryAttempt // in the order of trying
	Path     string                  // of the file in use; "" if none
	Missing  []Symbol                // optional symbols that it lacks
	Err      error                   // why there is none; matches driver.ErrUnavailable
}

// Search says how to load a library.
type Search struct {
	Backend string // for errors, such as "opencl"
	// Env is the environment variable that names the library to try, alone, in
	// place of Candidates.
	Env        string
	Candidates []string // paths and sonames, in the order in which they are tried
	// Advice says what to install where none is found: "install an OpenCL loader".
	Advice string
	// Unusable says why this build can use no library at all; "" if it can.
	Unusable string
	// Open opens a library and resolves its symbols. It returns the path of the
	// file that was found, or why it can't be used; a library without a required
	// symbol, such as a stub, is one that can't.
	Open func(path string) (found, failure string)
	// Missing lists the optional symbols that the library opened last lacks.
	Missing func() []Symbol
}

// Load tries libraries until one opens. Without any, Err is
// driver.ErrLibraryNotFound and lists them all with their reasons.
func Load(s Search) *Library {
	lib := &Library{}
	if s.Unusable != "" {
		lib.Err = driver.Errorf(s.Backend, "dlopen", driver.ErrUnavailable, "%s", s.Unusable)
		return lib
	}
	paths := s.Candidates
	if env := os.Getenv(s.Env); env != "" {
		paths = []string{env}
	}
	for _, path := range paths {
		found, failure := s.Open(path)
		lib.Attempts = append(lib.Attempts, driver.LibraryAttempt{Path: path, Err: failure})
		if failure == "" {
			lib.Path, lib.Missing = found, s.Missing()
			return lib
		}
	}
	var b strings.Builder
	b.WriteString("tried, in this order:")
	for _, a := range lib.Attempts {
		fmt.Fprintf(&b, "\n  %s: %s", a.Path, a.Err)
	}
	fmt.Fprintf(&b, "\n%s or name one in %s", s.Advice, s.Env)
	lib.Err = driver.Errorf(s.Backend, "dlopen", driver.ErrLibraryNotFound, "%s", b.String())
	return lib
}

// Has tells whether the library has an optional symbol.
func (l *Library) Has(symbol string) bool {
	return !slices.ContainsFunc(l.Missing, func(m Symbol) bool { return m.Name == symbol })
}

// MissingNames are the names of the symbols in Missing, for driver.Report.
func (l *Library) MissingNames() []string {
	var names []string
	for _, m := range l.Missing {
		names = append(names, m.Name)
	}
	return names
}
