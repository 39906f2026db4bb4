package cgo_headers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Many take what a stream keeps, and keep it again: each has what it took for itself.
// ThreadSanitizer looks on, where the compiler has it: for less long, as it needs no
// collision to tell a race, and ten times as many rounds took it half a minute on 16
// processors.
func TestSparesAreTakenOnce(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		requireOrSkip(t, "cc", "gcc isn't here")
	}
	dir := t.TempDir()
	for name, flags := range map[string][]string{"plain": {}, "tsan": {"-fsanitize=thread", "-g", "-DROUNDS=30000"}} {
		program := filepath.Join(dir, name)
		args := append([]string{"-std=gnu11", "-O2", "-Wall", "-Werror", "-I.", "-o", program, filepath.Join("testdata", "spare.c"), "-lpthread"}, flags...)
		if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
			if name == "tsan" {
				t.Logf("not with ThreadSanitizer: %v\n%s", err, out)
				continue
			}
			t.Fatalf("%v\n%s", err, out)
		}
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), "TSAN_OPTIONS=halt_on_error=1")
		out, err := cmd.CombinedOutput()
		if name == "tsan" && strings.Contains(string(out), "unexpected memory mapping") {
			t.Logf("ThreadSanitizer does not run here: %s", out)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
