package cgo_headers_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/cgo_headers"
)

var rowSymbol = regexp.MustCompile(`(?m)^ +X\((?:REQUIRED|OPTIONAL), \d+, [\w ]+?\*?, (\w+), `)

// Each function of a table is called by the package that the table is for: a driver
// that lacks one is passed over for nothing else. Those that only tests and twins call
// are known.
func TestRowsAreUsed(t *testing.T) {
	root := repoRoot(t)
	for _, x := range []struct {
		header, dir, table string
		others             []string
	}{
		{"triad_cu.h", "cuda", "triad_cu", []string{"cuCtxSetCurrent", "cuCtxGetDevice", "cuCtxSynchronize", "cuMemAllocAsync", "cuPointerGetAttribute"}},
		{"triad_hip.h", "hip", "triad_hip", []string{"hipGetErrorName", "hipDeviceSynchronize", "hipMallocAsync"}},
	} {
		text, err := cgo_headers.Files.ReadFile(x.header)
		if err != nil {
			t.Fatal(err)
		}
		var code strings.Builder
		paths, _ := filepath.Glob(filepath.Join(root, x.dir, "*.[ch]"))
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			code.Write(text)
		}
		rows := rowSymbol.FindAllStringSubmatch(string(text), -1)
		if len(rows) < 140 || len(paths) < 20 {
			t.Errorf("%s has %d functions, and %s %d files of C", x.header, len(rows), x.dir, len(paths))
		}
		for _, row := range rows {
			used := regexp.MustCompile(`\b(?:` + x.table + `\.|api(?:->|\.)|\w+_MAYBE\()` + row[1] + `\b`).MatchString(code.String())
			switch other := slices.Contains(x.others, row[1]); {
			case !used && !other:
				t.Errorf("%s: package %s does not call %s", x.header, x.dir, row[1])
			case used && other:
				t.Errorf("%s: package %s calls %s, which is listed as others' alone", x.header, x.dir, row[1])
			}
		}
	}
}
