package mallocs

import (
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

//go:embed src/mallocs.c
var source []byte

// Env builds the library and returns the environment of a process that has it; none
// with AddressSanitizer. Without a C compiler the test is skipped.
func Env(t testing.TB) []string {
	t.Helper()
	if drivertest.AsanEnabled {
		return nil
	}
	if runtime.GOOS != "linux" {
		drivertest.Unavailable(t, "cc", driver.Errorf("mallocs", "Env", driver.ErrUnavailable, "allocations are counted on Linux only"))
	}
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "gcc"
	}
	cc, err := exec.LookPath(cc)
	if err != nil {
		drivertest.Unavailable(t, "cc", errors.Join(driver.ErrUnavailable, err))
	}
	dir := t.TempDir()
	lib, text := filepath.Join(dir, "libmallocs.so"), filepath.Join(dir, "mallocs.c")
	if err := os.WriteFile(text, source, 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(cc, "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-fPIC", "-fno-builtin", "-fvisibility=hidden",
		"-fexceptions", "-shared", "-o", lib, text).CombinedOutput()
	if err != nil {
		t.Fatalf("building the library that counts allocations: %v\n%s", err, said)
	}
	return []string{"LD_PRELOAD=" + lib}
}
