package opencl

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/cgo_headers"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/library"
)

// A build without cgo compiles, opens nothing and says why.
func TestWithoutCgoEverythingIsUnavailable(t *testing.T) {
	if usable == "" {
		drivertest.Lacks(t, "no-cgo", "this build has cgo")
	}
	_, err := Open(0, DeviceOptions{})
	wantIs(t, "Open", err, driver.ErrUnavailable, "CGO_ENABLED")
	_, err = Platforms()
	wantIs(t, "Platforms", err, driver.ErrUnavailable, "CGO_ENABLED")
	_, err = Backend().Devices()
	wantIs(t, "Devices", err, driver.ErrUnavailable)
	if r := Backend().Probe(); r.Err == nil || r.Loaded != "" {
		t.Errorf("%+v", r)
	}
}

func TestSonamesComeBeforeDevelopmentNames(t *testing.T) {
	if candidates[0] != "libOpenCL.so.1" || slices.Index(candidates, "libOpenCL.so") != 1 {
		t.Errorf("the order is %v", candidates)
	}
}

// stub builds a library that has every required symbol but those left out, and
// no optional one.
func stub(t *testing.T, leaveOut ...string) string {
	t.Helper()
	header, err := cgo_headers.Files.ReadFile("triad_cl.h")
	check(t, err)
	var b strings.Builder
	n := 0
	for _, row := range regexp.MustCompile(`X\(REQUIRED, \d+, .*?(cl[A-Z]\w+), \(`).FindAllStringSubmatch(string(header), -1) {
		if !slices.Contains(leaveOut, row[1]) {
			b.WriteString("int " + row[1] + "(void) { return -1001; }\n")
			n++
		}
	}
	if n < 30 {
		t.Fatalf("only %d required functions were found", n)
	}
	dir := t.TempDir()
	source, library := filepath.Join(dir, "stub.c"), filepath.Join(dir, "libstub.so")
	check(t, os.WriteFile(source, []byte(b.String()), 0o666))
	if _, err := exec.LookPath("gcc"); err != nil {
		drivertest.Unavailable(t, "cgo", driver.Errorf("opencl", "gcc", driver.ErrUnavailable, "%v", err))
	}
	if out, err := exec.Command("gcc", "-shared", "-fPIC", "-w", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("building a stub library: %v\n%s", err, out)
	}
	return library
}

const stubEnv = "TRIAD_TEST_STUBS"

func TestAStubWithoutARequiredSymbolIsPassedOver(t *testing.T) {
	testDevice(t, DeviceOptions{})
	drivertest.RunChild(t, "TestPassesOverStubs", stubEnv+"="+stub(t, "clFinish"))
}

func TestPassesOverStubs(t *testing.T) {
	drivertest.OnlyAsChild(t)
	bad := os.Getenv(stubEnv)
	notELF := filepath.Join(t.TempDir(), "text.so")
	check(t, os.WriteFile(notELF, []byte(strings.Repeat("This is not a library. ", 100)), 0o666))
	s := search
	s.Env, s.Candidates = "", []string{"/no/such/libOpenCL.so.1", notELF, bad, "libOpenCL.so.1"}
	lib := library.Load(s)
	check(t, lib.Err)
	for i, want := range []string{"No such file", "invalid ELF header", "clFinish", ""} {
		got := lib.Attempts[i].Err
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("attempt %d, %s: %q lacks %q", i, lib.Attempts[i].Path, got, want)
		}
	}
	if !strings.Contains(lib.Path, "libOpenCL.so.1") || !filepath.IsAbs(lib.Path) {
		t.Errorf("the library in use is %q", lib.Path)
	}
	st := testStream(t, testDevice(t, DeviceOptions{}), driver.StreamOptions{})
	if got := values(t, st, buffer(t, st, []uint32{7})); got[0] != 7 {
		t.Errorf("got %v", got)
	}
}

// TRIAD_OPENCL_LIBRARY names the one library to try.
func TestTheEnvironmentNamesTheLibrary(t *testing.T) {
	testDevice(t, DeviceOptions{})
	drivertest.RunChild(t, "TestOverrideMissing", libraryEnv+"=/no/such/library.so")
	drivertest.RunChild(t, "TestOverrideStub", libraryEnv+"="+stub(t))
	drivertest.RunChild(t, "TestOverrideReal", libraryEnv+"="+load().Path)
}

func TestOverrideMissing(t *testing.T) {
	drivertest.OnlyAsChild(t)
	_, err := Platforms()
	wantIs(t, "Platforms", err, driver.ErrLibraryNotFound, "/no/such/library.so", "No such file", "TRIAD_OPENCL_LIBRARY", "ocl-icd-libopencl1")
	if strings.Contains(err.Error(), "libOpenCL.so.1") {
		t.Errorf("others were tried: %v", err)
	}
	if r := Backend().Probe(); len(r.Libraries) != 1 || r.Err == nil || r.Loaded != "" {
		t.Errorf("%+v", r)
	}
	_, err = Open(0, DeviceOptions{})
	wantIs(t, "Open", err, driver.ErrUnavailable)
	_, err = Backend().Devices()
	wantIs(t, "Devices", err, driver.ErrUnavailable)
}

// A library without a single optional symbol is used, and says what it lacks.
func TestOverrideStub(t *testing.T) {
	drivertest.OnlyAsChild(t)
	lib := load()
	check(t, lib.Err)
	if lib.Path != os.Getenv(libraryEnv) {
		t.Errorf("the library in use is %q", lib.Path)
	}
	for _, symbol := range []string{"clSVMAlloc", "clCloneKernel", "clCreateProgramWithIL", "clCreateCommandQueueWithProperties"} {
		if lib.Has(symbol) {
			t.Errorf("%s is said to be there", symbol)
		}
	}
	if !lib.Has("clFinish") {
		t.Error("clFinish is said to be missing")
	}
	_, err := Platforms()
	wantIs(t, "Platforms", err, driver.ErrNoDevice, "CL_PLATFORM_NOT_FOUND_KHR", "-1001")
	if r := Backend().Probe(); r.Err == nil || len(r.Missing) < 5 {
		t.Errorf("%+v", r)
	}
}

func TestOverrideReal(t *testing.T) {
	drivertest.OnlyAsChild(t)
	testDevice(t, DeviceOptions{})
	if lib := load(); lib.Path != os.Getenv(libraryEnv) || len(lib.Attempts) != 1 {
		t.Errorf("%+v", lib)
	}
}

// Without a platform the error says what the loader goes by.
func TestNoPlatformListsVariablesAndFolders(t *testing.T) {
	testDevice(t, DeviceOptions{})
	empty := t.TempDir()
	drivertest.RunChild(t, "TestNoPlatform", "OCL_ICD_VENDORS="+empty, "OCL_ICD_FILENAMES=")
	drivertest.RunChild(t, "TestNoPlatform", "OCL_ICD_VENDORS="+vendors(t, "/no/such/driver.so"))
}

func TestNoPlatform(t *testing.T) {
	drivertest.OnlyAsChild(t)
	dir := os.Getenv("OCL_ICD_VENDORS")
	_, err := Platforms()
	if err == nil {
		drivertest.Lacks(t, "ocl-icd", "the loader "+load().Path+" does not go by OCL_ICD_VENDORS")
	}
	wantIs(t, "Platforms", err, driver.ErrNoDevice, load().Path, "OCL_ICD_VENDORS", dir, "/etc/OpenCL/vendors", "pocl-opencl-icd", "CL_PLATFORM_NOT_FOUND_KHR")
	if files, _ := filepath.Glob(filepath.Join(dir, "*.icd")); len(files) == 0 {
		wantIs(t, "Platforms", err, driver.ErrNoDevice, "no .icd file in "+dir)
	} else {
		wantIs(t, "Platforms", err, driver.ErrNoDevice, "a.icd (/no/such/driver.so)")
	}
	_, err = Open(0, DeviceOptions{})
	wantIs(t, "Open", err, driver.ErrNoDevice)
	var de *driver.Error
	if !errors.As(err, &de) || de.Op != "clGetPlatformIDs" {
		t.Errorf("%v", err)
	}
}

// A program that is linked with -z now resolves all its symbols at start: ours
// must not have any of OpenCL's among them.
func TestProgramsLinkedWithBindNowRun(t *testing.T) {
	if testing.Short() {
		t.Skip("links a program")
	}
	testDevice(t, DeviceOptions{})
	drivertest.BindNow(t, "opencl", "cl", "OpenCL")
}
