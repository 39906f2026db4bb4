package fakedriver

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/triad-gpu/triad/cgo_headers"
)

// Symbol is a row of the table in triad_cu.h or triad_hip.h.
type Symbol struct {
	Name     string // the symbol's own: cuMemAlloc_v2
	Known    string // the name that cuGetProcAddress knows it by: cuMemAlloc; HIP's have one name
	Version  int    // that brought it: of CUDA's driver 12040 is 12.4, of HIP 60200 is 6.2
	Required bool
}

var symbolRow = regexp.MustCompile(`(?m)^\s*X\((REQUIRED|OPTIONAL), (\d+), [\w *]+?, ((?:cu|hip)\w+), (?:(\w+), )?(?:\\\n\s*)?\(`)

// Symbols are the functions of CUDA's driver, in the table's order.
func Symbols() ([]Symbol, error) { return table("triad_cu.h") }

// HIPSymbols are those of HIP's runtime.
func HIPSymbols() ([]Symbol, error) { return table("triad_hip.h") }

func table(header string) ([]Symbol, error) {
	text, err := cgo_headers.Files.ReadFile(header)
	if err != nil {
		return nil, err
	}
	var list []Symbol
	for _, m := range symbolRow.FindAllSubmatch(text, -1) {
		version, err := strconv.Atoi(string(m[2]))
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", header, m[3], err)
		}
		s := Symbol{Name: string(m[3]), Known: string(m[4]), Version: version, Required: string(m[1]) == "REQUIRED"}
		if s.Known == "" {
			s.Known = s.Name
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no table of functions, or one of another form", header)
	}
	return list, nil
}

// Newer are the symbols that a driver of a version lacks: with them as
// [Options].Missing, and version=… among the settings, the library is like one
// of that version.
func Newer(version int) ([]string, error) {
	list, err := newer("triad_cu.h", version)
	if version < 12000 {
		list = append(list, "cuGetProcAddress_v2")
	}
	return list, err
}

// NewerHIP are the symbols that a HIP runtime of a version lacks; [Options].HIP
// leaves them out.
func NewerHIP(version int) ([]string, error) { return newer("triad_hip.h", version) }

func newer(header string, version int) (list []string, err error) {
	all, err := table(header)
	for _, s := range all {
		if s.Version > version {
			list = append(list, s.Name)
		}
	}
	return list, err
}
