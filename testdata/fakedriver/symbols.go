package fakedriver

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/triad-gpu/triad/cgo_headers"
)

// Symbol is a row of the table in triad_cu.h.
type Symbol struct {
	Name     string // the symbol's own: cuMemAlloc_v2
	Known    string // the name that cuGetProcAddress knows it by: cuMemAlloc
	Version  int    // the driver that brought it: 12040 is 12.4
	Required bool
}

var symbolRow = regexp.MustCompile(`(?m)^\s*X\((REQUIRED|OPTIONAL), (\d+), \w+, (\w+), (\w+), \(`)

// Symbols are the driver's functions, in the table's order.
func Symbols() ([]Symbol, error) {
	text, err := cgo_headers.Files.ReadFile("triad_cu.h")
	if err != nil {
		return nil, err
	}
	var list []Symbol
	for _, m := range symbolRow.FindAllSubmatch(text, -1) {
		version, err := strconv.Atoi(string(m[2]))
		if err != nil {
			return nil, fmt.Errorf("triad_cu.h: %s: %w", m[3], err)
		}
		list = append(list, Symbol{Name: string(m[3]), Known: string(m[4]), Version: version, Required: string(m[1]) == "REQUIRED"})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("triad_cu.h has no table of functions, or one of another form")
	}
	return list, nil
}

// Newer are the symbols that a driver of a version lacks: with them as
// [Options].Missing, and version=… among the settings, the library is like one
// of that version.
func Newer(version int) ([]string, error) {
	all, err := Symbols()
	var list []string
	for _, s := range all {
		if s.Version > version {
			list = append(list, s.Name)
		}
	}
	if version < 12000 {
		list = append(list, "cuGetProcAddress_v2")
	}
	return list, err
}
