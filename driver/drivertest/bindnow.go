package drivertest

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// BindNow builds a program that opens device 0 of a backend, linked with -z now, and
// runs it: such a program resolves all its symbols at start, so it must not have any
// of the driver's among them, which begin with prefix and a capital letter, nor be
// linked with a library whose name has the word.
func BindNow(t *testing.T, backend, prefix, word string) {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		Lacks(t, "go", "there is no go command")
	}
	program := buildBindNow(t, goTool, backend)
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	flags, err := file.DynValue(elf.DT_FLAGS)
	if err != nil || len(flags) == 0 || flags[0]&uint64(elf.DF_BIND_NOW) == 0 {
		t.Errorf("the program is not linked with -z now: %v, %v", flags, err)
	}
	symbols, err := file.ImportedSymbols()
	if err != nil || len(symbols) == 0 {
		t.Errorf("the program imports %d symbols: %v", len(symbols), err)
	}
	for _, s := range symbols {
		if rest, ok := strings.CutPrefix(s.Name, prefix); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			t.Errorf("the program imports %s", s.Name)
		}
	}
	libraries, err := file.ImportedLibraries()
	if err != nil {
		t.Error(err)
	}
	for _, l := range libraries {
		if strings.Contains(l, word) {
			t.Errorf("the program is linked with %s", l)
		}
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "opened ") {
		t.Errorf("%v: %s", err, out)
	}
}

// buildBindNow builds the program as if it were a file of this module, so that what
// has been compiled is used again.
func buildBindNow(t *testing.T, goTool, backend string) (program string) {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	text := strings.ReplaceAll(`package main

import (
	"fmt"
	"os"

	"github.com/triad-gpu/triad/BACKEND"
)

func main() {
	d, err := BACKEND.Open(0, BACKEND.DeviceOptions{})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("opened", d.Info().Name)
}
`, "BACKEND", backend)
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "program")
	build := exec.Command(goTool, "build", "-o", program, "-ldflags=-linkmode=external -extldflags=-Wl,-z,now", source)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	return program
}
