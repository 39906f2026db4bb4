package hiponcuda

import (
	"debug/elf"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/triad-gpu/triad/cgo_headers"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// left are the functions of the tables that the libraries don't have, with the reason:
// without them package hip does what it does with a runtime that lacks them.
var left = map[string]string{
	"hipGetDevicePropertiesR0000":  "HIP 7 has the newer layout",
	"hipGetDeviceProperties":       "HIP 7 has the newer layout",
	"hipExtStreamCreateWithCUMask": "CUDA's streams are not bound to multiprocessors",
	"hipExtStreamGetCUMask":        "CUDA's streams are not bound to multiprocessors",
	"hiprtcGetBitcodeSize":         "NVRTC makes no bitcode",
	"hiprtcGetBitcode":             "NVRTC makes no bitcode",
}

// built builds the libraries into a new folder.
func built(t *testing.T) Paths {
	t.Helper()
	p, err := Build(t.TempDir())
	if errors.Is(err, driver.ErrUnavailable) {
		drivertest.Unavailable(t, "cgo", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTheLibrariesHaveTheTablesFunctions(t *testing.T) {
	p := built(t)
	for header, path := range map[string]string{"triad_hip.h": p.HIP, "triad_hiprtc.h": p.Hiprtc} {
		text, err := cgo_headers.Files.ReadFile(header)
		if err != nil {
			t.Fatal(err)
		}
		f, err := elf.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		symbols, err := f.DynamicSymbols()
		if err != nil {
			t.Fatal(err)
		}
		rows := regexp.MustCompile(`X\((?:REQUIRED|OPTIONAL), \d+, [\w *]+?, (hip\w+),`).FindAllSubmatch(text, -1)
		if len(rows) < 12 {
			t.Fatalf("%s has %d functions", header, len(rows))
		}
		for _, row := range rows {
			name := string(row[1])
			there := slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == name && s.Section != elf.SHN_UNDEF })
			if there == (left[name] != "") {
				t.Errorf("%s has %s: %v; it is left out because %q", filepath.Base(path), name, there, left[name])
			}
		}
		if sonames, err := f.DynString(elf.DT_SONAME); err != nil || len(sonames) != 1 || sonames[0] != filepath.Base(path) {
			t.Errorf("%s is called %q, error %v", path, sonames, err)
		}
	}
}

func TestBuiltLibrariesAreFound(t *testing.T) {
	p := built(t)
	t.Setenv(Dir, filepath.Dir(p.HIP))
	if got, err := Build(""); got != p || err != nil {
		t.Errorf("got %v, error %v; want %v", got, err, p)
	}
	t.Setenv(Dir, t.TempDir())
	if _, err := Build(""); !errors.Is(err, driver.ErrUnavailable) {
		t.Errorf("in an empty folder: %v", err)
	}
	t.Setenv(Dir, "")
	cached, err := Build("")
	if err != nil {
		t.Fatal(err)
	}
	was, err := os.Stat(cached.HIP)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Build(""); again != cached || err != nil {
		t.Errorf("got %v, error %v; want %v", again, err, cached)
	}
	if is, err := os.Stat(cached.HIP); err != nil || is.ModTime() != was.ModTime() {
		t.Errorf("it was built twice; error %v", err)
	}
}
