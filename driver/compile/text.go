// Package compile holds what backends have in common where they build programs
// from text: what a run-time compiler is given, definitions as lines of the
// program, line numbers that are the user's, the line that a compiler's log
// complains of, and compilers that can't be interrupted. It knows no backend and
// uses no cgo.
package compile

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)

// Defines turns definitions into lines of source. As text they need no quoting,
// which no two compilers do alike, and can't turn into options. backend and op
// are for the error: driver.ErrInvalidValue for a name that is no identifier and
// for a value that does not end with its line.
func Defines(backend, op string, defines []driver.Define) (string, error) {
	var b strings.Builder
	for _, def := range defines {
		if !identifier.MatchString(def.Name) {
			return "", driver.Errorf(backend, op, driver.ErrInvalidValue, "%q cannot be defined: it is no identifier", def.Name)
		}
		if strings.ContainsAny(def.Value, "\n\r\x00") || strings.HasSuffix(def.Value, "\\") {
			return "", driver.Errorf(backend, op, driver.ErrInvalidValue, "the definition of %s holds a line break: %q", def.Name, def.Value)
		}
		fmt.Fprintf(&b, "#define %s %s\n", def.Name, def.Value)
	}
	return b.String(), nil
}

// FirstLine is the directive that goes between lines of ours and the user's text,
// so that the compiler counts, and names, the latter.
func FirstLine(name string) string {
	if name == "" || strings.ContainsAny(name, "\"\\\n\r\x00") {
		return "#line 1\n"
	}
	return "#line 1 \"" + name + "\"\n"
}
