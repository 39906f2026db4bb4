package nvrtc

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
		drivertest.Unavailable(t, "cgo", driver.Errorf("cuda", "gcc", driver.ErrUnavailable, "%v", err))
	}
	lib := filepath.Join(t.TempDir(), "libscripted.so")
	args := append([]string{"-shared", "-fPIC", "-Wall", "-o", lib, "testdata/scripted.c"}, flags...)
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("building a scripted NVRTC: %v\n%s", err, out)
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
	drivertest.RunChild(t, "TestScriptedOld", libraryEnv+"="+lib, "SCRIPTED_VERSION=11.2")
}

func TestStubsAndOldVersionsArePassedOver(t *testing.T) {
	lib := scripted(t)
	for version, want := range map[string]string{"0.0": "a stub", "none": "a stub", "11.1": "too old; 11.2", "10.2": "too old; 11.2"} {
		drivertest.RunChild(t, "TestScriptedUnusable", libraryEnv+"="+lib, "SCRIPTED_VERSION="+version, "SCRIPTED_WANT="+want)
	}
	bare := scripted(t, "-DnvrtcGetCUBIN=renamed")
	drivertest.RunChild(t, "TestScriptedUnusable", libraryEnv+"="+bare, "SCRIPTED_WANT=nvrtcGetCUBIN")
	drivertest.RunChild(t, "TestScriptedUnusable", libraryEnv+"=/no/such/libnvrtc.so", "SCRIPTED_WANT=No such file")
}

func TestScriptedUnusable(t *testing.T) {
	drivertest.OnlyAsChild(t)
	path := os.Getenv(libraryEnv)
	_, err := Compile(t.Context(), Program{Code: []byte("x")}, Options{})
	wantIs(t, "Compile", err, driver.ErrLibraryNotFound, path, os.Getenv("SCRIPTED_WANT"), libraryEnv, "install NVRTC")
	_, _, err = Target(9, 0, 0)
	wantIs(t, "Target", err, driver.ErrLibraryNotFound)
	if r := Probe(); len(r.Libraries) != 1 || r.Libraries[0].Path != path || r.Err == nil || r.Loaded != "" {
		t.Errorf("%+v", r)
	}
}

func TestScriptedFacts(t *testing.T) {
	drivertest.OnlyAsChild(t)
	major, minor, err := Version()
	check(t, err)
	archs, err := Architectures()
	check(t, err)
	if major != 12 || minor != 8 || len(archs) != 5 || archs[4] != 90 {
		t.Errorf("version %d.%d, architectures %v", major, minor, archs)
	}
	archs[0] = 0
	if again, _ := Architectures(); again[0] != 50 {
		t.Error("the list is shared with the caller")
	}
	if arch, machine, err := Target(12, 0, 12080); arch != "compute_90" || machine || err != nil {
		t.Errorf("target %q, machine code %v, error %v", arch, machine, err)
	}
	r := Probe()
	if r.Err != nil || r.Version != "NVRTC 12.8" || r.Loaded != os.Getenv(libraryEnv) || strings.Join(r.Platforms, "") != "sm_50, sm_75, sm_80, sm_86, sm_90" || r.Missing != nil {
		t.Errorf("%+v", r)
	}
}

// compiled compiles a text with the scripted library.
func compiled(t *testing.T, text string, o Options) *Result {
	t.Helper()
	r, err := Compile(t.Context(), Program{Name: "f.cu", Code: []byte(text), Headers: map[string][]byte{"lib/a.h": []byte("A")}}, o)
	check(t, err)
	return r
}

func TestScriptedResults(t *testing.T) {
	drivertest.OnlyAsChild(t)
	r := compiled(t, "@log mind the gap\n", Options{Arch: "sm_90", Flags: []string{"-I a folder"}, Defines: []driver.Define{{Name: "N", Value: "4"}}})
	if string(r.CUBIN) != "machine\x00" || r.LTOIR != nil || r.Lowered != nil {
		t.Errorf("%+v", r)
	}
	if want := "// name f.cu\n// header lib/a.h\n// text A\n// option --gpu-architecture=sm_90\n// option -I a folder\n#define N 4\n#line 1 \"f.cu\"\n@log mind the gap\n\n"; string(r.PTX) != want {
		t.Errorf("the PTX is %q, want %q", r.PTX, want)
	}
	if r.Log != "mind the gap" {
		t.Errorf("the log is %q", r.Log)
	}
	if r = compiled(t, "x", Options{Arch: "compute_80"}); r.CUBIN != nil || r.PTX == nil {
		t.Errorf("for a virtual architecture: %+v", r)
	}
	if r = compiled(t, "x", Options{Arch: "sm_80", Flags: []string{"-dlto"}}); r.CUBIN != nil || r.PTX != nil || string(r.LTOIR) != "ltoir" {
		t.Errorf("with -dlto: %+v", r)
	}
}

func TestScriptedFailures(t *testing.T) {
	drivertest.OnlyAsChild(t)
	compile := func(text string) error {
		var none context.Context // which is allowed
		_, err := Compile(none, Program{Name: "f.cu", Code: []byte(text)}, Options{Arch: "sm_90"})
		return err
	}
	var be *driver.BuildError
	if err := compile("first\n@result 6\n@log f.cu(1): error: no"); !errors.As(err, &be) {
		t.Fatalf("%T: %v", err, err)
	}
	if be.Line != "f.cu:1: first" || be.Log != "f.cu(1): error: no" || be.Device != "sm_90 by NVRTC 12.8" || be.Code != 6 {
		t.Errorf("%+v", be)
	}
	wantIs(t, "an option", compile("@result 5"), driver.ErrBuild, "NVRTC_ERROR_INVALID_OPTION (5)", "NVRTC 12.8")
	wantIs(t, "builtins", compile("@result 7"), driver.ErrBuild, "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE (7)", "libnvrtc-builtins.so", os.Getenv(libraryEnv))
	wantIs(t, "memory", compile("@result 1"), driver.ErrOutOfMemory)
	wantIs(t, "a code of the future", compile("@result 99"), driver.ErrBuild, "NVRTC_ERROR_OF_THE_FUTURE (99)")
	wantIs(t, "cancelled by itself", compile("@result 16"), driver.ErrBuild, "NVRTC_ERROR_CANCELLED (16)")
	wantIs(t, "no code", compile("@none"), driver.ErrBuild, "made no code", "f.cu", "sm_90")
}

func TestScriptedNames(t *testing.T) {
	drivertest.OnlyAsChild(t)
	r, err := Compile(t.Context(), Program{Code: []byte("x"), NameExpressions: []string{"f<int>", "&g"}}, Options{Arch: "sm_90"})
	check(t, err)
	if len(r.Lowered) != 2 || r.Lowered["f<int>"] != "_Zf<int>" || r.Lowered["&g"] != "_Z&g" {
		t.Errorf("the names are %v", r.Lowered)
	}
	_, err = Compile(t.Context(), Program{Name: "f.cu", Code: []byte("x"), NameExpressions: []string{"bad"}}, Options{})
	wantIs(t, "a bad name", err, driver.ErrNotFound, "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID (10)", `"bad"`, "f.cu")
	_, err = Compile(t.Context(), Program{Code: []byte("x"), NameExpressions: strings.Fields("a b c d e f g h i")}, Options{})
	wantIs(t, "too many names", err, driver.ErrInvalidValue, "nvrtcAddNameExpression")
}

// ends waits until no compile is in NVRTC.
func ends(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); len(running) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a compile did not come to an end")
		}
	}
}

// A compile that is not wanted any more ends soon, in NVRTC as well: nothing here
// ever makes the file that it waits for.
func TestScriptedCancel(t *testing.T) {
	drivertest.OnlyAsChild(t)
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for len(running) == 0 {
				time.Sleep(100 * time.Microsecond)
			}
			cancel()
		}()
		_, err := Compile(ctx, Program{Code: []byte("@until /no/such/file\n")}, Options{})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		ends(t)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compile(ended, Program{Code: []byte("x")}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that had ended: %v", err)
	}
}

// More compiles than may be in NVRTC at once queue, and those that are not wanted
// any more leave the queue.
func TestScriptedCompilesAtOnce(t *testing.T) {
	drivertest.OnlyAsChild(t)
	file := filepath.Join(t.TempDir(), "go")
	var wait sync.WaitGroup
	n := 3 * cap(running)
	for range n {
		wait.Add(1)
		go func() {
			defer wait.Done()
			if _, err := Compile(t.Context(), Program{Code: []byte("@until " + file + "\n")}, Options{Arch: "sm_80"}); err != nil {
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

// Without nvrtcSetFlowCallback a cancelled compile goes on, and its result is
// dropped.
func TestScriptedOld(t *testing.T) {
	drivertest.OnlyAsChild(t)
	if r := Probe(); r.Err != nil || r.Version != "NVRTC 11.2" || strings.Join(r.Missing, " ") != "nvrtcSetFlowCallback nvrtcGetLTOIRSize nvrtcGetLTOIR" {
		t.Errorf("%+v", r)
	}
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
		t.Errorf("%d compiles are in NVRTC, want 1", len(running))
	}
	check(t, os.WriteFile(file, nil, 0o666))
	ends(t)
	if r := compiled(t, "x", Options{Arch: "sm_80"}); r.CUBIN == nil || r.LTOIR != nil {
		t.Errorf("%+v", r)
	}
	_, err = Compile(t.Context(), Program{Code: []byte("x")}, Options{Flags: []string{"-dlto"}})
	wantIs(t, "LTO-IR", err, driver.ErrBuild, "NVRTC 11.2")
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
