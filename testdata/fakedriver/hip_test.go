package fakedriver

import (
	"debug/elf"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// HIP's libraries show the functions of their tables, those of fake_control.h, and
// nothing of what is behind them; and they are called what AMD's are called.
func TestHIPLibrariesShowTheirTables(t *testing.T) {
	for version, number := range map[int]string{0: ".7", 50200: ".5", 60200: ".6"} {
		p := build(t, Options{HIP: version, Missing: []string{"hipFree", "hiprtcVersion"}})
		for path, header := range map[string]string{p.Hip: "triad_hip.h", p.Hiprtc: "triad_hiprtc.h"} {
			f, err := elf.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if names, err := f.DynString(elf.DT_SONAME); err != nil || len(names) != 1 || names[0] != filepath.Base(path) || filepath.Ext(path) != number {
				t.Errorf("%s is called %q, error %v; want …%s", path, names, err, number)
			}
			table, err := table(header)
			if err != nil {
				t.Fatal(err)
			}
			symbols, err := f.DynamicSymbols()
			if err != nil {
				t.Fatal(err)
			}
			has := make(map[string]bool)
			for _, s := range symbols {
				if s.Section != elf.SHN_UNDEF && s.Name != "" {
					has[s.Name] = true
				}
			}
			for _, s := range table {
				want := s.Name != "hipFree" && s.Name != "hiprtcVersion" && (version == 0 || s.Version <= version)
				if has[s.Name] != want {
					t.Errorf("%s has %s: %v", path, s.Name, has[s.Name])
				}
			}
			for name := range has {
				if !strings.HasPrefix(name, "fake_") && !slices.ContainsFunc(table, func(s Symbol) bool { return s.Name == name }) {
					t.Errorf("%s shows %s", path, name)
				}
			}
		}
	}
}
