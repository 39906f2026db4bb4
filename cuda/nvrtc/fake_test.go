package nvrtc

import (
	"os/exec"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
)

// realTests are the tests of real_test.go, which take any NVRTC.
var realTests = []string{
	"TestVersionAndArchitecturesAreSensible", "TestTheSuitesKernelsCompile", "TestVirtualArchitecturesMakePTXAlone",
	"TestBuildErrorsHaveTheLogAndTheLine", "TestHeadersAreFoundByTheirNames", "TestNameExpressionsInstantiateTemplates",
	"TestFlagsMayHoldBlanks", "TestContextsEndACompile", "TestTheExamplesProgramCompiles",
}

// Where images are kept, what was compiled before needs no compiler.
func TestTheFakeLibraryKeepsImages(t *testing.T) {
	if usable != "" {
		drivertest.Lacks(t, "cgo", usable)
	}
	paths, err := fakedriver.Build(fakedriver.Options{})
	if err != nil {
		drivertest.Unavailable(t, "cgo", err)
	}
	if _, err := exec.LookPath("g++"); err != nil {
		drivertest.Unavailable(t, "cxx", driver.Errorf("cuda", "g++", driver.ErrUnavailable, "%v", err))
	}
	env := []string{libraryEnv + "=" + paths.Nvrtc, drivertest.RequireEnv + "=nvrtc", fakedriver.ImagesEnv + "=" + t.TempDir()}
	drivertest.RunChild(t, "TestTheSuitesKernelsCompile", env...)
	drivertest.RunChild(t, "TestTheSuitesKernelsCompile", append(env, "TRIAD_FAKE_CXX=/nonexistent")...)
}

// The fake NVRTC compiles for the machine's processor, with its C++ compiler.
func TestWithTheFakeLibrary(t *testing.T) {
	if usable != "" {
		drivertest.Lacks(t, "cgo", usable)
	}
	if _, err := exec.LookPath("g++"); err != nil {
		drivertest.Unavailable(t, "cgo", driver.Errorf("cuda", "g++", driver.ErrUnavailable, "%v", err))
	}
	paths, err := fakedriver.Build(fakedriver.Options{})
	if err != nil {
		drivertest.Unavailable(t, "cgo", err)
	}
	for _, test := range realTests {
		t.Run(test, func(t *testing.T) {
			drivertest.RunChild(t, test, libraryEnv+"="+paths.Nvrtc, drivertest.RequireEnv+"=nvrtc")
		})
	}
}
