package hiprtc

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// scripted builds the library of testdata/scripted.c.
func scripted(t *testing.T, flags ...string) string {
	t.Helper()
	if usable != "" {
		drivertest.Lacks(t, "cgo", usable)
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		drivertest.Unavailable(t, "cgo", driver.Errorf("hip", "gcc", driver.ErrUnavailable, "%v", err))
	}
	lib := filepath.Join(t.TempDir(), "libscripted.so")
	args := append([]string{"-shared", "-fPIC", "-Wall", "-o", lib, "testdata/scripted.c"}, flags...)
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("building a scripted hiprtc: %v\n%s", err, out)
	}
	return lib
}

// scriptedTests run in a process of their own, with the scripted library.
var scriptedTests = []string{
	"TestScriptedFacts", "TestScriptedResults", "TestScriptedFailures", "TestScriptedNames", "TestScriptedCancel",
	"TestScriptedCompilesAtOnce", "TestScriptedSignals",
}

func TestWithAScriptedLibrary(t *testing.T) {
	lib := scripted(t)
	for _, test := range scriptedTests {
		drivertest.RunChild(t, test, libraryEnv+"="+lib)
	}
}

func TestOlderLibrariesLackOnlyWhatIsOptional(t *testing.T) {
	lib := scripted(t, "-DOLD")
	drivertest.RunChild(t, "TestScriptedOld", libraryEnv+"="+lib)
}

func TestStubsArePassedOver(t *testing.T) {
	lib := scripted(t)
	for _, version := range []string{"0.0", "none"} {
		drivertest.RunChild(t, "TestScriptedUnusable", libraryEnv+"="+lib, "SCRIPTED_VERSION="+version, "SCRIPTED_WANT=a stub")
	}
	drivertest.RunChild(t, "TestScriptedUnusable", libraryEnv+"="+lib, "SCRIPTED_REFUSE=1", "SCRIPTED_WANT=hiprtcCreateProgram gives result 2")
	bare := scripted(t, "-DhiprtcGetCode=renamed")
	drivertest.RunChild(t, "TestScriptedUnusable", libraryEnv+"="+bare, "SCRIPTED_WANT=hiprtcGetCode")
	drivertest.RunChild(t, "TestScriptedUnusable", libraryEnv+"=/no/such/libhiprtc.so", "SCRIPTED_WANT=No such file")
}

func TestScriptedUnusable(t *testing.T) {
	drivertest.OnlyAsChild(t)
	path := os.Getenv(libraryEnv)
	_, err := Compile(t.Context(), Program{Code: []byte("x")}, Options{})
	wantIs(t, "Compile", err, driver.ErrLibraryNotFound, path, os.Getenv("SCRIPTED_WANT"), libraryEnv, "install hiprtc")
	_, err = Target("gfx90a")
	wantIs(t, "Target", err, driver.ErrLibraryNotFound)
	if r := Probe(); len(r.Libraries) != 1 || r.Libraries[0].Path != path || r.Err == nil || r.Loaded != "" {
		t.Errorf("%+v", r)
	}
}

// A library without comgr doesn't tell what it compiles for, and any architecture is
// tried.
func TestScriptedFacts(t *testing.T) {
	drivertest.OnlyAsChild(t)
	major, minor, err := Version()
	check(t, err)
	archs, err := Architectures()
	check(t, err)
	if major != 9 || minor != 0 || archs != nil {
		t.Errorf("version %d.%d, architectures %v", major, minor, archs)
	}
	if arch, err := Target("sm_90"); arch != "sm_90" || err != nil {
		t.Errorf("target %q, error %v", arch, err)
	}
	r := Probe()
	if r.Err != nil || r.Version != "hiprtc 9.0" || r.Loaded != os.Getenv(libraryEnv) || r.Platforms != nil || r.Missing != nil {
		t.Errorf("%+v", r)
	}
}

// compiled compiles a text with the scripted library.
func compiled(t *testing.T, text string, o Options) *Result {
	t.Helper()
	r, err := Compile(t.Context(), Program{Name: "f.hip", Code: []byte(text), Headers: map[string][]byte{"lib/a.h": []byte("A")}}, o)
	check(t, err)
	return r
}

func TestScriptedResults(t *testing.T) {
	drivertest.OnlyAsChild(t)
	r := compiled(t, "@log mind the gap\n", Options{Arch: "gfx90a", Flags: []string{"-I a folder"}, Defines: []driver.Define{{Name: "N", Value: "4"}}})
	want := "// name f.hip\n// header lib/a.h\n// text A\n// option --offload-arch=gfx90a\n// option -I a folder\n#define N 4\n#line 1 \"f.hip\"\n@log mind the gap\n\n"
	if string(r.Code) != want || r.Bitcode != nil || r.Lowered != nil || r.Log != "mind the gap" {
		t.Errorf("code %q, want %q; %+v", r.Code, want, r)
	}
	if r = compiled(t, "x", Options{Arch: "gfx90a", Flags: []string{"-fgpu-rdc"}}); r.Code != nil || string(r.Bitcode) != "BC" || r.Log != "" {
		t.Errorf("with -fgpu-rdc: %+v", r)
	}
}

func TestScriptedFailures(t *testing.T) {
	drivertest.OnlyAsChild(t)
	compile := func(text string) error {
		var none context.Context // which is allowed
		_, err := Compile(none, Program{Name: "f.hip", Code: []byte(text)}, Options{Arch: "gfx90a"})
		return err
	}
	var be *driver.BuildError
	if err := compile("first\n@result 6\n@log f.hip:1:2: error: no"); !errors.As(err, &be) {
		t.Fatalf("%T: %v", err, err)
	}
	if be.Line != "f.hip:1: first" || be.Log != "f.hip:1:2: error: no" || be.Device != "gfx90a by hiprtc 9.0" || be.Code != 6 {
		t.Errorf("%+v", be)
	}
	wantIs(t, "no reason", compile("@result 6"), driver.ErrBuild, "HIPRTC_ERROR_COMPILATION (6)", "needs a device")
	wantIs(t, "an option", compile("@result 5"), driver.ErrBuild, "HIPRTC_ERROR_INVALID_OPTION (5)", "hiprtc 9.0")
	wantIs(t, "builtins", compile("@result 7"), driver.ErrBuild, "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE (7)", "libhiprtc-builtins.so", os.Getenv(libraryEnv))
	wantIs(t, "memory", compile("@result 1"), driver.ErrOutOfMemory)
	wantIs(t, "a code of the future", compile("@result 99"), driver.ErrBuild, "HIPRTC_ERROR_OF_THE_FUTURE (99)")
	wantIs(t, "a code without a name", compile("@result 98"), driver.ErrBuild, "HIPRTC_ERROR unknown (98)")
	wantIs(t, "no code", compile("@none"), driver.ErrBuild, "made no code", "f.hip", "gfx90a")
}

func TestScriptedNames(t *testing.T) {
	drivertest.OnlyAsChild(t)
	r, err := Compile(t.Context(), Program{Code: []byte("x"), NameExpressions: []string{"f<int>", "&g"}}, Options{Arch: "gfx90a"})
	check(t, err)
	if len(r.Lowered) != 2 || r.Lowered["f<int>"] != "_Zf<int>" || r.Lowered["&g"] != "_Z&g" {
		t.Errorf("the names are %v", r.Lowered)
	}
	_, err = Compile(t.Context(), Program{Name: "f.hip", Code: []byte("x"), NameExpressions: []string{"bad"}}, Options{})
	wantIs(t, "a bad name", err, driver.ErrNotFound, "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID (10)", `"bad"`, "f.hip")
	_, err = Compile(t.Context(), Program{Code: []byte("x"), NameExpressions: strings.Fields("a b c d e f g h i")}, Options{})
	wantIs(t, "too many names", err, driver.ErrInvalidValue, "hiprtcAddNameExpression")
}

// A cancelled compile goes on, and its result is dropped.
func TestScriptedCancel(t *testing.T) {
	drivertest.OnlyAsChild(t)
	file := filepath.Join(t.TempDir(), "go")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(running) == 0 {
			time.Sleep(100 * time.Microsecond)
		}
		cancel()
	}()
	_, err := Compile(ctx, Program{Code: []byte("@until " + file + "\n")}, Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if len(running) != 1 {
		t.Errorf("%d compiles are in hiprtc, want 1", len(running))
	}
	check(t, os.WriteFile(file, nil, 0o666))
	ends(t)
	if _, err := Compile(ctx, Program{Code: []byte("x")}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that had ended: %v", err)
	}
}

// One compile is in hiprtc at a time; the others queue, and those that are not
// wanted any more leave the queue.
func TestScriptedCompilesAtOnce(t *testing.T) {
	drivertest.OnlyAsChild(t)
	file := filepath.Join(t.TempDir(), "go")
	var wait sync.WaitGroup
	for range 6 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			if _, err := Compile(t.Context(), Program{Code: []byte("@until " + file + "\n")}, Options{Arch: "gfx90a"}); err != nil {
				t.Error(err)
			}
		}()
	}
	for len(running) < cap(running) {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := Compile(ctx, Program{Code: []byte("x")}, Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a compile in the queue: %v", err)
	}
	check(t, os.WriteFile(file, nil, 0o666))
	wait.Wait()
	ends(t)
}

func TestScriptedOld(t *testing.T) {
	drivertest.OnlyAsChild(t)
	if r := Probe(); r.Err != nil || strings.Join(r.Missing, " ") != "hiprtcGetBitcodeSize hiprtcGetBitcode" {
		t.Errorf("%+v", r)
	}
	if r := compiled(t, "x", Options{Arch: "gfx90a"}); r.Code == nil || r.Bitcode != nil {
		t.Errorf("%+v", r)
	}
	_, err := Compile(t.Context(), Program{Code: []byte("x")}, Options{Flags: []string{"-fgpu-rdc"}})
	wantIs(t, "bitcode", err, driver.ErrBuild, "made no code", "-fgpu-rdc")
}

// The handlers that a compiler installs don't outlast it: Go's own still work.
func TestScriptedSignals(t *testing.T) {
	drivertest.OnlyAsChild(t)
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	defer signal.Stop(interrupted)
	compiled(t, "x", Options{})
	self, err := os.FindProcess(os.Getpid())
	check(t, err)
	check(t, self.Signal(os.Interrupt))
	select {
	case <-interrupted:
	case <-time.After(30 * time.Second):
		t.Error("the interrupt did not arrive")
	}
	defer func() {
		if recover() == nil {
			t.Error("a nil dereference went by")
		}
	}()
	var p *int
	_ = *p
}
